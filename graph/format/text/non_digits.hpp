// SPDX-License-Identifier: MIT
// Where in a text the bytes stand that are no decimal digits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emgraph::graph::format {

/// Places that `find_non_digits` may write beyond those it counts.
inline constexpr std::size_t non_digits_slack = 64;

/// Ascending places of all bytes of text[0, bytes) outside '0' … '9'; returns how many. `places` has room for
/// `bytes` + non_digits_slack.
std::size_t find_non_digits(const char* text, std::size_t bytes, std::uint32_t* places);

}  // namespace emgraph::graph::format
