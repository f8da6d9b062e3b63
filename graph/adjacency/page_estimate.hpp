// SPDX-License-Identifier: MIT
// The bytes of the pages of an adjacency that does not exist yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/spill/spill_forecast.hpp"
#include "graph/weighting.hpp"

namespace emgraph::graph::adjacency {

/// What is known of the lists.
struct ListFacts {
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;  ///< neighbours in all lists; at most
  std::size_t id_bytes = 4;
  WeightType weight = WeightType::none;
  std::size_t weight_width = 0;                                 ///< expected bytes of a stored weight
  std::optional<std::size_t> most_weight_width = std::nullopt;  ///< nullopt: that of the type
};

/// Bytes of all pages: an upper bound for any lists of these numbers, apart from a sixteenth that pages leave
/// empty; and what they take if neighbours are at random and no edge is repeated.
///
/// The length of a code (gap_codec.hpp) lies below a concave function of the gap. So lists take most bytes if
/// all their gaps are equal.
core::SpillForecast expected_page_bytes(const ListFacts& lists);

}  // namespace emgraph::graph::adjacency
