// SPDX-License-Identifier: MIT
// The in-memory sort of integer keys: vectorised quicksorts, for few keys a network or a plain quicksort.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/integers.hpp"

namespace emgraph::core {

/// Sorts ascending, in place, not stably. Uses the widest vectors of the CPU, chosen at run time: Highway's
/// vqsort (Blacher, Giesen, Sanders, Wassenberg 2022, doi 10.48550/arXiv.2205.05982), with AVX-512
/// vector_quicksort.hpp. Sorts few keys in other ways (sorting_network.hpp, branchless_quicksort.hpp), so
/// callers need no path of their own for short spans. Measured: 186 M random 64-bit keys/s of 1 M, vqsort
/// 128, std::sort 11 (one core with AVX-512); more in vector_sort.cpp.
void vector_sort(std::span<std::uint64_t> keys);
void vector_sort(std::span<std::uint32_t> keys);
/// The same: 34 M keys/s. Requires: keys are aligned to 16 bytes.
void vector_sort(std::span<uint128> keys);

}  // namespace emgraph::core
