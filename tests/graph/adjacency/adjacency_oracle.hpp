// SPDX-License-Identifier: MIT
// Lists of neighbours by their definition, and adjacencies made of edge lists, for the tests of the room.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "core/base/thread_team.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/prepare/adjacency/csr.hpp"
#include "tests/oracle/ascending.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/tiny_environment.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests {

using Lists = std::map<std::uint64_t, std::vector<std::uint64_t>>;

/// Neighbours of every node that has some, ascending. Slow on purpose.
inline Lists neighbour_lists(const EdgeList& edges, bool directed) {
  EdgeList arcs;
  for (const graph::Edge64& edge : edges) {
    if (edge.source == edge.target) continue;
    arcs.push_back(edge);
    if (!directed) arcs.push_back({edge.target, edge.source});
  }
  sort_edges(arcs);
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  Lists lists;
  for (const graph::Edge64& arc : arcs) lists[arc.source].push_back(arc.target);
  return lists;
}

inline std::uint64_t entries_of(const Lists& lists) {
  std::uint64_t entries = 0;
  for (const auto& [node, list] : lists) entries += list.size();
  return entries;
}

/// The smallest of the nodes with the longest lists; 0 without lists.
inline std::uint64_t largest_degree_node(const Lists& lists) {
  std::uint64_t node = 0;
  std::size_t degree = 0;
  for (const auto& [one, list] : lists) {
    if (list.size() <= degree) continue;
    degree = list.size();
    node = one;
  }
  return node;
}

/// What a scan of all pages finds.
template <class Id>
Lists scanned(graph::adjacency::PagedAdjacency<Id>& adjacency, unsigned threads, std::size_t keep_bytes) {
  std::vector<std::map<std::uint64_t, std::set<std::uint64_t>>> found(threads);
  adjacency.scan(threads, keep_bytes, [&](unsigned thread, graph::adjacency::PageCursor<Id>& cursor) {
    std::array<Id, graph::adjacency::fragment_neighbours + 3> list;
    while (cursor.next()) {
      cursor.decode(list.data());
      found[thread][cursor.node()].insert(list.begin(), list.begin() + cursor.count());
    }
  });
  Lists lists;
  for (const auto& part : found) {
    for (const auto& [node, set] : part) {
      std::vector<std::uint64_t>& list = lists[node];
      list.insert(list.end(), set.begin(), set.end());
      std::sort(list.begin(), list.end());  // parts of a list may lie in chunks of different threads
    }
  }
  return lists;
}

/// What a select of these nodes finds.
template <class Id>
Lists selected(graph::adjacency::PagedAdjacency<Id>& adjacency, const std::vector<Id>& nodes) {
  Lists lists;
  adjacency.select(std::span<const Id>(nodes), [&](Id node, std::span<const Id> list) {
    lists[node].insert(lists[node].end(), list.begin(), list.end());
  });
  return lists;
}

/// The same by the threads of a team, which may find the parts of a list in any order.
template <class Id>
Lists selected_by_team(graph::adjacency::PagedAdjacency<Id>& adjacency, const std::vector<Id>& nodes,
                       core::ThreadTeam& team) {
  using Pages = graph::adjacency::PagedAdjacency<Id>;
  std::vector<Lists> found(team.size());
  adjacency.select_pages(team, nodes, [&](unsigned thread, auto& cursor, std::span<const Id> here) {
    Pages::visit_lists(cursor, here, [&](Id node, std::span<const Id> list) {
      found[thread][node].insert(found[thread][node].end(), list.begin(), list.end());
    });
  });
  Lists lists;
  for (const Lists& part : found) {
    for (const auto& [node, list] : part) lists[node].insert(lists[node].end(), list.begin(), list.end());
  }
  for (auto& [node, list] : lists) std::sort(list.begin(), list.end());
  return lists;
}

}  // namespace emgraph::tests
