// SPDX-License-Identifier: MIT
// Weights as text.
#pragma once

#include <cstddef>
#include <string>

#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

/// Reads a weight at `at` to `out`. Returns where it ends; nullptr: none of this type stands there.
const char* parse_weight(const char* at, const char* end, WeightType type, std::byte* out);

/// What is expected of a weight, for messages.
std::string expected_weight(WeightType type);

/// The shortest text of any double is not longer.
inline constexpr std::size_t max_weight_bytes = 25;

/// Writes a weight to `at`, where there is room for max_weight_bytes + put_number_slack (digits.hpp), and
/// returns where it ends.
char* put_weight(char* at, WeightType type, const std::byte* value);

}  // namespace emgraph::graph::format
