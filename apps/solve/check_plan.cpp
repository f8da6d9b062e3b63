// SPDX-License-Identifier: MIT
// Opens the lanes and reserves the memory of a check.
#include "apps/solve/check_plan.hpp"

#include <filesystem>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/format/table/open_several.hpp"
#include "graph/prepare/spooled_source.hpp"

namespace emgraph::apps {

Plan plan_check(Session& session, const Inputs& graph, Carry carry,
                core::FunctionRef<CheckNeeds(const graph::EdgeFacts&, const EdgeEstimate&)> needs) {
  Plan plan{.input = graph};
  with_edges(
      session, graph, carry, [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
        core::Environment& environment = session.environment();
        plan.size = estimate_edges(session, graph, input, edges);
        CheckNeeds check = needs(edges.facts(), plan.size);
        graph::prepare::Lanes<Id> lanes;
        if (check.one_lane) lanes.push_back(edges.lane());
        const core::Reservation values =
            environment.memory.reserve(static_cast<std::size_t>(check.bytes.value_or(0)), check.what);
        if (!check.one_lane) lanes = graph::prepare::open_lanes(environment, edges);
        core::Reservation rest;
        if (!check.bytes) {
          rest = environment.memory.reserve_up_to(environment.memory.limit());
        }
        plan.forecast.choice = std::move(check.choice);
        plan.forecast.phases = std::move(check.phases);
        if (plan.forecast.input_readings() < 2 || edges.rewindable()) return;
        const graph::prepare::SpoolWriter spool(environment, edges.shape().row_bytes, 4);
        if (!plan.size.edges.value) return plan.forecast.leave_size_open();
        const std::uint64_t bytes = core::size_product(*plan.size.edges.value, edges.shape().row_bytes);
        plan.forecast.temporary = {
            .most_bytes = core::size_sum(bytes, bytes / 64, graph::prepare::spool_block_bytes),
            .expected_bytes = bytes};
      });
  return plan;
}

Plan plan_whole_check(Session& session, const Inputs& graph, Carry carry, CheckForecast<std::uint32_t> narrow,
                      CheckForecast<std::uint64_t> wide) {
  Plan plan{.input = graph};
  with_edges(session, graph, carry,
             [&]<class Id>(graph::format::EdgeInput& input, graph::EdgeSource<Id>& edges) {
               plan.size = estimate_edges(session, graph, input, edges);
               if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
                 plan.forecast = narrow(input.facts(), edges, plan.size.size());
               } else {
                 plan.forecast = wide(input.facts(), edges, plan.size.size());
               }
             });
  return plan;
}

std::unique_ptr<graph::format::NodeReader> open_planned_result(
    Session& session, const std::string& path, const graph::format::NodeReaderOptions& options) {
  std::error_code ignored;
  const bool pipe =
      path == "-" || (std::filesystem::exists(path, ignored) && !graph::format::reopenable(path));
  if (pipe) return nullptr;
  return graph::format::open_node_reader(session.environment(), path, options);
}

std::optional<std::uint64_t> checked_nodes(const Session& session, const graph::EdgeFacts& facts,
                                           const graph::format::NodeReader* result,
                                           const EdgeEstimate& size) {
  const auto declared = graph::declared_nodes(facts.layout.id_bytes, session.options().nodes, facts);
  if (declared) return declared;
  if (result != nullptr && result->count()) return result->count();
  return size.nodes.value;
}

}  // namespace emgraph::apps
