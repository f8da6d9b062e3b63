// SPDX-License-Identifier: MIT
// Parents by arcs between nodes at equal distances, in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "graph/node_values.hpp"
#include "graph/visited_pages.hpp"

namespace emgraph::graph::sssp {

/// A tight arc between nodes at the same distance.
template <class Id>
struct LevelArc {
  Id target;
  Id source;
};

/// Memory of find_level_parents() per arc.
template <class Id>
constexpr std::size_t level_arc_bytes = 2 * sizeof(LevelArc<Id>) + sizeof(Id);

/// Gives a parent to each target that has a way of these arcs from a node in `known`, and adds it to `known`.
/// Round by round: the parent is the smallest source that was known before the round. Arcs that are left lead
/// to nodes that are not reached.
///
/// Method: a search. A target without a parent has no arc from a node that was known before the latest round,
/// so a round looks only at the nodes of the round before. O(m log m). I/O: the arcs once in. Memory:
/// level_arc_bytes per arc. Threads: one. Throws: MemoryLimitError, EnvironmentError.
template <class Id>
void find_level_parents(core::Environment& environment, core::Run<LevelArc<Id>> waiting,
                        NodeValues<Id>& parents, VisitedPages& known);

}  // namespace emgraph::graph::sssp
