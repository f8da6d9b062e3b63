// SPDX-License-Identifier: MIT
// How checks end: a verdict in the summary, the violation on standard error, the exit code.
#pragma once

#include <string>

#include "apps/command_line/exit_code.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"

namespace emgraph::apps {

/// Prints the summary with `ok` and `message`; a violation is also told on standard error.
/// `file` is what was found to be wrong.
ExitCode finish_check(Session& session, Report& report, bool ok, const std::string& file,
                      const std::string& message);

/// Checks have no result to write: throws UsageError when -o is given.
void refuse_output(const CommonOptions& options);

}  // namespace emgraph::apps
