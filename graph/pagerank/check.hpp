// SPDX-License-Identifier: MIT
// Checks that values are the PageRank of a graph.
//
// Property: the ranks are the only solution of PR = F(PR), where F is one round of pagerank.hpp. F brings two
// vectors closer by the factor d. So if the L1 distance of x and F(x), the residual, is r, then x is at most
// r / (1 - d) away from the solution. The checker computes F(x) itself in doubles and compares r with a
// tolerance. It also demands that the values are numbers, not negative, and add up to 1. Of the
// solver it uses only what weights and sources are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/environment.hpp"
#include "graph/edge_source.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/verdict.hpp"

namespace emgraph::graph::pagerank {

struct CheckOptions {
  std::optional<std::uint64_t> nodes;  ///< n; default: the source's, else the largest id of the edges + 1
  bool undirected = false;
  bool weighted = false;  ///< as in pagerank.hpp
  double damping = 0.85;
  double tolerance = 1e-6;  ///< of the residual
  /// As in pagerank.hpp.
  std::span<const std::uint64_t> sources = {};
  std::string sources_file = "the list of sources";  ///< its name, for messages
};

struct Verdict : graph::Verdict {
  Verdict() : graph::Verdict({MemoryModel::semi_external, "24 bytes per node"}) {}
  double residual = 0;  ///< when all values are numbers
  double sum = 0;
};

/// Bytes that check() keeps for each node.
inline constexpr std::uint64_t checked_node_bytes = 24;

/// I/O: the ranks once, the edges twice (spooled if they come only once). Memory: 24 bytes per node.
/// Threads: one for the sums. Throws: DataError (unreadable input; a source not below n; weights as in
/// pagerank.hpp), MemoryLimitError (saying what would do), EnvironmentError.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& edges, format::NodeReader& ranks,
              const CheckOptions& options);

}  // namespace emgraph::graph::pagerank
