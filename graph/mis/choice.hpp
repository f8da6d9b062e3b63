// SPDX-License-Identifier: MIT
// Which memory model and queue a run of `mis` takes: arithmetic on declared bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/mis/mis.hpp"

namespace emgraph::graph::mis {

/// What is known before the edges are read.
struct Demand {
  std::optional<std::uint64_t> nodes;
  std::optional<std::uint64_t> edges;
  std::size_t id_bytes = 4;
  std::size_t memory_bytes = 0;  ///< free for the solver
  /// The input is a generator and may be taken in passes: a pass sorts what the memory beside the bits and
  /// the temporary space hold, so the bits may take more than half.
  bool generated_passes = false;
};

/// A queue with the memory set aside for it while the edges are sorted.
struct QueueChoice {
  Queue queue = Queue::automatic;  ///< automatic: decided when n is known
  std::size_t queue_bytes = 0;
};

/// Before reading. Throws UsageError (model and queue contradict), MemoryLimitError (a forced one cannot
/// fit).
QueueChoice choose_queue(const Demand& demand, const Options& options);

/// After reading, n is known and `queue_bytes` are free.
Queue settle_queue(Queue wanted, std::uint64_t nodes, std::size_t queue_bytes);

/// The model's name and the reason for it, for the summary.
ModelChoice describe_choice(const Demand& demand, std::uint64_t nodes, Queue queue, const Options& options);

std::string_view name(Queue queue);

}  // namespace emgraph::graph::mis
