// SPDX-License-Identifier: MIT
// The command check mis: is a result the lexicographically first independent set of its graph?

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/mis/check.hpp"

namespace emgraph::apps {

namespace {

class CheckMis final : public Command {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("RESULT", result_, "nodes in ascending order (.npy, .tsv or .bin)");
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  ExitCode run() override {
    CommonOptions options = validate(typed_);
    refuse_output(options);
    options.other_inputs = {result_};
    Session session(options, Spill::possible);
    Report report(session, "check mis");
    graph::mis::Verdict verdict;
    with_edges(session, graph_, NoAttachments(),
               [&]<class R>(graph::format::EdgeInput&, graph::EdgeSource<R>& edges) {
                 const auto set = graph::format::open_node_reader(
                     session.environment(), result_, {.bin_value_bytes = sizeof(typename R::id_type)});
                 verdict = graph::mis::check<R>(session.environment(), edges, *set, {.nodes = options.nodes});
               });
    report.text("input", graph_);
    report.text("result", result_);
    report.graph(verdict.nodes, verdict.edges);
    report.count("members", verdict.members);
    report.model(verdict.choice);
    return report.finish_check(verdict.ok, result_, verdict.message);
  }

 private:
  TypedOptions typed_;
  std::string graph_;
  std::string result_;
};

}  // namespace

std::unique_ptr<Command> make_check_mis() {
  return std::make_unique<CheckMis>();
}

}  // namespace emgraph::apps
