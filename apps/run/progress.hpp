// SPDX-License-Identifier: MIT
// The phases of a run: remembered for the summary, shown as progress bars on standard error.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "apps/command_line/options.hpp"
#include "core/base/progress.hpp"
#include "core/io/statistics.hpp"

namespace emgraph::apps {

struct PhaseRecord {
  std::string name;
  double seconds = 0;
  core::IoSnapshot io;  ///< during the phase
};

/// How much of the running phase is done.
struct PhaseState {
  std::string name;
  std::string unit;
  std::uint64_t total = 0;  ///< 0: unknown
  std::uint64_t done = 0;
  double seconds = 0;
};

/// Remembers the phases of a run with their times and transfers, for the summary, and puts them into the
/// trace. begin_phase and end_phase are called by one thread; current() may be called by another.
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
  std::deque<core::ProgressCounter>
      counters_;  ///< one per phase, so that a late advance() does not count for the next one
  PhaseState state_;
  bool running_ = false;
  Clock::time_point start_;
  core::IoSnapshot start_io_;
  std::vector<PhaseRecord> records_;
};

/// One line with name, bar, percent, rate and remaining time, cut to `columns`.
std::string progress_line(const PhaseState& state, std::size_t columns);

/// Draws the recorder's running phase five times a second while it lives. Its destructor clears the line.
class ProgressBar {
 public:
  /// Draws if `when` is always, or if it is automatic and standard error is a terminal.
  ProgressBar(const PhaseRecorder& recorder, ProgressWhen when);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;

 private:
  void run(const std::stop_token& stop);
  void draw(const std::string& line);

  const PhaseRecorder& recorder_;
  const bool eager_;  ///< also draws in runs that are shorter than a tick
  bool drawn_ = false;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread ticker_;
};

}  // namespace emgraph::apps
