// SPDX-License-Identifier: MIT
// Variable-length integers of 7 bits per byte (LEB128), written and read a machine word at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace emgraph::core::varint {

/// Longest encoding, bytes; `write` needs as much space.
inline constexpr std::size_t max_bytes = 10;

constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return (difference << 1) ^ (0 - (difference >> 63));
}
constexpr std::uint64_t unzigzag(std::uint64_t code) {
  return (code >> 1) ^ (0 - (code & 1));
}

/// Writes `value` at `out`; may overwrite max_bytes bytes there. Returns the end of the value.
inline std::uint8_t* write(std::uint8_t* out, std::uint64_t value) {
  if (value < 0x80) {
    *out = static_cast<std::uint8_t>(value);
    return out + 1;
  }
  if (value < std::uint64_t{1} << 56) {
    const unsigned bytes = (static_cast<unsigned>(std::bit_width(value)) + 6) / 7;
    std::uint64_t word = (value & 0x0fffffff) | ((value & 0xfffffff0000000) << 4);
    word = (word & 0x00003fff00003fff) | ((word & 0x0fffc0000fffc000) << 2);
    word = (word & 0x007f007f007f007f) | ((word & 0x3f803f803f803f80) << 1);
    word |= 0x8080808080808080 & ((std::uint64_t{1} << (8 * bytes - 8)) - 1);
    std::memcpy(out, &word, 8);
    return out + bytes;
  }
  while (value >= 0x80) {
    *out++ = static_cast<std::uint8_t>(value | 0x80);
    value >>= 7;
  }
  *out = static_cast<std::uint8_t>(value);
  return out + 1;
}

/// Reads one value, byte by byte. Returns the new position, nullptr if it does not end before `end`.
inline const std::uint8_t* read_slowly(const std::uint8_t* in, const std::uint8_t* end,
                                       std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; in < end && shift < 70; shift += 7) {
    const std::uint8_t byte = *in++;
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return in;
  }
  return nullptr;
}

/// The same, without a branch on the length for values of up to 8 bytes.
inline const std::uint8_t* read(const std::uint8_t* in, const std::uint8_t* end, std::uint64_t& value) {
  if (end - in < 8) return read_slowly(in, end, value);
  if (*in < 0x80) {
    value = *in;
    return in + 1;
  }
  std::uint64_t word;
  std::memcpy(&word, in, 8);
  const std::uint64_t stops = ~word & 0x8080808080808080;
  if (stops == 0) return read_slowly(in, end, value);
  const unsigned bits = static_cast<unsigned>(std::countr_zero(stops));  // 8 * length - 1
  word &= (std::uint64_t{2} << bits) - 1;
  word &= 0x7f7f7f7f7f7f7f7f;
  word = (word & 0x007f007f007f007f) | ((word & 0x7f007f007f007f00) >> 1);
  word = (word & 0x00003fff00003fff) | ((word & 0x3fff00003fff0000) >> 2);
  value = (word & 0x000000000fffffff) | ((word & 0x0fffffff00000000) >> 4);
  return in + bits / 8 + 1;
}

}  // namespace emgraph::core::varint
