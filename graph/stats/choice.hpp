// SPDX-License-Identifier: MIT
// Chooses whether the degrees are counted in memory or by a second sort, and divides the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/memory_model.hpp"

namespace emgraph::graph::stats {

/// The numbers known before a scan.
struct Demand {
  MemoryModel model = MemoryModel::automatic;
  std::size_t memory_bytes = 0;
  bool directed = false;
};

/// The division of the memory between the sort of the edges and the degrees.
struct DegreePlan {
  bool may_count = false;        ///< the counters fit, as far as known
  bool may_sort = false;         ///< a second sort is allowed
  std::size_t degree_bytes = 0;  ///< memory for the counters, or for the second sort
  std::size_t edge_bytes = 0;    ///< memory for the sorter of the edges
  std::size_t block_bytes = 0;   ///< bytes of a block of the run of the second sort

  /// `nodes`: a bound of n, if there is one. Throws MemoryLimitError if a forced model does not fit.
  static DegreePlan make(const Demand& demand, const std::optional<std::uint64_t>& nodes);
  /// True if the degrees of `nodes` nodes are counted in memory. Throws MemoryLimitError if a forced model
  /// does not fit.
  bool counts(const Demand& demand, std::uint64_t nodes) const;
};

/// The model's name and the reason for it.
ModelChoice describe_choice(const Demand& demand, bool counted, std::uint64_t nodes, std::uint64_t edges);

}  // namespace emgraph::graph::stats
