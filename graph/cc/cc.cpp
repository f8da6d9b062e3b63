// SPDX-License-Identifier: MIT
// From edges to labels: in memory straight off the stream, or through node ranges.
#include "graph/cc/cc.hpp"

#include <string>
#include <utility>

#include "graph/cc/choice.hpp"
#include "graph/cc/growing_scan.hpp"
#include "graph/cc/label_output.hpp"
#include "graph/cc/range_labels.hpp"
#include "graph/cc/union_scan.hpp"
#include "graph/declared_nodes.hpp"

namespace emgraph::graph::cc {
namespace {

/// Everything the ways of one run share.
template <class R>
struct Run {
  using Id = typename R::id_type;

  core::Environment& environment;
  EdgeSource<R>& source;
  const Options& options;
  NodeSink<Id>* sink;
  Demand demand;

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
Result in_memory(const Run<R>& run, const prepare::Lanes<R>& lanes, std::uint64_t nodes) {
  UnionFind<typename R::id_type> sets(run.environment.memory, nodes, "an id per node");
  prepare::IngestFacts read;
  {
    core::Phase phase(run.environment.progress, "unite", run.facts().edges.value_or(0), "edges");
    read = prepare::ingest(lanes, run.facts().name, run.demand.nodes, phase,
                           [&](unsigned, std::span<const R> batch) { unite_all(sets, batch); });
  }
  return run.result(nodes, read.edges, send_labels(run.environment, sets, nodes, run.sink), 0);
}

/// n is known and an id per node does not fit, or shall not. `source` may be a spool of run.source, of
/// `edges` edges.
template <class R>
Result in_ranges(const Run<R>& run, EdgeSource<R>& source, prepare::Lanes<R> lanes, std::uint64_t nodes,
                 std::optional<std::uint64_t> edges) {
  core::Environment& environment = run.environment;
  // Some is left to those who reserve later: lists of blocks, lanes that convert.
  const std::size_t free = environment.memory.available();
  const RangePlan plan = RangePlan::make({.nodes = nodes,
                                          .edges = edges,
                                          .id_bytes = sizeof(typename R::id_type),
                                          .memory_bytes = free - free / 16,
                                          .limit_bytes = environment.memory.limit(),
                                          .threads = static_cast<unsigned>(lanes.size()),
                                          .range_nodes = run.options.range_nodes});
  lanes.resize(plan.threads);
  Contraction<typename R::id_type> contraction(environment, plan);
  const prepare::IngestFacts read = contraction.distribute(std::move(lanes), source.facts());
  contraction.contract();
  RangeLabels<typename R::id_type> labels(environment, contraction);
  return run.result(nodes, read.edges, labels.send(run.sink), plan.ranges);
}

template <class R>
Result in_ranges_after(const Run<R>& run, core::Run<R> spool, std::uint64_t nodes, std::uint64_t edges) {
  EdgeFacts facts = run.facts();
  const std::uint64_t spooled = spool.records;
  facts.edges = spooled;
  prepare::SpooledSource<R> source(run.environment, std::move(facts), std::move(spool));
  Result result = in_ranges(run, source, prepare::open_lanes(run.environment, source), nodes, spooled);
  result.edges = edges;
  return result;
}

template <class R>
Result in_ranges_again(const Run<R>& run, std::uint64_t nodes, std::uint64_t edges) {
  run.source.rewind();
  return in_ranges(run, run.source, prepare::open_lanes(run.environment, run.source), nodes, edges);
}

/// n is not known: in memory as far as that goes.
template <class R>
Result in_memory_if_it_fits(const Run<R>& run, prepare::Lanes<R> lanes) {
  using Id = typename R::id_type;
  core::Environment& environment = run.environment;
  const bool external = run.options.model == MemoryModel::external;
  const bool spool = !run.source.rewindable();
  const std::size_t free = environment.memory.available();
  const std::uint64_t most = external ? 0 : most_nodes(free, sizeof(Id));
  std::optional<core::Run<R>> spooled;
  prepare::IngestFacts read;
  std::uint64_t nodes = 0;
  {
    GrowingScan<R> scan(environment, most, spool);
    {
      core::Phase phase(environment.progress, external ? "count nodes" : "unite",
                        run.facts().edges.value_or(0), "edges");
      read = prepare::ingest(lanes, run.facts().name, std::nullopt, phase,
                             [&](unsigned, std::span<const R> batch) { scan.take(batch); });
    }
    nodes = read.nodes(std::nullopt);
    lanes.clear();
    if (!scan.outgrown() && !external) {
      return run.result(nodes, read.edges, send_labels(environment, scan.sets(), nodes, run.sink), 0);
    }
    if (run.options.model != MemoryModel::automatic && !external) {
      throw too_many_nodes(environment.memory, nodes, sizeof(Id), free);
    }
    if (spool) spooled = scan.finish_spool();
  }
  if (spooled) return in_ranges_after(run, std::move(*spooled), nodes, read.edges);
  return in_ranges_again(run, nodes, read.edges);
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
  check_forced(demand, options.model);
  const Run<R> run{environment, edges, options, sink, demand};
  prepare::Lanes<R> lanes = prepare::open_lanes(environment, edges);
  if (!demand.nodes) return in_memory_if_it_fits(run, std::move(lanes));
  const std::size_t free = environment.memory.available();
  const bool fits = *demand.nodes <= most_nodes(free, demand.id_bytes);
  if (options.model == MemoryModel::external || (options.model == MemoryModel::automatic && !fits)) {
    return in_ranges(run, edges, std::move(lanes), *demand.nodes, facts.edges);
  }
  if (!fits) throw too_many_nodes(environment.memory, *demand.nodes, demand.id_bytes, free);
  return in_memory(run, lanes, *demand.nodes);
}

template Result run(core::Environment&, EdgeSource<Record<std::uint32_t, 0>>&, const Options&,
                    NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<Record<std::uint64_t, 0>>&, const Options&,
                    NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::cc
