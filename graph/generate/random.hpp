// SPDX-License-Identifier: MIT
// The `random` model: uniform ordered pairs of nodes; loops and duplicates are possible.
#pragma once

#include <cstdint>
#include <span>

#include "graph/generate/edge_slots.hpp"

namespace emgraph::graph::generate {

/// Edge i is a hash of (seed, i), mapped to [0, nodes) x [0, nodes). There is no state: edges can be
/// generated in any order by any thread. Up to 2^32 nodes one 64-bit word gives both ends (bias:
/// random_kernel.hpp). With more nodes each end has its own word, and the probability of a node differs from
/// 1/nodes by less than 2^-64.
class RandomModel {
 public:
  /// Throws std::invalid_argument for edges without nodes, and for more than 2^63 nodes or edges.
  RandomModel(std::uint64_t nodes, std::uint64_t edges, std::uint64_t seed);

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t edges() const { return edges_; }
  std::uint64_t seed() const { return seed_; }

  /// Edges first_edge .. first_edge + out.size() - 1. Threads: any number at once.
  /// Throws std::out_of_range past edges(), std::invalid_argument when nodes() do not fit Id.
  template <class Id>
  void fill(std::uint64_t first_edge, std::span<Edge<Id>> out) const {
    fill_slots(first_edge, EdgeSlots<Id>(out));
  }
  template <class Id>
  void fill_slots(std::uint64_t first_edge, EdgeSlots<Id> out) const;

 private:
  std::uint64_t nodes_;
  std::uint64_t edges_;
  std::uint64_t seed_;
  std::uint64_t edge_key_;
  std::uint64_t target_key_;
};

}  // namespace emgraph::graph::generate
