// SPDX-License-Identifier: MIT
// The oriented graph in words of four bytes: ranks, and sorted lists of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace emgraph::graph::triangles {

/// Place of a node in the order of descending degree, ties by id: 0 is the node of largest degree. Every edge
/// is oriented from its larger rank to its smaller one, that is from the end of smaller degree: no list is
/// longer than sqrt(2m). Nodes without an edge have no rank.
using Rank = std::uint32_t;

inline constexpr Rank no_rank = ~Rank{0};
/// Ranks are below this.
inline constexpr std::uint64_t most_ranks = no_rank;

/// Vector loads may read this many ranks behind the end of an array of lists.
inline constexpr std::size_t list_slack = 64;

/// Lists of some sources: list k holds the ranks targets[begins[k]] … targets[ends[k] - 1], ascending, all
/// below the source's own. The sources are first_source + k, or sources[k] where that is given.
struct ListBatch {
  Rank first_source = 0;
  const Rank* sources = nullptr;
  const std::uint32_t* begins = nullptr;
  const std::uint32_t* ends = nullptr;
  const Rank* targets = nullptr;
  std::size_t lists = 0;

  Rank source(std::size_t k) const {
    return sources != nullptr ? sources[k] : first_source + static_cast<Rank>(k);
  }
  std::span<const Rank> list(std::size_t k) const { return {targets + begins[k], ends[k] - begins[k]}; }
};

/// Told of triangles as they are found.
class TriangleSink {
 public:
  virtual ~TriangleSink() = default;
  /// The triangles u > v > w, one for every w of `thirds`, which is not empty. Called by several threads at
  /// once, each with its own number.
  virtual void take(unsigned thread, Rank u, Rank v, std::span<const Rank> thirds) = 0;
};

}  // namespace emgraph::graph::triangles
