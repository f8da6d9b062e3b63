// SPDX-License-Identifier: MIT
// Read, sort, scan, count: the pipeline of `stats`.
#include "graph/stats/stats.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "graph/edge_facts.hpp"
#include "graph/prepare/key_sort.hpp"
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
template <class Body, class Close>
void with_sorted_degrees(core::Environment& environment, SecondNodes second, DegreeTally& tally, Body&& body,
                         Close&& close) {
  const auto work = [&]<class Key>(Key) {
    const std::uint64_t records = second.records;
    SortedDegrees<Key> degrees(environment, std::move(second));
    body(degrees);
    close();
    core::Phase phase(environment.progress, "merge degrees", records, "edges");
    degrees.finish(tally, phase);
  };
  if (prepare::bits_for_nodes(second.largest + 1) <= 62 && second.largest != ~std::uint64_t{0}) {
    work(std::uint64_t{0});
  } else {
    work(core::uint128{0});
  }
}

/// Sends the sorter's arcs to `degrees`.
template <class Keys, class Degrees>
ArcCounts scan(core::Environment& environment, typename Keys::Sorter& sorter, const Keys& keys,
               Degrees& degrees) {
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

/// Reads all edges into the sorter.
template <class Id, class Keys>
Reading distribute(const Job<Id>& job, prepare::Lanes<Id> lanes, const prepare::IdBound& bound,
                   typename Keys::Sorter& sorter, const Keys& keys) {
  const EdgeFacts& facts = job.source.facts();
  core::Phase phase(job.environment.progress, "distribute", facts.edges.value_or(0), "edges");
  std::vector<Reading> readings(lanes.size(), Reading(facts.layout.weight));
  const prepare::IngestFacts edges =
      prepare::ingest(lanes, facts.name, bound, phase, [&](unsigned thread, const EdgeBatch<Id>& batch) {
        readings[thread].take(batch);
        auto& lane = sorter.lane(thread);
        for (const Edge<Id>& edge : batch) keys.push(lane, edge.source, edge.target);
      });
  lanes.clear();
  core::run_on_threads(sorter.lanes(), [&](unsigned thread) { sorter.lane(thread).finish(); });
  sorter.finish();
  Reading all(facts.layout.weight);
  for (const Reading& reading : readings) all.merge(reading);
  all.edges = edges;
  return all;
}

template <class Id, class Keys>
Result sort_and_scan(const Job<Id>& job, const prepare::IdBound& bound, const Keys& keys) {
  using Sorter = typename Keys::Sorter;
  core::Environment& environment = job.environment;
  DegreeTally tally = job.tally();
  typename Sorter::Options options;
  const std::uint64_t most = keys.id_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << keys.id_bits) - 1;
  const std::uint64_t nodes_bound = bound.below.value_or(0);
  options.range = keys.range(nodes_bound > 0 ? std::min(nodes_bound - 1, most) : most);
  options.records = job.source.facts().edges;
  options.attachment_bytes = Keys::attachment_bytes;
  SecondNodes second;
  for (const Edge<Id>& edge : job.source.sample(prepare::splitter_sample)) {
    const auto [low, high] = low_high(edge.source, edge.target);
    if (bound.below && high >= *bound.below) continue;
    options.sample.push_back(keys.make(edge.source, edge.target));
    second.sample.push_back(high);
  }
  prepare::Lanes<Id> lanes = prepare::open_lanes(environment, job.source);
  options.threads = static_cast<unsigned>(lanes.size());
  const Demand demand = job.demand();
  const DegreePlan plan = DegreePlan::make(demand, bound.below);
  // A model that cannot fit is refused before the edges are read.
  if (job.declared) static_cast<void>(plan.counts(demand, *job.declared));
  if (!plan.may_sort) second.sample = std::vector<std::uint64_t>();  // = {} would keep its memory
  core::Reservation degree_memory = environment.memory.reserve(plan.degree_bytes, "degrees of nodes");
  options.memory_bytes = plan.edge_bytes;
  auto sorter = std::make_unique<Sorter>(environment, std::move(options));
  const Reading reading = distribute(job, std::move(lanes), bound, *sorter, keys);

  const std::uint64_t nodes = reading.edges.nodes(job.declared);
  const bool counted = plan.counts(demand, nodes);
  degree_memory.release();
  ArcCounts arcs;
  if (counted) {
    CountedDegrees degrees(environment.memory, nodes, job.options.directed);
    arcs = scan(environment, *sorter, keys, degrees);
    sorter.reset();
    degrees.finish(tally);
  } else {
    second.largest = reading.edges.largest_id;
    second.records = sorter->records();
    second.memory_bytes = plan.degree_bytes;
    second.block_bytes = plan.block_bytes;
    with_sorted_degrees(
        environment, std::move(second), tally,
        [&](auto& degrees) { arcs = scan(environment, *sorter, keys, degrees); }, [&] { sorter.reset(); });
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
  const auto finish = [&](const ArcCounts& arcs, ModelChoice choice) {
    Result result = job.result(std::move(tally), reading, arcs, std::move(choice));
    result.sorted_input = true;
    return result;
  };
  if (facts.symmetric) {
    const ArcCounts arcs = scan_symmetric(environment, job.source, job.declared, tally, reading);
    return finish(arcs,
                  {MemoryModel::external,
                   "declared sorted, in both directions: degrees one after the other, nothing is kept"});
  }
  const Demand demand = job.demand();
  const DegreePlan plan = DegreePlan::make(demand, job.declared);
  if (!job.declared && !plan.may_sort) {
    throw core::UsageError(facts.name + ": the number of nodes is not known before the end; give --nodes");
  }
  ArcCounts arcs;
  // Counters need n in advance.
  const bool counted = job.declared && plan.counts(demand, *job.declared);
  if (counted) {
    CountedDegrees degrees(environment.memory, *job.declared, job.options.directed);
    arcs = scan_in_order(environment, job.source, job.declared, degrees, reading);
    degrees.finish(tally);
  } else {
    const bool by_target = facts.order == EdgeOrder::target_source;
    SecondNodes second;
    for (const Edge<Id>& edge : job.source.sample(prepare::splitter_sample)) {
      const std::uint64_t node = by_target ? edge.source : edge.target;
      if (!job.declared || node < *job.declared) second.sample.push_back(node);
    }
    second.largest = job.declared ? std::max<std::uint64_t>(1, *job.declared) - 1 : std::uint64_t{~Id{0}};
    second.records = facts.edges.value_or(0);
    second.memory_bytes = plan.degree_bytes + plan.edge_bytes;
    second.block_bytes = plan.block_bytes;
    with_sorted_degrees(
        environment, std::move(second), tally,
        [&](auto& degrees) { arcs = scan_in_order(environment, job.source, job.declared, degrees, reading); },
        [] {});
  }
  const std::uint64_t nodes = reading.edges.nodes(job.declared);
  ModelChoice choice = describe_choice(demand, counted, nodes, arcs.edges);
  choice.reason += "; declared sorted, the edges are not sorted again";
  return finish(arcs, std::move(choice));
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           NodeSink<Id>* degrees) {
  const Job<Id> job{environment, edges, options, degrees, declared_nodes<Id>(options.nodes, edges.facts())};
  if (is_sorted_by_node(edges.facts())) return scan_sorted(job);
  return prepare::with_id_bound(edges, job.declared, [&](const prepare::IdBound& bound) {
    return with_arc_keys<Id>(bound.below, [&](const auto& keys) { return sort_and_scan(job, bound, keys); });
  });
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::stats
