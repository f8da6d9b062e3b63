// SPDX-License-Identifier: MIT
// The command check cc: are labels the connected components of their graph?

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "graph/cc/check.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::apps {

namespace {

class CheckCc final : public Command {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("LABELS", labels_, "the component of each node (.npy, .tsv or .bin)");
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  ExitCode run() override {
    CommonOptions options = validate(typed_);
    refuse_output(options);
    options.other_inputs = {labels_};
    Session session(options, Spill::never);
    Report report(session, "check cc");
    graph::cc::Verdict verdict;
    with_edges(session, graph_, NoAttachments(),
               [&]<class R>(graph::format::EdgeInput&, graph::EdgeSource<R>& edges) {
                 const auto labels = graph::format::open_node_reader(
                     session.environment(), labels_, {.bin_value_bytes = sizeof(typename R::id_type)});
                 verdict =
                     graph::cc::check<R>(session.environment(), edges, *labels, {.nodes = options.nodes});
               });
    report.text("input", graph_);
    report.text("labels", labels_);
    report.graph(verdict.nodes, verdict.edges);
    if (verdict.ok) report.count("components", verdict.components);
    report.model(verdict.choice);
    return report.finish_check(verdict.ok, labels_, verdict.message);
  }

 private:
  TypedOptions typed_;
  std::string graph_;
  std::string labels_;
};

}  // namespace

std::unique_ptr<Command> make_check_cc() {
  return std::make_unique<CheckCc>();
}

}  // namespace emgraph::apps
