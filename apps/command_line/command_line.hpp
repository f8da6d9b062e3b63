// SPDX-License-Identifier: MIT
// Finds the command, parses its options, runs it, and reports errors.
#pragma once

namespace emgraph::apps {

/// Runs one command. Never throws; every error becomes a message on standard error and an exit code.
int run_command_line(int argc, char** argv);

}  // namespace emgraph::apps
