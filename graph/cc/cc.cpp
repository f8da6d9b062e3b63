// SPDX-License-Identifier: MIT
// From edges to labels: in memory straight off the stream, or through node ranges.
#include "graph/cc/cc.hpp"

#include <string>
#include <utility>

#include "graph/cc/choice.hpp"
#include "graph/cc/range_labels.hpp"
#include "graph/cc/union_scan.hpp"
#include "graph/edge_facts.hpp"

namespace emgraph::graph::cc {
namespace {

/// Everything the ways of one run share.
template <class R>
struct Job {
  using Id = typename R::id_type;

  core::Environment& environment;
  EdgeSource<R>& source;
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

/// n is known and an id per node fits.
template <class R>
Result in_memory(const Job<R>& job, const prepare::Lanes<R>& lanes, std::uint64_t nodes) {
  UnionFind<typename R::id_type> sets(job.environment.memory, nodes, "an id per node");
  prepare::IngestFacts read;
  {
    core::Phase phase(job.environment.progress, "unite", job.facts().edges.value_or(0), "edges");
    read = prepare::ingest(lanes, job.facts().name, job.demand.nodes, phase,
                           [&](unsigned, std::span<const R> batch) { unite_all(sets, batch); });
  }
  return job.result(nodes, read.edges, send_labels(job.environment, sets, nodes, job.sink), 0);
}

/// n is known and an id per node does not fit, or shall not. `source` may be a spool of job.source, of
/// `edges` edges.
template <class R>
Result in_ranges(const Job<R>& job, EdgeSource<R>& source, prepare::Lanes<R> lanes, std::uint64_t nodes,
                 std::optional<std::uint64_t> edges) {
  core::Environment& environment = job.environment;
  // Some is left to those who reserve later: lists of blocks, lanes that convert.
  const std::size_t free = environment.memory.available();
  const ContractionPlan plan = ContractionPlan::make({.nodes = nodes,
                                                      .edges = edges,
                                                      .id_bytes = sizeof(typename R::id_type),
                                                      .memory_bytes = free - free / 16,
                                                      .limit_bytes = environment.memory.limit(),
                                                      .threads = static_cast<unsigned>(lanes.size()),
                                                      .range_nodes = job.options.range_nodes});
  lanes.resize(plan.threads);
  Contraction<typename R::id_type> contraction(environment, plan);
  const prepare::IngestFacts read = contraction.distribute(std::move(lanes), source.facts());
  contraction.contract();
  RangeLabels<typename R::id_type> labels(environment, contraction);
  return job.result(nodes, read.edges, labels.send(job.sink), plan.ranges);
}

template <class R>
Result in_ranges_after(const Job<R>& job, core::Run<R> spool, std::uint64_t nodes, std::uint64_t edges) {
  EdgeFacts facts = job.facts();
  const std::uint64_t spooled = spool.records;
  facts.edges = spooled;
  prepare::SpooledSource<R> source(job.environment, std::move(facts), std::move(spool));
  Result result = in_ranges(job, source, prepare::open_lanes(job.environment, source), nodes, spooled);
  result.edges = edges;
  return result;
}

template <class R>
Result in_ranges_again(const Job<R>& job, std::uint64_t nodes, std::uint64_t edges) {
  job.source.rewind();
  return in_ranges(job, job.source, prepare::open_lanes(job.environment, job.source), nodes, edges);
}

/// n is not known: in memory as far as that goes.
template <class R>
Result in_memory_if_it_fits(const Job<R>& job, prepare::Lanes<R> lanes) {
  using Id = typename R::id_type;
  core::Environment& environment = job.environment;
  const bool external = job.options.model == MemoryModel::external;
  const bool spool = !job.source.rewindable();
  const std::size_t free = environment.memory.available();
  const std::uint64_t most = external ? 0 : most_nodes(free, sizeof(Id));
  std::optional<core::Run<R>> spooled;
  prepare::IngestFacts read;
  std::uint64_t nodes = 0;
  {
    GrowingScan<R> scan(environment, most, spool);
    {
      core::Phase phase(environment.progress, external ? "count nodes" : "unite",
                        job.facts().edges.value_or(0), "edges");
      read = prepare::ingest(lanes, job.facts().name, std::nullopt, phase,
                             [&](unsigned, std::span<const R> batch) { scan.take(batch); });
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

template <class R>
Result run(core::Environment& environment, EdgeSource<R>& edges, const Options& options,
           NodeSink<typename R::id_type>* sink) {
  const EdgeFacts& facts = edges.facts();
  ModelDemand demand;
  demand.nodes = declared_nodes<typename R::id_type>(options.nodes, facts);
  demand.edges = facts.edges;
  demand.id_bytes = sizeof(typename R::id_type);
  demand.memory_bytes = environment.memory.available();
  check_forced(demand, options.model);
  const Job<R> job{environment, edges, options, sink, demand};
  prepare::Lanes<R> lanes = prepare::open_lanes(environment, edges);
  if (!demand.nodes) return in_memory_if_it_fits(job, std::move(lanes));
  const std::size_t free = environment.memory.available();
  const bool fits = *demand.nodes <= most_nodes(free, demand.id_bytes);
  if (options.model == MemoryModel::external || (options.model == MemoryModel::automatic && !fits)) {
    return in_ranges(job, edges, std::move(lanes), *demand.nodes, facts.edges);
  }
  if (!fits) throw too_many_nodes(environment.memory, *demand.nodes, demand.id_bytes, free);
  return in_memory(job, lanes, *demand.nodes);
}

template Result run(core::Environment&, EdgeSource<Record<std::uint32_t, 0>>&, const Options&,
                    NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<Record<std::uint64_t, 0>>&, const Options&,
                    NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::cc
