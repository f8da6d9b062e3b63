// SPDX-License-Identifier: MIT
// A checksum of the answer of a search, the same for every memory model and number of processes.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/io/checksum.hpp"

namespace emgraph::graph::graph500 {

/// XXH3 of node, value and parent as three 64-bit words; `value` is a level, or the bits of a distance. The
/// sum over the reached nodes modulo 2^64 is the checksum of an answer. It does not depend on the order of
/// nodes.
inline std::uint64_t node_hash(std::uint64_t node, std::uint64_t value, std::uint64_t parent) {
  const std::array<std::uint64_t, 3> words{node, value, parent};
  return core::checksum(std::as_bytes(std::span(words)));
}

}  // namespace emgraph::graph::graph500
