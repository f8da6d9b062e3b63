// SPDX-License-Identifier: MIT
// Test data in which each byte depends on its offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace emgraph::tests {

/// The byte at `offset` of the pattern with this seed.
inline std::byte pattern_byte(std::uint64_t offset, std::uint64_t seed = 0) {
  const std::uint64_t mixed = (offset + 1) * 0x9e3779b97f4a7c15 + seed * 0xbf58476d1ce4e5b9;
  return static_cast<std::byte>(mixed >> 56);
}

inline void fill_pattern(std::span<std::byte> bytes, std::uint64_t offset, std::uint64_t seed = 0) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern_byte(offset + i, seed);
}

inline bool is_pattern(std::span<const std::byte> bytes, std::uint64_t offset, std::uint64_t seed = 0) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != pattern_byte(offset + i, seed)) return false;
  }
  return true;
}

/// The first `bytes` bytes of the pattern, as the content of a file.
inline std::string pattern_string(std::size_t bytes, std::uint64_t seed = 0) {
  std::string content(bytes, '\0');
  fill_pattern(std::as_writable_bytes(std::span(content)), 0, seed);
  return content;
}

}  // namespace emgraph::tests
