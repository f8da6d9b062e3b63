// SPDX-License-Identifier: MIT
// The plan of a command whose result is a value per node in -o.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "apps/files/edge_input.hpp"
#include "apps/files/node_output.hpp"
#include "apps/run/plan.hpp"
#include "apps/run/session.hpp"

namespace emgraph::apps {

/// `Value`: of a node; void: an id. `carry`: of the run. `floating`: as for create_node_values.
/// `forecast(environment, edges, size)`: of the solver.
template <class Value, class Make>
Plan plan_node_values(Session& session, Inputs& input, Carry carry, bool floating, Make&& forecast) {
  const CommonOptions& options = session.options();
  Plan plan{.input = input};
  with_edges(session, input, carry,
             [&]<class Id>(graph::format::EdgeInput& file, graph::EdgeSource<Id>& edges) {
               using Number = std::conditional_t<std::is_void_v<Value>, Id, Value>;
               plan.size = estimate_edges(session, input, file, edges);
               const auto nodes = graph::known_nodes(options.nodes, file.facts());
               std::unique_ptr<graph::format::NodeWriter<Number>> sink;
               if (!options.output.empty()) {
                 const std::size_t characters = std::is_void_v<Value> ? 0 : value_characters(sizeof(Number));
                 plan.outputs.push_back(
                     {.path = options.output,
                      .most_bytes = planned_node_bytes(session, options.output, plan.size.nodes.value,
                                                       sizeof(Number), characters)});
                 sink = create_node_values<Number>(session, options.output, nodes, floating);
               }
               plan.forecast = forecast(session.environment(), edges, plan.size.size());
             });
  return plan;
}

}  // namespace emgraph::apps
