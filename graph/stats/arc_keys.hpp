// SPDX-License-Identifier: MIT
// Edges as sort keys for which both directions of a pair are adjacent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/sort/distribution_sorter.hpp"
#include "core/sort/key_batch.hpp"
#include "graph/edge_source.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::stats {

/// Orders as (smaller end, larger end), and keeps which of them was the source. If `Attached` is false the
/// lowest bit of the key says it: id_bits at most 31 (63) in 64 (128) bits. Ids of 64 bits leave no bit free:
/// an attached byte says it.
template <core::IntegerKey Key, bool Attached>
struct ArcKeys {
  using key_type = Key;
  using Sorter = core::DistributionSorter<Key>;
  static constexpr std::size_t attachment_bytes = Attached ? 1 : 0;
  static constexpr unsigned spare_bits = Attached ? 0 : 1;

  unsigned id_bits = 1;

  Key make(std::uint64_t source, std::uint64_t target) const {
    const Edge64 ends = low_high(source, target);
    const Key key = pair_key(ends.source, ends.target);
    return Attached ? key : key | static_cast<Key>(target < source ? 1 : 0);
  }
  /// The keys of a batch of edges.
  template <class Id>
  void push(typename Sorter::Lane& lane, const EdgeBatch<Id>& batch) const {
    if constexpr (Attached) {
      for (const auto& [source, target] : batch) {
        lane.push_with(make(source, target), std::byte{target < source});
      }
    } else {
      core::KeyBatch<typename Sorter::Lane> records(lane);
      for (const auto& [source, target] : batch) records.push(make(source, target));
      records.flush();
    }
  }
  std::uint64_t low(Key key) const { return static_cast<std::uint64_t>(key >> (id_bits + spare_bits)); }
  std::uint64_t high(Key key) const {
    return static_cast<std::uint64_t>(key >> spare_bits & core::low_mask<Key>(id_bits));
  }
  /// `attachments`: of the batch that has `key` at `at`.
  bool backward(Key key, const std::byte* attachments, std::size_t at) const {
    if constexpr (Attached) return attachments[at] != std::byte{0};
    return (key & 1) != 0;
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
  if (bits <= 31) return body(ArcKeys<std::uint64_t, false>{bits});
  if constexpr (sizeof(Id) == 8) {
    if (bits > 63) return body(ArcKeys<core::uint128, true>{bits});
  }
  return body(ArcKeys<core::uint128, false>{bits});
}

}  // namespace emgraph::graph::stats
