// SPDX-License-Identifier: MIT
// From exceptions to messages and exit codes; the last look at standard output.
#pragma once

#include <string>

#include "apps/command_line/exit_code.hpp"

namespace emgraph::apps {

/// SIGPIPE is ignored so that a reader who left shows up as EPIPE, that is core::BrokenPipe.
void ignore_broken_pipe_signal();

/// Call inside a catch block. Prints "emgraph COMMAND: …" on standard error (nothing for a broken pipe).
ExitCode explain_current_exception(const std::string& command);

/// Flushes and closes standard output: what could not be written is an error unless the reader left.
ExitCode close_standard_output(ExitCode code, const std::string& command);

}  // namespace emgraph::apps
