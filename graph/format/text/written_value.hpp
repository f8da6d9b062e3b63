// SPDX-License-Identifier: MIT
// From the bytes of a record to the text of a line.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace emgraph::graph::format {

/// Of any number: the shortest text of a double has up to 24 characters.
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
  return std::to_chars(at, at + longest_number_bytes, number).ptr;
}

inline char* put_text(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

}  // namespace emgraph::graph::format
