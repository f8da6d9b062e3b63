// SPDX-License-Identifier: MIT
// What a checkpoint keeps of a run of `triangles`.
//
// Every state starts with a Place. Then follow: count: the degrees so far. sort: the place of the sort by
// rank. intersect: the sort as it was before its keys were read, if it is kept; the position of the passes;
// the counts of the nodes. The ranks are a state file. What is not kept is made again from the input: it is
// the same, because ranks and lists do not depend on threads and memory, and segments have the sizes that the
// Place names.
#pragma once

#include <cstdint>
#include <functional>

#include "core/checkpoint/kept_state.hpp"
#include "graph/memory_model.hpp"
#include "graph/triangles/chunk_passes.hpp"
#include "graph/triangles/list_segments.hpp"

namespace emgraph::graph::triangles {

enum class Stage : std::uint64_t { count = 1, sort = 2, intersect = 3 };

struct Place {
  Stage stage = Stage::count;
  MemoryModel model = MemoryModel::automatic;  ///< automatic: not chosen yet
  bool sort_kept = false;
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< as read
  std::uint64_t largest_id = 0;
  core::StateFile ranks = {};
  RankFacts facts = {};
  SegmentPlan segments = {};
};

using KeptState = core::KeptState<Place>;

}  // namespace emgraph::graph::triangles
