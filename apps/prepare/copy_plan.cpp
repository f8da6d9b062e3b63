// SPDX-License-Identifier: MIT
#include "apps/prepare/copy_plan.hpp"

#include "apps/files/copy_edges.hpp"
#include "apps/files/edge_output.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::apps {

graph::format::Metadata EdgeCopy::metadata(const graph::format::EdgeInput& from) const {
  graph::format::Metadata metadata = from.metadata();
  metadata.emplace_back(origin, input.text());
  return metadata;
}

Plan EdgeCopy::plan(Session& session, double edge_nanoseconds, const Before& before) const {
  Plan plan{.input = input};
  const std::string& output = session.options().output;
  with_edges(session, input, Carry::everything,
             [&]<class Id>(graph::format::EdgeInput& from, graph::EdgeSource<Id>& edges) {
               plan.size = estimate_edges(session, input, from, edges);
               core::Reservation held;
               if (before) held = before(from.records(), from.facts(), plan);
               const auto writer = create_edge_output(session, output, from.facts(), codec, metadata(from));
               rehearse_copy(session, *from.records(), *writer);
               plan.outputs.push_back(planned_edge_file(session, output, from.facts(), codec, plan.size));
             });
  plan.forecast.choice = graph::one_pass();
  plan.forecast.phases.push_back(
      {.name = "copy",
       .input_readings = 1,
       .cpu_seconds = graph::seconds_for(plan.size.edges.value.value_or(0), edge_nanoseconds)});
  return plan;
}

}  // namespace emgraph::apps
