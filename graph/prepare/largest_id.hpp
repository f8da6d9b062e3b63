// SPDX-License-Identifier: MIT
// The largest id of a batch of edges: every reader looks at every id once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "graph/edge_source.hpp"

namespace emgraph::graph::prepare {

/// 0 when there are none. In vectors, whose width is chosen at run time.
std::uint64_t largest_id(std::span<const Edge32> batch);
std::uint64_t largest_id(std::span<const Edge64> batch);

/// 0 when there are none.
template <class Id>
std::uint64_t largest_id(const EdgeBatch<Id>& batch) {
  if (batch.plain()) return largest_id(batch.edges());
  Id largest = 0;
  for (const Edge<Id>& edge : batch) largest = std::max({largest, edge.source, edge.target});
  return largest;
}

/// Of records whose ids have a width that is chosen at run time.
inline std::uint64_t largest_id(const core::PairShape& shape, const RecordBatch& batch) {
  if (shape.integer_bytes == 4) {
    return largest_id(EdgeBatch<std::uint32_t>(batch.records, batch.count, shape.row_bytes));
  }
  return largest_id(EdgeBatch<std::uint64_t>(batch.records, batch.count, shape.row_bytes));
}

}  // namespace emgraph::graph::prepare
