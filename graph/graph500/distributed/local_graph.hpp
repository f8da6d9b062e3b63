// SPDX-License-Identifier: MIT
// The part of the graph that a rank owns, and its construction from edges (kernel 1).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>

#include "core/base/integers.hpp"
#include "core/base/thread_team.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "core/memory/growing_array.hpp"
#include "graph/graph500/distributed/message_pool.hpp"
#include "graph/graph500/distributed/partition.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::graph500::distributed {

/// What a rank has to hand: its budget, the other ranks, its threads, buffers for messages.
struct Room {
  core::MemoryBudget& memory;
  mpi::Communicator& communicator;
  core::ThreadTeam& team;
  PoolBuffers& pools;
};

/// The edges of the whole graph in a fixed order; any range can be had at any time. Thread-safe.
struct EdgeList {
  std::uint64_t nodes = 0;  ///< a power of two
  std::uint64_t edges = 0;
  /// Edges first … first + size - 1 and their weights, which are in [0, 1].
  std::function<void(std::uint64_t first, std::span<Edge<std::uint64_t>> edges, std::span<float> weights)>
      fill;
};

#pragma pack(push, 4)
/// An edge at the owner of one end, which is named by its place there.
template <class Id>
struct HalfEdge {
  std::uint32_t local;
  Id other;
  float weight;
};
#pragma pack(pop)

/// An arc as a key: the weight's bits above the neighbour, so that keys ascend with the weight.
template <class Id>
class Arc {
 public:
  using Key = std::conditional_t<sizeof(Id) == 4, std::uint64_t, core::uint128>;
  static constexpr unsigned id_bits = 8 * sizeof(Id);

  static Key by_weight(Id other, std::uint32_t weight_bits) { return Key{weight_bits} << id_bits | other; }
  static Key by_neighbour(Id other, std::uint32_t weight_bits) { return Key{other} << 32 | weight_bits; }
  static Key by_weight(Key by_neighbour) {
    return by_weight(static_cast<Id>(by_neighbour >> 32), static_cast<std::uint32_t>(by_neighbour));
  }
  static Id other(Key by_weight) { return static_cast<Id>(by_weight); }
  static float weight(Key by_weight) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(by_weight >> id_bits));
  }
};

/// Where the arcs of nodes begin: a word per 64 nodes, four bytes per node. Requires: 64 nodes have fewer
/// than 2^32 arcs.
class RowStarts {
 public:
  RowStarts() = default;
  RowStarts(core::MemoryBudget& memory, std::uint64_t nodes)
      : block_(memory, static_cast<std::size_t>(nodes / 64 + 1), "row starts"),
        within_(memory, static_cast<std::size_t>(nodes + 1), "row starts") {}

  /// Makes starts of the degrees that `within` holds; returns their sum. Throws EnvironmentError.
  std::uint64_t sum_up();
  std::span<std::uint32_t> within() const { return within_.span(); }
  std::uint64_t operator[](std::uint64_t node) const { return block_[node / 64] + within_[node]; }

 private:
  core::Array<std::uint64_t> block_;
  core::Array<std::uint32_t> within_;
};

/// Kernel 1. Loops are left out, of parallel edges the lightest remains. Neighbours ascend, for searches that
/// take the first one on the level above; with weights there is a second copy of the rows in ascending order
/// of weight. Memory: per node 4 bytes and 3 bits; per arc sizeof(Id), with weights also 4 + sizeof(Id),
/// while it is built twice that; per edge whose source is owned, 8 + sizeof(Id). All ranks construct it
/// together.
template <class Id>
class LocalGraph {
 public:
  using Key = typename Arc<Id>::Key;

  /// Throws MemoryLimitError, EnvironmentError.
  LocalGraph(Room& room, const EdgeList& list, bool weighted);

  const Partition& partition() const { return partition_; }
  std::span<const Id> neighbours(std::uint64_t local) const {
    const std::uint64_t start = starts_[local];
    return {targets_.data() + start, static_cast<std::size_t>(starts_[local + 1] - start)};
  }
  /// Ascending weights. Requires: weighted.
  std::span<const Key> arcs(std::uint64_t local) const {
    const std::uint64_t start = starts_[local];
    return {arcs_.data() + start, static_cast<std::size_t>(starts_[local + 1] - start)};
  }
  std::uint64_t degree(std::uint64_t local) const { return starts_[local + 1] - starts_[local]; }
  /// Arcs of this rank.
  std::uint64_t arc_count() const { return arc_count_; }
  /// The edges as given, loops and duplicates included, whose source this rank owns; for the validation.
  std::span<const HalfEdge<Id>> tuples() const { return {tuples_.data(), static_cast<std::size_t>(count_)}; }
  /// A bit for each own node without neighbours, and for places behind the last node.
  std::span<const std::uint64_t> isolated() const { return isolated_.span(); }

  double generation_seconds() const { return generation_seconds_; }
  /// Without the time in which edges were generated.
  double construction_seconds() const { return construction_seconds_; }

 private:
  using Half = HalfEdge<Id>;
  void distribute(Room& room, const EdgeList& list);
  void make_rows(Room& room, bool weighted);
  std::uint64_t receive_reversed(Room& room, core::GrowingArray<Half>& reversed);
  void pack_rows(Room& room, const RowStarts& raw, core::Array<Key>& keys, bool weighted);

  Partition partition_;
  core::GrowingArray<Half> tuples_;
  std::uint64_t count_ = 0;
  RowStarts starts_;
  core::Array<Id> targets_;
  core::Array<Key> arcs_;
  core::Array<std::uint64_t> isolated_;
  std::uint64_t arc_count_ = 0;
  double generation_seconds_ = 0;
  double construction_seconds_ = 0;
};

extern template class LocalGraph<std::uint32_t>;
extern template class LocalGraph<std::uint64_t>;

}  // namespace emgraph::graph::graph500::distributed
