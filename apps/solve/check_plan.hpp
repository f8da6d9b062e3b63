// SPDX-License-Identifier: MIT
// The plan of a check that keeps values of nodes in memory and reads the edges as they come.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/files/edge_input.hpp"
#include "apps/run/plan.hpp"
#include "core/base/function_ref.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::apps {

/// What a check does with the edges. Memory for results is reserved by the caller.
struct CheckNeeds {
  graph::ModelChoice choice;
  std::optional<std::uint64_t> bytes = 0;  ///< reserved while edges are read; nullopt: not known
  const char* what = "";                   ///< names them in an error
  bool one_lane = false;                   ///< one thread reads
  std::vector<graph::ForecastPhase> phases = {};
};

/// Calls `needs(facts, size)` when the input is open. An input that is read twice and cannot be rewound is
/// spooled. Throws as the check before its first edge.
Plan plan_check(Session& session, const Inputs& graph, Carry carry,
                core::FunctionRef<CheckNeeds(const graph::EdgeFacts&, const EdgeEstimate&)> needs);

/// A forecast of a check for each type of ids.
template <class Id>
using CheckForecast = core::FunctionRef<graph::Forecast(const graph::EdgeFacts&, graph::EdgeSource<Id>&,
                                                        const graph::InputSize&)>;
Plan plan_whole_check(Session& session, const Inputs& graph, Carry carry, CheckForecast<std::uint32_t> narrow,
                      CheckForecast<std::uint64_t> wide);

/// The plan of a check with a forecast of its own: `forecast(facts, edges, size)` follows the check. `facts`:
/// as the inputs declare them.
template <class Forecast>
Plan plan_whole_check(Session& session, const Inputs& graph, Carry carry, Forecast&& forecast) {
  return plan_whole_check(session, graph, carry, forecast, forecast);
}

/// A result that a plan opens as the check does; null: a pipe, which only the check may read.
std::unique_ptr<graph::format::NodeReader> open_planned_result(
    Session& session, const std::string& path, const graph::format::NodeReaderOptions& options);

/// The same of --parents; null also without them.
template <class Id>
std::unique_ptr<graph::format::NodeReader> open_planned_parents(Session& session, const std::string& path) {
  return path.empty() ? nullptr : open_planned_result(session, path, {.bin_value_bytes = sizeof(Id)});
}

/// n as the check takes it: declared, else the number of values of the result, else the estimate.
std::optional<std::uint64_t> checked_nodes(const Session& session, const graph::EdgeFacts& facts,
                                           const graph::format::NodeReader* result, const EdgeEstimate& size);

}  // namespace emgraph::apps
