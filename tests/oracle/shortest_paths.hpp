// SPDX-License-Identifier: MIT
// Shortest paths by the definition, slow on purpose: do not benchmark.
#pragma once

#include <cstdint>
#include <vector>

namespace emgraph::tests {

/// The length is an integer, or the bits of a double that is not negative.
struct LengthArc {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::uint64_t length = 0;
};

struct ShortestPaths {
  std::vector<std::uint64_t> distances;  ///< unreached: all ones, or the bits of infinity
  std::vector<std::uint64_t> parents;    ///< unreached: all ones
  std::uint64_t reached = 0;             ///< including the root
  std::uint64_t max_distance = 0;        ///< the largest distance of a reached node
};

/// Bellman and Ford's algorithm. A sum that does not fit counts as unreached. The parent is the smallest
/// in-neighbour that is tight (its distance and the arc give the node's distance) and nearer; where there is
/// none, the smallest of the tight ones with the fewest arcs of this kind between them and a node that has a
/// nearer one, or the root.
ShortestPaths shortest_paths(std::uint64_t nodes, std::vector<LengthArc> arcs, std::uint64_t root,
                             bool directed, bool floating);

}  // namespace emgraph::tests
