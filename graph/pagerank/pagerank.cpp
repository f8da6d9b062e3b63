// SPDX-License-Identifier: MIT
// From edges to ranks: sorts the arcs by target, in memory or in ranges, and iterates.
#include "graph/pagerank/pagerank.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "graph/edge_weights.hpp"
#include "graph/node_space.hpp"
#include "graph/pagerank/arc_weights.hpp"
#include "graph/pagerank/in_memory.hpp"
#include "graph/pagerank/job.hpp"
#include "graph/pagerank/kept.hpp"
#include "graph/prepare/remade.hpp"
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

/// Calls work(std::bool_constant<weighted>{}).
template <class Work>
decltype(auto) with_weighted(bool weighted, Work&& work) {
  return weighted ? work(std::true_type{}) : work(std::false_type{});
}

/// Calls take(keys, weight_of) for all arcs, in order; weight_of(i) is 1 unless the ranks are weighted.
template <class Id, class Sorted, class Take>
void read_arcs(const Job<Id>& job, Sorted& arcs, Take&& take) {
  const WeightType type = job.weight_type();
  const std::size_t attachment_bytes = job.source.attachment_bytes();
  core::Phase phase(job.environment.progress, "build lists", arcs.records(), "arcs");
  if (job.keeper != nullptr) phase.advance(job.keeper->records());
  for (auto batch = arcs.next(); !batch.empty(); batch = arcs.next()) {
    const std::byte* const attachments =
        type == WeightType::none ? nullptr : arcs.attachments(attachment_bytes);
    take(batch, [&](std::size_t i) {
      return attachments == nullptr ? 1.0 : weight_at(type, attachments + i * attachment_bytes);
    });
    phase.advance(batch.size());
    arcs.consumed(batch, "in lists", {});
  }
}

template <class Id>
Rounds rounds_of(const Job<Id>& job) {
  return {job.options.damping, job.options.iterations, job.tolerance()};
}

template <class Id>
RankRule rule_of(const Job<Id>& job, std::uint64_t nodes) {
  return {job.options.damping, nodes, job.options.sources};
}

/// The edges are read.
template <class Id>
Result begun(const Job<Id>& job, std::uint64_t nodes, std::uint64_t edges, std::uint64_t arcs) {
  Result result;
  result.nodes = nodes;
  result.edges = edges;
  result.arcs = arcs;
  require_justified(job.source.facts(), job.options.nodes, nodes, edges);
  require_sources(job.options.sources, job.options.sources_file, nodes);
  if (job.sink != nullptr) job.sink->expect(nodes);
  return result;
}

Result finished(Result result, const Rounds& rounds, core::uint128 sum) {
  result.sum = real_of(sum);
  result.iterations = rounds.count();
  result.residual = rounds.change();
  return result;
}

template <class Id, bool Weighted>
Result iterate_in_memory(const Job<Id>& job, InMemory<Id, Weighted>& graph, const Result& result,
                         Rounds& rounds, RoundKeeper& keeper) {
  graph.iterate(rule_of(job, result.nodes), rounds, keeper);
  const core::Phase phase(job.environment.progress, "write ranks", result.nodes, "nodes");
  return finished(result, rounds, send_ranks(graph.ranks(), job.sink));
}

/// Sorts the arcs, with their weights if the ranks are weighted. `memory`: as for sort_edges.
template <class Id, class Keys, class Memory>
auto sort_arcs(const Job<Id>& job, prepare::SortInput<Id> input, const Keys& keys, Memory&& memory) {
  const auto directions = job.directions();
  const auto push = prepare::take_visited(keys, directions);
  std::optional<EdgeWeights> weights;
  if (job.options.weighted) weights.emplace(Weighting{}, job.weight_type());
  const std::string& name = job.source.facts().name;
  return prepare::sort_edges(
      std::move(input), keys, job.sort_spec(), directions, memory,
      [&](unsigned thread, auto& lane, const EdgeBatch<Id>& batch, std::uint64_t first_edge) {
        if (weights) check_weights(batch, *weights, weight_limits, name, first_edge);
        push(thread, lane, batch);
      });
}

/// Throws EnvironmentError if the disks have too little space for degrees, and ranks where they are not in
/// memory.
template <class Id>
void require_space(const Job<Id>& job, const Demand& demand, const Result& result) {
  const bool on_disk = internal_bytes(demand, result.nodes, result.arcs) > job.memory_bytes;
  require_node_space(job.environment, result.nodes,
                     core::size_product(result.nodes, (on_disk ? 3 : 1) * sizeof(std::uint64_t)));
}

/// Chooses the model for complete lists and iterates; goes on with the rounds of an earlier run if there are
/// any. `place`: for the states of a checkpoint.
template <class Id>
Result iterate(const Job<Id>& job, std::unique_ptr<RangedRanks> ranges, Result result, const Place& place,
               core::StateReader* state) {
  core::Environment& environment = job.environment;
  std::unique_ptr<core::StateReader> started;
  if (place.started.number != 0) {
    started = environment.checkpoint->read_state_file(place.started);
    state = started.get();
  }
  Rounds rounds = rounds_of(job);
  if (state != nullptr) rounds.restore(place.rounds, place.change);
  // The places of the ranks are claimed before other space is taken.
  KeptValues<std::uint64_t> ranks(environment, state != nullptr ? place.ranks : ValuesAre::missing, state);
  RoundKeeper keeper(environment.checkpoint, place);
  // Lists of several ranges stay on the disks. While lists are read into memory, the blocks need some.
  const std::uint64_t count = job.plan.ranges(result.nodes);
  const std::size_t free = count == 1 ? environment.memory.available() : 0;
  const std::size_t blocks = job.plan.blocks_bytes();
  result.choice = choose(job.demand({}), job.plan, result.nodes, result.arcs, free - std::min(free, blocks));
  if (result.choice.model == MemoryModel::internal) {
    return with_weighted(job.options.weighted, [&](auto weighted) {
      auto graph = std::make_unique<InMemory<Id, weighted>>(environment, result.nodes, result.arcs);
      ranges->for_each([&](std::uint64_t target, std::uint64_t source, double weight) {
        graph->push(target, source, weight);
      });
      graph->end_lists();
      if (!ranks.missing()) {
        std::uint64_t* to = graph->restored_ranks().data();
        ranks.for_each(environment, result.nodes, [&](std::uint64_t rank) { *to++ = rank; });
      }
      ranges.reset();
      return iterate_in_memory(job, *graph, result, rounds, keeper);
    });
  }
  if (!ranks.missing()) ranges->restore(ranks);
  result.ranges = count;
  ranges->iterate(rule_of(job, result.nodes), rounds, keeper);
  const core::Phase phase(environment.progress, "write ranks", result.nodes, "nodes");
  return finished(result, rounds, ranges->send(job.sink));
}

/// The lists are complete: describes them in a state file, and seals that they are if this took long.
void keep_lists(core::Checkpoint& checkpoint, RangedRanks& ranges, Place& place) {
  place.stage = Stage::rounds;
  place.listing = 0;
  place.lists = checkpoint.write_state_file([&](core::StateWriter& to) { ranges.save_lists(to); });
  constexpr double part_of_period = 0.25;
  if (!checkpoint.due(part_of_period)) return;
  checkpoint.seal("the lists are complete", [&](core::StateWriter& to) { to.value(place); });
}

/// `lists`: those that an earlier run has begun, null if there are none; set while they are built.
template <class Id, class Keys>
Result solve(const Job<Id>& job, prepare::SortInput<Id> input, const Keys& keys, Place& place,
             std::unique_ptr<RangedRanks>& lists) {
  core::Environment& environment = job.environment;
  const Demand demand = job.demand(input.bound.below);
  if (job.declared) require_semi_external(demand, job.plan, *job.declared);
  bool kept = job.keeper == nullptr && keep_while_sorting(demand);
  const auto memory = [&](unsigned) { return job.sort_memory(demand, kept, lists != nullptr); };
  auto arcs = sort_arcs(job, std::move(input), keys, memory);
  Result result = begun(job, arcs.read().nodes(job.declared), arcs.read().edges, arcs.records());
  if (kept || result.nodes == 0) {
    result.choice = choose(demand, job.plan, result.nodes, result.arcs, job.memory_bytes);
    Rounds rounds = rounds_of(job);
    if (result.nodes == 0) return finished(result, rounds, 0);
    RoundKeeper none(nullptr, place);
    return with_weighted(job.options.weighted, [&](auto weighted) {
      auto graph = std::make_unique<InMemory<Id, weighted>>(environment, result.nodes, result.arcs);
      read_arcs(job, arcs, [&](auto batch, const auto& weight_of) {
        for (std::size_t i = 0; i < batch.size(); ++i) {
          graph->push(keys.target(batch[i]), keys.offset(batch[i]), weight_of(i));
        }
      });
      graph->end_lists();
      arcs.close();
      return iterate_in_memory(job, *graph, result, rounds, none);
    });
  }
  require_semi_external(demand, job.plan, result.nodes);
  require_space(job, demand, result);
  place.nodes = result.nodes;
  place.edges = result.edges;
  place.arcs = result.arcs;
  if (lists == nullptr) {
    lists = std::make_unique<RangedRanks>(environment, job.plan, result.nodes, job.options.weighted);
  }
  read_arcs(job, arcs, [&](auto batch, const auto& weight_of) { lists->append(keys, batch, weight_of); });
  arcs.close();
  lists->end_lists();
  if (job.keeper != nullptr) {
    job.keeper->finish();
    keep_lists(job.keeper->checkpoint(), *lists, place);
  }
  return iterate(job, std::move(lists), result, place, nullptr);
}

/// Iterates on lists that build_rows() makes, from the ranks that `state` has if it is not null; nullopt if
/// the input does not suit, or if it may not fit.
template <class Id>
std::optional<Result> solve_on_rows(const Job<Id>& job, Place place, core::StateReader* state) {
  if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
    if (!job.may_take_rows()) return std::nullopt;
    auto built = adjacency::build_rows<std::uint64_t>(job.environment, job.source, job.rows_options());
    if (!built) return std::nullopt;
    Result result = begun(job, built->rows->nodes(), built->read.edges, built->rows->facts().entries);
    result.choice = choose(job.demand({}), job.plan, result.nodes, result.arcs, job.memory_bytes);
    Rounds rounds = rounds_of(job);
    if (result.nodes == 0) return finished(result, rounds, 0);
    InMemory<Id, false> graph(job.environment, std::move(*built->rows), job.both);
    if (state != nullptr) {
      if (place.nodes != result.nodes || place.edges != result.edges) {
        prepare::refuse_changed(job.source.facts().name);
      }
      rounds.restore(place.rounds, place.change);
      state->array(graph.restored_ranks());
    }
    place.stage = Stage::rows;
    place.nodes = result.nodes;
    place.edges = result.edges;
    place.arcs = result.arcs;
    RoundKeeper keeper(job.environment.checkpoint, place);
    return iterate_in_memory(job, graph, result, rounds, keeper);
  }
  return std::nullopt;
}

/// The lists of a run on rows do not fit now: keeps its ranks in a file, for a run that writes lists.
template <class Id>
void keep_started(Job<Id>& job, KeptState& kept, Place& place) {
  place.started = job.environment.checkpoint->write_state_file([&](core::StateWriter& to) {
    std::array<std::uint64_t, 4096> piece;
    for (std::uint64_t done = 0; done < place.nodes; done += piece.size()) {
      const auto here = std::span(piece).first(std::min<std::uint64_t>(piece.size(), place.nodes - done));
      kept.reader->array(here);
      to.array(std::span<const std::uint64_t>(here));
    }
  });
  place.stage = Stage::lists;
  job.declared = place.nodes;  // a wrong guess would begin again
  kept.reader.reset();
}

/// Goes on with rounds.
template <class Id>
Result resume_rounds(const Job<Id>& job, KeptState& kept) {
  const Place& place = kept.place;
  Result result;
  result.nodes = place.nodes;
  result.edges = place.edges;
  result.arcs = place.arcs;
  if (job.sink != nullptr) job.sink->expect(result.nodes);
  const auto file = job.environment.checkpoint->read_state_file(place.lists);
  auto ranges =
      std::make_unique<RangedRanks>(job.environment, job.plan, place.nodes, job.options.weighted, *file);
  return iterate(job, std::move(ranges), result, place, kept.reader.get());
}

/// A plan of an earlier run may be for more memory. Throws MemoryLimitError.
void require_memory_of(const RangePlan& plan, std::uint64_t nodes, std::size_t memory) {
  const std::uint64_t need = plan.bytes_for(nodes);
  if (need <= memory) return;
  throw core::MemoryLimitError("the node ranges of the checkpoint need " + core::format_size(need) + ", " +
                               core::format_size(memory) + " are free; " +
                               core::memory_option(core::size_sum(core::size_product(need, 2), core::MiB)) +
                               " would do");
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
           NodeSink<std::uint64_t>* sink) {
  if (options.weighted) weights_of(source, {});
  core::Checkpoint* const checkpoint = environment.checkpoint;
  KeptState kept(checkpoint);
  Job<Id> job = Job<Id>::make(environment, source, options);
  job.sink = sink;
  Place place = kept.place;
  const bool on_rows = kept.in(Stage::rows);
  if (on_rows || (!kept.reader && prepare::edges_are_remade(checkpoint, job.demand({}).most_arcs))) {
    std::optional<Result> result = solve_on_rows(job, place, kept.reader.get());
    if (result) return *std::move(result);
  }
  if (on_rows) keep_started(job, kept, place);
  std::unique_ptr<RangedRanks> lists;
  std::optional<prepare::SortKeeper> keeper;
  if (kept.reader) {
    job.plan = place.plan;
    require_memory_of(job.plan, place.nodes, job.memory_bytes);
  }
  if (kept.in(Stage::rounds)) return resume_rounds(job, kept);
  if (checkpoint != nullptr) {
    if (place.listing != 0) {
      lists =
          std::make_unique<RangedRanks>(environment, job.plan, place.nodes, options.weighted, *kept.reader);
    }
    const auto head = [&](core::StateWriter& to) {
      place.listing = lists != nullptr ? 1 : 0;
      to.value(place);
      if (lists) lists->save_lists(to);
    };
    keeper.emplace(*checkpoint,
                   prepare::SortKeeper::Options{
                       .head = head, .state = kept.reader.get(), .phase = "lists", .kept_part = 0.25});
    job.keeper = &*keeper;
  }
  return with_sort_keys(job, [&](prepare::SortInput<Id> input, const auto& keys) {
    place.plan = job.plan;
    return solve(job, std::move(input), keys, place, lists);
  });
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint64_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::pagerank
