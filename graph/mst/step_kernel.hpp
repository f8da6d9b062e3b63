// SPDX-License-Identifier: MIT
// The two loops over all edges of a step, in vectors: hash weights, and the bits of large sets.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/types.hpp"

namespace emgraph::graph::mst {

/// The edges of one step in parallel arrays: weight rank, low id, high id. 12 KiB, so that it stays in the
/// first-level cache.
struct FeedStep {
  static constexpr std::size_t most_edges = 512;
  std::size_t count = 0;
  std::array<std::uint64_t, most_edges> weight;
  std::array<std::uint64_t, most_edges> low;
  std::array<std::uint64_t, most_edges> high;
};

/// Sets `step` to the edges that are no loops, in their order, with the weights that HashWeights(modulus)
/// gives. Requires: at most FeedStep::most_edges edges; 0 < modulus < 2^32.
void make_hashed_step(std::span<const Edge32> edges, std::uint64_t modulus, FeedStep& step);

/// The large sets of several levels. An edge belongs to the last level whose bound is not above its code, and
/// to none below the first bound.
template <class Code>
struct LevelBits {
  std::span<const Code> bounds;  ///< ascending; not empty
  const std::uint64_t* words;    ///< of all levels: a bit per node, set if it is in the large set
  std::size_t words_per_level;
  std::uint64_t last_node;  ///< larger ids are in no set
};

/// The edges of which the bits do not say whether their ends are in one set: both are outside the large set.
template <class Code>
struct UndecidedEdges {
  std::size_t count = 0;
  std::array<std::uint64_t, FeedStep::most_edges> place;  ///< in the step
  std::array<Code, FeedStep::most_edges> code;
};

/// Writes the codes of the edges whose ends are in different sets, by the bits, to the front of `codes`, and
/// returns their number. Drops the edges whose ends are both in the large set. Adds the others to
/// `undecided`. `from`: the first edge that is looked up; `kept`: codes that stay at the front.
template <class Code>
std::size_t keep_by_bits(const FeedStep& step, const LevelBits<Code>& levels, Code* codes,
                         UndecidedEdges<Code>& undecided, std::size_t from = 0, std::size_t kept = 0) {
  for (std::size_t i = from; i < step.count; ++i) {
    const Code code = codes[i];
    const auto above = std::upper_bound(levels.bounds.begin(), levels.bounds.end(), code);
    const bool known = above != levels.bounds.begin() && step.high[i] <= levels.last_node;
    const auto level = static_cast<std::size_t>(above - levels.bounds.begin());
    const std::uint64_t* const words = levels.words + (known ? level - 1 : 0) * levels.words_per_level;
    const auto inside = [&](std::uint64_t node) { return (words[node >> 6] >> (node & 63) & 1) != 0; };
    const bool low_in = known && inside(step.low[i]);
    const bool high_in = known && inside(step.high[i]);
    codes[kept] = code;
    kept += !known || low_in != high_in ? 1 : 0;
    undecided.code[undecided.count] = code;
    undecided.place[undecided.count] = i;
    undecided.count += known && !low_in && !high_in ? 1 : 0;
  }
  return kept;
}

/// The same in vectors.
std::size_t keep_by_bits_in_vectors(const FeedStep& step, const LevelBits<std::uint64_t>& levels,
                                    std::uint64_t* codes, UndecidedEdges<std::uint64_t>& undecided);

}  // namespace emgraph::graph::mst
