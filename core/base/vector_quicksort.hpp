// SPDX-License-Identifier: MIT
// Sorts many integers with AVX-512.
#pragma once

#include <cstdint>
#include <span>

namespace emgraph::core {

/// Sorts any number of keys ascending, in place, with AVX-512 only; returns false, having done nothing,
/// without it.
///
/// Method: quicksort (vector_split_inl.hpp) down to ranges of 16,384 keys. Such a range is scattered to parts
/// of equal width between its least and its largest key, 28 keys each on average, and the parts are sorted by
/// the network of sorting_network.hpp. Where keys are uneven, larger parts are scattered again; a range with
/// a part of more than a quarter of its keys is split by quicksort instead. After `levels` levels of
/// recursion heapsort takes over. Source: Ross (2002), "The Spreadsort High-performance General-case Sorting
/// Algorithm". Measured in vector_sort.cpp. Time: O(n log n), and at most `levels` times linear before. I/O:
/// none. Memory: the stack, 128 KiB for the range and O(log n). Threads: any number. Throws: nothing.
bool vector_quicksort(std::span<std::uint32_t> keys, int levels = 64);
bool vector_quicksort(std::span<std::uint64_t> keys, int levels = 64);

/// True on processors of AMD's family 25. Those with AVX-512 are Zen 4, on which Highway's sorter takes seven
/// times as long for 32-bit keys as with AVX2, because it stores by the instruction that compresses.
bool is_amd_family_25();

}  // namespace emgraph::core
