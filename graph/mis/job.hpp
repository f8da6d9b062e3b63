// SPDX-License-Identifier: MIT
// What a run of `mis` and its forecast share: which queue, which order of the input, which memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/edge_source.hpp"
#include "graph/mis/choice.hpp"
#include "graph/mis/mis.hpp"
#include "graph/mis/range_messages.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sinks.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::mis {

/// The heap passes over gaps between ids by arithmetic; the others work for each node.
inline Queue queue_of_run(const Options& options, Queue wanted, std::uint64_t nodes, std::size_t queue_bytes,
                          const std::optional<std::uint64_t>& edges) {
  const bool forced = options.queue != Queue::automatic || options.model != MemoryModel::automatic;
  if (!forced && nodes > justified_nodes(edges)) return Queue::heap;
  if (wanted == Queue::ranges && options.queue == Queue::automatic) {  // --model external
    return MessageRanges::make(nodes, queue_bytes) ? Queue::ranges : Queue::heap;
  }
  return queue_for_nodes(wanted, nodes, queue_bytes);
}

/// The arguments that the steps of one run share.
template <class Id>
struct Job {
  core::Environment& environment;
  EdgeSource<Id>& source;
  const Options& options;
  NodeSink<Id>* sink;
  Demand demand;

  const EdgeFacts& facts() const { return source.facts(); }

  /// Isolated nodes are in the set, and an edge has two ends: its size is at least n - 2 m.
  void require_output(std::uint64_t nodes, const std::optional<std::uint64_t>& edges) const {
    if (sink == nullptr) return;
    require_justified(facts(), options.nodes, nodes, edges);
    if (edges && *edges < nodes / 2) sink->expect(nodes - 2 * *edges);
  }

  Result result(const prepare::IngestFacts& read, std::uint64_t nodes, Queue queue,
                std::uint64_t size) const {
    return {.nodes = nodes,
            .edges = read.edges,
            .mis_size = size,
            .choice = describe_choice(demand, nodes, queue, options),
            .queue = std::string(name(queue))};
  }
};

/// Attachments are used only by the paper's benchmark, which sorts all edges with them.
template <class Id>
bool may_pass(const Demand& demand, const EdgeSource<Id>& edges, const Options& options) {
  return options.passes && demand.nodes && edges.rewindable() && !options.directed_scan &&
         edges.attachment_bytes() == 0;
}

inline bool is_in_order(const EdgeFacts& facts, const Options& options) {
  return facts.order == EdgeOrder::source_target &&
         (options.directed_scan || facts.oriented_low || facts.symmetric);
}

template <class Id>
Demand demand_of(const core::Environment& environment, const EdgeSource<Id>& edges, const Options& options) {
  Demand demand;
  demand.nodes = declared_nodes<Id>(options.nodes, edges.facts());
  demand.edges = edges.facts().edges;
  demand.id_bytes = sizeof(Id);
  demand.memory_bytes = environment.memory.available();
  demand.generated_passes = may_pass(demand, edges, options) && edges.facts().generated;
  return demand;
}

/// The queue of a scan of edges that are in order.
inline QueueChoice choose_queue_in_order(const Demand& demand, const Options& options,
                                         const EdgeFacts& facts) {
  QueueChoice choice = choose_queue(demand, options);
  if (demand.nodes) {
    choice.queue = queue_of_run(options, choice.queue, *demand.nodes, choice.queue_bytes, facts.edges);
  } else if (choice.queue != Queue::bitmap && options.queue != Queue::ranges) {
    choice.queue = Queue::heap;  // only the heap needs no n before the last edge
  } else {
    throw core::UsageError(facts.name + ": the number of nodes is not known before the end; give --nodes");
  }
  return choice;
}

/// The keys of an edge. Loops send no message. Edges are oriented from their smaller end, which the scan
/// decides first.
inline auto orientation(bool directed) {
  return [directed](std::uint64_t source, std::uint64_t target, auto&& push) {
    if (directed) {
      push(source, target);
    } else if (source != target) {
      const auto [low, high] = low_high(source, target);
      push(low, high);
    }
  };
}

/// The memory of a sort beside the queue. If the size of the input bounds the number of edges, the queue's
/// memory stays free without a reservation: a queue for all possible ids would be most of what a run reports.
inline auto memory_beside(core::Environment& environment, const QueueChoice& choice, const EdgeFacts& facts) {
  return [&environment, &choice, &facts](unsigned) {
    const std::size_t sorter = prepare::sorter_memory(environment.memory);
    const bool bounded = facts.edges || facts.most_edges;
    if (bounded && choice.queue_bytes < sorter) return prepare::SortMemory(sorter - choice.queue_bytes);
    core::Reservation queue = environment.memory.reserve(choice.queue_bytes, "the node queue");
    return prepare::SortMemory{std::move(queue), prepare::sorter_memory(environment.memory)};
  };
}

}  // namespace emgraph::graph::mis
