// SPDX-License-Identifier: MIT
// The temporary space for values of all nodes, compared with what is free before they are written.
#pragma once

#include <cstdint>

#include "core/environment.hpp"

namespace emgraph::graph {

/// Throws EnvironmentError if the temporary disks have less than `bytes` free, which values of `nodes` nodes
/// take at least.
void require_node_space(const core::Environment& environment, std::uint64_t nodes, std::uint64_t bytes);

}  // namespace emgraph::graph
