// SPDX-License-Identifier: MIT
// Bytes that depend on their offset.
#include "tests/oracle/pattern_bytes.hpp"

namespace emgraph::tests {

std::vector<std::byte> pattern_bytes(std::size_t count, std::uint64_t offset, std::uint64_t seed) {
  std::vector<std::byte> bytes(count);
  std::byte* const made =
      bytes.data();  // an operator[] that is not inlined would be another, instrumented, one
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t mixed = (offset + i + 1) * 0x9e3779b97f4a7c15 + seed * 0xbf58476d1ce4e5b9;
    made[i] = static_cast<std::byte>(mixed >> 56);
  }
  return bytes;
}

}  // namespace emgraph::tests
