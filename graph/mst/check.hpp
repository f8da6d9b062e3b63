// SPDX-License-Identifier: MIT
// Checks that a list of edges is the minimum spanning forest of a graph.
//
// Property: a set F of edges of G is its minimum spanning forest, by the total order (weight, low id, high
// id), iff F has no cycle and every edge e of G has its ends connected in F by a path none of whose edges is
// above e. There is exactly one such F. The path's largest edge is found in a tree of nodes, united by rank
// in ascending order of F's edges and never compressed: it is the last link on the way from the ends of e to
// where they meet. Of the solver's code only the ranks of weights are used (graph/weighting.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_source.hpp"
#include "graph/verdict.hpp"
#include "graph/weighting.hpp"

namespace emgraph::graph::mst {

/// The edges of the forest to check, in the order of the file. Memory: 24 bytes per edge.
struct ClaimedForest {
  struct Edge {
    std::uint64_t low;
    std::uint64_t high;
    std::uint64_t rank;  ///< of the weight among those of `kind`
  };
  core::Array<Edge> edges;
  std::size_t count = 0;
  WeightType kind = WeightType::i64;  ///< i64 of integers; f64 of floating-point numbers, also narrow ones
  std::string name;
};

/// i64 or f64: the type whose numbers are all those of integer or of floating-point weights.
WeightType kind_of_weights(WeightType type);

/// Reads the forest to check. Throws UsageError (no weights), DataError (unreadable, weight NaN),
/// MemoryLimitError, EnvironmentError.
ClaimedForest load_forest(core::Environment& environment, EdgeSource<std::uint64_t>& source);

struct Verdict : graph::Verdict {
  Verdict() : graph::Verdict({MemoryModel::semi_external, "sets of nodes in memory"}) {}
  std::uint64_t forest_edges = 0;
};

struct CheckOptions {
  std::optional<std::uint64_t> nodes;  ///< n; default: the graph's, else the largest id of both + 1
  Weighting weighting;                 ///< of the graph's edges
  bool maximum = false;                ///< a maximum spanning forest: the order of weights is reversed
};

/// Throws UsageError if the graph has no weights, or not those of `kind`, as the forest has. `forest`: its
/// name.
void require_comparable(const EdgeFacts& graph, const Weighting& weighting, WeightType kind,
                        const std::string& forest);
/// Bytes that check() reserves while it reads the edges. Throws MemoryLimitError if they are not free.
std::uint64_t check_bytes(const core::MemoryBudget& memory, std::uint64_t nodes, std::uint64_t forest_edges);

/// I/O: the graph's edges once. Memory: 9 bytes per node (17 above 2^32), 24 per edge of the forest. Threads:
/// reading on all. Throws: UsageError (weights that cannot be compared), DataError (unreadable input, weight
/// NaN, id not below n), MemoryLimitError with what would do, EnvironmentError.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& graph, ClaimedForest forest,
              const CheckOptions& options);

}  // namespace emgraph::graph::mst
