// SPDX-License-Identifier: MIT
// The nodes on the way to a target, from distances in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "graph/sssp/distances.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {

/// Finds the path of a query by the rule of parents (parents.hpp), for the nodes on the way alone.
///
/// Time: the arcs of the nodes on the way, and of the nodes at the same distance behind arcs that add
/// nothing, where no nearer node leads to them. Memory: the path and those nodes. Threads: any number.
template <class Distances, class RowsType>
class PathTrace {
 public:
  using Id = typename RowsType::Id;

  /// `back`: the reversed arcs. `names`: the nodes of the rows, by which parents are chosen; null: the
  /// numbers of the rows. `distances`: from the source of the queries.
  PathTrace(const RowsType& back, const Id* names, const std::uint64_t* distances)
      : back_(back), names_(names), distance_(distances) {}

  /// From source to target. Requires: the target is reached, and the distances are final up to that of the
  /// target.
  std::vector<std::uint64_t> path(const Query& query) const {
    std::vector<std::uint64_t> path{query.target};
    while (path.back() != query.source) {
      const std::uint64_t nearer = nearer_parent(path.back());
      nearer != back_.nodes() ? path.push_back(nearer) : follow_equal(query.source, path);
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  // The one of two rows whose node is smaller; back_.nodes() is none.
  std::uint64_t smaller(std::uint64_t a, std::uint64_t b) const {
    if (names_ == nullptr || a == back_.nodes() || b == back_.nodes()) return std::min(a, b);
    return names_[a] < names_[b] ? a : b;
  }

  /// The smallest tight in-neighbour that is nearer; back_.nodes() if there is none.
  std::uint64_t nearer_parent(std::uint64_t node) const {
    std::uint64_t smallest = back_.nodes();
    for (const auto arc : back_.arcs(node)) {
      const std::uint64_t other = arc.target;
      if (distance_[other] >= distance_[node] ||
          Distances::add(distance_[other], arc.length) != distance_[node])
        continue;
      smallest = smaller(smallest, other);
    }
    return smallest;
  }

  // Appends the parents of the last node up to the first one that has a nearer parent or is the root.
  // Requires: the last node has no nearer parent, so only arcs that add nothing are tight.
  void follow_equal(std::uint64_t root, std::vector<std::uint64_t>& path) const {
    // The nodes behind such arcs by breadth-first search, up to the first level with an end of the way. Steps
    // count from the last node; on a shortest way a node has as many steps left as it needs.
    std::unordered_map<std::uint64_t, std::uint64_t> steps_back{{path.back(), 0}};
    std::vector<std::uint64_t> found{path.back()};
    std::unordered_map<std::uint64_t, bool> on_way;
    std::uint64_t all = ~std::uint64_t{0};
    for (std::size_t i = 0; i < found.size() && steps_back[found[i]] < all; ++i) {
      const std::uint64_t steps = steps_back[found[i]] + 1;
      for (const auto arc : back_.arcs(found[i])) {
        const std::uint64_t other = arc.target;
        if (!adds_nothing(other, arc.length, found[i]) || !steps_back.try_emplace(other, steps).second)
          continue;
        found.push_back(other);
        if (other != root && nearer_parent(other) == back_.nodes()) continue;
        all = steps;
        on_way[other] = true;
      }
    }
    const auto next_on_way = [&](std::uint64_t node, auto&& take) {
      for (const auto arc : back_.arcs(node)) {
        const auto other = steps_back.find(arc.target);
        if (other == steps_back.end() || other->second != steps_back[node] + 1) continue;
        if (on_way.contains(arc.target) && adds_nothing(arc.target, arc.length, node)) take(arc.target);
      }
    };
    for (std::size_t i = found.size(); i-- > 0;) {
      if (steps_back[found[i]] >= all) continue;
      next_on_way(found[i], [&](std::uint64_t) { on_way[found[i]] = true; });
    }
    for (std::uint64_t steps = 0; steps < all; ++steps) {
      std::uint64_t smallest = back_.nodes();
      next_on_way(path.back(), [&](std::uint64_t other) { smallest = smaller(smallest, other); });
      path.push_back(smallest);
    }
  }

  bool adds_nothing(std::uint64_t from, std::uint64_t length, std::uint64_t to) const {
    return distance_[from] == distance_[to] && Distances::add(distance_[from], length) == distance_[to];
  }

  const RowsType& back_;
  const Id* const names_;
  const std::uint64_t* const distance_;
};

}  // namespace emgraph::graph::sssp
