// SPDX-License-Identifier: MIT
// Shared parts of the bench commands: options, the cost of a job, figures with their bounds.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "apps/command_line/options.hpp"
#include "apps/run/machine.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "core/environment.hpp"

namespace emgraph::apps {

/// --quick and the common options, without those for inputs and outputs. `memory`: the default of -M.
/// `sorts`: the benchmark uses the sorters, for which --spill-codec is.
void declare_bench_options(OptionSet& options, TypedOptions& typed, bool& quick,
                           const char* memory = "half of what is available", bool sorts = true);

/// --disk-bandwidth, for benchmarks that compare a job with the bytes it moves (Bandwidth).
void declare_disk_bandwidth(OptionSet& options, std::string& disk_bandwidth);

/// --size, or `otherwise` when it is empty. Throws UsageError below 1 MiB.
std::uint64_t bench_size(const std::string& text, std::uint64_t otherwise);

/// Memory for a job on `size` bytes: three quarters of -M; the rest is for files and lists of blocks. Without
/// -M a quarter of the size, at least 16 MiB, so that disks are needed.
std::size_t bench_memory(Session& session, std::uint64_t size);

/// A count of at least 1; UsageError names the option.
std::uint64_t positive_count_option(const std::string& name, const std::string& text);

/// The bound as a share of the time, "93 %"; "-" without a bound.
std::string percent_of_bound(std::optional<double> bound_seconds, double seconds);

/// The cost of a measured job: wall time, CPU time of all threads, and bytes transferred.
struct JobCost {
  double seconds = 0;
  double cpu_seconds = 0;
  core::IoSnapshot io = {};
};

/// Measures from its construction on.
class JobWatch {
 public:
  using Clock = std::chrono::steady_clock;

  explicit JobWatch(const core::Environment& environment)
      : environment_(environment), io_(environment.io.snapshot()) {}

  JobCost cost() const {
    return {seconds_since(start_), apps::cpu_seconds() - cpu_, environment_.io.snapshot() - io_};
  }
  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

 private:
  const core::Environment& environment_;
  const core::IoSnapshot io_;
  const double cpu_ = apps::cpu_seconds();
  const Clock::time_point start_ = Clock::now();
};

/// The bandwidth of all disks of a session together, bytes per second.
struct Bandwidth {
  double read = 0;
  double write = 0;

  /// The least time to transfer these bytes, in seconds; nullopt if there are none.
  std::optional<double> bound(std::uint64_t read_bytes, std::uint64_t write_bytes) const;
  /// Adds the two to the summary.
  void report(Report& report) const;
};

/// `option` is a size, in bytes per second. If it is empty the disks are measured for about a second; with
/// `quick` it takes less. Throws UsageError, EnvironmentError (disk full), MemoryLimitError.
Bandwidth disk_bandwidth(Session& session, const std::string& option, bool quick);

/// The result of one measurement.
struct Figure {
  std::string name;
  std::string subject;                  ///< what differs between figures of one name: the kind of record
  std::uint64_t operations = 0;         ///< number of processed `unit`s
  std::string unit;                     ///< "records", "edges", in the key `…_per_second`
  std::uint64_t bytes = 0;              ///< of all records or edges
  std::uint64_t bound_bytes = 0;        ///< lower bound of the bytes transferred
  std::optional<double> bound_seconds;  ///< the time for these at the measured bandwidth
  JobCost cost;
};

/// Figures in the order they are added.
class Figures {
 public:
  void add(const Figure& figure);
  /// Adds them to the summary.
  void report(Report& report);

 private:
  SummaryList results_;
  std::string rows_;
};

}  // namespace emgraph::apps
