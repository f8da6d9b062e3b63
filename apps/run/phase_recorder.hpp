// SPDX-License-Identifier: MIT
// Remembers the phases of a run with their times and transfers: the report's source. Puts them into the
// trace.
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

/// How far the current phase is.
struct PhaseState {
  std::string name;
  std::string unit;
  std::uint64_t total = 0;  ///< 0: unknown
  std::uint64_t done = 0;
  double seconds = 0;
};

/// begin_phase and end_phase come from one thread; current() may be asked from another.
class PhaseRecorder : public core::ProgressSink {
 public:
  explicit PhaseRecorder(const core::IoStatistics& statistics) : statistics_(statistics) {}

  core::ProgressCounter& begin_phase(const std::string& name, std::uint64_t total,
                                     const std::string& unit) override;
  void end_phase() override;

  /// Forgets the phases of a failed attempt.
  void discard();

  /// The running phase, if any.
  std::optional<PhaseState> current() const;
  /// Finished phases in order. Requires: no phase is running.
  const std::vector<PhaseRecord>& records() const { return records_; }

 private:
  using Clock = std::chrono::steady_clock;
  const core::IoStatistics& statistics_;
  mutable std::mutex mutex_;
  std::deque<core::ProgressCounter> counters_;  ///< one per phase: a late advance() must not hit the next one
  PhaseState state_;
  bool running_ = false;
  Clock::time_point start_;
  core::IoSnapshot start_io_;
  std::vector<PhaseRecord> records_;
};

}  // namespace emgraph::apps
