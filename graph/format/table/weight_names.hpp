// SPDX-License-Identifier: MIT
// The names of weight types in options, reports and messages.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

/// Indexed by WeightType.
inline constexpr std::array<std::string_view, 5> weight_names = {"none", "u32", "i64", "f32", "f64"};

constexpr std::string_view weight_name(WeightType type) {
  return weight_names[static_cast<std::size_t>(type)];
}

}  // namespace emgraph::graph::format
