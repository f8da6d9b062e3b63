// SPDX-License-Identifier: MIT
// Counts neighbours of the same or a larger value, then removes the nodes in the order of their values.
#include "graph/kcore/check.hpp"

#include <algorithm>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_facts.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/prepare/adjacency/csr.hpp"
#include "graph/prepare/adjacency/unpack_forecast.hpp"

namespace emgraph::graph::kcore {
namespace {

using Numbers = core::Array<std::uint64_t>;

/// Reads a value for each of `cores.size()` nodes; returns what is wrong with their number.
std::string take_cores(format::NodeReader& reader, const Numbers& cores) {
  std::uint64_t count = 0;
  for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
    const std::uint64_t fit =
        std::min<std::uint64_t>(batch.size(), cores.size() - std::min(count, cores.size()));
    std::copy_n(batch.begin(), fit, cores.data() + count);
    count += batch.size();
  }
  if (count == cores.size()) return {};
  return "there are " + std::to_string(count) + " core numbers for " + std::to_string(cores.size()) +
         " nodes";
}

std::string core_of(std::uint64_t node, const Numbers& cores) {
  return "node " + std::to_string(node) + " has the core number " +
         std::to_string(cores[static_cast<std::size_t>(node)]);
}

/// Rule 1.
template <class Rows>
std::string check_support(const Rows& rows, const Numbers& cores) {
  for (std::size_t v = 0; v < cores.size(); ++v) {
    std::uint64_t support = 0;
    for (const auto u : rows.neighbours(v)) support += cores[static_cast<std::size_t>(u)] >= cores[v];
    if (support >= cores[v]) continue;
    return core_of(v, cores) + ", but only " + std::to_string(support) +
           " neighbours have this core number or a larger one";
  }
  return {};
}

/// Rule 2. `order`: room for the nodes; `waiting`: room for those that can be removed.
template <class Rows, class Id>
std::string check_removal(const Rows& rows, const Numbers& cores, Numbers& left, core::Array<Id>& order,
                          core::Array<Id>& waiting) {
  for (std::size_t v = 0; v < cores.size(); ++v) {
    order[v] = static_cast<Id>(v);
    left[v] = rows.degree(v);
  }
  std::sort(order.span().begin(), order.span().end(),
            [&](Id a, Id b) { return cores[a] != cores[b] ? cores[a] < cores[b] : a < b; });
  for (std::size_t begin = 0; begin < order.size();) {
    const std::uint64_t k = cores[order[begin]];
    std::size_t end = begin;
    std::size_t count = 0;
    for (; end < order.size() && cores[order[end]] == k; ++end) {
      if (left[order[end]] <= k) waiting[count++] = order[end];
    }
    std::size_t removed = 0;
    for (; count > 0; ++removed) {
      for (const Id u : rows.neighbours(waiting[--count])) {
        // Smaller core numbers are removed already; what happens to their counts does not matter.
        if (left[u]-- == k + 1 && cores[u] == k) waiting[count++] = u;
      }
    }
    if (removed == end - begin) {
      begin = end;
      continue;
    }
    const auto stuck =
        std::find_if(order.data() + begin, order.data() + end, [&](Id v) { return left[v] > k; });
    return core_of(*stuck, cores) + ", but it is in a " + std::to_string(k + 1) + "-core";
  }
  return {};
}

}  // namespace

template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& reader,
              const CheckOptions& options) {
  Verdict verdict;
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  const auto rows = [&] {
    const auto built = adjacency::build_pages(environment, edges, {.nodes = declared});
    verdict.edges = built.edges;
    return adjacency::unpack<Id, std::uint64_t>(environment, *built.adjacency);
  }();
  verdict.nodes = rows->facts().nodes;
  const auto nodes = static_cast<std::size_t>(verdict.nodes);
  const Numbers cores(environment.memory, nodes, "a core number per node");
  {
    const core::Phase phase(environment.progress, "read core numbers", nodes, "nodes");
    verdict.message = take_cores(reader, cores);
  }
  const core::Phase phase(environment.progress, "check", nodes, "nodes");
  if (verdict.message.empty()) verdict.message = check_support(*rows, cores);
  if (verdict.message.empty()) {
    Numbers left(environment.memory, nodes, "a degree per node");
    core::Array<Id> order(environment.memory, nodes, "an id per node");
    core::Array<Id> waiting(environment.memory, nodes, "an id per node");
    verdict.message = check_removal(*rows, cores, left, order, waiting);
    if (nodes > 0) verdict.degeneracy = cores[order[nodes - 1]];
  }
  verdict.ok = verdict.message.empty();
  return verdict;
}

template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
                        const InputSize& size) {
  // CPU time measured on random graphs beside the run.
  constexpr double edge_nanoseconds = 14;  // and misses
  constexpr double misses = 4;
  constexpr double node_nanoseconds = 60;
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  const std::uint64_t nodes = declared ? *declared : size.nodes.value_or(0);
  Forecast forecast;
  forecast.choice = Verdict().choice;
  const auto rows = adjacency::rehearse_unpacked(environment, edges, {.nodes = declared}, size, forecast);
  const auto per_node = [&](std::size_t bytes, const char* what) {
    return adjacency::hold_array(environment.memory, nodes, bytes, what);
  };
  const core::Reservation cores = per_node(sizeof(std::uint64_t), "a core number per node");
  const core::Reservation left = per_node(sizeof(std::uint64_t), "a degree per node");
  const core::Reservation order = per_node(sizeof(Id), "an id per node");
  const core::Reservation waiting = per_node(sizeof(Id), "an id per node");
  environment.memory.raise_peak(rows.further_bytes);
  forecast.add("read core numbers", 0, 0, 0);
  const double edge = edge_nanoseconds + misses * miss_nanoseconds(cores.bytes());
  forecast
      .add("check", 0, 0, seconds_for(size.edges.value_or(0), edge) + seconds_for(nodes, node_nanoseconds))
      .one_thread = true;
  return forecast;
}

template Verdict check(core::Environment&, EdgeSource<std::uint32_t>&, format::NodeReader&,
                       const CheckOptions&);
template Verdict check(core::Environment&, EdgeSource<std::uint64_t>&, format::NodeReader&,
                       const CheckOptions&);

template Forecast forecast_check(core::Environment&, EdgeSource<std::uint32_t>&, const CheckOptions&,
                                 const InputSize&);
template Forecast forecast_check(core::Environment&, EdgeSource<std::uint64_t>&, const CheckOptions&,
                                 const InputSize&);

}  // namespace emgraph::graph::kcore
