// SPDX-License-Identifier: MIT
// The arithmetic behind the choice of model and queue.
#include "graph/mis/choice.hpp"

#include <algorithm>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/mis/range_messages.hpp"
#include "graph/node_bits.hpp"

namespace emgraph::graph::mis {
namespace {

// The packed size of an edge in memory, bytes: an upper bound of what the sorter keeps.
constexpr std::uint64_t edge_bytes = 8;

// What the sort should be left with, at least.
constexpr std::size_t least_sort_bytes = 512 * core::KiB;

Queue wanted_queue(const Options& options) {
  const auto contradiction = [&] {
    return core::UsageError(
        "--model " + std::string(graph::name(options.model)) + " and --queue " +
        std::string(name(options.queue)) +
        " contradict each other: bitmap is internal or semi-external, ranges and heap external");
  };
  switch (options.model) {
    case MemoryModel::automatic:
      return options.queue;
    case MemoryModel::internal:
    case MemoryModel::semi_external:
      if (options.queue == Queue::ranges || options.queue == Queue::heap) throw contradiction();
      return Queue::bitmap;
    case MemoryModel::external:
      if (options.queue == Queue::bitmap) throw contradiction();
      return options.queue == Queue::automatic ? Queue::ranges : options.queue;
  }
  return options.queue;
}

std::size_t bitmap_bytes(std::uint64_t nodes) {
  return core::round_up(NodeBits::bytes_for(nodes), core::page_bytes);
}

}  // namespace

std::string_view name(Queue queue) {
  switch (queue) {
    case Queue::automatic:
      return "auto";
    case Queue::bitmap:
      return "bitmap";
    case Queue::ranges:
      return "ranges";
    case Queue::heap:
      return "heap";
  }
  return "";
}

QueueChoice choose_queue(const Demand& demand, const Options& options) {
  Queue queue = wanted_queue(options);
  const std::size_t memory = demand.memory_bytes;
  const std::size_t share = memory / 4;
  if (options.model == MemoryModel::internal && demand.nodes && demand.edges) {
    const std::uint64_t need = *demand.edges * edge_bytes + bitmap_bytes(*demand.nodes);
    if (need > memory) {
      throw core::MemoryLimitError("--model internal needs about " + core::format_size(need) + ", " +
                                   core::format_size(memory) + " are free under the memory limit");
    }
  }
  if (!demand.nodes) {
    // Room for any id of 4 bytes if that is cheap; settled when n is known.
    const std::size_t all_ids = bitmap_bytes(std::uint64_t{1} << 32);
    return {queue, demand.id_bytes == 4 ? std::min(all_ids, share) : share};
  }
  const std::size_t bits = bitmap_bytes(*demand.nodes);
  if (queue == Queue::automatic) {
    const std::size_t most = demand.generated_passes ? memory / 4 * 3 : memory / 2;
    const bool fits = bits <= memory / 8 || (bits <= most && memory - bits >= least_sort_bytes);
    queue = settle_queue(queue, *demand.nodes, fits ? bits : std::min(share, bits - 1));
  }
  if (queue == Queue::bitmap) {
    if (bits > memory / 4 * 3) {
      throw core::MemoryLimitError("one bit per node needs " + core::format_size(bits) + " for " +
                                   core::format_count(*demand.nodes) + " nodes, " +
                                   core::format_size(memory) +
                                   " are free under the memory limit; --queue ranges needs less");
    }
    return {queue, bits};
  }
  return {queue, share};
}

Queue settle_queue(Queue wanted, std::uint64_t nodes, std::size_t queue_bytes) {
  if (wanted == Queue::heap) return Queue::heap;
  if (wanted != Queue::ranges && bitmap_bytes(nodes) <= queue_bytes) return Queue::bitmap;
  if (wanted == Queue::bitmap) {
    throw core::MemoryLimitError("one bit per node needs " + core::format_size(bitmap_bytes(nodes)) +
                                 " for " + core::format_count(nodes) + " nodes, " +
                                 core::format_size(queue_bytes) +
                                 " are free under the memory limit; --queue ranges needs less");
  }
  if (RangePlan::make(nodes, queue_bytes)) return Queue::ranges;
  if (wanted == Queue::ranges) {
    throw core::MemoryLimitError("node ranges for " + core::format_count(nodes) + " nodes do not fit in " +
                                 core::format_size(queue_bytes) + "; --queue heap needs no range");
  }
  return Queue::heap;
}

ModelChoice describe_choice(const Demand& demand, std::uint64_t nodes, Queue queue, const Options& options) {
  const std::string bits = "one bit per node takes " + core::format_size(bitmap_bytes(nodes));
  const std::string memory = core::format_size(demand.memory_bytes);
  std::string forced;
  if (options.model != MemoryModel::automatic) forced = " (--model)";
  if (options.queue != Queue::automatic) forced += " (--queue)";
  if (queue == Queue::bitmap) {
    if (demand.edges && *demand.edges * edge_bytes + bitmap_bytes(nodes) <= demand.memory_bytes) {
      return {MemoryModel::internal, "edges (" + core::format_size(*demand.edges * edge_bytes) +
                                         ") and nodes fit in " + memory + forced};
    }
    return {MemoryModel::semi_external, bits + " of " + memory + forced};
  }
  if (queue == Queue::ranges) {
    return {MemoryModel::external, bits + " of " + memory + "; messages go through node ranges" + forced};
  }
  return {MemoryModel::external, bits + " of " + memory + "; messages go through the sequence heap" + forced};
}

}  // namespace emgraph::graph::mis
