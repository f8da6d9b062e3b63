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

/// For programs that run this one as a child. If $EMGRAPH_PARENT is set, it must be the id of the parent:
/// when the parent dies, this process gets SIGTERM, also if the parent is dead already. If $EMGRAPH_SCRATCH
/// is set as well, it names a directory that an interrupted run removes if it is empty by then: who would
/// have removed it may be dead. Throws UsageError for other values.
void follow_parent();

/// Says whether a progress bar is drawn: an interrupted run then clears its line.
void set_progress_visible(bool visible) noexcept;

}  // namespace emgraph::apps
