// SPDX-License-Identifier: MIT
// The `kron` model: stochastic Kronecker (R-MAT) edges with the Graph500 constants and scrambled ids.
#pragma once

#include <cstdint>
#include <span>

#include "graph/generate/edge_slots.hpp"
#include "graph/generate/kronecker_plan.hpp"

namespace emgraph::graph::generate {

/// edge_factor * 2^scale edges over 2^scale nodes; each level of an edge falls into a quadrant with
/// probabilities A .57 B .19 C .19 D .05 (16-bit resolution, kronecker_plan.hpp). Loops and duplicates are
/// possible. After Chakrabarti, Zhan, Faloutsos 2004 (doi 10.1137/1.9781611972740.43) and the Graph500
/// specification.
class KroneckerModel {
 public:
  /// Throws std::invalid_argument unless 1 <= scale <= 62 and edge_factor * 2^scale <= 2^63.
  KroneckerModel(int scale, std::uint64_t edge_factor, std::uint64_t seed);

  std::uint64_t nodes() const { return std::uint64_t{1} << plan_.scale; }
  std::uint64_t edges() const { return edge_factor_ << plan_.scale; }
  std::uint64_t seed() const { return seed_; }
  int scale() const { return plan_.scale; }
  std::uint64_t edge_factor() const { return edge_factor_; }
  const KroneckerPlan& plan() const { return plan_; }

  /// Edges first_edge .. first_edge + out.size() - 1. Threads: any number at once.
  /// Throws std::out_of_range past edges(), std::invalid_argument when nodes() do not fit Id.
  template <class Id>
  void fill(std::uint64_t first_edge, std::span<Edge<Id>> out) const {
    fill_slots(first_edge, EdgeSlots<Id>(out));
  }
  template <class Id>
  void fill_slots(std::uint64_t first_edge, EdgeSlots<Id> out) const;

 private:
  KroneckerPlan plan_;
  std::uint64_t edge_factor_;
  std::uint64_t seed_;
};

}  // namespace emgraph::graph::generate
