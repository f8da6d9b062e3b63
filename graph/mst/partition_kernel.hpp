// SPDX-License-Identifier: MIT
// Splitting 64-bit codes at a pivot, in place and in vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace emgraph::graph::mst {

/// Moves codes below `pivot` to the front. Returns their number.
std::size_t partition_in_vectors(std::span<std::uint64_t> codes, std::uint64_t pivot);

}  // namespace emgraph::graph::mst
