// SPDX-License-Identifier: MIT
// The commands lcc and check lcc.
#include "graph/lcc/lcc.hpp"

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
#include "graph/format/nodes/node_reader.hpp"
#include "graph/lcc/check.hpp"

namespace emgraph::apps {

namespace {

constexpr const char* directed_help =
    "count the arcs between neighbours, one or two for a pair; a neighbour is one along or against an edge";

class ClusteringCoefficients final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_);
    options.group("Solver");
    options.flag("--directed", directed_, directed_help);
    declare_common_options(
        options, typed_,
        {.solver = true, .result = "the coefficient of each node, a double (.npy, .tsv or .bin)"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    const std::string& output = options.output;
    if (!output.empty()) check_node_output(options, output, input_.names());
    keep_names(options, {output});
    return options;
  }

  Plan plan(Session& session) override {
    const graph::lcc::Options solver = this->solver(session.options());
    return plan_node_values<std::uint64_t>(
        session, input_, Carry::nothing, true,
        [&]<class Id>(core::Environment& environment, graph::EdgeSource<Id>& edges,
                      const graph::InputSize& size) {
          return graph::lcc::forecast<Id>(environment, edges, solver, size);
        });
  }

  ExitCode run() override {
    const CommonOptions options = check();
    const graph::lcc::Options solver = this->solver(options);
    const std::string& output = options.output;
    Session session(options, Spill::possible);
    graph::lcc::Result result;
    with_edges(session, input_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 if (directed_) warn_of_one_way(session, input.facts(), without_directed);
                 const auto nodes = options.nodes ? options.nodes : input.facts().nodes;
                 const auto sink = output.empty()
                                       ? nullptr
                                       : create_node_values<std::uint64_t>(session, output, nodes, true);
                 result = graph::lcc::run<Id>(session.environment(), edges, solver, sink.get());
                 if (sink) finish_node_output(session, *sink);
               });

    Report report(session, "lcc");
    report.input(input_);
    report.output("output", output);
    report.graph(result.nodes, result.edges);
    report.flag("directed", directed_);
    report.real("mean_lcc", result.mean);
    report.model(result.choice);
    return report.finish();
  }

 private:
  graph::lcc::Options solver(const CommonOptions& options) const {
    return {.model = options.model, .nodes = options.nodes, .directed = directed_};
  }

  TypedOptions typed_;
  Inputs input_;
  bool directed_ = false;
};

/// Checks that values are the local clustering coefficients of their graph.
class CheckClusteringCoefficients final : public Command {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("COEFFICIENTS", values_,
                       "the coefficient of each node (.npy, .tsv or .bin of doubles)");
    options.group("Check");
    options.flag("--directed", directed_, directed_help);
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  ExitCode run() override {
    CommonOptions options = check_options(typed_, {values_});
    Session session(options, Spill::possible);
    Report report(session, "check lcc");
    graph::lcc::Verdict verdict;
    with_edges(session, graph_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
                 const auto values = graph::format::open_node_reader(
                     session.environment(), values_,
                     {.bin_value_bytes = 8, .numbers = graph::format::NodeNumbers::floating});
                 verdict = graph::lcc::check<Id>(session.environment(), edges, *values,
                                                 {.nodes = options.nodes, .directed = directed_});
               });
    report.input(graph_);
    report.text("coefficients", values_);
    report.graph(verdict.nodes, verdict.edges, verdict.ok);
    report.model(verdict.choice);
    return report.finish_check(verdict.ok, values_, verdict.message);
  }

 private:
  TypedOptions typed_;
  Inputs graph_;
  std::string values_;
  bool directed_ = false;
};

}  // namespace

std::unique_ptr<Command> make_lcc() {
  return std::make_unique<ClusteringCoefficients>();
}

std::unique_ptr<Command> make_check_lcc() {
  return std::make_unique<CheckClusteringCoefficients>();
}

}  // namespace emgraph::apps
