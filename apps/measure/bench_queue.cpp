// SPDX-License-Identifier: MIT
// The command bench queue: the sequence heap filled, drained, intermixed, and as a mail box to later keys.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/measure/bench_figures.hpp"
#include "apps/measure/bench_options.hpp"
#include "apps/measure/queue_measurement.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

class BenchQueue final : public Command {
 public:
  void declare(CLI::App& app) override {
    bench_option(app, "--size", size_, "bytes of records that go through the queue [512M, with --quick 64M]",
                 "SIZE");
    declare_disk_bandwidth(app, disk_bandwidth_);
    declare_bench_options(app, typed_, quick_);
  }

  ExitCode run() override {
    const CommonOptions options = validate(typed_);
    refuse_bench_output(options);
    const std::uint64_t size = bench_size(size_, quick_ ? 64 * core::MiB : 512 * core::MiB);
    Session session(options, Spill::possible);
    const Bandwidth bandwidth = disk_bandwidth(session, disk_bandwidth_, quick_);
    const std::size_t memory = bench_memory(session, size);
    Figures figures;
    measure<BareKey>(session, size, memory, bandwidth, figures);
    measure<KeyWithPayload>(session, size, memory, bandwidth, figures);

    Report report(session, "bench queue");
    report.size("size_bytes", size);
    report.size("queue_memory_bytes", memory);
    bandwidth.report(report);
    figures.report(report);
    return report.finish();
  }

 private:
  template <class Kind>
  static void measure(Session& session, std::uint64_t size, std::size_t memory, const Bandwidth& bandwidth,
                      Figures& figures) {
    constexpr std::uint64_t record_bytes = sizeof(typename Kind::Record);
    core::Environment& environment = session.environment();
    const std::uint64_t records = size / record_bytes;
    // When the queue is fullest, what does not fit is on disk: it has gone out, or has to come in, or both.
    enum Way : std::uint64_t { out = 1, in = 2 };
    const auto add = [&](const std::string& name, const QueueCost& done, std::uint64_t ways) {
      const std::uint64_t most_bytes = done.most_records * record_bytes;
      const std::uint64_t spilled = most_bytes - std::min<std::uint64_t>(most_bytes, memory);
      const std::uint64_t read = (ways & in) != 0 ? spilled : 0;
      const std::uint64_t written = (ways & out) != 0 ? spilled : 0;
      figures.add({.name = name,
                   .subject = Kind::name,
                   .operations = records,
                   .unit = "records",
                   .bytes = records * record_bytes,
                   .bound_bytes = read + written,
                   .bound_seconds = bandwidth.bound(read, written),
                   .cost = done.cost});
    };
    {
      QueueJob<Kind> job(environment, records, memory);
      add("fill", job.fill(), out);
      add("drain", job.drain(), in);
    }
    {
      QueueJob<Kind> job(environment, records, memory);
      job.fill();
      add("intermix", job.intermix(), out | in);
      job.drain();
    }
    QueueJob<Kind> job(environment, records, memory);
    add("messages", job.messages(), out | in);
  }

  TypedOptions typed_;
  std::string size_;
  std::string disk_bandwidth_;
  bool quick_ = false;
};

}  // namespace

std::unique_ptr<Command> make_bench_queue() {
  return std::make_unique<BenchQueue>();
}

}  // namespace emgraph::apps
