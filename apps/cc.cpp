// SPDX-License-Identifier: MIT
// The command cc: connected components.
#include "graph/cc/cc.hpp"

#include <CLI/CLI.hpp>

#include "apps/command.hpp"
#include "apps/edge_input.hpp"
#include "apps/node_output.hpp"
#include "apps/options.hpp"
#include "apps/output_check.hpp"
#include "apps/report.hpp"
#include "apps/session.hpp"

namespace emgraph::apps {

namespace {

class ConnectedComponents final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("INPUT", input_, "file, - (standard input) or gen:MODEL,key=value,...")->required();
    declare_common_options(app, typed_, {.solver = true});
  }

  ExitCode run() override {
    const CommonOptions options = validate(typed_);
    const graph::cc::Options solver = {.model = options.model, .nodes = options.nodes};
    const std::string& output = options.output;
    if (!output.empty()) check_node_output(options, output, {input_});

    Session session(options, Spill::possible);
    graph::cc::Result result;
    with_edges(session, input_, NoAttachments(),
               [&]<class R>(graph::format::EdgeInput& input, graph::EdgeSource<R>& edges) {
                 using Id = typename R::id_type;
                 const auto nodes = options.nodes ? options.nodes : input.facts().nodes;
                 const auto sink = output.empty() ? nullptr : create_node_values<Id>(session, output, nodes);
                 result = graph::cc::run<R>(session.environment(), edges, solver, sink.get());
                 if (sink) finish_node_output(session, *sink);
               });

    Report report("cc");
    report.text("input", input_);
    if (!output.empty()) report.text("output", output);
    report.count("nodes", result.nodes);
    report.count("edges", result.edges);
    report.count("components", result.count.components);
    report.count("isolated_nodes", result.count.isolated_nodes);
    report.count("largest_component", result.count.largest_component);
    report.model(result.choice);
    if (result.choice.model == graph::MemoryModel::external) report.count("ranges", result.ranges);
    report.finish(session, is_standard_output(output));
    return ExitCode::done;
  }

 private:
  TypedOptions typed_;
  std::string input_;
};

}  // namespace

std::unique_ptr<Command> make_cc() {
  return std::make_unique<ConnectedComponents>();
}

}  // namespace emgraph::apps
