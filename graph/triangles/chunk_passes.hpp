// SPDX-License-Identifier: MIT
// Finds all triangles of oriented lists: chunks in memory, and streams of the following lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/checkpoint/checkpoint.hpp"
#include "core/environment.hpp"
#include "graph/triangles/list_segments.hpp"
#include "graph/triangles/lists.hpp"

namespace emgraph::graph::triangles {

/// Most nodes whose lists are rows of bits, too.
// Measured: Kronecker graph of scale 22, loaded machine, two runs each: 5.1 and 5.1 s with 16,384 hubs (17 MB
// of rows), 5.1 and 4.9 with 32,768 (68 MB), 5.1 and 5.4 with 65,536 (270 MB).
inline constexpr std::uint64_t most_hubs = 16384;

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

/// The triangles that have been found.
struct PassPosition {
  std::uint64_t triangles = 0;
  std::uint64_t chunks = 0;  ///< with the current one; 0: nothing is done
  std::uint64_t begin = 0;   ///< segments of the current chunk
  std::uint64_t end = 0;
  std::uint64_t lists = 0;   ///< of the chunk, intersected with each other
  std::uint64_t behind = 0;  ///< lists of sources below it were intersected with the chunk
};

/// Keeps the passes in a checkpoint.
struct KeptPasses {
  core::Checkpoint& checkpoint;
  PassPosition position;  ///< of an earlier run
  /// Seals a state with this position; all threads pause.
  std::function<void(const PassPosition&)> seal;
};

/// Finds the triangles of `lists`, which has all lists. With a null `sink` triangles are only counted.
/// `kept`: may be null.
PassResult find_in_memory(core::Environment& environment, const ListChunk& lists, const RankFacts& facts,
                          TriangleSink* sink, KeptPasses* kept);

/// The same in chunks, each as large as the free memory; a chunk that an earlier run has begun has its size.
PassResult find_in_chunks(core::Environment& environment, const ListSegments& lists, const RankFacts& facts,
                          TriangleSink* sink, KeptPasses* kept);

}  // namespace emgraph::graph::triangles
