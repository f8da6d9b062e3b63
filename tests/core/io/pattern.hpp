// SPDX-License-Identifier: MIT
// Test data in which each byte depends on its offset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "tests/oracle/pattern_bytes.hpp"

namespace emgraph::tests {

inline void fill_pattern(std::span<std::byte> bytes, std::uint64_t offset, std::uint64_t seed = 0) {
  if (bytes.empty()) return;
  std::memcpy(bytes.data(), pattern_bytes(bytes.size(), offset, seed).data(), bytes.size());
}

inline bool is_pattern(std::span<const std::byte> bytes, std::uint64_t offset, std::uint64_t seed = 0) {
  return bytes.empty() ||
         std::memcmp(bytes.data(), pattern_bytes(bytes.size(), offset, seed).data(), bytes.size()) == 0;
}

/// The first `bytes` bytes of the pattern, as the content of a file.
inline std::string pattern_string(std::size_t bytes, std::uint64_t seed = 0) {
  std::string content(bytes, '\0');
  fill_pattern(std::as_writable_bytes(std::span(content)), 0, seed);
  return content;
}

}  // namespace emgraph::tests
