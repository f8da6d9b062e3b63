// SPDX-License-Identifier: MIT
// The exit codes of the command line, and their mapping from exceptions.
#pragma once

#include <string>
#include <string_view>

namespace emgraph::apps {

/// Users' scripts rely on the numbers. A broken pipe downstream counts as `done`.
enum class ExitCode : int {
  done = 0,
  violation = 1,    ///< a check found its input in violation
  usage = 2,        ///< wrong usage; output exists; output is the input
  data = 3,         ///< corrupt, truncated, malformed or out of range
  environment = 4,  ///< file missing or unreadable, I/O error, disk full, memory limit too small
  internal = 70,    ///< a fault of emgraph itself
  stopped = 75,     ///< stopped on request; --resume goes on
};

/// The explanation of each code in the help and the manual.
struct ExitMeaning {
  ExitCode code;
  std::string_view meaning;
};
inline constexpr ExitMeaning exit_meanings[] = {
    {ExitCode::done, "done"},
    {ExitCode::violation, "a check found a violation"},
    {ExitCode::usage, "wrong usage, or the output exists"},
    {ExitCode::data, "bad input data"},
    {ExitCode::environment, "the environment failed (file missing, disk full, memory limit too small)"},
    {ExitCode::internal, "a fault of emgraph"},
    {ExitCode::stopped, "stopped by SIGTERM or SIGUSR1; --resume goes on (with --checkpoint)"}};

/// The exit code and the message for an exception. Empty message: print nothing.
struct Failure {
  ExitCode code = ExitCode::done;
  std::string message;
};

/// Call inside a catch block. std::invalid_argument is wrong usage; std::bad_alloc, std::system_error and
/// file system errors are errors of the environment; other std::logic_errors and unknown exceptions are
/// faults of emgraph.
Failure describe_current_exception();

/// The same, with "emgraph COMMAND: MESSAGE" printed on standard error.
ExitCode explain_current_exception(const std::string& command);

/// Ignores SIGPIPE: when the reader has left, writing fails with EPIPE, that is core::BrokenPipe.
void ignore_broken_pipe_signal();

/// Flushes and closes standard output. Bytes that cannot be written are an error unless the reader has left.
ExitCode close_standard_output(ExitCode code, const std::string& command);

}  // namespace emgraph::apps
