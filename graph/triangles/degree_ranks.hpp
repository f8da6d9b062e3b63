// SPDX-License-Identifier: MIT
// Ranks of nodes by degree, an array in memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <shared_mutex>
#include <span>

#include "core/base/prefetch.hpp"
#include "core/io/state_stream.hpp"
#include "core/memory/buffer.hpp"
#include "graph/triangles/chunk_passes.hpp"
#include "graph/triangles/lists.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::triangles {

/// Most slots of the counting sort of degrees.
inline constexpr std::size_t most_slots = 64 * 1024;

/// Problem: number the nodes by descending degree, ties by id.
/// Method: count the degrees of the edges as stored, with duplicates, without loops. So lists have at most
/// sqrt(2 · edges as stored) entries. Then a counting sort in place replaces the degree of a node by its
/// rank. The few nodes with more than some thousand edges are sorted separately.
///
/// Memory: 4 bytes per node; if n is unknown, the array grows with the ids, and temporarily takes three times
/// the memory. Threads: any number may call `count` at once. Throws: MemoryLimitError.
class DegreeRanks {
 public:
  /// `most_nodes`: most nodes for which there is memory; counting ends if there are more.
  DegreeRanks(core::MemoryBudget& budget, const std::optional<std::uint64_t>& nodes,
              std::uint64_t most_nodes);

  /// Counts a batch with ids up to `largest`.
  template <class Id>
  void count(std::span<const Edge<Id>> batch, std::uint64_t largest) {
    std::uint64_t proper = 0;
    for (const Edge<Id>& edge : batch) proper += edge.source != edge.target ? 1 : 0;
    edges_.fetch_add(proper, std::memory_order_relaxed);
    if (!make_room(largest)) return;
    const std::shared_lock lock(mutex_);
    if (gave_up_.load(std::memory_order_relaxed)) return;
    for (const Edge<Id>& edge : batch) {
      if (edge.source == edge.target) continue;
      increment(edge.source);
      increment(edge.target);
    }
  }

  /// Number of edges without loops.
  std::uint64_t edges() const { return edges_.load(); }
  /// True if there are no degrees: there were more than `most_nodes` nodes, or the array could not grow.
  bool gave_up() const { return gave_up_.load(); }

  /// The degrees, or the ranks after assign(), for a checkpoint. Threads: no other call.
  void save(core::StateWriter& to) const {
    to.value(gave_up_.load());
    to.value(edges_.load());
    to.value(static_cast<std::uint64_t>(values_.size()));
    to.array(values_.span());
  }
  /// Continues with what save() has written. Gives up if the memory for growing degrees is missing now.
  void restore(core::StateReader& from);

  /// Replaces degrees by ranks. Requires: all edges were counted.
  RankFacts assign();

  /// Rank of a node with an edge.
  Rank operator[](std::uint64_t node) const { return values_[static_cast<std::size_t>(node)]; }
  /// All nodes with an edge are below this.
  std::uint64_t size() const { return values_.size(); }
  void prefetch(std::uint64_t node) const { core::prefetch(values_.data() + node); }

 private:
  // So far below 2^32 that all threads may add one after reading it.
  static constexpr std::uint32_t most_degree = 0xffff0000;

  bool make_room(std::uint64_t largest);
  void increment(std::uint64_t node) {
    std::atomic_ref<std::uint32_t> degree(values_[static_cast<std::size_t>(node)]);
    if (degree.load(std::memory_order_relaxed) < most_degree) degree.fetch_add(1, std::memory_order_relaxed);
  }

  core::MemoryBudget& budget_;
  const std::uint64_t most_nodes_;
  const bool grows_;
  std::shared_mutex mutex_;
  core::Array<std::uint32_t> values_;
  std::atomic<std::uint64_t> room_{0};
  std::atomic<std::uint64_t> edges_{0};
  std::atomic<bool> gave_up_{false};
};

}  // namespace emgraph::graph::triangles
