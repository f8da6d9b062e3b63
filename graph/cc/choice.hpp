// SPDX-License-Identifier: MIT
// Which memory model a run of `cc` takes. The reading of the input counts as part of the solver here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/error.hpp"
#include "graph/cc/cc.hpp"

namespace emgraph::graph::cc {

/// Nodes whose ids fit in `free_bytes`, with some of it left for later reservations.
std::uint64_t most_nodes(std::size_t free_bytes, std::size_t id_bytes);

/// Throws MemoryLimitError when `model` is forced and cannot fit, as far as that is known before reading.
void check_forced(const ModelDemand& demand, MemoryModel model);

/// The error of a forced model for which `nodes` nodes are too many.
core::MemoryLimitError too_many_nodes(const core::MemoryBudget& budget, std::uint64_t nodes,
                                      std::size_t id_bytes, std::size_t free_bytes);

/// The model's name and the reason for it, for the summary.
ModelChoice describe_choice(const ModelDemand& demand, std::uint64_t nodes, bool external,
                            MemoryModel forced);

}  // namespace emgraph::graph::cc
