// SPDX-License-Identifier: MIT
// Weights as text.
#pragma once

#include <cstddef>
#include <string>

#include "graph/edge_facts.hpp"

namespace emgraph::graph::format {

/// Reads a weight at `at` to `out`. Returns its end; nullptr if there is no weight of this type.
const char* parse_weight(const char* at, const char* end, WeightType type, std::byte* out);

/// A description of a valid weight, for messages.
std::string expected_weight(WeightType type);

/// Writes a weight to `at` and returns its end. Requires: space for longest_number_bytes (number_text.hpp).
char* put_weight(char* at, WeightType type, const std::byte* value);

}  // namespace emgraph::graph::format
