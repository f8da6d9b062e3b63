// SPDX-License-Identifier: MIT
// Finds the bytes of a text that are not decimal digits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emgraph::graph::format {

/// Number of places after the counted ones that `find_non_digits` may write.
inline constexpr std::size_t non_digits_slack = 64;

/// Writes the ascending places of all bytes of text[0, bytes) outside '0' … '9'; returns their number.
/// Requires: `places` has space for `bytes` + non_digits_slack.
std::size_t find_non_digits(const char* text, std::size_t bytes, std::uint32_t* places);

}  // namespace emgraph::graph::format
