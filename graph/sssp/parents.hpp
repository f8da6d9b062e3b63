// SPDX-License-Identifier: MIT
// Parents from distances in memory.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/adjacency/list_access.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/node_set.hpp"

namespace emgraph::graph::sssp {

/// Problem: the parent of each node on a shortest path, the same for every method and number of threads.
///
/// Rule: an arc (u, v) is tight if d(u) + length = d(v). The parent of v is the smallest u of the tight arcs
/// from nearer nodes. If only arcs from nodes at the same distance are tight, it is the smallest u among those
/// with the fewest such arcs behind them. So parents lead to the root without a cycle. The root is its own
/// parent, unreached nodes have all ones.
///
/// Method: one pass over all arcs finds the smallest nearer node of each. If there are tight arcs between
/// nodes at the same distance, further nodes are found from these, level by level: a pass over all arcs for
/// the first level, then the arcs of the nodes of each level.
///
/// Arcs: `arcs.all(visit)` must call visit(u, v, length) for every arc, `arcs.of(nodes, visit)` for every arc
/// from a NodeSet, both from any threads. Requires: `distances` is the least fixed point from `root`. Memory:
/// `parents` from the caller; two NodeSets if there are tight arcs between nodes at the same distance.
/// Threads: those of the arcs. Throws: MemoryLimitError, as the arcs.
template <class Distances, class Id, class Arcs>
void find_parents(core::Environment& environment, std::span<const std::uint64_t> distances, Id root,
                  std::span<Id> parents, Arcs& arcs) {
  constexpr std::uint64_t unreached = Distances::unreached;
  constexpr Id none = static_cast<Id>(~Id{0});
  const auto parent_of = [&](Id node) { return std::atomic_ref<Id>(parents[static_cast<std::size_t>(node)]); };
  const auto offer = [&](Id node, Id parent) {
    const std::atomic_ref<Id> place = parent_of(node);
    Id known = place.load();
    while (parent < known && !place.compare_exchange_weak(known, parent)) {
    }
  };
  // Distance of v if the arc is tight, else unreached.
  const auto tight = [&](Id u, Id v, std::uint64_t length) {
    const std::uint64_t to = distances[static_cast<std::size_t>(v)];
    const std::uint64_t from = distances[static_cast<std::size_t>(u)];
    return from != unreached && Distances::add(from, length) == to ? to : unreached;
  };
  const auto level_arc = [&](Id u, Id v, std::uint64_t length) {
    return tight(u, v, length) == distances[static_cast<std::size_t>(u)] &&
           distances[static_cast<std::size_t>(u)] != unreached && u != v;
  };

  std::ranges::fill(parents, none);
  parents[static_cast<std::size_t>(root)] = root;
  std::atomic<bool> any_level_arc{false};
  arcs.all([&](Id u, Id v, std::uint64_t length) {
    const std::uint64_t to = tight(u, v, length);
    if (to == unreached) return;
    if (distances[static_cast<std::size_t>(u)] < to) {
      offer(v, u);
    } else if (u != v) {
      any_level_arc.store(true, std::memory_order_relaxed);
    }
  });
  if (!any_level_arc) return;

  NodeSet level(environment.memory, distances.size(), "one bit per node for parents");
  NodeSet next(environment.memory, distances.size(), "one bit per node for parents");
  // A node that gets its first parent is in the set before; so a node with a parent that is not in the set has
  // had it before this round.
  const auto extend = [&](Id u, Id v) {
    if (parent_of(v).load() != none && !next.contains(v)) return;
    next.insert<Sharing::shared>(v);
    offer(v, u);
  };
  arcs.all([&](Id u, Id v, std::uint64_t length) {
    if (!level_arc(u, v, length) || parent_of(u).load() == none || next.contains(u)) return;
    extend(u, v);
  });
  while (!next.empty()) {
    std::swap(level, next);
    next.clear();
    arcs.of(level, [&](Id u, Id v, std::uint64_t length) {
      if (level_arc(u, v, length)) extend(u, v);
    });
  }
}

/// The arcs of a paged adjacency for find_parents. I/O, Threads, Throws: as ListAccess; all threads scan.
/// Memory: an id per 64 nodes, and as ListAccess.
template <class Id>
class PageArcs {
 public:
  using Cursor = adjacency::PageCursor<Id>;

  PageArcs(core::Environment& environment, adjacency::ListAccess<Id>& access)
      : access_(access),
        weight_(access.pages().facts().weight),
        list_(environment.memory, std::max<std::size_t>(1024, nodes() / 64), "the nodes of a level") {}

  template <class Visit>
  void all(Visit&& visit) {
    access_.scan([&](unsigned, Cursor& cursor) { read(cursor, visit, [](Id) { return true; }); },
                 [](std::uint64_t) { return true; });
  }

  template <class Visit>
  void of(NodeSet& from, Visit&& visit) {
    std::size_t count = 0;
    bool more = false;
    from.walk([&](std::uint64_t node) {
      more = count == list_.size();
      if (more) return NodeSet::Visit::stop;
      list_[count++] = static_cast<Id>(node);
      return NodeSet::Visit::keep;
    });
    const std::span<const Id> list = list_.span().first(count);
    const auto visit_list = [&](Id node, std::span<const Id> neighbours,
                                std::span<const std::uint64_t> weights) {
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        visit(node, neighbours[i], length_of(weight_, weights[i]));
      }
    };
    using Way = typename adjacency::ListAccess<Id>::Way;
    const Way way = more ? Way::scan : access_.choose(list);
    if (way == Way::resident) {
      access_.pages().select_resident(list, visit_list);
    } else if (way == Way::select) {
      access_.select(list, visit_list);
    } else {
      access_.scan(
          [&](unsigned, Cursor& cursor) { read(cursor, visit, [&](Id node) { return from.contains(node); }); },
          [&](std::uint64_t page) {
            const auto range = access_.pages().nodes_of(page);
            return from.any(range.first, range.end);
          });
    }
  }

 private:
  std::size_t nodes() const { return static_cast<std::size_t>(access_.pages().facts().nodes); }

  template <class Visit, class Wanted>
  void read(Cursor& cursor, Visit& visit, Wanted&& wanted) {
    std::array<Id, adjacency::fragment_neighbours + 3> list;
    std::array<std::uint64_t, adjacency::fragment_neighbours> weights;
    while (cursor.next()) {
      if (!wanted(cursor.node())) continue;
      cursor.decode(list.data());
      cursor.decode_weights(weights.data());
      for (unsigned i = 0; i < cursor.count(); ++i) {
        visit(cursor.node(), list[i], length_of(weight_, weights[i]));
      }
    }
  }

  adjacency::ListAccess<Id>& access_;
  const WeightType weight_;
  core::Array<Id> list_;
};

}  // namespace emgraph::graph::sssp
