// SPDX-License-Identifier: MIT
// The first bytes of what is packed by gzip or zstd.
#pragma once

#include <cstddef>
#include <vector>

#include "core/io/input_file.hpp"

namespace emgraph::graph::format {

/// At most `bytes` of them, none of them consumed; fewer where the packing is damaged (reading it will say
/// so), hardly packs, or cannot be unpacked by this build. Memory: a decoder's tables for the moment, a zstd
/// window of 8 MiB at most, uncharged.
std::vector<std::byte> unpacked_start(core::InputFile& input, std::size_t bytes);

}  // namespace emgraph::graph::format
