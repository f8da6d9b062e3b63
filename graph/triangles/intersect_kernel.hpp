// SPDX-License-Identifier: MIT
// Vector kernels that intersect lists with the lists of a chunk.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/triangles/lists.hpp"

namespace emgraph::graph::triangles {

/// What lists are intersected with: those of the sources first … end - 1, all in memory.
struct ChunkView {
  Rank first = 0;
  Rank end = 0;
  const std::uint32_t* offsets = nullptr;  ///< end - first + 1 of them
  const Rank* targets = nullptr;           ///< with list_slack
  Rank hubs = 0;                           ///< sources below it have a row of bits, too
  const std::uint64_t* hub_rows = nullptr;
};

/// What a thread needs for itself.
struct IntersectScratch {
  std::uint64_t* bits = nullptr;  ///< all 0 between calls; room for a whole line of HubRows at the end
  Rank marked = 0;                ///< ranks below it have a bit; at least ChunkView::hubs
  Rank* thirds = nullptr;         ///< room for the longest list and list_slack; for collecting alone
};

/// Triangles u > v > w with u a source of `batch` and v one of `chunk`.
std::uint64_t count_triangles(const ChunkView& chunk, const ListBatch& batch,
                              const IntersectScratch& scratch);

/// The same, and tells `sink` of each.
std::uint64_t collect_triangles(const ChunkView& chunk, const ListBatch& batch,
                                const IntersectScratch& scratch, TriangleSink& sink, unsigned thread);

}  // namespace emgraph::graph::triangles
