// SPDX-License-Identifier: MIT
// The commands lcc and check lcc.
#include "graph/lcc/lcc.hpp"

#include "apps/command_line/command.hpp"
#include "apps/run/report.hpp"
#include "apps/solve/check_values.hpp"
#include "apps/solve/node_values_command.hpp"
#include "graph/lcc/check.hpp"
#include "graph/lcc/layered_source.hpp"

namespace emgraph::apps {

namespace {

constexpr const char* directed_help =
    "count the arcs between neighbours, one or two for a pair; a neighbour is one along or against an edge";

class ClusteringCoefficients {
 public:
  static constexpr const char* name = "lcc";
  static constexpr const char* output_help =
      "the coefficient of each node, a double (.npy, .tsv, .csv or .bin)";
  using Value = std::uint64_t;  ///< its bits
  static constexpr bool floating = true;
  using Options = graph::lcc::Options;
  using Result = graph::lcc::Result;

  void declare(OptionSet& options) {
    options.group("Solver");
    options.flag("--directed", directed_, directed_help);
  }
  bool directed() const { return directed_; }
  Options options(const CommonOptions& options) const {
    return {.model = options.model, .nodes = options.nodes, .directed = directed_};
  }
  KeptBytes kept(const graph::EdgeFacts& input) const {
    // Degrees, ranks and counts; then two words.
    constexpr std::uint64_t node_bytes = 4 + 4 + 8 + 8;
    KeptBytes bytes = kept_with_edges(input.layout, node_bytes);
    if (directed_) {
      bytes.per_edge *= graph::lcc::edges_per_arc;
      bytes.per_node *= graph::lcc::layers;
    }
    return bytes;
  }
  void report(Report& report, const Result& result) const {
    report.flag("directed", directed_);
    report.real("mean_lcc", result.mean);
  }

 private:
  bool directed_ = false;
};

/// Checks that values are the local clustering coefficients of their graph.
class CoefficientChecker {
 public:
  static constexpr const char* name = "check lcc";
  static constexpr const char* key = "coefficients";
  static constexpr const char* operand = "COEFFICIENTS";
  static constexpr const char* help = "the coefficient of each node (.npy, .tsv, .csv or .bin of doubles)";
  static constexpr Spill spill = Spill::possible;
  using Verdict = graph::lcc::Verdict;

  void declare(OptionSet& options) {
    options.group("Check");
    options.flag("--directed", directed_, directed_help);
  }
  graph::lcc::CheckOptions rules(const CommonOptions& options) const {
    return {.nodes = options.nodes, .directed = directed_};
  }
  static graph::format::NodeReaderOptions values(std::size_t) {
    return {.bin_value_bytes = 8, .numbers = graph::format::NodeNumbers::floating};
  }
  static void report(Report&, const Verdict&) {}

 private:
  bool directed_ = false;
};

}  // namespace

std::unique_ptr<Command> make_lcc() {
  return std::make_unique<NodeValuesCommand<ClusteringCoefficients>>();
}

std::unique_ptr<Command> make_check_lcc() {
  return std::make_unique<ForecastCheckValues<CoefficientChecker>>();
}

}  // namespace emgraph::apps
