// SPDX-License-Identifier: MIT
// The commands check cc and check scc: labels against the components of a graph.
#pragma once

#include <string>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::apps {

/// `Checker`: `name` of the command, `spill`, and `Verdict`, and a static `check<Id>(environment, edges,
/// labels, options)` as graph/cc/check.hpp and graph/scc/check.hpp have it.
template <class Checker>
class CheckComponents : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional("LABELS", labels_, "the component of each node (.npy, .tsv, .csv or .bin)");
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  CommonOptions check() override { return check_options(typed_, graph_, {labels_}); }
  Spill spill() const override { return Checker::spill; }

  ExitCode run() override {
    const CommonOptions options = check();
    Session session(options, Checker::spill);
    Report report(session, Checker::name);
    typename Checker::Verdict verdict;
    with_edges(session, graph_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
                 const auto labels = graph::format::open_node_reader(session.environment(), labels_,
                                                                     {.bin_value_bytes = sizeof(Id)});
                 verdict = Checker::template check<Id>(session.environment(), edges, *labels,
                                                       {.nodes = options.nodes});
               });
    report.input(graph_);
    report.text("labels", labels_);
    report.graph(verdict.nodes, verdict.edges, verdict.ok);
    if (verdict.ok) report.count("components", verdict.components);
    report.model(verdict.choice);
    return report.finish_check(verdict.ok, labels_, verdict.message);
  }

 protected:
  TypedOptions typed_;
  Inputs graph_;
  std::string labels_;
};

}  // namespace emgraph::apps
