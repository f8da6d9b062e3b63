// SPDX-License-Identifier: MIT
// Integers of 128 bits, and unsigned ones of 64 and 128 bits behind one set of functions.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

namespace emgraph::core {

__extension__ using uint128 = unsigned __int128;
__extension__ using int128 = __int128;

/// Integer keys: 64 or 128 bits.
template <class K>
concept IntegerKey = std::same_as<K, std::uint64_t> || std::same_as<K, uint128>;

/// Bits needed to write `value`; 0 for 0.
template <IntegerKey K>
constexpr unsigned bit_width(K value) {
  if constexpr (sizeof(K) == 16) {
    const auto high = static_cast<std::uint64_t>(value >> 64);
    if (high != 0) return 64 + static_cast<unsigned>(std::bit_width(high));
  }
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(value)));
}

/// The lowest `bits` bits set; `bits` up to the width of K.
template <IntegerKey K>
constexpr K low_mask(unsigned bits) {
  return bits == 0 ? K{0} : static_cast<K>(~K{0}) >> (8 * sizeof(K) - bits);
}

}  // namespace emgraph::core
