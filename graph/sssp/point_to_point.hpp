// SPDX-License-Identifier: MIT
// Shortest paths between two nodes, on rows in memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/memory/buffer.hpp"
#include "core/memory/growing_array.hpp"
#include "graph/sssp/dijkstra.hpp"
#include "graph/sssp/landmarks.hpp"
#include "graph/sssp/path_trace.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {

/// A distance per node that is cleared by visiting the nodes that were reached.
/// Memory: 8 bytes per node and an id per node reached, charged. Threads: one.
template <class Distances, class Id>
class TouchedDistances {
 public:
  TouchedDistances(core::MemoryBudget& budget, std::uint64_t nodes)
      : words_(budget, static_cast<std::size_t>(nodes), "a distance per node"),
        touched_(budget, nodes, "the reached nodes") {
    std::fill(words_.span().begin(), words_.span().end(), Distances::unreached);
  }

  std::uint64_t* data() const { return words_.data(); }
  std::uint64_t operator[](std::uint64_t node) const { return words_[static_cast<std::size_t>(node)]; }
  void touch(Id node) {
    touched_.reach(count_ + 1);
    touched_[count_++] = node;
  }
  /// Sets a smaller distance.
  void lower(Id node, std::uint64_t word) {
    if (words_[node] == Distances::unreached) touch(node);
    words_[node] = word;
  }
  void clear() {
    for (std::uint64_t i = 0; i < count_; ++i) words_[touched_[i]] = Distances::unreached;
    count_ = 0;
  }

 private:
  core::Array<std::uint64_t> words_;
  core::GrowingArray<Id> touched_;
  std::uint64_t count_ = 0;
};

/// Watches a search that ends when the target is settled, with all nodes at its distance.
template <class Distances, class Id>
struct UntilSettled {
  TouchedDistances<Distances, Id>& distances;
  Id target;
  std::uint64_t settled_nodes = 0;

  bool goes_on(std::uint64_t key) const { return key <= distances[target]; }
  void first_reached(Id node) { distances.touch(node); }
  void settled() { ++settled_nodes; }
};

/// Problem: the distance between two nodes, in integers or doubles.
///
/// Methods: forward: Dijkstra until the target is settled. Bidirectional: from both ends until no shorter
/// path can meet (Nicholson 1966, doi 10.1093/comjnl/9.3.275), the next node from the end with the shorter
/// queue (Pohl 1971, "Bi-directional search", Machine Intelligence 6); a node from which at most one arc
/// leads on is passed at once and takes no place in the queue; integers only, because a sum of doubles
/// depends on its order, and distances are added from the source. Measured: nodes settled by forward over
/// bidirectional search, uniform pairs on 1000 x 1000 nodes, lengths 1 to 1000: torus 1.96 (two circles of
/// half the radius: 2 at most), grid 1.53 (1.46 by the smaller key; its border cuts the large circle),
/// road-like graph of shortest_paths.py, 1 M nodes, 40 pairs: 3.4, and 1.86 where only dead ends are
/// passed; 2.1 s in place of 2.8 (2 cores, EPYC). Landmarks: A* (Hart, Nilsson, Raphael 1968,
/// doi 10.1109/TSSC.1968.300136) with their bounds; a node whose distance falls after all is settled again,
/// so rounded bounds cannot make an answer wrong. I/O: none. Memory: TouchedDistances and queues for each
/// direction used. Threads: one. `back`: the reversed arcs, or the same rows if undirected. Throws:
/// MemoryLimitError.
template <class Distances, class RowsType>
class PointToPoint {
 public:
  using Id = typename RowsType::Id;

  /// `names`: as of PathTrace.
  PointToPoint(core::MemoryBudget& budget, const RowsType& rows, const RowsType* back, bool both_ends,
               const Id* names)
      : rows_(rows),
        back_(back),
        ahead_(budget, rows.nodes()),
        trace_(budget, *back, names, ahead_.data()),
        queue_(budget),
        back_queue_(budget) {
    if (both_ends) behind_.emplace(budget, rows.nodes());
  }

  /// The distances from the source of a query, while it is answered.
  const std::uint64_t* distances() const { return ahead_.data(); }
  static std::uint64_t bytes_for(std::uint64_t nodes, bool both_ends) {
    return core::size_product(nodes, (both_ends ? 2 : 1) * (sizeof(std::uint64_t) + sizeof(Id)));
  }

  /// `queue`: a monotone queue, empty. `paths`: gets the path of query `number`, if the target is reached;
  /// null: it is not wanted.
  template <class Queue>
  QueryResult forward(const Query& query, Queue& queue, QueryPaths* paths, std::size_t number) {
    UntilSettled<Distances, Id> watch{ahead_, static_cast<Id>(query.target)};
    search_in_order<Distances>(rows_, static_cast<Id>(query.source), ahead_.data(), queue, watch);
    const QueryResult result{query, ahead_[query.target], watch.settled_nodes};
    if (paths != nullptr && result.distance != Distances::unreached) trace_.add_to(*paths, number, query);
    ahead_.clear();
    return result;
  }

  /// Requires: both_ends.
  QueryResult bidirectional(const Query& query) {
    QueryResult result{query, Distances::unreached, 0};
    const auto source = static_cast<Id>(query.source);
    const auto target = static_cast<Id>(query.target);
    ahead_.lower(source, 0);
    behind_->lower(target, 0);
    queue_.push(0, source);
    back_queue_.push(0, target);
    if (source == target) result.distance = 0;
    while (!queue_.empty() && !back_queue_.empty()) {
      if (Distances::add(queue_.least(), back_queue_.least()) >= result.distance) break;
      if (queue_.size() <= back_queue_.size()) {
        settle(rows_, ahead_, *behind_, queue_, result);
      } else {
        settle(*back_, *behind_, ahead_, back_queue_, result);
      }
    }
    queue_.clear();
    back_queue_.clear();
    ahead_.clear();
    behind_->clear();
    return result;
  }

  QueryResult with_landmarks(const Query& query, const Landmarks<Distances>& landmarks) {
    QueryResult result{query, Distances::unreached, 0};
    const auto key_of = [&](Id node) {
      return least_through(ahead_[node], landmarks.bound(node, query.target));
    };
    const auto reach = [&](Id node, std::uint64_t distance) {
      ahead_.lower(node, distance);
      if (node == query.target) result.distance = distance;
      const std::uint64_t key = key_of(node);
      if (key < result.distance) queue_.push(key, node);
    };
    reach(static_cast<Id>(query.source), 0);
    while (!queue_.empty()) {
      const QueueBatch<Id> batch = queue_.next();
      if (batch.key >= result.distance) break;
      const Id node = batch.nodes.front();
      if (key_of(node) != batch.key) continue;
      ++result.settled;
      const std::uint64_t distance = ahead_[node];
      for (const auto arc : rows_.arcs(node)) {
        const std::uint64_t sum = Distances::add(distance, arc.length);
        if (sum < ahead_[arc.target]) reach(arc.target, sum);
      }
    }
    queue_.clear();
    ahead_.clear();
    return result;
  }

 private:
  // At most the length of a path of this length to a node and this bound behind it. A sum of some 2^32
  // doubles is wrong by less than 2^-20 of itself, in whatever order it is added.
  static std::uint64_t least_through(std::uint64_t distance, std::uint64_t bound) {
    const std::uint64_t sum = Distances::add(distance, bound);
    if constexpr (!Distances::floating) return sum;
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(sum) * (1 - 0x1p-20));
  }

  // Nodes of a chain that are reached at once: a long chain must not be walked far beyond the other end.
  static constexpr unsigned longest_walk = 32;

  // Arcs that do not lead back.
  struct WaysOn {
    unsigned count = 0;  // at most 2
    const typename RowsType::ArcType* first = nullptr;
  };
  static WaysOn ways_on(std::span<const typename RowsType::ArcType> arcs, Id from) {
    WaysOn ways;
    for (const auto& arc : arcs) {
      if (arc.target == from) continue;
      if (++ways.count == 2) break;
      ways.first = &arc;
    }
    return ways;
  }

  // Searches meet at nodes of chains and dead ends, too, because both know their distances.
  void settle(const RowsType& rows, TouchedDistances<Distances, Id>& near,
              const TouchedDistances<Distances, Id>& far, HeapQueue<Id>& queue, QueryResult& result) {
    const QueueBatch<Id> batch = queue.next();
    const Id node = batch.nodes.front();
    if (near[node] != batch.key) return;
    ++result.settled;
    for (const auto first : rows.arcs(node)) {
      Id from = node;
      auto arc = first;
      std::uint64_t sum = batch.key;
      for (unsigned step = 0;; ++step) {
        sum = Distances::add(sum, arc.length);
        const Id to = arc.target;
        if (sum >= near[to]) break;
        near.lower(to, sum);
        if (far[to] != Distances::unreached) {
          result.distance = std::min(result.distance, Distances::add(sum, far[to]));
        }
        const WaysOn ways = ways_on(rows.arcs(to), from);
        if (ways.count == 0) break;
        if (ways.count > 1 || step == longest_walk) {
          queue.push(sum, to);
          break;
        }
        from = to;
        arc = *ways.first;
      }
    }
  }

  const RowsType& rows_;
  const RowsType* const back_;
  TouchedDistances<Distances, Id> ahead_;
  PathTrace<Distances, RowsType> trace_;
  std::optional<TouchedDistances<Distances, Id>> behind_;
  HeapQueue<Id> queue_;
  HeapQueue<Id> back_queue_;
};

}  // namespace emgraph::graph::sssp
