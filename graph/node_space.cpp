// SPDX-License-Identifier: MIT
// Asks the temporary disks before values of nodes are written.
#include "graph/node_space.hpp"

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/block/manager.hpp"

namespace emgraph::graph {

void require_node_space(const core::Environment& environment, std::uint64_t nodes, std::uint64_t bytes) {
  const std::uint64_t free = environment.blocks.free_bytes();
  if (bytes <= free) return;
  throw core::EnvironmentError("values of " + core::format_count(nodes) + " nodes need at least " +
                               core::format_size(bytes) + " of temporary space, " + core::format_size(free) +
                               " are free; name another or a further disk by -T, or use --relabel if ids " +
                               "are sparse");
}

}  // namespace emgraph::graph
