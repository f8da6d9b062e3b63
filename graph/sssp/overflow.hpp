// SPDX-License-Identifier: MIT
// Distances that do not fit into 64 bits are refused.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "core/base/error.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/sssp/bucket_width.hpp"
#include "graph/sssp/distances.hpp"

namespace emgraph::graph::sssp {

/// An arc on which a distance overflows: its source is reached, its target is not.
struct OverflowingArc {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::uint64_t weight = 0;
  std::uint64_t distance = 0;  ///< of the source
  auto operator<=>(const OverflowingArc&) const = default;

  [[noreturn]] void refuse() const {
    throw core::DataError("edge (" + std::to_string(source) + ", " + std::to_string(target) + ") of weight " +
                          std::to_string(weight) + " leads on from distance " + std::to_string(distance) +
                          ": expected distances below 18446744073709551615, which fit 64 bits");
  }
};

/// True if a sum may have overflowed. If a distance does not fit, some arc leads from a reached node to an
/// unreached one; its sum is at most this one.
template <class Distances>
bool may_overflow(std::uint64_t max_distance, const adjacency::AdjacencyFacts& facts) {
  return !Distances::floating && Distances::add(max_distance, largest_length(facts)) == Distances::unreached;
}

/// Throws DataError if an arc leads from a reached node to an unreached one, for the least such arc. Requires:
/// `distances` are those of a complete search with integers. I/O: a scan. Memory: as PagedAdjacency::scan.
/// Threads: all.
template <class Id>
void refuse_overflow(core::Environment& environment, adjacency::PagedAdjacency<Id>& pages,
                     std::span<const std::uint64_t> distances) {
  std::optional<OverflowingArc> least;
  std::mutex mutex;
  pages.scan(environment.threads, 0, [&](unsigned, adjacency::PageCursor<Id>& cursor) {
    std::array<Id, adjacency::fragment_neighbours + 3> list;
    std::array<std::uint64_t, adjacency::fragment_neighbours> weights;
    while (cursor.next()) {
      const std::uint64_t distance = distances[static_cast<std::size_t>(cursor.node())];
      if (distance == IntegerDistances::unreached) continue;
      cursor.decode(list.data());
      cursor.decode_weights(weights.data());
      for (unsigned i = 0; i < cursor.count(); ++i) {
        if (distances[static_cast<std::size_t>(list[i])] != IntegerDistances::unreached) continue;
        const OverflowingArc arc{cursor.node(), list[i], weights[i], distance};
        const std::lock_guard lock(mutex);
        if (!least || arc < *least) least = arc;
      }
    }
  });
  if (least) least->refuse();
}

}  // namespace emgraph::graph::sssp
