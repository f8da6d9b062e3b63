// SPDX-License-Identifier: MIT
// The bytes of queues and edges.
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

// The least memory that the bits should leave to the sort.
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

core::MemoryLimitError no_bitmap(std::uint64_t nodes, std::size_t free_bytes) {
  return missing_memory({.what = "one bit per node",
                         .precision = "",
                         .bytes = bitmap_bytes(nodes),
                         .purpose = " for " + core::format_count(nodes) + " nodes",
                         .advice = "; --queue ranges needs less"},
                        free_bytes);
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
    const std::uint64_t need =
        core::size_sum(core::size_product(*demand.edges, edge_bytes), bitmap_bytes(*demand.nodes));
    if (need > memory) throw missing_memory({model_option(options.model), "about ", need}, memory);
  }
  if (!demand.nodes) {
    // Room for a bit per id of 4 bytes if that is cheap; queue_for_nodes decides when n is known.
    const std::size_t all_ids = bitmap_bytes(std::uint64_t{1} << 32);
    return {queue, demand.id_bytes == 4 ? std::min(all_ids, share) : share};
  }
  const std::size_t bits = bitmap_bytes(*demand.nodes);
  if (queue == Queue::automatic) {
    const std::size_t most = demand.generated_passes ? memory / 4 * 3 : memory / 2;
    const bool fits = bits <= memory / 8 || (bits <= most && memory - bits >= least_sort_bytes);
    queue = queue_for_nodes(queue, *demand.nodes, fits ? bits : std::min(share, bits - 1));
  }
  if (queue == Queue::bitmap) {
    if (bits > memory / 4 * 3) throw no_bitmap(*demand.nodes, memory);
    return {queue, bits};
  }
  return {queue, share};
}

Queue queue_for_nodes(Queue wanted, std::uint64_t nodes, std::size_t queue_bytes) {
  if (wanted == Queue::heap) return Queue::heap;
  if (wanted != Queue::ranges && bitmap_bytes(nodes) <= queue_bytes) return Queue::bitmap;
  if (wanted == Queue::bitmap) throw no_bitmap(nodes, queue_bytes);
  if (MessageRanges::make(nodes, queue_bytes)) return Queue::ranges;
  if (wanted == Queue::ranges) {
    throw core::MemoryLimitError("node ranges for " + core::format_count(nodes) + " nodes do not fit in " +
                                 core::format_size(queue_bytes) + "; --queue heap needs no range");
  }
  return Queue::heap;
}

ModelChoice describe_choice(const Demand& demand, std::uint64_t nodes, Queue queue, const Options& options) {
  const std::size_t memory = demand.memory_bytes;
  const std::uint64_t bits = bitmap_bytes(nodes);
  std::string forced(forced_suffix(options.model));
  if (options.queue != Queue::automatic) forced += " (--queue)";
  const std::string share = share_of_memory("one bit per node takes", bits, memory);
  if (queue != Queue::bitmap) {
    const char* const way = queue == Queue::ranges ? "node ranges" : "the sequence heap";
    return {MemoryModel::external, share + "; messages go through " + way + forced};
  }
  const ModelNeed semi_external{MemoryModel::semi_external, bits, share + forced};
  if (!demand.edges || options.model == MemoryModel::semi_external)
    return first_that_fits({semi_external}, memory);
  const std::uint64_t edges = core::size_product(*demand.edges, edge_bytes);
  return first_that_fits(
      {{MemoryModel::internal, core::size_sum(edges, bits), edges_and_nodes_fit(edges, memory) + forced},
       semi_external},
      memory);
}

}  // namespace emgraph::graph::mis
