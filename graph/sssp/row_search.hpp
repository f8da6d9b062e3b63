// SPDX-License-Identifier: MIT
// Shortest paths on rows in memory without a queue: for a search whose queue does not fit.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/thread_team.hpp"
#include "core/environment.hpp"
#include "graph/sssp/bucket_state.hpp"

namespace emgraph::graph::sssp {

/// Problem: the distances of all nodes from a root, in memory that is known beforehand.
///
/// Method: delta-stepping as in page_search.hpp: a pending node is a bit in a set, not an entry of a queue. A
/// round relaxes the near nodes in ascending order, and those of a piece of the nodes until none of them is
/// near. I/O: none. Memory: two NodeSets, charged. Threads: all of the environment. `facts`: of the rows.
/// Requires: room for the distances of all nodes. Throws: MemoryLimitError.
template <class Distances, class RowsType>
class RowSearch {
 public:
  using Id = typename RowsType::Id;

  RowSearch(core::Environment& environment, const RowsType& rows, LengthFacts facts)
      : rows_(rows),
        team_(environment.threads),
        // The lengths of floating-point rows are doubles, whatever the weights were.
        state_(
            environment,
            {Distances::floating ? WeightType::f64 : facts.type, facts.longest, facts.nodes, facts.entries},
            std::nullopt) {}

  void run(Id root, std::span<std::uint64_t> distances) {
    state_.start(team_, root, distances);
    do {
      while (!state_.near().empty()) relax_near();
    } while (state_.next_bucket());
  }

 private:
  static constexpr std::uint64_t piece = 4096;

  void relax_near() {
    std::atomic<std::uint64_t> cursor{0};
    team_.all([&](unsigned thread) {
      for (std::uint64_t first; (first = cursor.fetch_add(piece)) < rows_.nodes();) {
        const std::uint64_t end = std::min(rows_.nodes(), first + piece);
        while (relax_piece(first, end, state_.tally(thread))) {
        }
      }
    });
    state_.end_round(true);
  }

  /// False if no node of the piece is near.
  bool relax_piece(std::uint64_t first, std::uint64_t end,
                   typename BucketState<Id, Distances>::Tally& tally) {
    NodeSet& near = state_.near();
    std::array<Id, 256> nodes;
    const std::size_t count = NodeSet::collect<Id>(near, near, first, end, nodes);
    for (const Id node : std::span(nodes).first(count)) {
      if (near.template remove<Sharing::shared>(node)) relax(node, tally);
    }
    tally.relaxed += count;
    return count > 0;
  }

  void relax(Id node, typename BucketState<Id, Distances>::Tally& tally) {
    constexpr std::size_t most = adjacency::fragment_neighbours;
    std::array<Id, most> targets;
    std::array<std::uint64_t, most> lengths;
    const auto arcs = rows_.arcs(node);
    for (std::size_t begin = 0; begin < arcs.size(); begin += most) {
      const std::size_t count = std::min(most, arcs.size() - begin);
      for (std::size_t i = 0; i < count; ++i) {
        targets[i] = arcs[begin + i].target;
        lengths[i] = arcs[begin + i].length;
      }
      state_.template relax<Sharing::shared>(node, std::span<const Id>(targets.data(), count),
                                             std::span<const std::uint64_t>(lengths.data(), count), tally);
    }
  }

  const RowsType& rows_;
  core::ThreadTeam team_;
  BucketState<Id, Distances> state_;
};

}  // namespace emgraph::graph::sssp
