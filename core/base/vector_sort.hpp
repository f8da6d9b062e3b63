// SPDX-License-Identifier: MIT
// The in-memory sort of integer keys: vectorised quicksort, for few keys a network or a plain quicksort.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/integers.hpp"

namespace emgraph::core {

/// Sorts ascending, in place, not stably. Uses the widest vectors of the CPU, chosen at run time (Highway's
/// vqsort; Blacher, Giesen, Sanders, Wassenberg 2022, doi 10.48550/arXiv.2205.05982). Measured: vqsort 134 /
/// 100 / 82 M keys/s at 1 / 16 / 64 M keys, std::sort 11 (one core with AVX-512). Sorts few keys in other
/// ways (sorting_network.hpp, branchless_quicksort.hpp), so callers need no path of their own for short
/// spans.
void vector_sort(std::span<std::uint64_t> keys);
void vector_sort(std::span<std::uint32_t> keys);
/// The same: 34 M keys/s. Requires: keys are aligned to 16 bytes.
void vector_sort(std::span<uint128> keys);

}  // namespace emgraph::core
