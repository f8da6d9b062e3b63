// SPDX-License-Identifier: MIT
// What is gathered of the edges while they are read, whatever becomes of them then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "graph/prepare/ingest.hpp"
#include "graph/stats/weight_facts.hpp"

namespace emgraph::graph::stats {

/// Threads: one each, then merge.
struct Reading {
  explicit Reading(WeightType weight) : weights(weight) {}

  prepare::IngestFacts edges;  ///< not touched by take()
  std::uint64_t smallest_id = std::numeric_limits<std::uint64_t>::max();
  WeightFacts weights;

  template <class R>
  void take(std::span<const R> batch) {
    auto smallest = std::numeric_limits<typename R::id_type>::max();
#pragma omp simd reduction(min : smallest)
    for (std::size_t i = 0; i < batch.size(); ++i) {
      smallest = std::min(smallest, std::min(batch[i].source, batch[i].target));
    }
    smallest_id = std::min<std::uint64_t>(smallest_id, smallest);
    weights.add(batch);
  }
  void merge(const Reading& other) {
    edges.merge(other.edges);
    smallest_id = std::min(smallest_id, other.smallest_id);
    weights.merge(other.weights);
  }
};

}  // namespace emgraph::graph::stats
