// SPDX-License-Identifier: MIT
// Splits an array of integers at a pivot, in vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace emgraph::core {

/// Moves the keys below `pivot` to the front, in no particular order. Returns their number. Linear time.
/// Method: vector_split_inl.hpp with AVX2 or AVX-512, std::partition without. I/O, memory: none. Threads: any
/// number, on different spans, which may be neighbours. Throws: nothing.
std::size_t vector_split(std::span<std::uint64_t> keys, std::uint64_t pivot);

}  // namespace emgraph::core
