// SPDX-License-Identifier: MIT
// From the bytes of a record to the text of a line.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "graph/format/numbers/digits.hpp"

namespace emgraph::graph::format {

/// Of any number, and of what put() writes beyond one: the shortest text of a double has up to 24 characters.
inline constexpr std::size_t longest_number_bytes = 24;

template <class T>
T value_at(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

/// Returns the place behind it. Requires: room for longest_number_bytes.
template <class T>
char* put(char* at, T number) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::to_chars(at, at + longest_number_bytes, number).ptr;
  } else {
    const auto bits = static_cast<std::uint64_t>(number);
    if (std::is_unsigned_v<T> || number >= 0) return put_number(at, bits);
    *at++ = '-';
    return put_number(at, 0 - bits);
  }
}

inline char* put_text(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

}  // namespace emgraph::graph::format
