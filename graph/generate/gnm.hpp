// SPDX-License-Identifier: MIT
// The `gnm` model: exactly m distinct undirected edges, sorted, every such graph equally likely.
#pragma once

#include <cstdint>
#include <span>

#include "graph/generate/edge_slots.hpp"

namespace emgraph::graph::generate {

/// Edges u < v ascending by (u, v), without loops. The pairs are numbered 0 .. n(n-1)/2 - 1 and the range is
/// halved recursively; a node of that tree draws from its own random stream how many edges fall left
/// (gnm.cpp), so every edge can be had without those before it.
class GnmModel {
 public:
  /// Throws std::invalid_argument when nodes > 2^32 (pair numbers have 63 bits) or edges > nodes (nodes - 1)
  /// / 2.
  GnmModel(std::uint64_t nodes, std::uint64_t edges, std::uint64_t seed);

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t edges() const { return edges_; }
  std::uint64_t seed() const { return seed_; }

  /// Edges first_edge .. first_edge + out.size() - 1. Threads: any number at once.
  /// Cost: a call finds its place in about log2(edges / 2048) draws and makes whole leaves of up to 2048
  /// edges, so ask for 10^4 edges or more. Memory: 64 KiB of stack. Throws std::out_of_range past edges().
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
  std::uint64_t tree_key_;
};

}  // namespace emgraph::graph::generate
