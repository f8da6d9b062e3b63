// SPDX-License-Identifier: MIT
// What a checkpoint keeps of a sort, beside the state of its output.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/base/bytes.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/io/state_stream.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::prepare {

/// The output of a sort that can go on in another process.
struct KeptOutput {
  std::function<void(core::StateWriter&)> save;
  std::function<void(core::StateReader&)> restore;
};

/// The start of every state of a sort.
struct SealedSort {
  enum Stage : std::uint64_t { distributing = 1, writing = 2, filtering = 3 };
  std::uint64_t stage = distributing;
  std::uint64_t edges_read = 0;
  std::uint64_t largest_id = 0;
  std::uint64_t ids_below = 0;  ///< 0: no bound
  std::uint64_t guessed = 0;    ///< 1: the bound is a guess
  std::uint64_t edges_out = 0;
  std::uint64_t duplicates_removed = 0;
  std::uint64_t loops_removed = 0;

  IdBound bound() const {
    IdBound bound;
    if (ids_below > 0) bound.below = ids_below;
    bound.guessed = guessed != 0;
    return bound;
  }
};

/// The edges of a batch from edge `from` on; `first`: number of its first edge.
template <class Id>
EdgeBatch<Id> from_edge(const EdgeBatch<Id>& batch, std::uint64_t first, std::uint64_t from) {
  if (first >= from) return batch;
  const auto skip = static_cast<std::size_t>(std::min<std::uint64_t>(batch.size(), from - first));
  return batch.subspan(skip, batch.size() - skip);
}

/// For people: "12,345 edges are read".
inline std::string edges_done(std::uint64_t edges, const char* what) {
  return core::format_count(edges) + " edges are " + what;
}

}  // namespace emgraph::graph::prepare
