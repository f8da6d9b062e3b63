// SPDX-License-Identifier: MIT
// The commands cdlp and check cdlp.
#include "graph/cdlp/cdlp.hpp"

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/run/report.hpp"
#include "apps/solve/check_values.hpp"
#include "apps/solve/node_values_command.hpp"
#include "graph/cdlp/check.hpp"

namespace emgraph::apps {

namespace {

/// The options that say what the labels are.
struct PropagationOptions {
  std::string iterations;
  bool directed = false;
};

void declare_propagation(OptionSet& options, PropagationOptions& typed) {
  options.value("--iterations", typed.iterations, "K", "number of rounds; fewer if a round changes no label")
      .otherwise("10");
  options.flag(
      "--directed", typed.directed,
      "count a neighbour once for an edge to it and once for an edge from it: twice if there are both");
}

class LabelPropagation {
 public:
  static constexpr const char* name = "cdlp";
  static constexpr const char* output_help =
      "the label of each node, the id of a node (.npy, .tsv, .csv or .bin)";
  using Value = void;
  static constexpr bool floating = false;
  using Options = graph::cdlp::Options;
  using Result = graph::cdlp::Result;

  void declare(OptionSet& options) {
    options.group("Solver");
    declare_propagation(options, typed_);
  }
  bool directed() const { return typed_.directed; }
  Options options(const CommonOptions& options) const {
    Options solver{.model = options.model, .nodes = options.nodes, .directed = typed_.directed};
    if (!typed_.iterations.empty()) solver.iterations = count_option("--iterations", typed_.iterations);
    return solver;
  }
  KeptBytes kept(const graph::EdgeFacts& input) const {
    return kept_by_lists(input, typed_.directed || !input.symmetric);
  }
  void report(Report& report, const Result& result) const {
    report.flag("directed", typed_.directed);
    report.count("iterations", result.iterations);
    report.count("changed", result.changed);
    report.count("communities", result.communities);
  }

 private:
  PropagationOptions typed_;
};

/// Checks that values are the labels of their graph after so many rounds.
class LabelChecker {
 public:
  static constexpr const char* name = "check cdlp";
  static constexpr const char* key = "labels";
  static constexpr const char* operand = "LABELS";
  static constexpr const char* help = "the label of each node (.npy, .tsv, .csv or .bin)";
  static constexpr Spill spill = Spill::possible;
  using Verdict = graph::cdlp::Verdict;

  void declare(OptionSet& options) {
    options.group("Check");
    declare_propagation(options, typed_);
  }
  graph::cdlp::CheckOptions rules(const CommonOptions& options) const {
    graph::cdlp::CheckOptions rules{.nodes = options.nodes, .directed = typed_.directed};
    if (!typed_.iterations.empty()) rules.iterations = count_option("--iterations", typed_.iterations);
    return rules;
  }
  static graph::format::NodeReaderOptions values(std::size_t id_bytes) {
    return {.bin_value_bytes = id_bytes};
  }
  static void report(Report&, const Verdict&) {}

 private:
  PropagationOptions typed_;
};

}  // namespace

std::unique_ptr<Command> make_cdlp() {
  return std::make_unique<NodeValuesCommand<LabelPropagation>>();
}

std::unique_ptr<Command> make_check_cdlp() {
  return std::make_unique<ForecastCheckValues<LabelChecker>>();
}

}  // namespace emgraph::apps
