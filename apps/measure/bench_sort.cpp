// SPDX-License-Identifier: MIT
// The command bench sort: the kernel in memory, a sort from file to file, a sort in a pipeline.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/output_check.hpp"
#include "apps/measure/bench.hpp"
#include "apps/measure/disk_measurement.hpp"
#include "apps/measure/sort_measurement.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

using core::UsageError;

std::string threads_text(unsigned threads) {
  return threads == 1 ? "1 thread" : fmt::format("{} threads", threads);
}

/// Seconds to copy `bytes` bytes once, a share per thread; median of three.
double copy_seconds(core::Environment& environment, std::size_t bytes, unsigned threads) {
  const core::Buffer from(environment.memory, bytes, "memory to copy");
  const core::Buffer to(environment.memory, bytes, "memory to copy to");
  core::ThreadTeam team(threads);
  const auto share = [&](const core::Buffer& buffer, unsigned number) {
    const std::size_t begin = bytes * number / threads;
    return buffer.bytes().subspan(begin, bytes * (number + 1) / threads - begin);
  };
  team.all([&](unsigned number) {  // makes the pages resident
    std::ranges::fill(share(from, number), std::byte{1});
    std::ranges::fill(share(to, number), std::byte{2});
  });
  std::array<double, 3> seconds{};
  for (double& run : seconds) {
    const JobWatch::Clock::time_point start = JobWatch::Clock::now();
    team.all([&](unsigned number) { std::ranges::copy(share(from, number), share(to, number).begin()); });
    run = JobWatch::seconds_since(start);
  }
  std::ranges::sort(seconds);
  return seconds[1];
}

/// The cost of sorting `records` records in memory, a share per thread; the median of three.
template <class Kind>
JobCost sort_in_memory(core::Environment& environment, std::uint64_t records, unsigned threads) {
  using Record = typename Kind::Record;
  const core::Array<Record> array(environment.memory, records, "records to sort in memory");
  core::ThreadTeam team(threads);
  const auto share = [&](unsigned number) {
    const std::uint64_t begin = records * number / threads;
    return array.span().subspan(begin, records * (number + 1) / threads - begin);
  };
  std::array<JobCost, 3> costs{};
  for (JobCost& run : costs) {
    team.all([&](unsigned number) {
      std::uint64_t i = static_cast<std::uint64_t>(share(number).data() - array.data());
      for (Record& record : share(number)) record = Kind::make(environment.seed, i++);
    });
    const JobWatch watch(environment);
    team.all([&](unsigned number) {
      if constexpr (Kind::has_integer_key) {
        const std::span<Record> own = share(number);
        core::vector_sort(std::span(reinterpret_cast<typename Kind::Key*>(own.data()), own.size()));
      } else {
        core::sort_records(share(number), typename Kind::Less());
      }
    });
    run = watch.cost();
    for (unsigned number = 0; number < threads; ++number) {
      SortedCheck<Kind>().take(share(number));
    }
  }
  std::ranges::sort(costs, {}, &JobCost::seconds);
  return costs[1];
}

class BenchSort final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.group("Bench");
    options.value("--size", size_, "SIZE", "bytes of records to sort").otherwise("1G, with --quick 128M");
    options
        .value("--record", record_, "KIND",
               "kind of records: u32-pair and u64-pair are sorted by distribution, 64B by merging; all is "
               "all three")
        .only({U32Pair::name, U64Pair::name, Wide::name, "all"})
        .otherwise("all");
    declare_disk_bandwidth(options, disk_bandwidth_);
    declare_bench_options(options, typed_, quick_,
                          "half of what is available; without -M the sorter takes a quarter of --size, with "
                          "-M three quarters of -M");
  }

  ExitCode run() override {
    const CommonOptions options = validate(typed_);
    const std::uint64_t size = bench_size(size_, quick_ ? 128 * core::MiB : core::GiB);
    const bool all = record_.empty() || record_ == "all";
    Session session(options, Spill::possible);
    const Bandwidth bandwidth = disk_bandwidth(session, disk_bandwidth_, quick_);
    Figures figures;
    if (all || record_ == U32Pair::name) measure<U32Pair>(session, size, bandwidth, figures);
    if (all || record_ == U64Pair::name) measure<U64Pair>(session, size, bandwidth, figures);
    if (all || record_ == Wide::name) measure<Wide>(session, size, bandwidth, figures);

    Report report(session, "bench sort");
    report.size("size_bytes", size);
    report.size("sorter_memory_bytes", bench_memory(session, size));
    bandwidth.report(report);
    figures.report(report);
    return report.finish();
  }

 private:
  template <class Kind>
  void measure(Session& session, std::uint64_t size, const Bandwidth& bandwidth, Figures& figures) {
    measure_kernel<Kind>(session, size, figures);
    core::Environment& environment = session.environment();
    const std::size_t memory = bench_memory(session, size);
    const std::uint64_t records = size / sizeof(typename Kind::Record);
    const std::uint64_t bytes = records * sizeof(typename Kind::Record);
    // Records that do not fit are written and read again.
    const std::uint64_t spilled = bytes - std::min<std::uint64_t>(bytes, memory);
    const auto add = [&](const std::string& name, const JobCost& cost, std::uint64_t moved_once) {
      figures.add({.name = name,
                   .subject = Kind::name,
                   .operations = records,
                   .unit = "records",
                   .bytes = bytes,
                   .bound_bytes = 2 * moved_once,
                   .bound_seconds = bandwidth.bound(moved_once, moved_once),
                   .cost = cost});
    };
    const std::size_t files = environment.memory.available() - memory;
    const std::size_t block_bytes =
        fitting_block_bytes(files / 2, SortJob<Kind>::blocks(environment.threads));
    add("file to file", SortJob<Kind>(environment, records, memory).from_file_to_file(block_bytes),
        bytes + spilled);
    add("pipeline", SortJob<Kind>(environment, records, memory).pipeline(), spilled);
  }

  /// Uses more memory than a cache has.
  template <class Kind>
  static void measure_kernel(Session& session, std::uint64_t size, Figures& figures) {
    core::Environment& environment = session.environment();
    const std::uint64_t most = std::min<std::uint64_t>(128 * core::MiB, environment.memory.available() / 4);
    const std::uint64_t records = std::min(size, most) / sizeof(typename Kind::Record);
    const std::uint64_t bytes = records * sizeof(typename Kind::Record);
    const core::Phase phase(environment.progress, fmt::format("sort {} in memory", Kind::name), 0, "records");
    std::vector<unsigned> teams{1};
    if (environment.threads > 1) teams.push_back(environment.threads);
    for (const unsigned threads : teams) {
      const double copying = copy_seconds(environment, bytes, threads);
      const JobCost sorting = sort_in_memory<Kind>(environment, records, threads);
      figures.add({.name = "in memory, " + threads_text(threads),
                   .subject = Kind::name,
                   .operations = records,
                   .unit = "records",
                   .bytes = bytes,
                   .bound_bytes = 2 * bytes,
                   .bound_seconds = copying,
                   .cost = sorting});
    }
  }

  TypedOptions typed_;
  std::string size_;
  std::string record_;
  std::string disk_bandwidth_;
  bool quick_ = false;
};

}  // namespace

std::unique_ptr<Command> make_bench_sort() {
  return std::make_unique<BenchSort>();
}

}  // namespace emgraph::apps
