// SPDX-License-Identifier: MIT
// From argv to an exit code: finds the command, parses, runs, reports errors.
#pragma once

namespace emgraph::apps {

/// Runs one command. Never throws; every error becomes a message on standard error and an exit code.
int run_command_line(int argc, char** argv);

}  // namespace emgraph::apps
