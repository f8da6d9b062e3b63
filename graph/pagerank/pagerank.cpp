// SPDX-License-Identifier: MIT
// From edges to ranks: sorts the arcs by target, in memory or in ranges, and iterates.
#include "graph/pagerank/pagerank.hpp"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "graph/pagerank/in_memory.hpp"
#include "graph/pagerank/job.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::pagerank {
namespace {

/// Sends the ranks; returns their sum in units.
core::uint128 send_ranks(std::span<const std::uint64_t> ranks, NodeSink<std::uint64_t>* sink) {
  core::uint128 total = 0;
  std::array<std::uint64_t, 4096> bits;
  for (std::size_t done = 0; done < ranks.size();) {
    const std::size_t count = std::min(bits.size(), ranks.size() - done);
    for (std::size_t i = 0; i < count; ++i) {
      total += ranks[done + i];
      bits[i] = double_bits(ranks[done + i]);
    }
    if (sink != nullptr) sink->append({bits.data(), count});
    done += count;
  }
  return total;
}

template <class Id, class Sorted, class Add>
void read_arcs(const Job<Id>& job, Sorted& arcs, Add&& add) {
  core::Phase phase(job.environment.progress, "build lists", arcs.records(), "arcs");
  for (auto batch = arcs.sorter().next(); !batch.empty(); batch = arcs.sorter().next()) {
    for (const auto key : batch) add(key);
    phase.advance(batch.size());
  }
}

template <class Id>
core::uint128 iterate_in_memory(const Job<Id>& job, InMemory<Id>& graph, std::uint64_t nodes, Rounds& rounds,
                                NodeSink<std::uint64_t>* sink) {
  graph.end_lists();
  graph.iterate(RankRule(job.options.damping, nodes), rounds);
  const core::Phase phase(job.environment.progress, "write ranks", nodes, "nodes");
  return send_ranks(graph.ranks(), sink);
}

template <class Id, class Keys>
Result solve(const Job<Id>& job, NodeSink<std::uint64_t>* sink, prepare::SortInput<Id> input,
             const Keys& keys) {
  core::Environment& environment = job.environment;
  const Demand demand = job.demand(input.bound.below);
  bool kept = keep_while_sorting(demand);
  const auto memory = [&](unsigned) { return job.sort_memory(demand, kept); };
  auto arcs = prepare::sort_edges(std::move(input), keys, job.sort_spec(), job.directions(), memory);
  Result result;
  result.nodes = arcs.read().nodes(job.declared);
  result.edges = arcs.read().edges;
  result.arcs = arcs.records();
  const std::uint64_t nodes = result.nodes;
  require_justified(job.source.facts(), job.options.nodes, nodes, result.edges);
  if (sink != nullptr) sink->expect(nodes);
  Rounds rounds(job.options.damping, job.options.iterations, job.tolerance());
  const auto finish = [&](core::uint128 sum) {
    result.sum = real_of(sum);
    result.iterations = rounds.count();
    result.residual = rounds.change();
    return result;
  };
  if (kept || nodes == 0) {
    result.choice = choose(demand, job.plan, nodes, result.arcs, job.memory_bytes);
    if (nodes == 0) return finish(0);
    auto graph = std::make_unique<InMemory<Id>>(environment, nodes, result.arcs);
    read_arcs(job, arcs, [&](auto key) { graph->push(keys.target(key), keys.offset(key)); });
    arcs.close();
    return finish(iterate_in_memory(job, *graph, nodes, rounds, sink));
  }
  auto ranges = std::make_unique<RangedRanks>(environment, job.plan, nodes);
  read_arcs(job, arcs,
            [&](auto key) { ranges->push(keys.range_of(key), keys.target(key), keys.offset(key)); });
  arcs.close();
  ranges->end_lists();
  // Lists of several ranges stay on the disks. While lists are read into memory, the blocks need some.
  const std::size_t free = job.plan.ranges(nodes) == 1 ? environment.memory.available() : 0;
  const std::size_t blocks = RangePlan::most_blocks * job.plan.block_bytes;
  result.choice = choose(demand, job.plan, nodes, result.arcs, free - std::min(free, blocks));
  if (result.choice.model == MemoryModel::internal) {
    auto graph = std::make_unique<InMemory<Id>>(environment, nodes, result.arcs);
    ranges->for_each([&](std::uint64_t target, std::uint64_t source) { graph->push(target, source); });
    ranges.reset();
    return finish(iterate_in_memory(job, *graph, nodes, rounds, sink));
  }
  result.ranges = job.plan.ranges(nodes);
  ranges->iterate(RankRule(job.options.damping, nodes), rounds);
  const core::Phase phase(environment.progress, "write ranks", nodes, "nodes");
  return finish(ranges->send(sink));
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
           NodeSink<std::uint64_t>* sink) {
  const auto job = Job<Id>::make(environment, source, options);
  const auto work = [&](prepare::SortInput<Id> input, const auto& keys) {
    return solve(job, sink, std::move(input), keys);
  };
  return with_sort_keys(job, work);
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint64_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::pagerank
