// SPDX-License-Identifier: MIT
// Refuses an adjacency whose weights a solver cannot take.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/error.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/edge_weights.hpp"

namespace emgraph::graph::adjacency {

/// Throws DataError, naming the first edge with an invalid weight, unless the limits contain all weights.
/// I/O: none if they do, else a scan. Memory, threads, errors: as PagedAdjacency::scan with one thread.
template <class Id>
void require_weights(PagedAdjacency<Id>& pages, const WeightLimits& limits) {
  const AdjacencyFacts& facts = pages.facts();
  const auto valid = [&](std::uint64_t rank) { return limits.contain(facts.weight, rank); };
  if (facts.entries == 0 || (valid(facts.weights.least) && valid(facts.weights.largest))) return;
  const std::string& name = pages.context().name;
  pages.scan(1, 0, [&](unsigned, PageCursor<Id>& cursor) {
    std::array<Id, fragment_neighbours + 3> list;
    std::array<std::uint64_t, fragment_neighbours> weights;
    std::uint64_t edge = cursor.foot().first_entry;
    for (; cursor.next(); edge += cursor.count()) {
      cursor.decode(list.data());
      cursor.decode_weights(weights.data());
      for (unsigned i = 0; i < cursor.count(); ++i) {
        const std::uint64_t rank = rank_of_weight(facts.weight, weights[i]);
        if (valid(rank)) continue;
        refuse_weight(name, edge + i, cursor.node(), list[i], facts.weight, rank, limits.expected);
      }
    }
  });
  throw core::DataError::in_file(name, "no edge has the least or the largest weight that the footer names");
}

}  // namespace emgraph::graph::adjacency
