// SPDX-License-Identifier: MIT
// The commands kcore and check kcore.
#include "graph/kcore/kcore.hpp"

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/node_plan.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/kcore/check.hpp"

namespace emgraph::apps {

namespace {

class KCore final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_);
    declare_common_options(
        options, typed_,
        {.solver = true, .result = "the core number of each node (.npy, .tsv or .bin of 4-byte numbers)"});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    const std::string& output = options.output;
    if (!output.empty()) check_node_output(options, output, input_.names());
    keep_names(options, {output});
    return options;
  }

  Plan plan(Session& session) override {
    const graph::kcore::Options solver = this->solver(session.options());
    return plan_node_values<std::uint32_t>(
        session, input_, Carry::nothing, false,
        [&]<class Id>(core::Environment& environment, graph::EdgeSource<Id>& edges,
                      const graph::InputSize& size) {
          return graph::kcore::forecast<Id>(environment, edges, solver, size);
        });
  }

  ExitCode run() override {
    const CommonOptions options = check();
    const graph::kcore::Options solver = this->solver(options);
    const std::string& output = options.output;
    Session session(options, Spill::possible);
    graph::kcore::Result result;
    with_edges(session, input_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 const auto nodes = options.nodes ? options.nodes : input.facts().nodes;
                 const auto sink =
                     output.empty() ? nullptr : create_node_values<std::uint32_t>(session, output, nodes);
                 result = graph::kcore::run<Id>(session.environment(), edges, solver, sink.get());
                 if (sink) finish_node_output(session, *sink);
               });

    Report report(session, "kcore");
    report.input(input_);
    report.output("output", output);
    report.graph(result.nodes, result.edges);
    report.count("degeneracy", result.degeneracy);
    report.count("rounds", result.rounds);
    report.model(result.choice);
    return report.finish();
  }

 private:
  static graph::kcore::Options solver(const CommonOptions& options) {
    return {.model = options.model, .nodes = options.nodes};
  }

  TypedOptions typed_;
  Inputs input_;
};

/// Checks that values are the core numbers of their graph.
class CheckKCore final : public Command {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("CORES", cores_,
                       "the core number of each node (.npy, .tsv or .bin of 4-byte numbers)");
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  ExitCode run() override {
    CommonOptions options = check_options(typed_, {cores_});
    Session session(options, Spill::possible);
    Report report(session, "check kcore");
    graph::kcore::Verdict verdict;
    with_edges(session, graph_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
                 const auto cores =
                     graph::format::open_node_reader(session.environment(), cores_, {.bin_value_bytes = 4});
                 verdict =
                     graph::kcore::check<Id>(session.environment(), edges, *cores, {.nodes = options.nodes});
               });
    report.input(graph_);
    report.text("cores", cores_);
    report.graph(verdict.nodes, verdict.edges, verdict.ok);
    if (verdict.ok) report.count("degeneracy", verdict.degeneracy);
    report.model(verdict.choice);
    return report.finish_check(verdict.ok, cores_, verdict.message);
  }

 private:
  TypedOptions typed_;
  Inputs graph_;
  std::string cores_;
};

}  // namespace

std::unique_ptr<Command> make_kcore() {
  return std::make_unique<KCore>();
}

std::unique_ptr<Command> make_check_kcore() {
  return std::make_unique<CheckKCore>();
}

}  // namespace emgraph::apps
