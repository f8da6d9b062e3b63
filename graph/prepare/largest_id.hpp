// SPDX-License-Identifier: MIT
// The largest id of a batch of edges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "graph/edge_source.hpp"

namespace emgraph::graph::prepare {

/// 0 for an empty batch. Uses vectors, whose width is chosen at run time.
std::uint64_t largest_id(std::span<const Edge32> batch);
std::uint64_t largest_id(std::span<const Edge64> batch);

/// 0 for an empty batch.
template <class Id>
std::uint64_t largest_id(const EdgeBatch<Id>& batch) {
  if (batch.plain()) return largest_id(batch.edges());
  // Two maxima, which do not wait for each other.
  Id source = 0;
  Id target = 0;
  for (const Edge<Id>& edge : batch) {
    source = std::max(source, edge.source);
    target = std::max(target, edge.target);
  }
  return std::max(source, target);
}

/// The same for records whose id width is chosen at run time.
inline std::uint64_t largest_id(const core::PairShape& shape, const RecordBatch& batch) {
  if (shape.integer_bytes == 4) {
    return largest_id(EdgeBatch<std::uint32_t>(batch.records, batch.count, shape.row_bytes));
  }
  return largest_id(EdgeBatch<std::uint64_t>(batch.records, batch.count, shape.row_bytes));
}

}  // namespace emgraph::graph::prepare
