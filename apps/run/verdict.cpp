// SPDX-License-Identifier: MIT
// Verdicts of checks.
#include "apps/run/verdict.hpp"

#include <fmt/core.h>

#include "core/base/error.hpp"

namespace emgraph::apps {

ExitCode finish_check(Session& session, Report& report, bool ok, const std::string& file,
                      const std::string& message) {
  report.flag("ok", ok);
  report.text("verdict", ok ? "ok" : message);
  report.finish(session, false);
  if (ok) return ExitCode::done;
  fmt::print(stderr, "emgraph {}: {}: {}\n", report.command(), file, message);
  return ExitCode::violation;
}

void refuse_output(const CommonOptions& options) {
  if (options.output.empty()) return;
  throw core::UsageError("-o: there is no result to write; the verdict goes to standard output");
}

}  // namespace emgraph::apps
