// SPDX-License-Identifier: MIT
// A small sorted sample without replacement from a range of any size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "graph/generate/counter_hash.hpp"

namespace emgraph::graph::generate {

/// Largest sample, and so the largest leaf of gnm. Measured: the first 2^24 edges of gnm, 131 M edges over 21
/// M nodes, with 1024, 2048, 4096: 139, 142, 141 M edges per CPU second (EPYC with AVX-512). A fill that
/// begins or ends inside a leaf generates the whole leaf, so short fills would be faster with smaller leaves.
inline constexpr std::size_t sample_capacity = 2048;
using Sample = std::array<std::uint64_t, sample_capacity>;

/// Writes `count` distinct numbers of [0, universe), ascending, to `sample`; every subset has the same
/// probability. Requires: count <= min(universe, sample_capacity), universe < 2^63.
void sample_without_replacement(std::uint64_t universe, std::size_t count, WordStream words, Sample& sample);

}  // namespace emgraph::graph::generate
