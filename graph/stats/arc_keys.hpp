// SPDX-License-Identifier: MIT
// Edges as sort keys that bring both directions of a pair together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/sort/distribution_sorter.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::stats {

/// Orders as (smaller end, larger end), and keeps which of them was the source. With A = 0 the lowest bit of
/// the key says it: id_bits at most 31 (63) in 64 (128) bits. Ids of 64 bits leave no bit free: A = 4, and
/// the attachment says it.
template <core::IntegerKey Key, std::size_t A>
struct ArcKeys {
  using Sorter = core::DistributionSorter<Key, A>;
  using Record = typename Sorter::Record;
  static constexpr unsigned spare_bits = A == 0 ? 1 : 0;

  unsigned id_bits = 1;

  Record make(std::uint64_t source, std::uint64_t target) const {
    const Edge64 ends = low_high(source, target);
    const bool backward = target < source;
    Record record;
    record.key = pair_key(ends.source, ends.target);
    if constexpr (A == 0) {
      record.key |= static_cast<Key>(backward ? 1 : 0);
    } else {
      record.attachment = {};
      record.attachment[0] = static_cast<std::byte>(backward ? 1 : 0);
    }
    return record;
  }
  std::uint64_t low(const Record& record) const {
    return static_cast<std::uint64_t>(record.key >> (id_bits + spare_bits));
  }
  std::uint64_t high(const Record& record) const {
    return static_cast<std::uint64_t>(record.key >> spare_bits & core::low_mask<Key>(id_bits));
  }
  bool backward(const Record& record) const {
    if constexpr (A == 0) {
      return (record.key & 1) != 0;
    } else {
      return record.attachment[0] != std::byte{0};
    }
  }
  core::KeyRange<Key> range(std::uint64_t largest_id) const {
    return {0, static_cast<Key>(pair_key(largest_id, largest_id) | core::low_mask<Key>(spare_bits))};
  }

 private:
  Key pair_key(std::uint64_t low, std::uint64_t high) const {
    return (static_cast<Key>(low) << id_bits | high) << spare_bits;
  }
};

/// Calls `body(ArcKeys<…>)` with the narrowest key for ids below `nodes` (unknown: the full width of Id).
template <class Id, class Body>
decltype(auto) with_arc_keys(const std::optional<std::uint64_t>& nodes, Body&& body) {
  const unsigned all_bits = 8 * sizeof(Id);
  const unsigned bits = nodes ? std::min(all_bits, prepare::bits_for_nodes(*nodes)) : all_bits;
  if (bits <= 31) return body(ArcKeys<std::uint64_t, 0>{bits});
  if (bits <= 63) return body(ArcKeys<core::uint128, 0>{bits});
  return body(ArcKeys<core::uint128, 4>{bits});
}

}  // namespace emgraph::graph::stats
