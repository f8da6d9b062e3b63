// SPDX-License-Identifier: MIT
// The commands cdlp and check cdlp.
#include "graph/cdlp/cdlp.hpp"

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/direction_option.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/node_plan.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
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

class LabelPropagation final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_);
    options.group("Solver");
    declare_propagation(options, typed_propagation_);
    declare_common_options(
        options, typed_,
        {.solver = true, .result = "the label of each node, the id of a node (.npy, .tsv or .bin)"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    const std::string& output = options.output;
    if (!output.empty()) check_node_output(options, output, input_.names());
    keep_names(options, {output});
    return options;
  }

  Plan plan(Session& session) override {
    const graph::cdlp::Options solver = this->solver(session.options());
    return plan_node_values<void>(session, input_, Carry::nothing, false,
                                  [&]<class Id>(core::Environment& environment, graph::EdgeSource<Id>& edges,
                                                const graph::InputSize& size) {
                                    return graph::cdlp::forecast<Id>(environment, edges, solver, size);
                                  });
  }

  ExitCode run() override {
    const CommonOptions options = check();
    const graph::cdlp::Options solver = this->solver(options);
    const std::string& output = options.output;
    Session session(options, Spill::possible);
    graph::cdlp::Result result;
    with_edges(session, input_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 if (typed_propagation_.directed) warn_of_one_way(session, input.facts(), without_directed);
                 const auto nodes = options.nodes ? options.nodes : input.facts().nodes;
                 const auto sink = output.empty() ? nullptr : create_node_links<Id>(session, output, nodes);
                 result = graph::cdlp::run<Id>(session.environment(), edges, solver, sink.get());
                 if (sink) finish_node_output(session, *sink);
               });

    Report report(session, "cdlp");
    report.input(input_);
    report.output("output", output);
    report.graph(result.nodes, result.edges);
    report.flag("directed", typed_propagation_.directed);
    report.count("iterations", result.iterations);
    report.count("changed", result.changed);
    report.count("communities", result.communities);
    report.model(result.choice);
    return report.finish();
  }

 private:
  graph::cdlp::Options solver(const CommonOptions& options) const {
    graph::cdlp::Options solver{
        .model = options.model, .nodes = options.nodes, .directed = typed_propagation_.directed};
    if (!typed_propagation_.iterations.empty())
      solver.iterations = count_option("--iterations", typed_propagation_.iterations);
    return solver;
  }

  TypedOptions typed_;
  PropagationOptions typed_propagation_;
  Inputs input_;
};

/// Checks that values are the labels of their graph after so many rounds.
class CheckLabelPropagation final : public Command {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("LABELS", labels_, "the label of each node (.npy, .tsv or .bin)");
    options.group("Check");
    declare_propagation(options, typed_propagation_);
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  ExitCode run() override {
    CommonOptions options = check_options(typed_, {labels_});
    graph::cdlp::CheckOptions check{.nodes = options.nodes, .directed = typed_propagation_.directed};
    if (!typed_propagation_.iterations.empty())
      check.iterations = count_option("--iterations", typed_propagation_.iterations);
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
  TypedOptions typed_;
  PropagationOptions typed_propagation_;
  Inputs graph_;
  std::string labels_;
};

}  // namespace

std::unique_ptr<Command> make_cdlp() {
  return std::make_unique<LabelPropagation>();
}

std::unique_ptr<Command> make_check_cdlp() {
  return std::make_unique<CheckLabelPropagation>();
}

}  // namespace emgraph::apps
