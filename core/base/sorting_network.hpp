// SPDX-License-Identifier: MIT
// Sorts few integers in vector registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace emgraph::core {

inline constexpr std::size_t most_network_keys = 128;

/// Sorts few keys ascending, in place. Returns false, having done nothing, if they are more than eight
/// vectors of this processor hold: 128 keys with AVX-512, 64 with AVX2, 32 with SSE4, none without vectors.
///
/// Method: a bitonic network over all lanes, without a branch on a key. The vectors are filled up with the
/// largest key. Source: Batcher (1968), doi 10.1145/1468075.1468121. Measured in vector_sort.cpp. I/O,
/// memory: none. Threads: any number. Throws: nothing.
bool network_sort(std::span<std::uint32_t> keys);
/// The same: 64 keys with AVX-512, 32 with AVX2, none with SSE4.
bool network_sort(std::span<std::uint64_t> keys);

}  // namespace emgraph::core
