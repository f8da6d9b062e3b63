// SPDX-License-Identifier: MIT
// The `delta` coding of pairs: runs of equal firsts with the gaps of their seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/io/codec_pairs.hpp"

namespace emgraph::core {

/// Problem: rows sorted by (first, second) or (second, first) take 8 or 16 bytes where 1 to 4 would do.
/// Method: one byte tells the order found: 0 by first, 1 by second, 2 none. Orders 0 and 1 ("major" is the
/// integer sorted by, "minor" the other): per run of equal majors one varint of gap * 8 + c (gap to the major
/// before, 0 at the start; c = run length if at most 7, else 0 and a varint of length - 8 follows),
/// zigzag(first minor - major), then gaps of minors. Order 2: per row zigzag(first - first before),
/// zigzag(second - (second before if the firsts are equal, else first)). Differences are modulo 2^64.
/// Varints: codec_varint.hpp. Then the columns, each in a row. Returns the bytes written to `out`, 0 when
/// they would be more than out.size() - delta_slack_bytes.
std::size_t encode_delta(const PairLayout& layout, const std::byte* rows, std::size_t count,
                         std::span<std::byte> out);

/// Room that encode_delta may scribble over past its result.
inline constexpr std::size_t delta_slack_bytes = 64;

/// Decodes exactly `count` rows from exactly all of `in`. Returns what is wrong with it, "" if nothing. Never
/// reads or writes out of bounds, whatever the bytes. Requires: shape.integer_bytes >= layout.integer_bytes.
std::string_view decode_delta(const PairLayout& layout, std::span<const std::byte> in, std::size_t count,
                              const PairShape& shape, std::byte* out);

}  // namespace emgraph::core
