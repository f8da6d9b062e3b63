// SPDX-License-Identifier: MIT
// The `grid` model: meshes and tori of up to 8 dimensions, each undirected edge once, sorted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/generate/edge_slots.hpp"

namespace emgraph::graph::generate {

/// Nodes are the points of a box, numbered row by row (the last dimension runs fastest). Edges join points at
/// distance 1; with `torus` also the first and last point of each line with at least 3 points. Edges u < v
/// ascending by (u, v), without loops and duplicates. No randomness.
class GridModel {
 public:
  static constexpr std::size_t max_dimensions = 8;

  /// Throws std::invalid_argument unless there are 1 to 8 dimensions of at least 1, at most 2^63 nodes and
  /// edges.
  GridModel(std::span<const std::uint64_t> dims, bool torus);

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t edges() const { return edges_; }
  const std::vector<std::uint64_t>& dims() const { return dims_; }
  bool torus() const { return torus_; }

  /// Edges first_edge .. first_edge + out.size() - 1. Threads: any number at once.
  /// Throws std::out_of_range past edges(), std::invalid_argument when nodes() do not fit Id.
  template <class Id>
  void fill(std::uint64_t first_edge, std::span<Edge<Id>> out) const {
    fill_slots(first_edge, EdgeSlots<Id>(out));
  }
  template <class Id>
  void fill_slots(std::uint64_t first_edge, EdgeSlots<Id> out) const;

  /// Number of edges whose lower end is below `node`. Requires: 0 <= node <= nodes().
  std::uint64_t edges_before(std::uint64_t node) const;

 private:
  /// A dimension of at least 2; dimensions of 1 have no edges.
  struct Axis {
    std::uint64_t length = 1;
    std::uint64_t stride = 1;  // distance of neighbours along it
    bool wraps = false;
  };
  using Steps = std::array<std::uint64_t, 2 * max_dimensions>;

  /// Writes the distances to the higher neighbours along axis `from` and the slower axes, ascending; returns
  /// their number.
  std::size_t steps_up(std::uint64_t node, std::size_t from, Steps& steps) const;
  std::uint64_t node_of_edge(std::uint64_t edge) const;

  std::vector<std::uint64_t> dims_;
  bool torus_;
  std::uint64_t nodes_ = 1;
  std::uint64_t edges_ = 0;
  std::array<Axis, max_dimensions> axes_{};  // fastest first
  std::size_t axis_count_ = 0;
};

}  // namespace emgraph::graph::generate
