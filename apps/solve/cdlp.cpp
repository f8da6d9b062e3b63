// SPDX-License-Identifier: MIT
// The commands cdlp and check cdlp.
#include "graph/cdlp/cdlp.hpp"

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/check_plan.hpp"
#include "apps/solve/node_values_command.hpp"
#include "graph/cdlp/check.hpp"
#include "graph/format/nodes/node_reader.hpp"

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
  options.flag("--directed", typed.directed,
               "count neighbours along and against edges each, so that a mutual pair counts twice");
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
class CheckLabelPropagation final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("LABELS", labels_, "the label of each node (.npy, .tsv, .csv or .bin)");
    options.group("Check");
    declare_propagation(options, typed_propagation_);
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  CommonOptions check() override {
    CommonOptions options = check_options(typed_, graph_, {labels_});
    rules(options);
    return options;
  }

  Plan plan(Session& session) override {
    return plan_whole_check(
        session, graph_, Carry::nothing,
        [&]<class Id>(const graph::EdgeFacts&, graph::EdgeSource<Id>& edges, const graph::InputSize& size) {
          const auto labels = open_planned_result(session, labels_, {.bin_value_bytes = sizeof(Id)});
          return graph::cdlp::forecast_check<Id>(session.environment(), edges, rules(session.options()),
                                                 size);
        });
  }

  ExitCode run() override {
    const CommonOptions options = this->check();
    const graph::cdlp::CheckOptions check = rules(options);
    Session session(options, Spill::possible);
    Report report(session, "check cdlp");
    graph::cdlp::Verdict verdict;
    with_edges(session, graph_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
                 const auto labels = graph::format::open_node_reader(session.environment(), labels_,
                                                                     {.bin_value_bytes = sizeof(Id)});
                 verdict = graph::cdlp::check<Id>(session.environment(), edges, *labels, check);
               });
    report.input(graph_);
    report.text("labels", labels_);
    report.graph(verdict.nodes, verdict.edges, verdict.ok);
    report.model(verdict.choice);
    return report.finish_check(verdict.ok, labels_, verdict.message);
  }

 private:
  graph::cdlp::CheckOptions rules(const CommonOptions& options) const {
    graph::cdlp::CheckOptions check{.nodes = options.nodes, .directed = typed_propagation_.directed};
    if (!typed_propagation_.iterations.empty())
      check.iterations = count_option("--iterations", typed_propagation_.iterations);
    return check;
  }

  TypedOptions typed_;
  PropagationOptions typed_propagation_;
  Inputs graph_;
  std::string labels_;
};

}  // namespace

std::unique_ptr<Command> make_cdlp() {
  return std::make_unique<NodeValuesCommand<LabelPropagation>>();
}

std::unique_ptr<Command> make_check_cdlp() {
  return std::make_unique<CheckLabelPropagation>();
}

}  // namespace emgraph::apps
