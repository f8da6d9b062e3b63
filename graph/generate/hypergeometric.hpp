// SPDX-License-Identifier: MIT
// Hypergeometric random numbers that come out the same on every IEEE-754 machine.
#pragma once

#include <cstdint>

#include "graph/generate/counter_hash.hpp"

namespace emgraph::graph::generate {

/// How many of `draws` items taken without replacement from `universe` are among its `marked` ones.
/// Requires: marked <= universe, draws <= universe, universe < 2^63. Takes as many words as it needs.
/// Error of the probabilities: rounding of double arithmetic (about 1e-12 relative) and, from variance 400
/// on, tails beyond 10 standard deviations (1e-23) left out. Time: O(1) expected.
std::uint64_t draw_hypergeometric(std::uint64_t universe, std::uint64_t marked, std::uint64_t draws,
                                  WordStream& words);

}  // namespace emgraph::graph::generate
