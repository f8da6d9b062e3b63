// SPDX-License-Identifier: MIT
// The pipeline of `mis`: read, orient, sort, scan, in one pass. It writes only the blocks that the sort must
// spill.
#include "graph/mis/mis.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/edge_facts.hpp"
#include "graph/mis/choice.hpp"
#include "graph/mis/directed_scan.hpp"
#include "graph/mis/passes.hpp"
#include "graph/mis/scans.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::mis {
namespace {

/// The heap passes over gaps between ids by arithmetic; the others work for each node.
Queue queue_of_run(const Options& options, Queue wanted, std::uint64_t nodes, std::size_t queue_bytes,
                   const std::optional<std::uint64_t>& edges) {
  const bool forced = options.queue != Queue::automatic || options.model != MemoryModel::automatic;
  if (!forced && nodes > justified_nodes(edges)) return Queue::heap;
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

  /// Isolated nodes are in the set: its size is that of n.
  void require_output(std::uint64_t nodes, const std::optional<std::uint64_t>& edges) const {
    if (sink != nullptr) require_justified(facts(), options.nodes, nodes, edges);
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

bool is_in_order(const EdgeFacts& facts, const Options& options) {
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

/// Sends edges through the scan of a queue, the set to `sink`, and returns the size of the set.
/// `for_each_edge(visit)` calls visit(u, v) in ascending order of u, with u < v (without `directed`).
/// `nodes`: n; the heap reads it only after the last edge, so it may become known on the way.
template <class Id, class ForEachEdge>
std::uint64_t scan_edges(core::Environment& environment, Queue queue, const std::uint64_t& nodes,
                         std::size_t queue_bytes, bool directed, NodeSink<Id>* sink,
                         ForEachEdge&& for_each_edge) {
  MemberOutput<Id> output(sink);
  const auto feed = [&](auto& scan) {
    for_each_edge([&](std::uint64_t u, std::uint64_t v) { scan.edge(u, v); });
  };
  const auto feed_directed = [&](auto& inbox) {
    DirectedScan<std::remove_reference_t<decltype(inbox)>, Id> scan(inbox, output);
    feed(scan);
  };
  if (queue == Queue::bitmap) {
    if (directed) {
      BitmapInbox inbox(environment.memory, nodes);
      feed_directed(inbox);
    } else {
      BitmapScan scan(environment.memory, nodes);
      feed(scan);
      scan.finish(output);
    }
  } else if (queue == Queue::ranges) {
    const MessageRanges plan = MessageRanges::make(nodes, queue_bytes).value();
    if (directed) {
      RangesInbox inbox(environment, nodes, plan);
      feed_directed(inbox);
    } else {
      RangesScan<Id> scan(environment, nodes, plan, output);
      feed(scan);
      scan.finish();
    }
  } else {
    if (directed) {
      HeapInbox<Id> inbox(environment, queue_bytes);
      feed_directed(inbox);
    } else {
      HeapScan<Id> scan(environment, queue_bytes, output);
      feed(scan);
      scan.finish(nodes);
    }
  }
  return output.finish();
}

/// The queue of scan_in_order.
QueueChoice choose_queue_in_order(const Demand& demand, const Options& options, const EdgeFacts& facts) {
  QueueChoice choice = choose_queue(demand, options);
  if (demand.nodes) {
    choice.queue = queue_of_run(options, choice.queue, *demand.nodes, choice.queue_bytes, facts.edges);
  } else if (choice.queue == Queue::automatic || choice.queue == Queue::heap) {
    choice.queue = Queue::heap;  // only the heap needs no n before the last edge
  } else {
    throw core::UsageError(facts.name + ": the number of nodes is not known before the end; give --nodes");
  }
  return choice;
}

/// The input declares the order that the scan needs: it is read once and not sorted.
template <class Id>
Result scan_in_order(const Job<Id>& job) {
  const EdgeLane<Id> lane = job.source.lane();
  const QueueChoice choice = choose_queue_in_order(job.demand, job.options, job.facts());
  std::uint64_t nodes = job.demand.nodes.value_or(0);
  if (job.demand.nodes) job.require_output(nodes, job.facts().edges);
  core::Phase phase(job.environment.progress, "scan", job.facts().edges.value_or(0), "edges");
  prepare::IngestFacts read;
  const std::uint64_t size =
      scan_edges(job.environment, choice.queue, nodes, choice.queue_bytes, job.options.directed_scan,
                 job.sink, [&](auto&& visit) {
                   for (EdgeBatch<Id> batch; !(batch = lane.next()).empty();) {
                     read.merge({batch.size(),
                                 prepare::check_ids(batch, job.demand.nodes, lane.place(job.facts().name))});
                     for (const Edge<Id>& edge : batch) {
                       if (job.options.directed_scan || edge.source < edge.target)
                         visit(edge.source, edge.target);
                     }
                     phase.advance(batch.size());
                   }
                   nodes = read.nodes(job.demand.nodes);
                   job.require_output(nodes, read.edges);
                 });
  return job.result(read, nodes, choice.queue, size);
}

/// Reads the edges in passes. Requires: one bit per node fits, and the input can be read again.
template <class Id, core::IntegerKey Key>
Result scan_in_passes(const Job<Id>& job, const prepare::EdgeKeys<Key>& keys) {
  Passes<Id, Key> passes(job.environment, job.source, *job.demand.nodes, keys);
  while (!passes.done()) passes.next();
  MemberOutput<Id> output(job.sink);
  passes.scan().finish(output);
  Result result = job.result(passes.read(), *job.demand.nodes, Queue::bitmap, output.finish());
  result.passes = passes.count();
  if (passes.cut_for_space()) {
    result.passes_reason = "temporary space does not hold more edges at once";
  } else if (passes.count() > 1) {
    result.passes_reason = "reading again costs less than sorting edges with an excluded end";
  }
  return result;
}

/// The keys of an edge. Loops send no message. Edges are oriented from their smaller end, which the scan
/// decides first.
auto orientation(bool directed) {
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
auto memory_beside(core::Environment& environment, const QueueChoice& choice, const EdgeFacts& facts) {
  return [&environment, &choice, &facts](unsigned) {
    const std::size_t sorter = prepare::sorter_memory(environment.memory);
    const bool bounded = facts.edges || facts.most_edges;
    if (bounded && choice.queue_bytes < sorter) return prepare::SortMemory(sorter - choice.queue_bytes);
    core::Reservation queue = environment.memory.reserve(choice.queue_bytes, "the node queue");
    return prepare::SortMemory{std::move(queue), prepare::sorter_memory(environment.memory)};
  };
}

/// Reads, orients and sorts the edges, then scans them.
template <class Id>
Result sort_and_scan(const Job<Id>& job) {
  core::Environment& environment = job.environment;
  const bool directed = job.options.directed_scan;
  const auto orient = orientation(directed);
  const QueueChoice choice = choose_queue(job.demand, job.options);
  const auto memory = memory_beside(environment, choice, job.facts());
  return prepare::with_sorted_edges(
      environment, job.source, job.demand.nodes, {}, orient, memory, [&](auto& edges) {
        const std::uint64_t nodes = edges.read().nodes(job.demand.nodes);
        job.require_output(nodes, edges.read().edges);
        const Queue queue =
            queue_of_run(job.options, choice.queue, nodes, choice.queue_bytes, edges.read().edges);
        core::Phase phase(environment.progress, "scan", edges.records(), "edges");
        const std::uint64_t size = scan_edges(environment, queue, nodes, choice.queue_bytes, directed,
                                              job.sink, [&](auto&& edge) { edges.for_each(phase, edge); });
        return job.result(edges.read(), nodes, queue, size);
      });
}

// CPU time of all threads together, nanoseconds per edge. Measured with scripts/bench_plan.py.
constexpr double read_nanoseconds = 2;
constexpr double distribute_nanoseconds = 4;
constexpr double sort_nanoseconds = 6;
constexpr double scan_nanoseconds = 3;
constexpr double queue_nanoseconds = 4;
constexpr double heap_nanoseconds = 60;
constexpr std::uint64_t message_bytes = 8;

/// Adds the messages that leave memory: at most one per edge. Most edges send none, because their smaller end
/// is no member.
void add_messages(Forecast& forecast, Queue queue, std::uint64_t edges) {
  if (queue == Queue::bitmap) return;
  const std::uint64_t bytes =
      core::size_product(edges, queue == Queue::heap ? 2 * message_bytes : message_bytes / 2);
  forecast.temporary->most_bytes =
      core::size_sum(forecast.temporary->most_bytes, bytes, bytes / 8, 16 * core::MiB);
  forecast.notes.emplace_back(
      "messages to later nodes go to the temporary disks; how many depends on the set");
}

/// Reserves the memory of a scan.
template <class Id>
void rehearse_scan(core::Environment& environment, Queue queue, std::uint64_t nodes,
                   std::size_t queue_bytes) {
  if (queue == Queue::bitmap) {
    const BitmapScan scan(environment.memory, nodes);
  } else {
    const core::Reservation memory = environment.memory.reserve(queue_bytes, "the node queue");
  }
}

template <class Id>
Forecast forecast_in_order(const Job<Id>& job, std::uint64_t nodes, std::uint64_t edges) {
  const EdgeLane<Id> lane = job.source.lane();
  const QueueChoice choice = choose_queue_in_order(job.demand, job.options, job.facts());
  rehearse_scan<Id>(job.environment, choice.queue, nodes, choice.queue_bytes);
  Forecast forecast;
  forecast.choice = describe_choice(job.demand, nodes, choice.queue, job.options);
  forecast.phases.push_back({.name = "scan",
                             .input_readings = 1,
                             .cpu_seconds = seconds_for(edges, read_nanoseconds + scan_nanoseconds),
                             .one_thread = true});
  add_messages(forecast, choice.queue, edges);
  return forecast;
}

template <class Id, core::IntegerKey Key>
Forecast forecast_passes(const Job<Id>& job, const prepare::EdgeKeys<Key>& keys, std::uint64_t edges) {
  Passes<Id, Key> passes(job.environment, job.source, *job.demand.nodes, keys);
  Forecast forecast;
  forecast.temporary = passes.rehearse();
  forecast.choice = describe_choice(job.demand, *job.demand.nodes, Queue::bitmap, job.options);
  // After the first pass most edges have an excluded end: about a quarter of the others is left.
  const std::uint64_t first = std::min(edges, passes.first_records());
  const std::uint64_t later = passes.count() > 1 ? (edges - first) / 4 : 0;
  const auto add = [&](const std::string& suffix, std::uint64_t sorted, std::uint64_t spilled) {
    forecast.phases.push_back(
        {.name = "distribute" + suffix,
         .input_readings = 1,
         .temporary_bytes = spilled,
         .cpu_seconds = seconds_for(edges, read_nanoseconds) + seconds_for(sorted, distribute_nanoseconds)});
    forecast.phases.push_back({.name = "scan" + suffix,
                               .temporary_bytes = spilled,
                               .cpu_seconds = seconds_for(sorted, sort_nanoseconds + scan_nanoseconds)});
  };
  add("", first, forecast.temporary->expected_bytes);
  if (passes.count() > 1) {
    add(", pass 2", later, 0);
    forecast.notes.emplace_back("a third pass follows if fewer edges have an excluded end than usual");
  }
  return forecast;
}

template <class Id>
Forecast forecast_sort_and_scan(const Job<Id>& job, const InputSize& size) {
  const QueueChoice choice = choose_queue(job.demand, job.options);
  const std::uint64_t edges = size.edges.value_or(0);
  Forecast forecast;
  forecast.temporary = prepare::rehearse_sort(
      job.environment, job.source, job.demand.nodes, {}, orientation(job.options.directed_scan),
      memory_beside(job.environment, choice, job.facts()), size.edges);
  const std::uint64_t spilled = forecast.temporary->expected_bytes;
  Queue queue = choice.queue;
  if (const auto nodes = job.demand.nodes ? job.demand.nodes : size.nodes) {
    queue = queue_of_run(job.options, choice.queue, *nodes, choice.queue_bytes, job.facts().edges);
    forecast.choice = describe_choice(job.demand, *nodes, queue, job.options);
  } else {
    forecast.choice = {queue == Queue::automatic ? MemoryModel::semi_external : job.options.model,
                       "if one bit per node takes at most " + core::format_size(choice.queue_bytes)};
    forecast.notes.emplace_back(
        "the number of nodes is not known before the edges are read; --nodes tells it");
  }
  forecast.phases.push_back({.name = "distribute",
                             .input_readings = 1,
                             .temporary_bytes = spilled,
                             .cpu_seconds = seconds_for(edges, read_nanoseconds + distribute_nanoseconds)});
  const double extra = queue == Queue::heap     ? heap_nanoseconds
                       : queue == Queue::ranges ? queue_nanoseconds
                                                : 0;
  forecast.phases.push_back({.name = "scan",
                             .temporary_bytes = spilled,
                             .cpu_seconds = seconds_for(edges, sort_nanoseconds + scan_nanoseconds + extra)});
  if (queue == Queue::ranges || queue == Queue::heap) add_messages(forecast, queue, edges);
  if (!size.edges) forecast.temporary.reset();
  return forecast;
}

}  // namespace

template <class Id>
Forecast forecast(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
                  const InputSize& size) {
  const Demand demand = demand_of(environment, edges, options);
  const Job<Id> job{environment, edges, options, nullptr, demand};
  const std::uint64_t m = size.edges.value_or(0);
  if (is_in_order(edges.facts(), options)) {
    return forecast_in_order(job, demand.nodes ? *demand.nodes : size.nodes.value_or(0), m);
  }
  if (may_pass(demand, edges, options) && choose_queue(demand, options).queue == Queue::bitmap) {
    return prepare::with_edge_keys<Id>(demand.nodes,
                                       [&](const auto& keys) { return forecast_passes(job, keys, m); });
  }
  return forecast_sort_and_scan(job, size);
}

template Forecast forecast(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, const InputSize&);
template Forecast forecast(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, const InputSize&);

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           NodeSink<Id>* sink) {
  const Demand demand = demand_of(environment, edges, options);
  const Job<Id> job{environment, edges, options, sink, demand};
  if (is_in_order(edges.facts(), options)) return scan_in_order(job);
  if (may_pass(demand, edges, options) && choose_queue(demand, options).queue == Queue::bitmap) {
    return prepare::with_edge_keys<Id>(demand.nodes,
                                       [&](const auto& keys) { return scan_in_passes(job, keys); });
  }
  return sort_and_scan(job);
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::mis
