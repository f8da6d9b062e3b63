// SPDX-License-Identifier: MIT
// The pipeline of `mis`: read, orient, sort, scan, in one pass. It writes only the blocks that the sort must
// spill.
#include "graph/mis/mis.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "graph/mis/directed_scan.hpp"
#include "graph/mis/job.hpp"
#include "graph/mis/passes.hpp"
#include "graph/mis/scans.hpp"

namespace emgraph::graph::mis {
namespace {

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

}  // namespace

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
