// SPDX-License-Identifier: MIT
// Interrupted runs leave no files behind.
#pragma once

#include <atomic>

#include "core/io/temporary_names.hpp"

namespace emgraph::apps {

/// While it lives, the signals that ask a process to end, or warn it of its end (INT, TERM, HUP, QUIT, USR1,
/// USR2, ALRM, VTALRM, PROF, POLL, XCPU), unlink the live names of `names`, say so on standard error, and
/// then end the process as the signal does by default. A signal that arrives while outputs get their names
/// waits for that. When all have their names, the run ends as if there had been no signal, also after this
/// object; a second signal ends it at once. XFSZ is ignored: writes beyond `ulimit -f` then fail as on a full
/// disk. A call of std::terminate removes the names as well. Signals that were ignored at the start (nohup)
/// stay ignored. Only one guard may live at a time.
class SignalGuard {
 public:
  explicit SignalGuard(core::TemporaryNames& names);
  SignalGuard(const SignalGuard&) = delete;
  ~SignalGuard();
  /// Handles a signal that has arrived while outputs got their names.
  static void raise_delayed() noexcept;
};

/// While it lives, the first TERM or USR1 asks the run to stop when its work is kept, and does not end it. A
/// run that does not heed the request within ten seconds, because it is in a part that keeps nothing, ends
/// with exit code 75. A second signal ends it at once.
class SoftStop {
 public:
  SoftStop();
  SoftStop(const SoftStop&) = delete;
  ~SoftStop();
  /// Set when the run is asked to stop.
  static const std::atomic<bool>& asked();
  /// For core::CheckpointOptions::stop_heeded.
  static std::atomic<bool>& heeded();
};

/// For programs that run this one as a child. If $EMGRAPH_PARENT is set, it must be the id of the parent:
/// when the parent dies, this process gets SIGTERM, also if the parent is dead already. If $EMGRAPH_SCRATCH
/// is set as well, it names a directory that an interrupted run removes if it is empty by then: the parent,
/// which would have removed it, may be dead. Throws UsageError for other values.
void follow_parent();

/// For a run that is about to give its outputs their names. With $EMGRAPH_SCRATCH: ends it as by SIGTERM if
/// the other end of standard output is closed. When a parent dies, its pipes are closed before its children
/// get a signal. So the input from a dying parent seems to be complete, and nobody would remove the outputs.
void end_with_dying_parent();

/// For main: std::terminate says what happened, removes temporary names and ends with the exit code of the
/// exception (70; 4 for lack of memory).
void explain_termination() noexcept;

/// Says whether a progress bar is drawn: an interrupted run then clears its line.
void set_progress_visible(bool visible) noexcept;

}  // namespace emgraph::apps
