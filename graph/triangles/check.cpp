// SPDX-License-Identifier: MIT
// Counts triangles by marks in memory, then compares counts and list with them.
#include "graph/triangles/check.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_facts.hpp"
#include "graph/memory_model.hpp"
#include "graph/prepare/kept_edges.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sample_facts.hpp"
#include "graph/triangles/check_count.hpp"

namespace emgraph::graph::triangles {
namespace {

template <class Id>
std::string check_counts(format::NodeReader& per_node, const MarkedCount<Id>& counts, std::uint64_t nodes) {
  std::uint64_t node = 0;
  for (auto batch = per_node.next(); !batch.empty(); batch = per_node.next()) {
    for (const std::uint64_t found : batch) {
      if (node == nodes) {
        return "found a count for node " + std::to_string(node) + ", expected counts for the nodes below it";
      }
      const std::uint64_t expected = counts[node];
      if (found != expected) {
        return "node " + std::to_string(node) + ": found " + std::to_string(found) + ", expected " +
               std::to_string(expected) + " triangles";
      }
      ++node;
    }
  }
  if (node < nodes) {
    return "found counts for " + std::to_string(node) + " nodes, expected " + std::to_string(nodes);
  }
  return "";
}

template <class Id>
std::string check_list(format::NodeReader& list, const LargerNeighbours<Id>& larger, std::uint64_t nodes,
                       std::uint64_t triangles) {
  using Triple = std::array<std::uint64_t, 3>;
  Triple last{};
  Triple triple{};
  // Third nodes of the same two ascend.
  bool neighbours = false;
  ListSearch<Id> of_first;
  ListSearch<Id> of_second;
  std::size_t filled = 0;
  std::uint64_t count = 0;
  const auto say = [&](const std::string& what) {
    return "triple " + std::to_string(count) + ": " + std::to_string(triple[0]) + " " +
           std::to_string(triple[1]) + " " + std::to_string(triple[2]) + " " + what;
  };
  for (auto batch = list.next(); !batch.empty(); batch = list.next()) {
    for (const std::uint64_t id : batch) {
      triple[filled++] = id;
      if (filled < triple.size()) continue;
      filled = 0;
      if (triple[0] >= triple[1] || triple[1] >= triple[2]) return say("found, expected ascending ids");
      if (count > 0 && triple <= last) return say("found, expected one behind the triple before");
      if (triple[2] >= nodes) return say("is no triangle of the graph");
      if (count == 0 || triple[0] != last[0] || triple[1] != last[1]) {
        neighbours = ListSearch<Id>(larger.of(triple[0])).find(triple[1]);
        of_first = ListSearch<Id>(larger.of(triple[0]));
        of_second = ListSearch<Id>(larger.of(triple[1]));
      }
      if (!neighbours || !of_first.find(triple[2]) || !of_second.find(triple[2])) {
        return say("is no triangle of the graph");
      }
      last = triple;
      ++count;
    }
  }
  if (filled != 0) return "the list ends within a triple";
  if (count != triangles) {
    return "found " + std::to_string(count) + " triples, expected " + std::to_string(triangles);
  }
  return "";
}

/// Calls push(smaller end, larger end) for each edge.
struct LowFirst {
  void operator()(std::uint64_t a, std::uint64_t b, auto&& push) const {
    if (a != b) push(std::min(a, b), std::max(a, b));
  }
};
constexpr prepare::SortSpec check_sort{.unique = true};

/// Throws MemoryLimitError unless the lists and the counts, after the sort, fit in the `free` bytes.
template <class Id>
void require_check_memory(const core::MemoryBudget& memory, std::size_t free, std::uint64_t nodes,
                          std::uint64_t edges) {
  constexpr std::uint64_t most_nodes = std::uint64_t{1} << 56;  // so that their bytes fit 64 bits
  const std::uint64_t counted = std::min(nodes, most_nodes);
  const std::uint64_t lists_bytes = LargerNeighbours<Id>::bytes_for(counted, edges);
  // Frees the sorter before the counting begins.
  const std::uint64_t need =
      std::max(lists_bytes / 2 * 3 + core::MiB, lists_bytes + MarkedCount<Id>::bytes_for(counted, edges));
  if (need <= free) return;
  const std::uint64_t least = core::size_sum(need, memory.limit() - free, 2 * core::MiB);
  throw missing_check_memory("triangles", need, nodes, edges, least);
}

/// Sorts the edges without loops and duplicates into lists, then counts.
template <class Id, core::IntegerKey Key>
Verdict check_with_keys(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& per_node,
                        format::NodeReader* list, const std::optional<std::uint64_t>& declared,
                        const prepare::EdgeKeys<Key>& keys) {
  const std::size_t free = environment.memory.available();
  auto sorted = prepare::sort_edges(prepare::sort_input(environment, edges, declared), keys, check_sort,
                                    LowFirst(), [&](unsigned) { return free / 3; });
  Verdict verdict;
  verdict.nodes = sorted.read().nodes(declared);
  verdict.edges = sorted.read().edges;
  const std::uint64_t most = prepare::most_kept_edges(verdict.nodes, sorted.records(), false);
  require_check_memory<Id>(environment.memory, free, verdict.nodes, most);
  LargerNeighbours<Id> larger(environment.memory, verdict.nodes, most);
  {
    core::Phase phase(environment.progress, "sort", sorted.records(), "edges");
    sorted.for_each(phase, [&](std::uint64_t low, std::uint64_t high) { larger.add(low, high); });
  }
  larger.finish();
  sorted.close();
  const MarkedCount<Id> counts(environment, larger);
  verdict.triangles = counts.triangles();
  const core::Phase phase(environment.progress, "check", 0, "nodes");
  verdict.message = check_counts(per_node, counts, verdict.nodes);
  if (verdict.message.empty() && list != nullptr) {
    verdict.message = check_list<Id>(*list, larger, verdict.nodes, verdict.triangles);
    verdict.list_is_wrong = !verdict.message.empty();
  }
  verdict.ok = verdict.message.empty();
  return verdict;
}

// Measured on random graphs beside the run.
constexpr prepare::ListCosts list_costs{
    .edge_nanoseconds = 25, .misses = 4, .mark_nanoseconds = 0.9, .node_nanoseconds = 60};

}  // namespace

template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& per_node,
              format::NodeReader* list, const CheckOptions& options) {
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  return prepare::with_edge_keys<Id>(declared, [&](const auto& keys) {
    return check_with_keys(environment, edges, per_node, list, declared, keys);
  });
}

template <class Id>
Forecast forecast_check(core::Environment& environment, EdgeSource<Id>& edges, const CheckOptions& options,
                        const InputSize& size) {
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  const std::uint64_t nodes = declared ? *declared : size.nodes.value_or(0);
  const std::uint64_t count = size.edges.value_or(0);
  const std::uint64_t most = prepare::most_kept_edges(nodes, count, false);
  require_check_memory<Id>(environment.memory, environment.memory.available(), nodes, most);
  Forecast forecast;
  forecast.choice = Verdict().choice;
  const std::uint64_t lists_bytes = LargerNeighbours<Id>::bytes_for(nodes, most);
  const std::uint64_t marks_bytes =
      core::size_product(environment.threads - 1, MarkedCount<Id>::thread_bytes(nodes, most));
  const prepare::KeptEdges kept{
      lists_bytes, core::size_sum(lists_bytes, MarkedCount<Id>::bytes_for(nodes, most), marks_bytes)};
  prepare::with_edge_keys<Id>(declared, [&](const auto& keys) {
    prepare::rehearse_kept_edges(environment, edges, declared, keys, check_sort, LowFirst(), size, kept,
                                 forecast);
  });
  prepare::add_list_check(sample_facts(edges, count, false), nodes, count, list_costs, forecast);
  return forecast;
}

template Verdict check(core::Environment&, EdgeSource<std::uint32_t>&, format::NodeReader&,
                       format::NodeReader*, const CheckOptions&);
template Verdict check(core::Environment&, EdgeSource<std::uint64_t>&, format::NodeReader&,
                       format::NodeReader*, const CheckOptions&);

template Forecast forecast_check(core::Environment&, EdgeSource<std::uint32_t>&, const CheckOptions&,
                                 const InputSize&);
template Forecast forecast_check(core::Environment&, EdgeSource<std::uint64_t>&, const CheckOptions&,
                                 const InputSize&);

}  // namespace emgraph::graph::triangles
