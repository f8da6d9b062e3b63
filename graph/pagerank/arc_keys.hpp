// SPDX-License-Identifier: MIT
// Arcs as integer keys with the order of (range of the source, target, source).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/base/integers.hpp"
#include "core/sort/classifier.hpp"
#include "graph/prepare/edge_keys.hpp"

namespace emgraph::graph::pagerank {

/// Ranges have 2^range_bits nodes. With one range the order is that of (target, source).
template <core::IntegerKey Key>
struct ArcKeys {
  using key_type = Key;
  unsigned id_bits = 4 * sizeof(Key);
  unsigned range_bits = id_bits;  ///< at most id_bits

  Key make(std::uint64_t target, std::uint64_t source) const {
    const auto from = static_cast<Key>(source);
    const Key range = range_bits == id_bits ? Key{0} : (from >> range_bits) << (id_bits + range_bits);
    return range | static_cast<Key>(target) << range_bits | (from & core::low_mask<Key>(range_bits));
  }
  std::uint64_t range_of(Key key) const {
    return range_bits == id_bits ? 0 : static_cast<std::uint64_t>(key >> (id_bits + range_bits));
  }
  std::uint64_t target(Key key) const {
    return static_cast<std::uint64_t>(key >> range_bits & core::low_mask<Key>(id_bits));
  }
  /// The source, from the first node of its range.
  std::uint64_t offset(Key key) const {
    return static_cast<std::uint64_t>(key & core::low_mask<Key>(range_bits));
  }

  /// The range of the keys of arcs with ids up to `largest_id`.
  core::KeyRange<Key> range(std::uint64_t largest_id) const {
    const std::uint64_t last = range_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << range_bits) - 1;
    return {0, make(largest_id, largest_id | last)};
  }
};

/// Calls `body(ArcKeys<Key>)` with the narrowest key for ids below `nodes` (unknown: the full width of Id).
template <class Id, class Body>
decltype(auto) with_arc_keys(const std::optional<std::uint64_t>& nodes, unsigned range_bits, Body&& body) {
  const unsigned bits = nodes ? prepare::bits_for_nodes(*nodes) : 8 * sizeof(Id);
  if constexpr (sizeof(Id) == 8) {
    if (bits > 32) return body(ArcKeys<core::uint128>{bits, std::min(range_bits, bits)});
  }
  const unsigned narrow = std::min(bits, 32U);
  return body(ArcKeys<std::uint64_t>{narrow, std::min(range_bits, narrow)});
}

}  // namespace emgraph::graph::pagerank
