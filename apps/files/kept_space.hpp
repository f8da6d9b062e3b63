// SPDX-License-Identifier: MIT
// The space of a checkpoint, told before the work starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "apps/run/session.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::apps {

/// Bytes that a solver may keep: for each edge and for each node.
struct KeptBytes {
  std::uint64_t per_edge = 0;
  std::uint64_t per_node = 0;
};

/// Of a sort of the edges as they are stored, and of two states with `node_bytes` for each node.
KeptBytes kept_with_edges(const graph::EdgeLayout& layout, std::uint64_t node_bytes);

/// Of a search: the keys of a sort and the pages, for each direction of an edge; lists and results.
KeptBytes kept_by_search(const graph::EdgeLayout& layout, bool directed);

/// Of pagerank: the keys of a sort and the lists, for each arc, both with weights if it is weighted; degrees,
/// sums and ranks.
KeptBytes kept_by_pagerank(const graph::EdgeFacts& input, bool undirected, bool weighted);

/// Of cdlp: the keys of a sort and the lists, for each direction of an edge; labels, of which up to three
/// runs are kept.
KeptBytes kept_by_lists(const graph::EdgeFacts& input, bool both_directions);

/// How often a sort of `records` records in `memory_bytes` of memory writes them: freed space of a checkpoint
/// is not used again, so it takes as many times their bytes.
std::uint64_t sort_writes(Session& session, std::uint64_t records, std::size_t record_bytes,
                          std::size_t memory_bytes);

/// A part of the message: how many bytes the open blocks of a sort add to each state while edges are read,
/// and how often at most a state is kept.
std::string kept_by_each_state(Session& session);

/// Tells that the checkpoint takes `bytes`, such as "up to 3 GiB", and how much is free in its directory.
void announce_checkpoint(Session& session, const std::string& bytes);

/// With a checkpoint, tells how much space the run may take in its directory, and how much is free. {}: only
/// the journal.
void announce_kept_space(Session& session, const graph::EdgeFacts& input, const KeptBytes& bytes);

}  // namespace emgraph::apps
