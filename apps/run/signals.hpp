// SPDX-License-Identifier: MIT
// Removes temporary files when a run is interrupted.
#pragma once

#include "core/io/temporary_names.hpp"

namespace emgraph::apps {

/// During its lifetime SIGINT, SIGTERM and SIGHUP unlink the live names of `names` and then end the process
/// with the default action of the signal. Signals that were ignored at the start (nohup) stay ignored. At
/// most one guard may exist.
class SignalGuard {
 public:
  explicit SignalGuard(core::TemporaryNames& names);
  SignalGuard(const SignalGuard&) = delete;
  ~SignalGuard();
};

/// Notes whether a progress bar is on standard error; an interrupted run then clears it.
void set_progress_visible(bool visible) noexcept;

}  // namespace emgraph::apps
