// SPDX-License-Identifier: MIT
// The exit codes of the command line.
#pragma once

namespace emgraph::apps {

/// Part of the contract with users' scripts. A broken pipe downstream counts as `done`.
enum class ExitCode : int {
  done = 0,
  violation = 1,    ///< a check found its input in violation
  usage = 2,        ///< wrong usage; output exists; output is the input
  data = 3,         ///< corrupt, truncated, malformed or out of range
  environment = 4,  ///< file missing or unreadable, I/O error, disk full, memory limit too small
};

}  // namespace emgraph::apps
