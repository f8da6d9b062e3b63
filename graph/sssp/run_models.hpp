// SPDX-License-Identifier: MIT
// The runs of the three models: each searches from all roots, or answers all queries.
#pragma once

#include "core/environment.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/prepare/adjacency/kept_search.hpp"
#include "graph/sssp/in_memory.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {

/// The arguments that the searches of one run share.
template <class Id>
struct RunArguments {
  core::Environment& environment;
  const Options& options;
  Outputs<Id>* outputs;
  adjacency::KeptSearch<Id>* kept = nullptr;  ///< null without a checkpoint

  bool wants_distances() const { return outputs != nullptr && outputs->wants_distances(); }
  bool wants_parents() const { return outputs != nullptr && outputs->wants_parents(); }
};

/// The internal model, on rows in memory. `rows`: replaced if the options want another order of the nodes.
template <class Id>
void run_internal(const RunArguments<Id>& arguments, AnyRows<Id>& rows, const LengthFacts& lengths,
                  Result& result);

/// The semi-external model: a distance per node in memory.
template <class Id>
void run_semi_external(const RunArguments<Id>& arguments, adjacency::PagedAdjacency<Id>& pages,
                       Result& result);

/// The external model.
template <class Id>
void run_external(const RunArguments<Id>& arguments, adjacency::PagedAdjacency<Id>& pages, Result& result);

}  // namespace emgraph::graph::sssp
