// SPDX-License-Identifier: MIT
// Copies edges from a source to a writer, unchanged and in order.
#pragma once

#include <cstdint>

#include "apps/run/session.hpp"
#include "graph/edge_source.hpp"
#include "graph/format/source/edge_writer.hpp"

namespace emgraph::apps {

struct Copied {
  std::uint64_t edges = 0;
  std::uint64_t largest_id_plus_1 = 0;  ///< 0 without edges
};

/// Copies the first `limit` edges to `writer`, the writer of -o. Threads decode in parallel, encode in
/// parallel if the writer supports it, and append one at a time in order. If edges have been written in
/// place, IdTooWide becomes a DataError with advice, so that with_input does not write them again.
Copied copy_edges(Session& session, graph::RecordSource& edges, std::uint64_t limit,
                  graph::format::EdgeWriter& writer);

/// For a forecast: reserves the memory of copy_edges of a whole input.
void rehearse_copy(Session& session, graph::RecordSource& edges, graph::format::EdgeWriter& writer);

}  // namespace emgraph::apps
