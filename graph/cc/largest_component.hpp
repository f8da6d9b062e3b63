// SPDX-License-Identifier: MIT
// The nodes of the largest component, for a filter; of equal ones that with the smallest label.
//
// Method: the labels of cc.hpp wait on the temporary disks until the largest is known, and are read again.
// Sparse ids are numbered without gaps first; the set is then a list of ids.
//
// I/O: that of cc::run, and the labels out and in; for sparse ids that of relabel(), and the ids out and in.
// Memory: that of cc::run; then a bit per node, or 8 bytes per node of the component for sparse ids. Threads:
// as cc::run. Throws: what relabel() and cc::run throw; MemoryLimitError.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/forecast.hpp"
#include "graph/prepare/filtered_source.hpp"

namespace emgraph::graph::cc {

/// `facts`: of `edges`, which can be rewound and are at their first edge; n must be set. `sparse`: see above.
/// `among`: only these nodes are in the graph, and all edges join two of them; null: all nodes. It must be
/// valid as long as `edges`.
prepare::ListedNodes largest_component(core::Environment& environment, std::shared_ptr<RecordSource> edges,
                                       const EdgeFacts& facts, bool sparse,
                                       const prepare::ListedNodes* among);

/// Adds to `forecast` what largest_component() takes for ids that are not sparse. Returns the memory of the
/// set. I/O: a sample of the edges.
core::Reservation forecast_largest_component(core::Environment& environment,
                                             const std::shared_ptr<RecordSource>& edges,
                                             const EdgeFacts& facts, const InputSize& size,
                                             Forecast& forecast);

}  // namespace emgraph::graph::cc
