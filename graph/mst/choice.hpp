// SPDX-License-Identifier: MIT
// Which method and memory model a run of `mst` takes, and how it divides its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/mst/mst.hpp"

namespace emgraph::graph::mst {

/// The result of an attempt. If it is not done, the next attempt uses the facts it has found.
enum class Outcome { done, codes_too_narrow, too_many_nodes };

/// Which method the state in a checkpoint is of. Then follow the layout of the codes and the edges read.
enum class SavedForest : std::uint64_t { batches = 1, ranges = 2 };

/// `memory_bytes`: free memory when the lanes are open.
struct Demand : ModelDemand {
  bool nodes_guessed = false;  ///< the number of nodes was estimated by a sample
  std::size_t code_bytes = 8;  ///< bytes of an edge code in memory
};

/// Sizes of Batches.
struct BatchPlan {
  std::size_t pool_codes = 0;
  std::size_t first_codes = 0;  ///< codes in the pool at its first reduction
  std::size_t next_codes = 0;   ///< codes added to the forest before the next reduction
  std::size_t levels = 0;       ///< most levels of labels
};

/// Sizes of RangeForest.
struct ReductionPlan {
  std::uint64_t ranges = 1;
  std::uint64_t range_nodes = 0;
  std::size_t sorter_bytes = 0;  ///< memory for sorting edges by weight
  unsigned sorter_threads = 1;
  std::size_t block_bytes = 0;  ///< bytes of a block of edges that move between ranges
  std::size_t merge_bytes = 0;
  std::size_t seen_pairs = 0;  ///< size of the table that drops parallel edges
};

/// nullopt: a few forests do not fit, or the external model is forced.
/// Throws MemoryLimitError (model internal, and the edges do not fit).
std::optional<BatchPlan> plan_batches(const Demand& demand, const Options& options);

/// True if light edges are united first and the heavy ones filtered in a second reading, although batches
/// fit: of many edges per node that can be read again at little cost. `quick_to_reread`: as EdgeSource.
/// `sampled`: a sample of the edges is at hand.
bool prefers_ranges(const Demand& demand, const Options& options, bool quick_to_reread, bool sampled);

/// Number of threads that can sort by weight in this memory; 0 if it does not suffice for one.
unsigned sorter_threads(const Demand& demand, std::size_t memory_bytes);

/// Memory for sorting by weight while n is not known.
ReductionPlan plan_before_nodes(const Demand& demand);

/// A plan for `nodes` nodes. `node_bytes`: 4 or 8. `moved_bytes`: bytes of an edge that moves between ranges.
/// Throws MemoryLimitError with the least sufficient amount.
ReductionPlan plan_ranges(const Demand& demand, const Options& options, std::uint64_t nodes,
                          std::size_t node_bytes, std::size_t moved_bytes);

/// The model's name and the reason for it, for the summary.
ModelChoice describe_batches(const Demand& demand, const Options& options, std::uint64_t nodes,
                             std::uint64_t edges);
ModelChoice describe_ranges(const Demand& demand, const Options& options, std::uint64_t nodes,
                            std::size_t node_bytes, const ReductionPlan& plan);

}  // namespace emgraph::graph::mst
