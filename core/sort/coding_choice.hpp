// SPDX-License-Identifier: MIT
// Whether blocks are worth coding before they go to disk.
#pragma once

#include <cstddef>

#include "core/sort/block_coding.hpp"

namespace emgraph::core {

/// Bytes per second of all disks together below which coding a full block pays: what coding and decoding it
/// cost `threads` threads takes as long there as moving the bytes that it saves, out and in. 0: never. For
/// keys spread evenly over their range; others save more.
double coding_pays_below(const BlockLayout& layout, std::size_t block_bytes, unsigned threads);

}  // namespace emgraph::core
