// SPDX-License-Identifier: MIT
// Weights as lines hold them.
#pragma once

#include <cstdint>
#include <string_view>

namespace emgraph::graph::format {

inline constexpr std::string_view expected_integer = "expected an integer that fits 64 bits";
inline constexpr std::string_view expected_real = "expected a finite number";

/// The integer at `at`, which is moved behind it. False if there is none. Requires: as read_decimal.
bool read_integer(const char*& at, std::int64_t& value);

}  // namespace emgraph::graph::format
