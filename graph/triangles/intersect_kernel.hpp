// SPDX-License-Identifier: MIT
// Vector kernels that intersect lists with the lists of a chunk.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/triangles/lists.hpp"

namespace emgraph::graph::triangles {

/// The scratch space of one thread.
struct IntersectScratch {
  std::uint64_t* bits = nullptr;  ///< all 0 between calls; with space for a whole line of HubRows at the end
  Rank marked = 0;                ///< ranks below it have a bit; at least ChunkView::hubs
  Rank* thirds = nullptr;         ///< space for the longest list and list_slack; used only for collecting
};

/// Counts the triangles u > v > w with u a source of `batch` and v a source of `chunk`.
std::uint64_t count_triangles(const ChunkView& chunk, const ListBatch& batch,
                              const IntersectScratch& scratch);

/// The same, and sends each triangle to `sink`.
std::uint64_t collect_triangles(const ChunkView& chunk, const ListBatch& batch,
                                const IntersectScratch& scratch, TriangleSink& sink, unsigned thread);

}  // namespace emgraph::graph::triangles
