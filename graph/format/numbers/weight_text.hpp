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

/// Writes a weight to `at`, where there is room for longest_number_bytes (written_value.hpp), and returns
/// where it ends.
char* put_weight(char* at, WeightType type, const std::byte* value);

}  // namespace emgraph::graph::format
