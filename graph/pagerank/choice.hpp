// SPDX-License-Identifier: MIT
// Chooses the memory model of a run of `pagerank`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/memory_model.hpp"
#include "graph/pagerank/ranges.hpp"

namespace emgraph::graph::pagerank {

/// What is known before the edges are read. Unknown sizes are nullopt.
struct Demand {
  MemoryModel model = MemoryModel::automatic;
  std::size_t id_bytes = 4;
  bool weighted = false;
  std::size_t memory_bytes = 0;
  std::optional<std::uint64_t> nodes_below;  ///< a bound of n
  std::optional<std::uint64_t> most_arcs;    ///< a bound of m
};

/// Bytes of the internal model (in_memory.hpp).
std::uint64_t internal_bytes(const Demand& demand, std::uint64_t nodes, std::uint64_t arcs);

/// True if the arcs are to be kept in memory while they are sorted: they take at most half of it, because the
/// sort needs memory, too.
bool keep_while_sorting(const Demand& demand);

/// Throws MemoryLimitError if the semi-external model is forced and the shares of all nodes do not fit.
void require_semi_external(const Demand& demand, const RangePlan& plan, std::uint64_t nodes);

/// The model of a run whose sizes are known, with `free_bytes` for it. Throws MemoryLimitError if the forced
/// model does not fit.
ModelChoice choose(const Demand& demand, const RangePlan& plan, std::uint64_t nodes, std::uint64_t arcs,
                   std::size_t free_bytes);

}  // namespace emgraph::graph::pagerank
