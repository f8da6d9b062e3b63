// SPDX-License-Identifier: MIT
// What a checkpoint keeps of a run of `triangles`.
//
// Every state starts with a Place. Then follow: count: the degrees so far. sort: the place of the sort by
// rank. intersect: the position of the passes; whether counts of the nodes follow, and these. The ranks are a
// state file, and so are the lists, when the first state of the passes is sealed. Without memory for one rank
// per node the first state is one of the passes.
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
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;  ///< as read
  std::uint64_t largest_id = 0;
  core::StateFile ranks = {};
  core::StateFile lists = {};
  RankFacts facts = {};
  SegmentPlan segments = {};
};

using KeptState = core::KeptState<Place>;

}  // namespace emgraph::graph::triangles
