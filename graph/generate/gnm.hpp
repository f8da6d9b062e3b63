// SPDX-License-Identifier: MIT
// The `gnm` model: exactly m distinct undirected edges, sorted; all such graphs have the same probability.
#pragma once

#include <cstdint>
#include <span>

#include "graph/generate/edge_slots.hpp"

namespace emgraph::graph::generate {

/// Edges u < v ascending by (u, v), without loops. The pairs are numbered 0 .. n(n-1)/2 - 1, and the range is
/// halved recursively. Each node of that tree draws the number of edges in its left half from its own random
/// stream (gnm.cpp). So every edge can be computed without the edges before it.
class GnmModel {
 public:
  /// Throws std::invalid_argument when nodes > 2^32 (pair numbers have 63 bits) or edges > nodes (nodes - 1)
  /// / 2.
  GnmModel(std::uint64_t nodes, std::uint64_t edges, std::uint64_t seed);

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t edges() const { return edges_; }
  std::uint64_t seed() const { return seed_; }

  /// Edges first_edge .. first_edge + out.size() - 1. Threads: any number at once.
  /// Cost: a call makes about log2(edges / 2048) draws and then generates whole leaves of up to 2048 edges,
  /// so request 10^4 edges or more. Memory: 64 KiB of stack. Throws std::out_of_range past edges().
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
