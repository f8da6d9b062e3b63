// SPDX-License-Identifier: MIT
// Interrupted runs leave nothing behind.
#pragma once

#include "core/io/temporary_names.hpp"

namespace emgraph::apps {

/// While it lives, SIGINT, SIGTERM and SIGHUP unlink the live names of `names` and then end the process the
/// way the signal would have. Signals that were ignored at the start (nohup) stay ignored. One at a time.
class SignalGuard {
 public:
  explicit SignalGuard(core::TemporaryNames& names);
  SignalGuard(const SignalGuard&) = delete;
  ~SignalGuard();
};

/// Whether a progress bar stands on standard error, so that an interrupted run clears it.
void set_progress_visible(bool visible) noexcept;

}  // namespace emgraph::apps
