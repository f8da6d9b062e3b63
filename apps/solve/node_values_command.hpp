// SPDX-License-Identifier: MIT
// Commands whose result is a value per node: kcore, lcc and cdlp.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "apps/command_line/command.hpp"
#include "apps/command_line/options.hpp"
#include "apps/files/direction_option.hpp"
#include "apps/files/edge_input.hpp"
#include "apps/files/kept_space.hpp"
#include "apps/files/node_names.hpp"
#include "apps/files/node_output.hpp"
#include "apps/files/node_plan.hpp"
#include "apps/files/output_check.hpp"
#include "apps/run/report.hpp"
#include "apps/run/session.hpp"

namespace emgraph::apps {

/// Calls forecast() or run() of the solver, which are found in the namespace of `options`.
template <class Id, class Options>
graph::Forecast forecast_of(core::Environment& environment, graph::EdgeSource<Id>& edges,
                            const Options& options, const graph::InputSize& size) {
  return forecast(environment, edges, options, size);
}
template <class Id, class Options, class Sink>
auto solve(core::Environment& environment, graph::EdgeSource<Id>& edges, const Options& options, Sink* sink) {
  return run(environment, edges, options, sink);
}

/// `Solver` has: `name` of the command; `output_help`; `Value` of a node, void for an id; `floating`, whether
/// it is a double; `Result`; `declare(OptionSet&)` for options of its own; `directed()`;
/// `options(CommonOptions)` of the solver, such as graph::kcore::Options; `kept(EdgeFacts)`, KeptBytes of a
/// checkpoint; `report(Report&, Result)` of what is its own.
template <class Solver>
class NodeValuesCommand final : public PlannedCommand {
 public:
  void declare(OptionSet& options) override {
    declare_input(options, input_);
    solver_.declare(options);
    declare_common_options(options, typed_,
                           {.solver = true, .checkpoint = true, .result = Solver::output_help});
  }

  CommonOptions check() override {
    CommonOptions options = validate(typed_);
    const std::string& output = options.output;
    if (!output.empty()) check_node_output(options, output, input_.names());
    keep_names(options, {output});
    return options;
  }

  Plan plan(Session& session) override {
    const auto options = solver_.options(session.options());
    return plan_node_values<typename Solver::Value>(
        session, input_, Carry::nothing, Solver::floating,
        [&]<class Id>(core::Environment& environment, graph::EdgeSource<Id>& edges,
                      const graph::InputSize& size) {
          return forecast_of(environment, edges, options, size);
        });
  }

  ExitCode run() override {
    const CommonOptions options = check();
    const auto solver_options = solver_.options(options);
    Session session(options, Spill::possible);
    typename Solver::Result result;
    with_edges(session, input_, Carry::nothing,
               [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
                 if (solver_.directed()) warn_of_one_way(session, input.facts(), without_directed);
                 const auto sink = create_sink<Id>(session, graph::known_nodes(options.nodes, input.facts()));
                 announce_kept_space(session, edges.facts(), solver_.kept(edges.facts()));
                 result = solve(session.environment(), edges, solver_options, sink.get());
                 if (sink) finish_node_output(session, *sink);
               });
    Report report(session, Solver::name);
    report.input(input_);
    report.output("output", options.output);
    report.graph(result.nodes, result.edges);
    solver_.report(report, result);
    report.model(result.choice);
    return report.finish();
  }

 private:
  /// Null without -o.
  template <class Id>
  static auto create_sink(Session& session, const std::optional<std::uint64_t>& nodes) {
    const std::string& output = session.options().output;
    if constexpr (std::is_void_v<typename Solver::Value>) {
      return output.empty() ? nullptr : create_node_links<Id>(session, output, nodes);
    } else {
      return output.empty()
                 ? nullptr
                 : create_node_values<typename Solver::Value>(session, output, nodes, Solver::floating);
    }
  }

  TypedOptions typed_;
  Inputs input_;
  Solver solver_;
};

}  // namespace emgraph::apps
