// SPDX-License-Identifier: MIT
// Finds all triangles of oriented lists: chunks in memory, and streams of the following lists.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/environment.hpp"
#include "graph/triangles/list_segments.hpp"
#include "graph/triangles/lists.hpp"

namespace emgraph::graph::triangles {

/// Facts of the graph that the passes need besides its lists.
struct RankFacts {
  std::uint64_t ranks = 0;           ///< nodes with an edge
  std::uint64_t hub_candidates = 0;  ///< nodes with a degree large enough for a row of bits
};

/// Nodes of this degree or more are candidates.
inline constexpr std::uint64_t least_hub_degree = 64;

struct PassResult {
  std::uint64_t triangles = 0;
  std::uint64_t chunks = 1;
};

/// Finds the triangles of `lists`, which has all lists. With a null `sink` triangles are only counted.
PassResult find_in_memory(core::Environment& environment, const ListChunk& lists, const RankFacts& facts,
                          TriangleSink* sink);

/// The same in chunks, each as large as the free memory.
PassResult find_in_chunks(core::Environment& environment, const ListSegments& lists, const RankFacts& facts,
                          TriangleSink* sink);

}  // namespace emgraph::graph::triangles
