// SPDX-License-Identifier: MIT
// Sorts integers in vector registers.
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

/// Sorts any number of keys, with AVX-512 only; returns false, having done nothing, without it.
///
/// Method: quicksort whose ranges of at most 128 keys go to the network; vectors are split in registers.
/// After 2 log2 n levels std::sort takes over. Source: Bramas (2017), doi 10.14569/IJACSA.2017.081044.
/// Memory: the stack, O(log n). Threads: any number. Throws: nothing.
bool network_quicksort(std::span<std::uint32_t> keys);

/// True on processors of AMD's family 25. Those with AVX-512 are Zen 4, on which Highway's sorter takes seven
/// times as long for 32-bit keys as with AVX2, because it stores by the instruction that compresses.
bool is_amd_family_25();

}  // namespace emgraph::core
