// SPDX-License-Identifier: MIT
// The command cdlp.
#include "graph/cdlp/cdlp.hpp"

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"

namespace emgraph::apps {

namespace {

class LabelPropagation final : public Command {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_);
    options.group("Solver");
    options.value("--iterations", iterations_, "K", "number of rounds; fewer if a round changes no label")
        .otherwise("10");
    options.flag("--directed", directed_,
                 "count neighbours along and against edges each, so that a mutual pair counts twice");
    declare_common_options(
        options, typed_,
        {.solver = true, .result = "the label of each node, the id of a node (.npy, .tsv or .bin)"});
  }

  ExitCode run() override {
    CommonOptions options = validate(typed_);
    graph::cdlp::Options solver{.model = options.model, .nodes = options.nodes, .directed = directed_};
    if (!iterations_.empty()) solver.iterations = count_option("--iterations", iterations_);
    const std::string& output = options.output;
    if (!output.empty()) check_node_output(options, output, input_.names());
    keep_names(options, {output});
    Session session(options, Spill::possible);
    graph::cdlp::Result result;
    with_edges(session, input_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 const auto nodes = options.nodes ? options.nodes : input.facts().nodes;
                 const auto sink = output.empty() ? nullptr : create_node_links<Id>(session, output, nodes);
                 result = graph::cdlp::run<Id>(session.environment(), edges, solver, sink.get());
                 if (sink) finish_node_output(session, *sink);
               });

    Report report(session, "cdlp");
    report.input(input_);
    report.output("output", output);
    report.graph(result.nodes, result.edges);
    report.flag("directed", directed_);
    report.count("iterations", result.iterations);
    report.count("changed", result.changed);
    report.count("communities", result.communities);
    report.model(result.choice);
    return report.finish();
  }

 private:
  TypedOptions typed_;
  Inputs input_;
  std::string iterations_;
  bool directed_ = false;
};

}  // namespace

std::unique_ptr<Command> make_cdlp() {
  return std::make_unique<LabelPropagation>();
}

}  // namespace emgraph::apps
