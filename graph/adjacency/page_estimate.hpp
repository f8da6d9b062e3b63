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
  std::optional<std::uint64_t> likely_entries = std::nullopt;   ///< without duplicates; nullopt: all
  std::optional<double> likely_gap_bytes = std::nullopt;     ///< if neighbours are near; nullopt: at random
  std::optional<std::uint64_t> likely_lists = std::nullopt;  ///< nullopt: as if neighbours are at random
};

/// Bytes of all pages: an upper bound for any lists of these numbers, apart from a sixteenth that pages leave
/// empty; and what the likely ones take if neighbours are at random.
///
/// The length of a code (gap_codec.hpp) lies below a concave function of the gap. So lists take most bytes if
/// all their gaps are equal.
core::SpillForecast expected_page_bytes(const ListFacts& lists);

}  // namespace emgraph::graph::adjacency
