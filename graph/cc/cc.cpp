// SPDX-License-Identifier: MIT
// From edges to labels: in memory while the edges are read, or through ranges of nodes.
#include "graph/cc/cc.hpp"

#include <string>
#include <utility>

#include "graph/cc/choice.hpp"
#include "graph/cc/range_labels.hpp"
#include "graph/cc/union_scan.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph::cc {
namespace {

/// The arguments that the methods of one run share.
template <class Id>
struct Job {
  core::Environment& environment;
  EdgeSource<Id>& source;
  const Options& options;
  NodeSink<Id>* sink;
  ModelDemand demand;

  const EdgeFacts& facts() const { return source.facts(); }

  Result result(std::uint64_t nodes, std::uint64_t edges, const ComponentCount& count,
                std::uint64_t ranges) const {
    return {.nodes = nodes,
            .edges = edges,
            .count = count,
            .choice = describe_choice(demand, nodes, ranges > 0, options.model),
            .ranges = ranges};
  }
};

/// For a known n, if an id per node fits.
template <class Id>
Result in_memory(const Job<Id>& job, const prepare::Lanes<Id>& lanes, std::uint64_t nodes) {
  UnionFind<Id> sets(job.environment.memory, nodes, "an id per node");
  prepare::IngestFacts read;
  {
    core::Phase phase(job.environment.progress, "unite", job.facts().edges.value_or(0), "edges");
    read = prepare::ingest(lanes, job.facts().name, job.demand.nodes, phase,
                           [&](unsigned, std::span<const Edge<Id>> batch) { unite_all(sets, batch); });
  }
  return job.result(nodes, read.edges, send_labels(job.environment, sets, nodes, job.sink), 0);
}

/// n is known, and an id per node does not fit or the external model is forced. `source` is job.source or a
/// spool of it, with `edges` edges.
template <class Id>
Result in_ranges(const Job<Id>& job, EdgeSource<Id>& source, prepare::Lanes<Id> lanes, std::uint64_t nodes,
                 std::optional<std::uint64_t> edges) {
  core::Environment& environment = job.environment;
  // Some is left for later reservations: lists of blocks, lanes that convert.
  const std::size_t free = environment.memory.available();
  const ContractionPlan plan = ContractionPlan::make({.nodes = nodes,
                                                      .edges = edges,
                                                      .id_bytes = sizeof(Id),
                                                      .memory_bytes = free - free / 16,
                                                      .limit_bytes = environment.memory.limit(),
                                                      .threads = static_cast<unsigned>(lanes.size()),
                                                      .range_nodes = job.options.range_nodes});
  while (lanes.size() > plan.threads) lanes.pop_back();
  Contraction<Id> contraction(environment, plan);
  const prepare::IngestFacts read = contraction.distribute(std::move(lanes), source.facts());
  contraction.contract();
  RangeLabels<Id> labels(environment, contraction);
  return job.result(nodes, read.edges, labels.send(job.sink), plan.ranges);
}

template <class Id>
Result in_ranges_after(const Job<Id>& job, core::Run<Edge<Id>> spool, std::uint64_t nodes,
                       std::uint64_t edges) {
  EdgeFacts facts = job.facts();
  const std::uint64_t spooled = spool.records;
  facts.edges = spooled;
  EdgeSource<Id> source = prepare::spooled_source(job.environment, std::move(facts), std::move(spool));
  Result result = in_ranges(job, source, prepare::open_lanes(job.environment, source), nodes, spooled);
  result.edges = edges;
  return result;
}

template <class Id>
Result in_ranges_again(const Job<Id>& job, std::uint64_t nodes, std::uint64_t edges) {
  job.source.rewind();
  return in_ranges(job, job.source, prepare::open_lanes(job.environment, job.source), nodes, edges);
}

/// n is not known: in memory while the ids fit, then in ranges.
template <class Id>
Result in_memory_if_it_fits(const Job<Id>& job, prepare::Lanes<Id> lanes) {
  core::Environment& environment = job.environment;
  const bool external = job.options.model == MemoryModel::external;
  const bool spool = !job.source.rewindable();
  const std::size_t free = environment.memory.available();
  const std::uint64_t most = external ? 0 : most_nodes(free, sizeof(Id));
  std::optional<core::Run<Edge<Id>>> spooled;
  prepare::IngestFacts read;
  std::uint64_t nodes = 0;
  {
    GrowingScan<Id> scan(environment, most, spool);
    {
      core::Phase phase(environment.progress, external ? "count nodes" : "unite",
                        job.facts().edges.value_or(0), "edges");
      read = prepare::ingest(lanes, job.facts().name, std::nullopt, phase,
                             [&](unsigned, std::span<const Edge<Id>> batch) { scan.take(batch); });
    }
    nodes = read.nodes(std::nullopt);
    lanes.clear();
    if (!scan.outgrown() && !external) {
      return job.result(nodes, read.edges, send_labels(environment, scan.sets(), nodes, job.sink), 0);
    }
    if (job.options.model != MemoryModel::automatic && !external) {
      throw too_many_nodes(environment.memory, nodes, sizeof(Id), free);
    }
    if (spool) spooled = scan.finish_spool();
  }
  if (spooled) return in_ranges_after(job, std::move(*spooled), nodes, read.edges);
  return in_ranges_again(job, nodes, read.edges);
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           NodeSink<Id>* sink) {
  const EdgeFacts& facts = edges.facts();
  ModelDemand demand;
  demand.nodes = declared_nodes<Id>(options.nodes, facts);
  demand.edges = facts.edges;
  demand.id_bytes = sizeof(Id);
  demand.memory_bytes = environment.memory.available();
  check_forced(demand, options.model);
  const Job<Id> job{environment, edges, options, sink, demand};
  prepare::Lanes<Id> lanes = prepare::open_lanes(environment, edges);
  if (!demand.nodes) return in_memory_if_it_fits(job, std::move(lanes));
  const std::size_t free = environment.memory.available();
  const bool fits = *demand.nodes <= most_nodes(free, demand.id_bytes);
  if (options.model == MemoryModel::external || (options.model == MemoryModel::automatic && !fits)) {
    return in_ranges(job, edges, std::move(lanes), *demand.nodes, facts.edges);
  }
  if (!fits) throw too_many_nodes(environment.memory, *demand.nodes, demand.id_bytes, free);
  return in_memory(job, lanes, *demand.nodes);
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::cc
