// SPDX-License-Identifier: MIT
// Which memory model a run of `triangles` takes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::graph::triangles {

/// What is known before the degrees are counted.
struct Demand {
  MemoryModel model = MemoryModel::automatic;  ///< as requested by the user
  std::size_t memory_bytes = 0;                ///< free memory for the solver
  std::size_t id_bytes = 4;
  bool per_node = false;
  bool degrees = false;
  bool list = false;
  std::uint64_t copies_of_node = 1;  ///< as Options
  std::uint64_t copies_of_edge = 1;

  /// Bytes per node: a rank of 4; a count of 8; a degree of 4; an id, to convert triples back.
  std::uint64_t bytes_per_node() const {
    return 4 + (per_node ? 8U : 0U) + (degrees ? 4U : 0U) + (list ? id_bytes : 0);
  }
  std::uint64_t bytes_for(std::uint64_t nodes) const { return core::size_product(nodes, bytes_per_node()); }
  /// Number of nodes whose data take at most three quarters of the memory.
  std::uint64_t most_nodes() const { return memory_bytes / 4 * 3 / bytes_per_node(); }
};

/// Throws MemoryLimitError if there are too many nodes for a forced model.
void check_nodes(const Demand& demand, std::uint64_t nodes);

/// The error for a forced model, if the degrees of an unknown number of nodes did not fit, although ranks
/// would.
core::MemoryLimitError nodes_unknown(const Demand& demand);

/// Chooses internal or semi-external after ranks and edges without loops were counted. Throws
/// MemoryLimitError.
MemoryModel choose_lists(const Demand& demand, std::uint64_t nodes, std::uint64_t ranks, std::uint64_t edges);

/// The model's name and the reason for it, for the summary.
ModelChoice describe_choice(const Demand& demand, MemoryModel model, std::uint64_t nodes, std::uint64_t ranks,
                            std::uint64_t edges, std::uint64_t chunks);

}  // namespace emgraph::graph::triangles
