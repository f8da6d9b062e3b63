// SPDX-License-Identifier: MIT
// What a checkpoint keeps of a run of `mis`.
//
// Every state starts with a Place. Then follow, by method: passes: the place of the pass and the bits, the
// place of its sort. in_order: the scan. sorted: the place of the sort, and the scan once it has begun. A
// scan is kept as its queue, the source of the latest edge, and the output so far.
#pragma once

#include <cstdint>
#include <functional>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/checkpoint/kept_state.hpp"
#include "graph/mis/choice.hpp"
#include "graph/mis/range_messages.hpp"
#include "graph/prepare/sort_keeper.hpp"

namespace emgraph::graph::mis {

enum class Method : std::uint64_t { passes = 1, in_order = 2, sorted = 3 };

struct Place {
  Method method = Method::sorted;
  Queue queue = Queue::automatic;  ///< automatic: not chosen yet
  std::uint64_t edges_read = 0;    ///< in_order
  std::uint64_t largest_id = 0;    ///< in_order
};

struct KeptState : core::KeptState<Place> {
  using core::KeptState<Place>::KeptState;
  /// The queue of the earlier run is kept, because its messages are.
  Options with_queue(const Options& options) const {
    Options kept = options;
    if (reader != nullptr && place.queue != Queue::automatic) {
      kept.queue = place.queue;
      kept.model = MemoryModel::automatic;
    }
    return kept;
  }
};

/// What a scan gives to its checkpoint.
struct KeptScan {
  std::function<void()> prepare;  ///< to be called before a state is sealed
  prepare::SaveState save;
};

/// The plan of a ranges queue: that of the earlier run if there is a state, else a new one. Throws
/// MemoryLimitError if the earlier one does not fit.
inline MessageRanges message_ranges(std::uint64_t nodes, std::size_t queue_bytes, core::StateReader* state) {
  if (state == nullptr) return MessageRanges::make(nodes, queue_bytes).value();
  auto plan = state->value<MessageRanges>();
  const std::size_t need = core::round_up(NodeBits::bytes_for(plan.range_nodes), core::page_bytes) +
                           (plan.ranges + 4) * plan.block_bytes;
  if (need > queue_bytes) {
    throw core::MemoryLimitError("the node ranges of the checkpoint need " + core::format_size(need) + ", " +
                                 core::format_size(queue_bytes) + " are for them; " +
                                 core::memory_option(core::size_sum(core::size_product(need, 5), core::MiB)) +
                                 " would do");
  }
  plan.pool_bytes = queue_bytes - (need - (plan.ranges + 4) * plan.block_bytes);
  return plan;
}

}  // namespace emgraph::graph::mis
