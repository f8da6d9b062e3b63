// SPDX-License-Identifier: MIT
// The commands kcore and check kcore.
#include "graph/kcore/kcore.hpp"

#include "apps/command_line/command.hpp"
#include "apps/run/report.hpp"
#include "apps/solve/check_values.hpp"
#include "apps/solve/node_values_command.hpp"
#include "graph/kcore/check.hpp"

namespace emgraph::apps {

namespace {

struct KCore {
  static constexpr const char* name = "kcore";
  static constexpr const char* output_help =
      "the core number of each node (.npy, .tsv, .csv or .bin of 4-byte numbers)";
  using Value = std::uint32_t;
  static constexpr bool floating = false;
  using Options = graph::kcore::Options;
  using Result = graph::kcore::Result;

  void declare(OptionSet&) {}
  static bool directed() { return false; }
  static Options options(const CommonOptions& options) {
    return {.model = options.model, .nodes = options.nodes};
  }
  static KeptBytes kept(const graph::EdgeFacts& input) { return kept_by_search(input.layout, false); }
  static void report(Report& report, const Result& result) {
    report.count("degeneracy", result.degeneracy);
    report.count("rounds", result.rounds);
  }
};

/// Checks that values are the core numbers of their graph.
struct CoreChecker {
  static constexpr const char* name = "check kcore";
  static constexpr const char* key = "cores";
  static constexpr const char* operand = "CORES";
  static constexpr const char* help =
      "the core number of each node (.npy, .tsv, .csv or .bin of 4-byte numbers)";
  static constexpr Spill spill = Spill::possible;
  using Verdict = graph::kcore::Verdict;

  void declare(OptionSet&) {}
  static graph::kcore::CheckOptions rules(const CommonOptions& options) { return {.nodes = options.nodes}; }
  static graph::format::NodeReaderOptions values(std::size_t) { return {.bin_value_bytes = 4}; }
  static void report(Report& report, const Verdict& verdict) {
    if (verdict.ok) report.count("degeneracy", verdict.degeneracy);
  }
};

}  // namespace

std::unique_ptr<Command> make_kcore() {
  return std::make_unique<NodeValuesCommand<KCore>>();
}

std::unique_ptr<Command> make_check_kcore() {
  return std::make_unique<ForecastCheckValues<CoreChecker>>();
}

}  // namespace emgraph::apps
