// SPDX-License-Identifier: MIT
// Edges as integer keys with the order of (first end, second end).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/base/integers.hpp"
#include "core/sort/classifier.hpp"

namespace emgraph::graph::prepare {

/// key = first · 2^id_bits + second. If the number of nodes is known, ids take only the necessary bits, so
/// that blocks of the sorter can leave out more bits.
template <core::IntegerKey Key>
struct EdgeKeys {
  using key_type = Key;
  unsigned id_bits = 4 * sizeof(Key);

  Key make(std::uint64_t first, std::uint64_t second) const {
    return static_cast<Key>(first) << id_bits | second;
  }
  std::uint64_t first(Key key) const { return static_cast<std::uint64_t>(key >> id_bits); }
  std::uint64_t second(Key key) const {
    return static_cast<std::uint64_t>(key & core::low_mask<Key>(id_bits));
  }

  /// The range of the keys of edges with ids up to `largest_id`.
  core::KeyRange<Key> range(std::uint64_t largest_id) const { return {0, make(largest_id, largest_id)}; }
};

/// Bits that ids below `nodes` need, at least 1.
constexpr unsigned bits_for_nodes(std::uint64_t nodes) {
  return nodes < 3 ? 1 : static_cast<unsigned>(std::bit_width(nodes - 1));
}

}  // namespace emgraph::graph::prepare
