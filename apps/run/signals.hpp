// SPDX-License-Identifier: MIT
// Interrupted runs leave no files behind.
#pragma once

#include "core/io/temporary_names.hpp"

namespace emgraph::apps {

/// While it lives, SIGINT, SIGTERM and SIGHUP unlink the live names of `names` and then end the process as
/// the signal does by default. Signals that were ignored at the start (nohup) stay ignored. Only one guard
/// may live at a time.
class SignalGuard {
 public:
  explicit SignalGuard(core::TemporaryNames& names);
  SignalGuard(const SignalGuard&) = delete;
  ~SignalGuard();
};

/// Says whether a progress bar is drawn: an interrupted run then clears its line.
void set_progress_visible(bool visible) noexcept;

}  // namespace emgraph::apps
