// SPDX-License-Identifier: MIT
// Copies edges from a source to a writer, unchanged and in order.
#pragma once

#include <cstdint>
#include <optional>

#include "apps/run/session.hpp"
#include "graph/edge_source.hpp"
#include "graph/format/source/edge_writer.hpp"

namespace emgraph::apps {

/// The largest n that fits 64 bits.
inline constexpr std::uint64_t most_nodes = ~std::uint64_t{0};

struct Copied {
  std::uint64_t edges = 0;
  std::uint64_t largest_id = 0;  ///< 0 without edges
  /// Largest id + 1; below 2^64 also with the id 2^64 - 1.
  std::uint64_t nodes() const {
    return edges == 0 || largest_id == ~std::uint64_t{0} ? largest_id : largest_id + 1;
  }
};

/// Copies the first `limit` edges to `writer`, the writer of -o. Threads decode in parallel, encode in
/// parallel if the writer supports it, and append one at a time in order. If edges have been written in
/// place, IdTooWide becomes a DataError with advice, so that with_input does not write them again. Throws
/// DataError if an id is not below `nodes`, or not below what the writer can store.
Copied copy_edges(Session& session, graph::RecordSource& edges, std::uint64_t limit,
                  graph::format::EdgeWriter& writer, std::optional<std::uint64_t> nodes = std::nullopt);

/// For a forecast: reserves the memory of copy_edges of a whole input.
void rehearse_copy(Session& session, graph::RecordSource& edges, graph::format::EdgeWriter& writer);

}  // namespace emgraph::apps
