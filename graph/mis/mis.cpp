// SPDX-License-Identifier: MIT
// The pipeline of `mis`: read, orient, sort, scan, in one pass. It writes only the blocks that the sort must
// spill.
#include "graph/mis/mis.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "graph/mis/directed_scan.hpp"
#include "graph/mis/job.hpp"
#include "graph/mis/kept.hpp"
#include "graph/mis/passes.hpp"
#include "graph/mis/scans.hpp"

namespace emgraph::graph::mis {
namespace {

/// Adds the edges of a batch to a scan; `ends(i)` is the pair (u, v) of the i-th one. Those with u >= v are
/// dropped, unless the scan is `directed`.
template <class Scan, class Ends>
void add_edges(Scan& scan, std::size_t count, bool directed, Ends&& ends) {
  if constexpr (requires { scan.edges(count, ends); }) {
    scan.edges(count, ends);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      const auto [u, v] = ends(i);
      if (directed || u < v) scan.edge(u, v);
    }
  }
}

/// Sends edges through the scan of a queue, the set to `sink`, and returns the size of the set.
/// `feed(scan, kept)` adds the edges in ascending order of u, with u < v (without `directed`).
/// `nodes`: n; the heap reads it only after the last edge, so it may become known on the way. `state`: what
/// `kept` has saved; null: from the start.
template <class Id, class Feed>
std::uint64_t scan_edges(core::Environment& environment, const QueueChoice& choice,
                         const std::uint64_t& nodes, NodeSink<Id>* sink, core::StateReader* state,
                         Feed&& feed) {
  MemberOutput<Id> output(sink);
  if (state != nullptr) output.restore(*state);
  const auto run = [&](auto& scan, const std::function<void()>& prepare, const MessageRanges* plan) {
    feed(scan, KeptScan{prepare, [&output, &scan, plan](core::StateWriter& to) {
                          output.save(to);
                          if (plan != nullptr) to.value(*plan);
                          scan.save(to);
                        }});
  };
  if (choice.queue == Queue::bitmap) {
    BitmapScan scan(environment.memory, nodes);
    if (state != nullptr) scan.restore(*state);
    run(scan, {}, nullptr);
    scan.finish(output);
  } else if (choice.queue == Queue::ranges) {
    const MessageRanges plan = message_ranges(nodes, choice.queue_bytes, state);
    RangesScan<Id> scan(environment, nodes, plan, output, state);
    run(scan, {}, &plan);
    scan.finish();
  } else {
    HeapScan<Id> scan(environment, choice.queue_bytes, output);
    if (state != nullptr) scan.restore(*state, *environment.checkpoint);
    run(
        scan, [&] { scan.write_messages(*environment.checkpoint); }, nullptr);
    scan.finish(nodes);
  }
  return output.finish();
}

/// The same for `--directed-scan`, without a checkpoint.
template <class Id, class Feed>
std::uint64_t scan_directed(core::Environment& environment, const QueueChoice& choice,
                            const std::uint64_t& nodes, NodeSink<Id>* sink, Feed&& feed) {
  MemberOutput<Id> output(sink);
  const auto run = [&](auto& inbox) {
    DirectedScan<std::remove_reference_t<decltype(inbox)>, Id> scan(inbox, output);
    feed(scan, KeptScan{});
  };
  if (choice.queue == Queue::bitmap) {
    BitmapInbox inbox(environment.memory, nodes);
    run(inbox);
  } else if (choice.queue == Queue::ranges) {
    RangesInbox inbox(environment, nodes, MessageRanges::make(nodes, choice.queue_bytes).value());
    run(inbox);
  } else {
    HeapInbox<Id> inbox(environment, choice.queue_bytes);
    run(inbox);
  }
  return output.finish();
}

/// The input declares the order that the scan needs: it is read once and not sorted.
template <class Id>
Result scan_in_order(const Job<Id>& job, const KeptState& kept) {
  core::Checkpoint* const checkpoint = job.environment.checkpoint;
  const bool directed = job.options.directed_scan;
  const std::string& name = job.facts().name;
  prepare::seek_edge(job.source, kept.place.edges_read);
  const EdgeLane<Id> lane = job.source.lane();
  const QueueChoice choice = choose_queue_in_order(job.demand, kept.with_queue(job.options), job.facts());
  std::uint64_t nodes = job.demand.nodes.value_or(0);
  if (job.demand.nodes) job.require_output(nodes, job.facts().edges);
  core::Phase phase(job.environment.progress, "scan", job.facts().edges.value_or(0), "edges");
  const std::uint64_t from = kept.place.edges_read;
  prepare::IngestFacts read{from, kept.place.largest_id};
  phase.advance(from);
  const auto feed = [&](auto& scan, const KeptScan& keeping) {
    for (EdgeBatch<Id> batch; !(batch = lane.next()).empty();) {
      const std::uint64_t largest = prepare::check_ids(batch, job.demand.nodes, lane.place(name));
      batch = prepare::from_edge(batch, lane.first_edge(), from);
      read.merge({batch.size(), largest});
      add_edges(scan, batch.size(), directed,
                [&](std::size_t i) { return std::pair(batch[i].source, batch[i].target); });
      phase.advance(batch.size());
      if (checkpoint == nullptr || !checkpoint->due()) continue;
      if (keeping.prepare) keeping.prepare();
      checkpoint->seal(prepare::edges_read("scan", read.edges, job.facts().edges),
                       [&](core::StateWriter& to) {
                         to.value(Place{Method::in_order, choice.queue, read.edges, read.largest_id});
                         keeping.save(to);
                       });
    }
    nodes = read.nodes(job.demand.nodes);
    job.require_output(nodes, read.edges);
  };
  const std::uint64_t size =
      directed ? scan_directed<Id>(job.environment, choice, nodes, job.sink, feed)
               : scan_edges<Id>(job.environment, choice, nodes, job.sink, kept.reader.get(), feed);
  return job.result(read, nodes, choice.queue, size);
}

/// Reads the edges in passes. Requires: one bit per node fits, and the input can be read again.
template <class Id, core::IntegerKey Key>
Result scan_in_passes(const Job<Id>& job, const prepare::EdgeKeys<Key>& keys, const KeptState& kept) {
  Passes<Id, Key> passes(job.environment, job.source, *job.demand.nodes, keys, kept.reader.get());
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

/// Reads, orients and sorts the edges, then scans them. With a bitmap, edges of a bucket with an end that is
/// known to be excluded are dropped before the bucket is sorted.
// Measured: kron22 (67 M edges, raw file), 960M: scan 0.33 s without dropping, 0.08 s with; whole
// command 1.03 and 0.49 s of user CPU (EPYC 9004, two threads, in turn, medians of 7).
template <class Id>
Result sort_and_scan(const Job<Id>& job, const KeptState& kept) {
  core::Environment& environment = job.environment;
  const bool directed = job.options.directed_scan;
  const auto orient = orientation(directed);
  const Options options = kept.with_queue(job.options);
  const QueueChoice choice = choose_queue(job.demand, options);
  const auto memory = memory_beside(environment, choice, job.facts());
  Place place{.method = Method::sorted, .queue = choice.queue};
  std::function<void()> prepare_scan;
  std::optional<prepare::SortKeeper> keeper;
  prepare::SortSpec spec{.last_on_disks = choice.queue == Queue::bitmap};
  if (environment.checkpoint != nullptr) {
    spec.keeper =
        &keeper.emplace(*environment.checkpoint,
                        prepare::SortKeeper::Options{.head = [&](core::StateWriter& to) { to.value(place); },
                                                     .state = kept.reader.get(),
                                                     .prepare =
                                                         [&] {
                                                           if (prepare_scan) prepare_scan();
                                                         }});
  }
  return prepare::with_sorted_edges(
      environment, job.source, job.demand.nodes, spec, orient, memory, [&](auto& edges) {
        const std::uint64_t nodes = edges.read().nodes(job.demand.nodes);
        job.require_output(nodes, edges.read().edges);
        const QueueChoice chosen{
            queue_of_run(options, choice.queue, nodes, choice.queue_bytes, edges.read().edges),
            choice.queue_bytes};
        place.queue = chosen.queue;
        core::Phase phase(environment.progress, "scan", edges.records(), "edges");
        const auto feed = [&](auto& scan, const KeptScan& keeping) {
          prepare_scan = keeping.prepare;
          // A checkpoint counts the records that were scanned; which ones are dropped differs from run to
          // run.
          if (options.passes && !keeper)
            edges.sorter().keep_before_sorting(undecided_keys(scan, edges.keys()));
          edges.for_each_batch(
              phase,
              [&, keys = edges.keys()](const auto& batch) {
                add_edges(scan, batch.size(), directed, [&](std::size_t i) {
                  return std::pair(keys.first(batch[i]), keys.second(batch[i]));
                });
                phase.advance(edges.sorter().take_dropped());
              },
              "scanned", keeping.save);
          phase.advance(edges.sorter().take_dropped());
        };
        core::StateReader* const state = keeper && keeper->consuming() ? keeper->state() : nullptr;
        const std::uint64_t size = directed
                                       ? scan_directed<Id>(environment, chosen, nodes, job.sink, feed)
                                       : scan_edges<Id>(environment, chosen, nodes, job.sink, state, feed);
        return job.result(edges.read(), nodes, chosen.queue, size);
      });
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           NodeSink<Id>* sink) {
  const Demand demand = demand_of(environment, edges, options);
  const Job<Id> job{environment, edges, options, sink, demand};
  const KeptState kept(environment.checkpoint);
  if (is_in_order(edges.facts(), options)) return scan_in_order(job, kept);
  const bool passes = kept.reader != nullptr ? kept.place.method == Method::passes
                                             : may_pass(demand, edges, options) &&
                                                   choose_queue(demand, options).queue == Queue::bitmap;
  if (passes) {
    return prepare::with_edge_keys<Id>(demand.nodes,
                                       [&](const auto& keys) { return scan_in_passes(job, keys, kept); });
  }
  return sort_and_scan(job, kept);
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::mis
