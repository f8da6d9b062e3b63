// SPDX-License-Identifier: MIT
// Chooses the memory model of a run of `cc`. Here the memory for reading the input counts as part of the
// solver's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/error.hpp"
#include "graph/cc/cc.hpp"

namespace emgraph::graph::cc {

/// Number of nodes whose ids fit into `free_bytes`, with some memory left for later reservations.
std::uint64_t most_nodes(std::size_t free_bytes, std::size_t id_bytes);

/// Throws MemoryLimitError if `model` is forced and is known before reading not to fit.
void check_forced(const ModelDemand& demand, MemoryModel model);

/// The error for a forced model, if `nodes` nodes do not fit.
core::MemoryLimitError too_many_nodes(const core::MemoryBudget& budget, std::uint64_t nodes,
                                      std::size_t id_bytes, std::size_t free_bytes);

/// The model's name and the reason for it, for the summary.
ModelChoice describe_choice(const ModelDemand& demand, std::uint64_t nodes, bool external,
                            MemoryModel forced);

}  // namespace emgraph::graph::cc
