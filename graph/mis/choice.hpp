// SPDX-License-Identifier: MIT
// Which memory model and queue a run of `mis` takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/mis/mis.hpp"

namespace emgraph::graph::mis {

struct Demand : ModelDemand {
  /// True: the input is a generator and may be read in passes. A pass sorts only as many edges as fit into
  /// the memory besides the bits and into temporary space, so the bits may take more than half of the memory.
  bool generated_passes = false;
};

/// A queue, and the memory reserved for it while the edges are sorted.
struct QueueChoice {
  Queue queue = Queue::automatic;  ///< automatic: decided when n is known
  std::size_t queue_bytes = 0;
};

/// Chooses before the edges are read. Throws UsageError (model and queue contradict each other),
/// MemoryLimitError (a forced model or queue does not fit).
QueueChoice choose_queue(const Demand& demand, const Options& options);

/// The queue for n nodes in `queue_bytes`. Called again after reading if n was not known before. Throws
/// MemoryLimitError (the requested queue does not fit).
Queue queue_for_nodes(Queue wanted, std::uint64_t nodes, std::size_t queue_bytes);

/// The model's name and the reason for it, for the summary.
ModelChoice describe_choice(const Demand& demand, std::uint64_t nodes, Queue queue, const Options& options);

std::string_view name(Queue queue);

}  // namespace emgraph::graph::mis
