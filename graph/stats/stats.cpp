// SPDX-License-Identifier: MIT
// The pipeline of `stats`: read, sort, scan, count.
#include "graph/stats/stats.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "graph/edge_facts.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sparse_ids.hpp"
#include "graph/stats/arc_keys.hpp"
#include "graph/stats/choice.hpp"
#include "graph/stats/counted_degrees.hpp"
#include "graph/stats/scan_sorted.hpp"
#include "graph/stats/sorted_degrees.hpp"

namespace emgraph::graph::stats {
namespace {

/// The arguments that the steps of one run share.
template <class Id>
struct Job {
  core::Environment& environment;
  EdgeSource<Id>& source;
  const Options& options;
  NodeSink<Id>* sink;
  std::optional<std::uint64_t> declared;

  Demand demand() const {
    return {
        .model = options.model, .memory_bytes = environment.memory.available(), .directed = options.directed};
  }
  DegreeTally tally() const {
    DegreeConsumer consume;
    if (sink != nullptr) {
      consume = [out = sink, ids = std::vector<Id>()](std::span<const std::uint64_t> degrees) mutable {
        ids.assign(degrees.begin(), degrees.end());
        out->append(ids);
      };
    }
    return {environment.memory, options.directed, options.hubs, std::move(consume)};
  }
  /// Before degrees go to the sink. Throws as require_justified.
  void expect(std::uint64_t nodes, std::uint64_t edges) const {
    if (sink == nullptr) return;
    require_justified(source.facts(), options.nodes, nodes, edges);
    sink->expect(nodes);
  }
  Result result(DegreeTally tally, const Reading& reading, const ArcCounts& arcs, ModelChoice choice) const {
    const std::uint64_t nodes = reading.edges.nodes(declared);
    tally.finish(nodes);
    return {.nodes = nodes,
            .arcs = arcs,
            .smallest_id = reading.edges.edges == 0 ? 0 : reading.smallest_id,
            .largest_id = reading.edges.largest_id,
            .degrees = std::move(tally),
            .weights = reading.weights,
            .choice = std::move(choice)};
  }
};

/// Calls `body(degrees)` with degrees by a second sort. `close()` frees the source of the pairs.
template <class Id, class Body, class Close>
void with_sorted_degrees(core::Environment& environment, SecondNodes second, DegreeTally& tally, Body&& body,
                         Close&& close) {
  with_second_key<Id>(second.largest, [&]<class Key>(Key) {
    const std::uint64_t records = second.records;
    SortedDegrees<Key> degrees(environment, std::move(second));
    body(degrees);
    close();
    core::Phase phase(environment.progress, "merge degrees", records, "edges");
    degrees.finish(tally, phase);
  });
}

/// Sends the sorter's arcs to `degrees`.
template <class Keys, class Degrees>
ArcCounts scan(core::Environment& environment, prepare::SortedEdges<Keys>& edges, Degrees& degrees) {
  const Keys keys = edges.keys();
  auto& sorter = edges.sorter();
  core::Phase phase(environment.progress, "scan", sorter.records(), "edges");
  ArcScan<Degrees> arcs(degrees);
  for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
    const std::byte* const attachments = sorter.attachments();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      arcs.arc(keys.low(batch[i]), keys.high(batch[i]), keys.backward(batch[i], attachments, i));
    }
    phase.advance(batch.size());
  }
  return arcs.finish();
}

/// Reads and sorts the arcs, then counts the degrees of the pairs.
template <class Id, class Keys>
Result sort_and_scan(const Job<Id>& job, prepare::SortInput<Id> input, const Keys& keys) {
  core::Environment& environment = job.environment;
  DegreeTally tally = job.tally();
  const std::optional<std::uint64_t> bound = input.bound.below;
  SecondNodes second;
  second.sample = sample_of_seconds<Id>(input.sample, bound);
  Demand demand;
  DegreePlan plan;
  std::vector<Reading> readings;
  const auto memory = [&](unsigned threads) {
    demand = job.demand();
    plan = DegreePlan::make(demand, bound);
    // A model that cannot fit is refused before the edges are read.
    if (job.declared) static_cast<void>(plan.counts(demand, *job.declared));
    if (!plan.may_sort) second.sample = std::vector<std::uint64_t>();  // = {} would keep its memory
    readings.assign(threads, Reading(job.source.facts().layout.weight));
    return prepare::SortMemory{environment.memory.reserve(plan.degree_bytes, "degrees of nodes"),
                               plan.edge_bytes};
  };
  auto sorted = prepare::sort_edges(
      std::move(input), keys, {.attachment_bytes = Keys::attachment_bytes},
      [](std::uint64_t source, std::uint64_t target, auto&& push) { push(source, target); }, memory,
      [&](unsigned thread, auto& lane, const EdgeBatch<Id>& batch) {
        readings[thread].take(batch);
        keys.push(lane, batch);
      });
  Reading reading(job.source.facts().layout.weight);
  for (const Reading& part : readings) reading.merge(part);
  reading.edges = sorted.read();

  const std::uint64_t nodes = reading.edges.nodes(job.declared);
  job.expect(nodes, reading.edges.edges);
  const bool counted = plan.counts(demand, nodes);
  ArcCounts arcs;
  if (counted) {
    CountedDegrees degrees(environment.memory, nodes, job.options.directed);
    arcs = scan(environment, sorted, degrees);
    sorted.close();
    degrees.finish(tally);
  } else {
    second.largest = reading.edges.largest_id;
    second.records = sorted.records();
    second.memory_bytes = plan.degree_bytes;
    second.block_bytes = plan.block_bytes;
    second.directed = job.options.directed;
    with_sorted_degrees<Id>(
        environment, std::move(second), tally,
        [&](auto& degrees) { arcs = scan(environment, sorted, degrees); }, [&] { sorted.close(); });
  }
  return job.result(std::move(tally), reading, arcs, describe_choice(demand, counted, nodes, arcs.edges));
}

/// The input declares an order by node: it is read once and not sorted.
template <class Id>
Result scan_sorted(const Job<Id>& job) {
  const EdgeFacts& facts = job.source.facts();
  core::Environment& environment = job.environment;
  DegreeTally tally = job.tally();
  Reading reading(facts.layout.weight);
  const bool counted_before = job.declared && facts.edges;
  if (counted_before) job.expect(*job.declared, *facts.edges);
  const auto finish = [&](const ArcCounts& arcs, ModelChoice choice) {
    if (!counted_before) job.expect(reading.edges.nodes(job.declared), reading.edges.edges);
    Result result = job.result(std::move(tally), reading, arcs, std::move(choice));
    result.sorted_input = true;
    return result;
  };
  if (facts.symmetric) {
    const ArcCounts arcs = scan_symmetric(environment, job.source, job.declared, tally, reading);
    return finish(arcs, {MemoryModel::external, both_directions});
  }
  const Demand demand = job.demand();
  const DegreePlan plan = DegreePlan::make(demand, job.declared);
  ArcCounts arcs;
  const bool counted = counts_in_order(facts, job.declared, demand, plan);
  if (counted) {
    CountedDegrees degrees(environment.memory, *job.declared, job.options.directed);
    arcs = scan_in_order(environment, job.source, job.declared, degrees, reading);
    degrees.finish(tally);
  } else {
    with_sorted_degrees<Id>(
        environment, seconds_in_order(job.source, job.declared, plan, job.options.directed), tally,
        [&](auto& degrees) { arcs = scan_in_order(environment, job.source, job.declared, degrees, reading); },
        [] {});
  }
  const std::uint64_t nodes = reading.edges.nodes(job.declared);
  ModelChoice choice = describe_choice(demand, counted, nodes, arcs.edges);
  choice.reason += kept_order;
  return finish(arcs, std::move(choice));
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           NodeSink<Id>* degrees) {
  const Job<Id> job{environment, edges, options, degrees, declared_nodes<Id>(options.nodes, edges.facts())};
  if (is_sorted_by_node(edges.facts())) return scan_sorted(job);
  return prepare::with_id_bound(environment, edges, job.declared, [&](prepare::SortInput<Id> input) {
    return with_arc_keys<Id>(input.bound.below,
                             [&](const auto& keys) { return sort_and_scan(job, std::move(input), keys); });
  });
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::stats
