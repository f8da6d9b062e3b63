// SPDX-License-Identifier: MIT
// From edges to ranks: sorts the arcs by target, in memory or in ranges, and iterates.
#include "graph/pagerank/pagerank.hpp"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "graph/pagerank/arc_keys.hpp"
#include "graph/pagerank/choice.hpp"
#include "graph/pagerank/in_memory.hpp"
#include "graph/pagerank/ranges.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::pagerank {
namespace {

constexpr double usual_tolerance = 1e-6;

template <class Id>
struct Job {
  core::Environment& environment;
  EdgeSource<Id>& source;
  const Options& options;
  NodeSink<std::uint64_t>* sink;
  std::optional<std::uint64_t> declared;  ///< n
  bool both;                              ///< an edge is an arc each way
  RangePlan plan;
  std::size_t memory_bytes;

  Demand demand(const std::optional<std::uint64_t>& nodes_below) const {
    const EdgeFacts& facts = source.facts();
    Demand demand{.model = options.model,
                  .id_bytes = sizeof(Id),
                  .memory_bytes = memory_bytes,
                  .nodes_below = nodes_below,
                  .most_arcs = facts.edges ? facts.edges : facts.most_edges};
    if (demand.most_arcs) demand.most_arcs = core::size_product(*demand.most_arcs, both ? 2 : 1);
    return demand;
  }
};

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
core::uint128 iterate_in_memory(const Job<Id>& job, InMemory<Id>& graph, std::uint64_t nodes,
                                Rounds& rounds) {
  graph.end_lists();
  graph.iterate(RankRule(job.options.damping, nodes), rounds);
  const core::Phase phase(job.environment.progress, "write ranks", nodes, "nodes");
  return send_ranks(graph.ranks(), job.sink);
}

template <class Id, class Keys>
Result solve(const Job<Id>& job, prepare::SortInput<Id> input, const Keys& keys) {
  core::Environment& environment = job.environment;
  const std::uint64_t most_nodes = input.bound.below.value_or(~std::uint64_t{0});
  const Demand demand = job.demand(input.bound.below);
  bool kept = keep_while_sorting(demand);
  const auto memory = [&](unsigned) {
    std::uint64_t spare = job.plan.bytes_for(most_nodes);
    if (kept) {
      const std::uint64_t all = internal_bytes(demand, *demand.nodes_below, *demand.most_arcs);
      // The lanes of many threads may have taken what the sort needs.
      kept = environment.memory.available() / 2 >= all || job.plan.ranges(most_nodes) > 1;
      if (kept) spare = all;
    }
    core::Reservation later =
        environment.memory.reserve(static_cast<std::size_t>(spare), "the vectors of PageRank");
    return prepare::SortMemory{std::move(later), prepare::sorter_memory(environment.memory)};
  };
  const auto directions = [both = job.both](std::uint64_t source, std::uint64_t target, auto&& push) {
    push(target, source);
    if (both && source != target) push(source, target);
  };
  const prepare::SortSpec spec{.keys_per_edge = job.both ? 2U : 1U, .attachment_bytes = 0};
  auto arcs = prepare::sort_edges(std::move(input), keys, spec, directions, memory);
  Result result;
  result.nodes = arcs.read().nodes(job.declared);
  result.edges = arcs.read().edges;
  result.arcs = arcs.records();
  const std::uint64_t nodes = result.nodes;
  require_justified(job.source.facts(), job.options.nodes, nodes, result.edges);
  if (job.sink != nullptr) job.sink->expect(nodes);
  const std::optional<double> tolerance =
      job.options.tolerance || job.options.iterations ? job.options.tolerance : usual_tolerance;
  Rounds rounds(job.options.damping, job.options.iterations, tolerance);
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
    return finish(iterate_in_memory(job, *graph, nodes, rounds));
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
    return finish(iterate_in_memory(job, *graph, nodes, rounds));
  }
  result.ranges = job.plan.ranges(nodes);
  ranges->iterate(RankRule(job.options.damping, nodes), rounds);
  const core::Phase phase(environment.progress, "write ranks", nodes, "nodes");
  return finish(ranges->send(job.sink));
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
           NodeSink<std::uint64_t>* sink) {
  const auto declared = declared_nodes<Id>(options.nodes, source.facts());
  const std::size_t memory = environment.memory.available();
  const Job<Id> job{.environment = environment,
                    .source = source,
                    .options = options,
                    .sink = sink,
                    .declared = declared,
                    .both = options.undirected && !source.facts().symmetric,
                    .plan = RangePlan::make(memory, declared, options.range_nodes),
                    .memory_bytes = memory};
  return prepare::with_id_bound(environment, source, declared, [&](prepare::SortInput<Id> input) {
    const std::optional<std::uint64_t> below = input.bound.below;
    const unsigned range_bits = keep_while_sorting(job.demand(below)) ? 64 : job.plan.range_bits;
    return with_arc_keys<Id>(below, range_bits,
                             [&](const auto& keys) { return solve(job, std::move(input), keys); });
  });
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint64_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::pagerank
