// SPDX-License-Identifier: MIT
// Which memory model a run of the benchmark takes, and what it keeps in memory.
#pragma once

#include <cstdint>

#include "graph/graph500/benchmark.hpp"
#include "graph/graph500/edge_list.hpp"
#include "graph/graph500/kernels.hpp"
#include "graph/graph500/validation.hpp"

namespace emgraph::graph::graph500 {

/// Throws UsageError.
void check_options(const Options& options);

/// Throws MemoryLimitError if a forced model does not fit, or if external validation could not run.
ModelChoice choose_model(const Options& options, const EdgeList& list, GraphParts parts, unsigned threads,
                         std::uint64_t free_bytes);

/// The copies that validation makes: where the graph is in memory there is room for them.
Validator::Copies validation_copies(MemoryModel model, GraphParts parts);

/// Bytes of the validation in memory.
std::uint64_t validation_bytes(const EdgeList& list, Validator::Copies copies, unsigned threads);

/// Bytes of a run with the graph in memory, without the edge list.
std::uint64_t internal_run_bytes(const EdgeList& list, GraphParts parts, unsigned threads);

/// Whether the edge list is kept in memory beside the graph.
bool stores_edges(MemoryModel model, const EdgeList& list, GraphParts parts, unsigned threads,
                  std::uint64_t free_bytes);

}  // namespace emgraph::graph::graph500
