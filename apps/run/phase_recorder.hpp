// SPDX-License-Identifier: MIT
// Records the phases of a run with their times and transfers, for the report and the trace.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.hpp"
#include "core/io/statistics.hpp"

namespace emgraph::apps {

struct PhaseRecord {
  std::string name;
  double seconds = 0;
  core::IoSnapshot io;  ///< during the phase
};

/// The progress of the current phase.
struct PhaseState {
  std::string name;
  std::string unit;
  std::uint64_t total = 0;  ///< 0: unknown
  std::uint64_t done = 0;
  double seconds = 0;
};

/// Threads: one calls begin_phase and end_phase; another one may call current().
class PhaseRecorder : public core::ProgressSink {
 public:
  explicit PhaseRecorder(const core::IoStatistics& statistics) : statistics_(statistics) {}

  core::ProgressCounter& begin_phase(const std::string& name, std::uint64_t total,
                                     const std::string& unit) override;
  void end_phase() override;

  /// Deletes the phases of a failed attempt.
  void discard();

  /// The running phase, if any.
  std::optional<PhaseState> current() const;
  /// Finished phases in order. Requires: no phase is running.
  const std::vector<PhaseRecord>& records() const { return records_; }

 private:
  using Clock = std::chrono::steady_clock;
  const core::IoStatistics& statistics_;
  mutable std::mutex mutex_;
  std::deque<core::ProgressCounter>
      counters_;  ///< one per phase: a late advance() must not change the next one
  PhaseState state_;
  bool running_ = false;
  Clock::time_point start_;
  core::IoSnapshot start_io_;
  std::vector<PhaseRecord> records_;
};

}  // namespace emgraph::apps
