// SPDX-License-Identifier: MIT
// Checks of one file of node values or ids against a graph: check mis, cc, scc, kcore, cdlp and lcc.
#pragma once

#include <string>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"
#include "apps/solve/check_plan.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::apps {

/// Calls check() or forecast_check(), which are found in the namespace of `rules`, such as graph::kcore.
template <class Id, class Rules>
auto check_by_rules(core::Environment& environment, graph::EdgeSource<Id>& edges,
                    graph::format::NodeReader& values, const Rules& rules) {
  return check(environment, edges, values, rules);
}
template <class Id, class Rules>
graph::Forecast forecast_by_rules(core::Environment& environment, graph::EdgeSource<Id>& edges,
                                  const Rules& rules, const graph::InputSize& size) {
  return forecast_check(environment, edges, rules, size);
}

/// `Checker` has: `name` of the command; `key` of the file in the summary, `operand` and `help` of it in the
/// usage; `spill`; `Verdict`; `declare(OptionSet&)` for options of its own; `rules(CommonOptions)`, the
/// CheckOptions of the graph library, which throws UsageError if an option has no valid value;
/// `values(id_bytes)`, how the file is read; `report(Report&, Verdict)` of what is its own.
template <class Checker>
class CheckValues : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, graph_, "GRAPH");
    options.positional(Checker::operand, file_, Checker::help);
    checker_.declare(options);
    declare_common_options(options, typed_, {.output = OutputUse::none});
  }

  CommonOptions check() override {
    CommonOptions options = check_options(typed_, graph_, {file_});
    checker_.rules(options);
    return options;
  }
  Spill spill() const override { return Checker::spill; }

  ExitCode run() override {
    const CommonOptions options = check();
    const auto rules = checker_.rules(options);
    Session session(options, Checker::spill);
    Report report(session, Checker::name);
    typename Checker::Verdict verdict;
    with_edges(session, graph_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput&, graph::EdgeSource<Id>& edges) {
                 const auto values = graph::format::open_node_reader(session.environment(), file_,
                                                                     Checker::values(sizeof(Id)));
                 verdict = check_by_rules(session.environment(), edges, *values, rules);
               });
    report.input(graph_);
    report.text(Checker::key, file_);
    report.checked(verdict);
    Checker::report(report, verdict);
    return report.finish_check(verdict, file_);
  }

 protected:
  TypedOptions typed_;
  Inputs graph_;
  std::string file_;
  Checker checker_;
};

/// One whose plan the graph library makes.
template <class Checker>
class ForecastCheckValues final : public CheckValues<Checker> {
 public:
  Plan plan(Session& session) override {
    const auto rules = this->checker_.rules(session.options());
    return plan_whole_check(
        session, this->graph_, Carry::nothing,
        [&]<class Id>(const graph::EdgeFacts&, graph::EdgeSource<Id>& edges, const graph::InputSize& size) {
          const auto values = open_planned_result(session, this->file_, Checker::values(sizeof(Id)));
          return forecast_by_rules(session.environment(), edges, rules, size);
        });
  }
};

}  // namespace emgraph::apps
