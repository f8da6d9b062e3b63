// SPDX-License-Identifier: MIT
// Which memory model and queue a run of `mis` takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/mis/mis.hpp"

namespace emgraph::graph::mis {

struct Demand : ModelDemand {
  /// The input is a generator and may be taken in passes. A pass sorts as many edges as the memory beside the
  /// bits and the temporary space hold, so the bits may take more than half of the memory.
  bool generated_passes = false;
};

/// A queue with the memory set aside for it while the edges are sorted.
struct QueueChoice {
  Queue queue = Queue::automatic;  ///< automatic: decided when n is known
  std::size_t queue_bytes = 0;
};

/// Before the edges are read. Throws UsageError (model and queue contradict each other), MemoryLimitError (a
/// forced one does not fit).
QueueChoice choose_queue(const Demand& demand, const Options& options);

/// The queue for n nodes in `queue_bytes`; asked again after reading if n was not known before. Throws
/// MemoryLimitError (the wanted queue does not fit).
Queue queue_for_nodes(Queue wanted, std::uint64_t nodes, std::size_t queue_bytes);

/// The model's name and the reason for it, for the summary.
ModelChoice describe_choice(const Demand& demand, std::uint64_t nodes, Queue queue, const Options& options);

std::string_view name(Queue queue);

}  // namespace emgraph::graph::mis
