// SPDX-License-Identifier: MIT
// Progress bars on standard error.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "apps/command_line/options.hpp"
#include "apps/run/phase_recorder.hpp"

namespace emgraph::apps {

/// One line: name, bar, percent, rate, time left; cut to `columns`.
std::string progress_line(const PhaseState& state, std::size_t columns);

/// Draws the recorder's running phase five times a second while it lives, and leaves a clean line behind.
class ProgressBar {
 public:
  /// Does nothing at all unless `when` says so (automatic: standard error is a terminal).
  ProgressBar(const PhaseRecorder& recorder, ProgressWhen when);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;

 private:
  void run(const std::stop_token& stop);
  void draw(const std::string& line);

  const PhaseRecorder& recorder_;
  const bool eager_;  ///< always: also draw for runs shorter than a tick
  bool drawn_ = false;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread ticker_;
};

}  // namespace emgraph::apps
