// SPDX-License-Identifier: MIT
// Read, orient, sort, scan: the fused pipeline of `mis`. Nothing is written but what the sort must spill.
#include "graph/mis/mis.hpp"

#include <utility>

#include "graph/declared_nodes.hpp"
#include "graph/mis/passes.hpp"
#include "graph/mis/pipeline.hpp"
#include "graph/prepare/key_sort.hpp"

namespace emgraph::graph::mis {
namespace {

/// Everything the steps of one run share.
template <class R>
struct Run {
  core::Environment& environment;
  EdgeSource<R>& source;
  const Options& options;
  NodeSink<typename R::id_type>* sink;
  Demand demand;

  const EdgeFacts& facts() const { return source.facts(); }

  Result result(const prepare::IngestFacts& read, std::uint64_t nodes, Queue queue,
                std::uint64_t size) const {
    return {.nodes = nodes,
            .edges = read.edges,
            .mis_size = size,
            .choice = describe_choice(demand, nodes, queue, options),
            .queue = std::string(name(queue))};
  }
};

/// The declared order serves as it is: one pass over the input, no sort.
template <class R>
Result scan_in_order(const Run<R>& run) {
  const std::unique_ptr<EdgeLane<R>> lane = run.source.lane();
  QueueChoice choice = choose_queue(run.demand, run.options);
  std::uint64_t nodes = run.demand.nodes.value_or(0);
  if (run.demand.nodes) {
    choice.queue = settle_queue(choice.queue, nodes, choice.queue_bytes);
  } else if (choice.queue == Queue::automatic || choice.queue == Queue::heap) {
    choice.queue = Queue::heap;  // the one that needs no n before the last edge
  } else {
    throw core::UsageError(run.facts().name +
                           ": the number of nodes is not known before the end; give --nodes");
  }
  core::Phase phase(run.environment.progress, "scan", run.facts().edges.value_or(0), "edges");
  prepare::IngestFacts read;
  const std::uint64_t size = scan_edges(
      run.environment, choice.queue, nodes, choice.queue_bytes, run.options.directed_scan, run.sink,
      [&](auto&& visit) {
        for (std::span<const R> batch; !(batch = lane->next()).empty();) {
          read.merge({batch.size(),
                      prepare::check_ids(batch, run.demand.nodes, run.facts().name, lane->first_edge())});
          for (const R& edge : batch) {
            if (run.options.directed_scan || edge.source < edge.target) visit(edge.source, edge.target);
          }
          phase.advance(batch.size());
        }
        nodes = read.nodes(run.demand.nodes);
      });
  return run.result(read, nodes, choice.queue, size);
}

/// One bit per node and an input that can be read again: in passes.
template <class R, core::IntegerKey Key>
Result scan_in_passes(const Run<R>& run, const prepare::EdgeKeys<Key>& keys) {
  Passes<R, Key> passes(run.environment, run.source, *run.demand.nodes, keys);
  while (!passes.done()) passes.next();
  MemberOutput<typename R::id_type> output(run.sink);
  passes.scan().finish(output);
  Result result = run.result(passes.read(), *run.demand.nodes, Queue::bitmap, output.finish());
  result.passes = passes.count();
  if (passes.cut_for_space()) {
    result.passes_reason = "temporary space does not hold more edges at once";
  } else if (passes.count() > 1) {
    result.passes_reason = "reading again costs less than sorting edges with an excluded end";
  }
  return result;
}

/// Sorts, then scans what comes out.
template <class R, core::IntegerKey Key>
Result sort_and_scan(const Run<R>& run, const prepare::IdBound& bound, const prepare::EdgeKeys<Key>& keys) {
  core::Environment& environment = run.environment;
  const bool directed = run.options.directed_scan;
  // Loops exclude nobody; oriented low, every edge comes up when its smaller end is decided.
  const auto visit = [directed](std::uint64_t source, std::uint64_t target, auto&& push) {
    if (directed) {
      push(source, target);
    } else if (source != target) {
      const auto [low, high] = low_high(source, target);
      push(low, high);
    }
  };
  auto sorter_options = prepare::sorter_options(run.source, keys, bound.below, visit);
  prepare::Lanes<R> lanes = prepare::open_lanes(environment, run.source);
  const QueueChoice choice = choose_queue(run.demand, run.options);
  core::Reservation queue_memory = environment.memory.reserve(choice.queue_bytes, "the node queue");
  sorter_options.threads = static_cast<unsigned>(lanes.size());
  sorter_options.memory_bytes = prepare::sorter_memory(environment.memory);

  prepare::EdgeSorter<R, Key> sorter(environment, std::move(sorter_options));
  const prepare::IngestFacts read =
      prepare::fill_sorter<R, Key>(environment, run.facts(), "distribute", std::move(lanes), bound, sorter,
                                   prepare::take_visited(keys, visit));
  const std::uint64_t nodes = read.nodes(run.demand.nodes);
  const Queue queue = settle_queue(choice.queue, nodes, choice.queue_bytes);
  queue_memory.release();

  core::Phase phase(environment.progress, "scan", sorter.records(), "edges");
  const std::uint64_t size =
      scan_edges(environment, queue, nodes, choice.queue_bytes, directed, run.sink, [&](auto&& edge) {
        for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
          for (const auto& record : batch) edge(keys.first(record.key), keys.second(record.key));
          phase.advance(batch.size());
        }
      });
  return run.result(read, nodes, queue, size);
}

}  // namespace

template <class R>
Result run(core::Environment& environment, EdgeSource<R>& edges, const Options& options,
           NodeSink<typename R::id_type>* sink) {
  const EdgeFacts& facts = edges.facts();
  Demand demand;
  demand.nodes = declared_nodes<typename R::id_type>(options.nodes, facts);
  demand.edges = facts.edges;
  demand.id_bytes = sizeof(typename R::id_type);
  demand.memory_bytes = environment.memory.available();
  const bool may_pass = options.passes && demand.nodes && edges.rewindable() && !options.directed_scan &&
                        R::attachment_bytes == 0;
  demand.generated_passes = may_pass && facts.generated;
  const Run<R> run{environment, edges, options, sink, demand};
  const bool in_order = facts.order == EdgeOrder::source_target &&
                        (options.directed_scan || facts.oriented_low || facts.symmetric);
  if (in_order) return scan_in_order(run);
  // Attachments are here to be carried through the sort, all of them.
  if constexpr (R::attachment_bytes == 0) {
    if (may_pass && choose_queue(demand, options).queue == Queue::bitmap) {
      return prepare::with_edge_keys<typename R::id_type>(
          demand.nodes, [&](const auto& keys) { return scan_in_passes(run, keys); });
    }
  }
  return prepare::with_id_bound(edges, demand.nodes, [&](const prepare::IdBound& bound) {
    return prepare::with_edge_keys<typename R::id_type>(
        bound.below, [&](const auto& keys) { return sort_and_scan(run, bound, keys); });
  });
}

// Without attachments; and with 8 bytes, the paper's 16-byte edges.
template Result run(core::Environment&, EdgeSource<Record<std::uint32_t, 0>>&, const Options&,
                    NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<Record<std::uint64_t, 0>>&, const Options&,
                    NodeSink<std::uint64_t>*);
template Result run(core::Environment&, EdgeSource<Record<std::uint32_t, 8>>&, const Options&,
                    NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<Record<std::uint64_t, 8>>&, const Options&,
                    NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::mis
