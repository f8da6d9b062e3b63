// SPDX-License-Identifier: MIT
// The command bench disks: writes and reads an area on every disk, one by one and together.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "apps/command_line/command.hpp"
#include "apps/command_line/disk_config.hpp"
#include "apps/command_line/disk_spec.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/output_check.hpp"
#include "apps/measure/bench.hpp"
#include "apps/measure/disk_measurement.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

using core::Operation;
using core::UsageError;

constexpr std::uint64_t most_depth = 128;

/// A size that direct I/O can transfer.
std::uint64_t block_option(const std::string& name, const std::string& text) {
  const std::uint64_t bytes = size_option(name, text);
  constexpr std::size_t unit = core::BlockManager::granularity_bytes;
  if (bytes > 0 && bytes % unit == 0) return bytes;
  throw UsageError(fmt::format("{}: {} is not a multiple of {}", name, text, core::format_size(unit)));
}

/// The options as typed; empty: the default.
struct Wish {
  std::optional<std::uint64_t> size_bytes;
  std::optional<std::uint64_t> block_bytes;
  std::optional<std::uint64_t> batch_blocks;
  std::optional<std::uint64_t> random_reads;
  std::uint64_t random_bytes = 4 * core::KiB;
  unsigned depth = 8;
  bool quick = false;
};

/// Bytes per disk. Without --size they are limited by size= of the disks and, for disks in memory, by -M.
std::uint64_t area_bytes(const Wish& wish, const std::vector<core::DiskSpec>& disks, std::size_t free) {
  if (wish.size_bytes) return *wish.size_bytes;
  std::uint64_t bytes = wish.quick ? 256 * core::MiB : 4 * core::GiB;
  for (const core::DiskSpec& disk : disks) {
    bytes = std::min(bytes, disk.capacity_bytes);
    if (disk.backend == core::DiskBackend::memory) bytes = std::min(bytes, free / 2 / disks.size());
  }
  return bytes;
}

core::AreaShape area_shape(const Wish& wish, const std::vector<core::DiskSpec>& disks,
                           const core::MemoryBudget& memory) {
  const std::size_t free = memory.available();
  core::AreaShape shape{.depth = wish.depth};
  std::uint64_t bytes = area_bytes(wish, disks, free);
  // At least a quarter is left for patterns, latencies and random reads; of these an area needs twice its
  // depth.
  const std::uint64_t random_bytes =
      wish.random_reads == std::uint64_t{0} ? 0 : 2 * wish.depth * wish.random_bytes * disks.size();
  std::size_t for_blocks =
      free - std::min<std::uint64_t>(free, free / 8 + std::max<std::uint64_t>(free / 8, random_bytes));
  for (const core::DiskSpec& disk : disks) {
    if (disk.backend == core::DiskBackend::memory) for_blocks -= std::min<std::uint64_t>(for_blocks, bytes);
  }
  shape.memory_bytes = for_blocks;
  shape.block_bytes = wish.block_bytes.value_or(fitting_block_bytes(
      std::min<std::uint64_t>(for_blocks, bytes * disks.size()), wish.depth * disks.size()));
  const std::uint64_t blocks = bytes / shape.block_bytes;
  if (blocks == 0) {
    throw UsageError(fmt::format("an area of {} holds no block of {}", core::format_size(bytes),
                                 core::format_size(shape.block_bytes)));
  }
  shape.bytes = blocks * shape.block_bytes;
  if (shape.bytes < wish.random_bytes && wish.random_reads.value_or(1) > 0) {
    throw UsageError(fmt::format("an area of {} holds no block of {} to be read at random",
                                 core::format_size(shape.bytes), core::format_size(wish.random_bytes)));
  }
  shape.batch_blocks = wish.batch_blocks.value_or(
      std::max<std::uint64_t>(1, std::min(64 * core::MiB, shape.bytes / 8) / shape.block_bytes));
  return shape;
}

/// The rows of the table and of `results`.
class Results {
 public:
  explicit Results(const core::AreaShape& shape) : shape_(shape) {}

  void add(const std::string& name, const std::string& disk, const TransferRate& rate,
           std::optional<double> bound_seconds) {
    SummaryObject entry{{"name", name},
                        {"disk", disk},
                        {"block_bytes", shape_.block_bytes},
                        {"depth", shape_.depth},
                        {"seconds", rate.seconds},
                        {"bytes", rate.bytes},
                        {"bytes_per_second", rate.bytes_per_second()},
                        {"batches", rate.batches},
                        {"least_bytes_per_second", rate.least},
                        {"median_bytes_per_second", rate.median},
                        {"most_bytes_per_second", rate.most}};
    if (bound_seconds) entry.set("bound_seconds", *bound_seconds);
    results_.push_back(std::move(entry));
    rates_ +=
        fmt::format("{:<26}{:<8}{:>9}{:>10.0f}{:>9.0f}{:>9.0f}{:>9.0f}{:>9}\n", disk, name,
                    core::format_size(shape_.block_bytes), mega(rate.bytes_per_second()), mega(rate.least),
                    mega(rate.median), mega(rate.most), percent_of_bound(bound_seconds, rate.seconds));
  }

  void add_random(const std::string& disk, std::uint64_t block_bytes, const RandomReadRate& rate,
                  std::optional<double> bound_seconds) {
    const double per_second = rate.seconds > 0 ? static_cast<double>(rate.reads) / rate.seconds : 0;
    SummaryObject entry{{"name", "random read"},
                        {"disk", disk},
                        {"block_bytes", block_bytes},
                        {"depth", shape_.depth},
                        {"seconds", rate.seconds},
                        {"bytes", rate.reads * block_bytes},
                        {"bytes_per_second", per_second * static_cast<double>(block_bytes)},
                        {"reads", rate.reads},
                        {"reads_per_second", per_second},
                        {"latency_seconds", SummaryObject{{"median", rate.median},
                                                          {"p95", rate.percentile_95},
                                                          {"p99", rate.percentile_99},
                                                          {"most", rate.most}}}};
    if (bound_seconds) entry.set("bound_seconds", *bound_seconds);
    results_.push_back(std::move(entry));
    constexpr double micro = 1e6;
    random_ += fmt::format("{:<26}{:<8}{:>9}{:>10.0f}{:>9.0f}{:>9.0f}{:>9.0f}{:>9.0f}{:>9}\n", disk, "random",
                           core::format_size(block_bytes), per_second, rate.median * micro,
                           rate.percentile_95 * micro, rate.percentile_99 * micro, rate.most * micro,
                           percent_of_bound(bound_seconds, rate.seconds));
  }

  void report(Report& report) {
    report.hidden("results", std::move(results_));
    std::string text = fmt::format("\n{:<26}{:<8}{:>9}{:>10}{:>9}{:>9}{:>9}{:>9}\n{}", "disk", "", "block",
                                   "MB/s", "least", "median", "most", "of bound", rates_);
    if (!random_.empty()) {
      text += fmt::format("\n{:<26}{:<8}{:>9}{:>10}{:>9}{:>9}{:>9}{:>9}{:>9}\n{}", "disk", "", "block",
                          "reads/s", "p50 us", "p95 us", "p99 us", "most us", "of bound", random_);
    }
    report.appendix(text);
  }

 private:
  static double mega(double bytes) { return bytes * 1e-6; }

  const core::AreaShape shape_;
  SummaryList results_;
  std::string rates_;
  std::string random_;
};

class BenchDisks final : public Command {
 public:
  void declare(OptionSet& options) override {
    options.group("Bench");
    options.value("--size", size_, "SIZE", "area on each disk").otherwise("4G, with --quick 256M");
    options.value("--block", block_, "SIZE", "bytes per request, a multiple of 4K")
        .otherwise("1M, less if -M asks for it");
    options.value("--batch", batch_, "N", "number of blocks from one measurement to the next")
        .otherwise("64 MiB, an eighth of --size at most");
    options.value("--depth", depth_, "N", "requests in flight on each disk, up to 128").otherwise("8");
    options.word("--io", io_, "BACKEND", "how all disks are accessed", disk_backends())
        .otherwise("as --disk says");
    options.value("--random-reads", random_reads_, "N", "number of random reads; 0 for none")
        .otherwise("20K, as many as 5 s allow");
    options.value("--random-block", random_block_, "SIZE", "bytes per random read, a multiple of 4K")
        .otherwise("4K");
    declare_bench_options(options, typed_, quick_, "half of what is available", false);
  }

  ExitCode run() override {
    CommonOptions options = validate(typed_);
    const Wish wish = this->wish();
    options.disks = configured_disks(options.disks).disks;
    for (core::DiskSpec& disk : options.disks) {
      disk.queue_depth = wish.depth;
      if (io_) disk.backend = *io_;
    }
    Session session(options, Spill::possible);
    const core::AreaShape shape = area_shape(wish, options.disks, session.environment().memory);

    DiskMeasurement::BatchDone each_batch;
    if (options.verbose > 0) {
      each_batch = [](const std::string& what, std::uint64_t bytes, double seconds) {
        fmt::print(stderr, "emgraph: {}: {} in {:.4f} s, {:.0f} MB/s\n", what, core::format_size(bytes),
                   seconds, static_cast<double>(bytes) * 1e-6 / std::max(seconds, 1e-9));
      };
    }
    Results results(shape);
    measure(session, shape, wish, std::move(each_batch), results);

    Report report(session, "bench disks");
    report.count("disks", options.disks.size());
    report.size("area_bytes", shape.bytes);
    report.size("block_bytes", shape.block_bytes);
    report.count("batch_blocks", shape.batch_blocks);
    report.count("depth", shape.depth);
    results.report(report);
    return report.finish();
  }

 private:
  Wish wish() const {
    Wish wish;
    wish.quick = quick_;
    if (!size_.empty()) wish.size_bytes = size_option("--size", size_);
    if (!block_.empty()) wish.block_bytes = block_option("--block", block_);
    if (!batch_.empty()) wish.batch_blocks = positive_count_option("--batch", batch_);
    if (!random_reads_.empty()) wish.random_reads = count_option("--random-reads", random_reads_);
    if (!random_block_.empty()) wish.random_bytes = block_option("--random-block", random_block_);
    if (!depth_.empty()) {
      const std::uint64_t depth = positive_count_option("--depth", depth_);
      if (depth > most_depth) {
        throw UsageError(fmt::format("--depth: {} is more than {}", depth, most_depth));
      }
      wish.depth = static_cast<unsigned>(depth);
    }
    return wish;
  }

  static void measure(Session& session, const core::AreaShape& shape, const Wish& wish,
                      DiskMeasurement::BatchDone each_batch, Results& results) {
    DiskMeasurement measurement(session, shape, std::move(each_batch));
    const std::uint64_t reads = wish.random_reads.value_or(wish.quick ? 2'000 : 20'000);
    const double most_seconds =
        wish.random_reads ? std::numeric_limits<double>::infinity() : (wish.quick ? 1.0 : 5.0);
    // All disks together take at least as long as the slowest alone.
    double slowest_write = 0;
    double slowest_read = 0;
    double random_rate = 0;
    const std::size_t disks = measurement.disks();
    for (std::size_t disk = 0; disk < disks; ++disk) {
      const TransferRate write = measurement.transfer(Operation::write, disk, 1);
      results.add("write", measurement.name(disk), write, std::nullopt);
      const TransferRate read = measurement.transfer(Operation::read, disk, 1);
      results.add("read", measurement.name(disk), read, std::nullopt);
      slowest_write = std::max(slowest_write, write.seconds);
      slowest_read = std::max(slowest_read, read.seconds);
      if (reads == 0) continue;
      const RandomReadRate random =
          measurement.read_at_random(disk, 1, reads, wish.random_bytes, most_seconds);
      results.add_random(measurement.name(disk), wish.random_bytes, random, std::nullopt);
      random_rate += static_cast<double>(random.reads) / std::max(random.seconds, 1e-9);
    }
    if (disks == 1) return;
    const std::string all = fmt::format("all {} disks", disks);
    results.add("write", all, measurement.transfer(Operation::write, 0, disks), slowest_write);
    results.add("read", all, measurement.transfer(Operation::read, 0, disks), slowest_read);
    if (reads == 0) return;
    const RandomReadRate random =
        measurement.read_at_random(0, disks, reads, wish.random_bytes, most_seconds);
    results.add_random(all, wish.random_bytes, random, static_cast<double>(random.reads) / random_rate);
  }

  TypedOptions typed_;
  std::string size_;
  std::string block_;
  std::string batch_;
  std::string depth_;
  std::optional<core::DiskBackend> io_;
  std::string random_reads_;
  std::string random_block_;
  bool quick_ = false;
};

}  // namespace

std::unique_ptr<Command> make_bench_disks() {
  return std::make_unique<BenchDisks>();
}

}  // namespace emgraph::apps
