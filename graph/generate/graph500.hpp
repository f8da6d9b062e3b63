// SPDX-License-Identifier: MIT
// The edges and the roots of the Graph500 benchmark, bit by bit those of the reference code 3.0.0.
#pragma once

#include <cstdint>
#include <span>

#include "graph/generate/edge_slots.hpp"
#include "graph/generate/graph500_plan.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::generate {

/// The endless list of Kronecker edges over 2^scale nodes. Edge i is a function of scale, seeds and i: A =
/// .57, B = C = .19, ids scrambled, loops and duplicates possible. Its weight is uniform in [0, 1].
class Graph500Edges {
 public:
  /// Throws std::invalid_argument unless 1 <= scale <= 62.
  explicit Graph500Edges(unsigned scale, std::uint64_t seed_1 = 2, std::uint64_t seed_2 = 3);

  std::uint64_t nodes() const { return std::uint64_t{1} << plan_.scale; }

  /// Edges first ... first + edges.size() - 1, and as many weights unless `weights` is empty. Threads: any
  /// number at once. Throws std::invalid_argument if nodes() do not fit Id or `weights` has another size.
  template <class Id>
  void fill(std::uint64_t first, std::span<Edge<Id>> edges, std::span<float> weights) const;
  void fill(std::uint64_t first, std::span<Edge64> edges, std::span<float> weights) const {
    fill<std::uint64_t>(first, edges, weights);
  }

  const Graph500Plan& plan() const { return plan_; }

 private:
  Graph500Plan plan_;
};

/// The candidates for roots, in the order of the reference code: floor((d0 + d1) 2^scale) mod 2^scale. A
/// benchmark takes them in turn, without those taken before and those whose edges are all loops, and stops
/// after 2^scale candidates.
class Graph500Roots {
 public:
  explicit Graph500Roots(unsigned scale, std::uint64_t seed_1 = 2, std::uint64_t seed_2 = 3);

  std::uint64_t next();

 private:
  std::uint64_t nodes_;
  RecurrenceState state_;
};

/// The model `graph500`: the first edge_factor * 2^scale edges of Graph500Edges. Seed s stands for the seeds
/// s + 1 and s + 2 of the reference code, so that 1 gives the benchmark's graph.
class Graph500Model {
 public:
  /// Throws std::invalid_argument unless 1 <= scale <= 62 and edge_factor * 2^scale <= 2^63.
  Graph500Model(unsigned scale, std::uint64_t edge_factor, std::uint64_t seed);

  std::uint64_t nodes() const { return list_.nodes(); }
  std::uint64_t edges() const { return edge_factor_ * nodes(); }
  std::uint64_t seed() const { return seed_; }
  unsigned scale() const { return static_cast<unsigned>(list_.plan().scale); }
  std::uint64_t edge_factor() const { return edge_factor_; }

  /// Edges first_edge .. first_edge + out.size() - 1. Threads: any number at once.
  /// Throws std::out_of_range past edges(), std::invalid_argument when nodes() do not fit Id.
  template <class Id>
  void fill(std::uint64_t first_edge, std::span<Edge<Id>> out) const {
    fill_slots(first_edge, EdgeSlots<Id>(out));
  }
  template <class Id>
  void fill_slots(std::uint64_t first_edge, EdgeSlots<Id> out) const;

  /// The same with the weights of the edges: `out` are slots of two ids and a float.
  template <class Id>
  void fill_weighted_slots(std::uint64_t first_edge, EdgeSlots<Id> out) const;

 private:
  Graph500Edges list_;
  std::uint64_t edge_factor_;
  std::uint64_t seed_;
};

}  // namespace emgraph::graph::generate
