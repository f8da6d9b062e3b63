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
#include "graph/prepare/sorted_edges.hpp"
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

/// Sorts the edges without loops and duplicates into lists, then counts.
template <class Id, core::IntegerKey Key>
Verdict check_with_keys(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& per_node,
                        format::NodeReader* list, const std::optional<std::uint64_t>& declared,
                        const prepare::EdgeKeys<Key>& keys) {
  const auto visit = [](std::uint64_t a, std::uint64_t b, auto&& push) {
    if (a != b) push(std::min(a, b), std::max(a, b));
  };
  const std::size_t free = environment.memory.available();
  auto sorted = prepare::sort_edges(prepare::sort_input(environment, edges, declared), keys, {.unique = true},
                                    visit, [&](unsigned) { return free / 3; });
  Verdict verdict;
  verdict.nodes = sorted.read().nodes(declared);
  verdict.edges = sorted.read().edges;

  constexpr std::uint64_t most_nodes = std::uint64_t{1} << 56;  // so that their bytes fit 64 bits
  const std::uint64_t counted = std::min(verdict.nodes, most_nodes);
  const std::uint64_t lists_bytes = LargerNeighbours<Id>::bytes_for(counted, sorted.records());
  // Frees the sorter before the counting begins.
  const std::uint64_t need = std::max(lists_bytes / 2 * 3 + core::MiB,
                                      lists_bytes + MarkedCount<Id>::bytes_for(counted, sorted.records()));
  if (need > free) {
    const std::uint64_t least = core::size_sum(need, environment.memory.limit() - free, 2 * core::MiB);
    throw missing_check_memory("triangles", need, verdict.nodes, sorted.records(), least);
  }
  LargerNeighbours<Id> larger(environment.memory, verdict.nodes, sorted.records());
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

}  // namespace

template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& per_node,
              format::NodeReader* list, const CheckOptions& options) {
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  return prepare::with_edge_keys<Id>(declared, [&](const auto& keys) {
    return check_with_keys(environment, edges, per_node, list, declared, keys);
  });
}

template Verdict check(core::Environment&, EdgeSource<std::uint32_t>&, format::NodeReader&,
                       format::NodeReader*, const CheckOptions&);
template Verdict check(core::Environment&, EdgeSource<std::uint64_t>&, format::NodeReader&,
                       format::NodeReader*, const CheckOptions&);

}  // namespace emgraph::graph::triangles
