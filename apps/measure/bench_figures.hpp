// SPDX-License-Identifier: MIT
// Figures of benchmarks beside their bounds: a table for people, `results` for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/measure/job_watch.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"

namespace emgraph::apps {

/// What the disks of a session move together, bytes per second.
struct Bandwidth {
  double read = 0;
  double write = 0;

  /// Seconds that so many bytes take at least; nothing when none need to move.
  std::optional<double> bound(std::uint64_t read_bytes, std::uint64_t write_bytes) const;
  /// Adds the two to the summary.
  void report(Report& report) const;
};

/// As `option` says (bytes per second, as a size), or measured for about a second when it is empty; `quick`:
/// shorter. Throws UsageError, EnvironmentError (disk full), MemoryLimitError.
Bandwidth disk_bandwidth(Session& session, const std::string& option, bool quick);

/// One thing that was measured.
struct Figure {
  std::string name;
  std::string subject;                  ///< kind of record, or whatever differs between figures of one name
  std::uint64_t operations = 0;         ///< how many of `unit` were done
  std::string unit;                     ///< "records", "edges", in the key `…_per_second`
  std::uint64_t bytes = 0;              ///< that all operations are about
  std::uint64_t bound_bytes = 0;        ///< that must move at least
  std::optional<double> bound_seconds;  ///< that they take at the measured bandwidth
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
