// SPDX-License-Identifier: MIT
// Bytes that depend on their offset, made without sanitizers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emgraph::tests {

/// `count` bytes of the pattern with this seed, from `offset` on.
std::vector<std::byte> pattern_bytes(std::size_t count, std::uint64_t offset, std::uint64_t seed);

}  // namespace emgraph::tests
