// SPDX-License-Identifier: MIT
// The checksum of a piece of temporary data, which stays in memory while the data is on a disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/io/checksum.hpp"

namespace emgraph::core {

/// The low half of XXH3-64. It is never written to the disk, so it also shows writes that were lost or went
/// to another place. 32 bits, because there can be millions: changed data passes with a probability of 2^-32.
using Seal = std::uint32_t;

/// Call it while the bytes are still in the cache.
inline Seal seal(std::span<const std::byte> bytes) {
  return static_cast<Seal>(checksum(bytes));
}

}  // namespace emgraph::core
