// SPDX-License-Identifier: MIT
// Checks that a request for edges can be met.
#include "graph/generate/edge_slots.hpp"

#include <stdexcept>
#include <string>

namespace emgraph::graph::generate {

void require_edge_range(std::uint64_t first_edge, std::uint64_t count, std::uint64_t edges) {
  if (first_edge <= edges && count <= edges - first_edge) return;
  throw std::out_of_range("edges from " + std::to_string(first_edge) + ", " + std::to_string(count) +
                          " of them, asked of a generated graph of " + std::to_string(edges) + " edges");
}

void require_id_width(std::uint64_t nodes, std::size_t id_bytes) {
  if (id_bytes == 8 || nodes <= (std::uint64_t{1} << 32)) return;
  throw std::invalid_argument("a generated graph of " + std::to_string(nodes) +
                              " nodes needs 64-bit ids; 32-bit ids hold 2^32 = 4294967296 nodes");
}

}  // namespace emgraph::graph::generate
