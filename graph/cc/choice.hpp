// SPDX-License-Identifier: MIT
// Which memory model a run of `cc` takes: arithmetic on declared bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/error.hpp"
#include "graph/cc/cc.hpp"

namespace emgraph::graph::cc {

/// What is known before the edges are read.
struct Demand {
  std::optional<std::uint64_t> nodes;
  std::optional<std::uint64_t> edges;
  std::size_t id_bytes = 4;
  std::size_t memory_bytes = 0;  ///< free for the solver, the reading of its input included
};

/// Nodes whose ids fit in `free_bytes`, with some of it left to those who reserve later.
std::uint64_t most_nodes(std::size_t free_bytes, std::size_t id_bytes);

/// Throws MemoryLimitError when `model` is forced and cannot fit, as far as that is known before reading.
void check_forced(const Demand& demand, MemoryModel model);

/// For a forced model that `nodes` nodes do not fit.
core::MemoryLimitError too_many_nodes(const core::MemoryBudget& budget, std::uint64_t nodes,
                                      std::size_t id_bytes, std::size_t free_bytes);

/// The model's name and the reason for it, for the summary.
ModelChoice describe_choice(const Demand& demand, std::uint64_t nodes, bool external, MemoryModel forced);

}  // namespace emgraph::graph::cc
