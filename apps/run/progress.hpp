// SPDX-License-Identifier: MIT
// The phases of a run: remembered for the summary, shown on standard error as progress bars or lines of JSON.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
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
  unsigned number = 0;      ///< of the phase among the foreseen ones, from 1; 0: it is none of them
  unsigned phases = 0;      ///< foreseen ones
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

  /// The names of the phases to come after those that have ended, as far as they are known. A phase
  /// "intersect, chunk 2" is part of one that is foreseen as "intersect". Requires: no phase is running.
  void foresee(const std::vector<std::string>& names);

  /// Forgets the phases of a failed attempt.
  void discard();

  /// `hook` is called at the end of each phase by the thread that ends it. An empty one: none.
  void at_phase_end(std::function<void(const PhaseState&)> hook) { at_phase_end_ = std::move(hook); }
  /// The running phase, if any.
  std::optional<PhaseState> current() const;
  /// Finished phases in order. Requires: no phase is running.
  const std::vector<PhaseRecord>& records() const { return records_; }

 private:
  using Clock = std::chrono::steady_clock;
  /// Requires: a phase is running, and mutex_ is held.
  PhaseState state_now() const;
  /// The number of the foreseen phase of this name, from the running one on, or 0.
  unsigned number_of(const std::string& name) const;

  const core::IoStatistics& statistics_;
  mutable std::mutex mutex_;
  std::deque<core::ProgressCounter>
      counters_;  ///< one per phase, so that a late advance() does not count for the next one
  std::vector<std::string> foreseen_;
  unsigned latest_ = 0;  ///< number of the latest phase that was foreseen
  PhaseState state_;
  bool running_ = false;
  Clock::time_point start_;
  core::IoSnapshot start_io_;
  std::vector<PhaseRecord> records_;
  std::function<void(const PhaseState&)> at_phase_end_;
};

/// Whether progress is shown: always, or on a terminal if that is automatic.
bool shows_progress(ProgressWhen when);

/// One line: "2 of 4: name", elapsed time, bar, percent, rate, remaining time; cut to `columns`.
std::string progress_line(const PhaseState& state, std::size_t columns);

/// One line of JSON for --progress json: phase, phase_number, phases, done, total, unit, rate (per second),
/// seconds, seconds_left and finished. total, phase_number and phases, and seconds_left before the phase has
/// a rate, may be null.
std::string progress_json(const PhaseState& state, bool finished);

/// Draws the recorder's running phase five times a second while it lives. Its destructor clears the line.
/// With ProgressWhen::json it prints lines, and one more at the end of each phase.
class ProgressBar {
 public:
  /// Draws if `when` is always or json, or if it is automatic and standard error is a terminal.
  ProgressBar(PhaseRecorder& recorder, ProgressWhen when);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;

 private:
  void run(const std::stop_token& stop);
  void draw(const std::string& line);

  PhaseRecorder& recorder_;
  const bool eager_;  ///< also draws in runs that are shorter than a tick
  const bool json_;
  bool drawn_ = false;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread ticker_;
};

}  // namespace emgraph::apps
