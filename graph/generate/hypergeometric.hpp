// SPDX-License-Identifier: MIT
// Hypergeometric random numbers that are identical on all IEEE-754 machines.
#pragma once

#include <cstdint>

#include "graph/generate/counter_hash.hpp"

namespace emgraph::graph::generate {

/// Number of marked items among `draws` items drawn without replacement from `universe` items, `marked` of
/// which are marked. Requires: marked <= universe, draws <= universe, universe < 2^63. Uses a variable number
/// of words. Error of the probabilities: rounding of double arithmetic (about 1e-12 relative); from variance
/// 400 on tails beyond 10 standard deviations (1e-23) are omitted. Time: O(1) expected.
std::uint64_t draw_hypergeometric(std::uint64_t universe, std::uint64_t marked, std::uint64_t draws,
                                  WordStream& words);

}  // namespace emgraph::graph::generate
