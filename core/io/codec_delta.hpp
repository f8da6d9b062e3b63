// SPDX-License-Identifier: MIT
// The `delta` coding of pairs: groups of equal first integers, and the gaps between their second integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/io/codec_pairs.hpp"

namespace emgraph::core {

/// Problem: rows sorted by (first, second) or (second, first) take 8 or 16 bytes; 1 to 4 bytes suffice.
/// Method: the first byte is the order of the rows: 0 by first, 1 by second, 2 none. In orders 0 and 1 the
/// integer sorted by is the major, the other the minor. Each group of equal majors is: a varint gap * 8 + c
/// (gap to the previous major, 0 at the start; c = group size if at most 7, else c = 0 and a varint size - 8
/// follows), then zigzag(first minor - major), then the gaps of the minors. In order 2 each row is:
/// zigzag(first - previous first), zigzag(second - x), x = the previous second if the firsts are equal, else
/// first. Differences are modulo 2^64. Varints: codec_varint.hpp. The attached columns follow, one after
/// another. Returns the bytes written to `out`, or 0 if they would exceed out.size() - delta_slack_bytes.
std::size_t encode_delta(const PairLayout& layout, const std::byte* rows, std::size_t count,
                         std::span<std::byte> out);

/// Bytes after its result that encode_delta may overwrite.
inline constexpr std::size_t delta_slack_bytes = 64;

/// Decodes exactly `count` rows from all bytes of `in`. Returns "" or the error in `in`. Never reads or
/// writes out of bounds, whatever the bytes of `in`. Requires: shape.integer_bytes >= layout.integer_bytes.
std::string_view decode_delta(const PairLayout& layout, std::span<const std::byte> in, std::size_t count,
                              const PairShape& shape, std::byte* out);

}  // namespace emgraph::core
