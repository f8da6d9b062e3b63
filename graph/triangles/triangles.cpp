// SPDX-License-Identifier: MIT
// The pipeline of `triangles`: degrees, ranks, oriented lists, intersections.
#include "graph/triangles/triangles.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "graph/edge_facts.hpp"
#include "graph/prepare/spooled_source.hpp"
#include "graph/sparse_ids.hpp"
#include "graph/triangles/choice.hpp"
#include "graph/triangles/chunk_passes.hpp"
#include "graph/triangles/degree_ranks.hpp"
#include "graph/triangles/external_ranks.hpp"
#include "graph/triangles/kept.hpp"
#include "graph/triangles/node_counts.hpp"
#include "graph/triangles/oriented_lists.hpp"
#include "graph/triangles/triangle_list.hpp"

namespace emgraph::graph::triangles {
namespace {

/// Keeps the passes and the lists, which `save_lists` writes. Reads the position and the counts of an earlier
/// run from `state`; null: there was none. Nothing of the passes is kept if they make a list or counts that
/// do not fit.
std::optional<KeptPasses> keep_passes(core::Environment& environment, Place& place,
                                      std::function<void(core::StateWriter&)> save_lists, NodeCounts* counts,
                                      bool list, core::StateReader* state) {
  if (environment.checkpoint == nullptr) return std::nullopt;
  core::Checkpoint& checkpoint = *environment.checkpoint;
  const bool resumable = !list && (counts == nullptr || counts->resumable());
  NodeCounts* const kept_counts = resumable ? counts : nullptr;
  KeptPasses kept{checkpoint, {}, {}};
  if (state != nullptr) {
    const auto position = state->value<PassPosition>();
    // With less memory than before the counts may not fit any more, or with more they do.
    const bool same = state->value<bool>() == (kept_counts != nullptr);
    if (same && resumable) kept.position = position;
    if (same && kept_counts != nullptr) kept_counts->restore(*state);
  }
  place.stage = Stage::intersect;
  kept.seal = [&checkpoint, &place, save = std::move(save_lists), kept_counts](const PassPosition& at) {
    if (place.lists.number == 0) place.lists = checkpoint.write_state_file(save);
    checkpoint.seal(at.chunks == 0 ? "the lists are written"
                                   : "intersect: chunk " + core::format_count(at.chunks) + ", " +
                                         core::format_count(at.triangles) + " triangles are found",
                    [&](core::StateWriter& to) {
                      to.value(place);
                      to.value(at);
                      to.value(kept_counts != nullptr);
                      if (kept_counts != nullptr) kept_counts->save(to);
                    });
  };
  if (resumable) return kept;
  if (place.lists.number == 0 && checkpoint.due(0.25)) kept.seal({});
  return std::nullopt;
}

/// With ranks in memory: sorts the edges by rank, and keeps the lists in memory or writes them to segments.
template <class Id>
void run_with_ranks(core::Environment& environment, const Demand& demand, Counted<Id> counted,
                    const Outputs<Id>& outputs, Result& result) {
  core::MemoryBudget& memory = environment.memory;
  Place& place = counted.place;
  const RankFacts facts = place.facts;
  const bool keep_ranks = outputs.per_node != nullptr;
  core::Array<Id> ids;
  const auto make_ids = [&] {
    if (outputs.list != nullptr) ids = ids_by_rank<Id>(memory, *counted.ranks, facts.ranks);
  };
  const bool intersecting = place.stage == Stage::intersect;
  OrientedLists lists;
  if (intersecting) {
    lists = OrientedLists::restored(environment, *environment.checkpoint->read_state_file(place.lists),
                                    place.model);
    make_ids();
    if (!keep_ranks) counted.ranks.reset();
  } else {
    place.model = choose_lists(demand, result.nodes, facts.ranks, counted.ranks->edges());
    place.segments = SegmentPlan::make(memory.available());
    lists = ListMaker<Id>(environment, counted, {.ranks = keep_ranks, .degrees = outputs.degrees != nullptr})
                .make(make_ids);
  }
  result.simple_edges = lists.simple_edges;
  result.wedges = lists.wedges;

  Sinks sinks;
  std::optional<NodeCounts> counts;
  if (keep_ranks) sinks.add(&counts.emplace(environment, facts.ranks, facts.ranks, 0));
  std::unique_ptr<TripleSort> triples;
  std::optional<IdTriples<Id>> list;
  if (outputs.list != nullptr) {
    triples = make_triple_sort(environment, result.nodes, std::nullopt, memory.available() / 3);
    sinks.add(&list.emplace(std::move(ids), *triples));
  }
  std::optional<KeptPasses> kept = keep_passes(
      environment, place, [&](core::StateWriter& to) { lists.save(to, place.model); },
      counts ? &*counts : nullptr, list.has_value(), intersecting ? counted.state : nullptr);
  KeptPasses* const passes = kept ? &*kept : nullptr;
  const PassResult found = place.model == MemoryModel::internal
                               ? find_in_memory(environment, lists.in_memory, facts, sinks.get(), passes)
                               : find_in_chunks(environment, lists.on_disk, facts, sinks.get(), passes);
  result.triangles = found.triangles;
  result.chunks = found.chunks;
  result.choice =
      describe_choice(demand, place.model, result.nodes, facts.ranks, result.simple_edges, found.chunks);
  lists.in_memory = {};
  lists.on_disk = {};
  if (counts) {
    core::Phase phase(environment.progress, "write counts", result.nodes, "nodes");
    counts->finish();
    outputs.per_node->expect(result.nodes);
    write_by_rank(*counts, *counted.ranks, result.nodes, *outputs.per_node);
    if (outputs.degrees != nullptr) {
      write_by_rank(lists.degrees, *counted.ranks, result.nodes, *outputs.degrees);
    }
  }
  if (list) {
    core::Phase phase(environment.progress, "write list", found.triangles, "triangles");
    list.reset();
    triples->finish();
    write_list(*triples, *outputs.list);
  }
}

/// require_justified() for the nodes and edges of the user.
void require_values_justified(const EdgeFacts& facts, const Options& options, std::uint64_t nodes,
                              std::uint64_t edges) {
  require_justified(facts, options.nodes, nodes / options.copies_of_node, edges / options.copies_of_edge);
}

/// The nodes do not fit in memory.
template <class Id>
void run_without_ranks(core::Environment& environment, EdgeSource<Id>& source, const Demand& demand,
                       const std::optional<std::uint64_t>& declared, const Options& options,
                       const Outputs<Id>& outputs, const KeptState& state, Result& result) {
  core::MemoryBudget& memory = environment.memory;
  Place place = state.place;
  const bool intersecting = state.in(Stage::intersect);
  if (!intersecting)
    place = {.model = MemoryModel::external, .segments = SegmentPlan::make(memory.available())};
  const KeptByRank by_rank{.ids = outputs.per_node != nullptr || outputs.list != nullptr,
                           .degrees = outputs.degrees != nullptr};
  const ExternalRanks<Id> ranks =
      intersecting ? ExternalRanks<Id>(environment, *environment.checkpoint->read_state_file(place.lists))
                   : ExternalRanks<Id>(environment, source, declared, by_rank, place.segments);
  result.nodes = ranks.read().nodes(declared);
  result.edges = ranks.read().edges;
  result.simple_edges = ranks.simple_edges();
  result.wedges = ranks.wedges();
  if (outputs.per_node != nullptr) {
    require_values_justified(source.facts(), options, result.nodes, result.edges);
    outputs.per_node->expect(result.nodes);
  }

  Sinks sinks;
  std::optional<NodeCounts> counts;
  const std::size_t free = memory.available();
  if (outputs.per_node != nullptr) {
    sinks.add(&counts.emplace(environment, ranks.facts().ranks, free / 8 / sizeof(std::uint64_t), free / 4));
  }
  std::optional<RankTriples<Id>> list;
  if (outputs.list != nullptr) sinks.add(&list.emplace(environment, ranks.facts().ranks, free / 4));
  std::optional<KeptPasses> kept = keep_passes(
      environment, place, [&](core::StateWriter& to) { ranks.save(to); }, counts ? &*counts : nullptr,
      list.has_value(), intersecting ? state.reader.get() : nullptr);
  const PassResult found =
      find_in_chunks(environment, ranks.lists(), ranks.facts(), sinks.get(), kept ? &*kept : nullptr);
  result.triangles = found.triangles;
  result.chunks = found.chunks;
  result.choice = describe_choice(demand, MemoryModel::external, result.nodes, ranks.facts().ranks,
                                  result.simple_edges, found.chunks);
  if (counts) {
    core::Phase phase(environment.progress, "write counts", result.nodes, "nodes");
    counts->finish();
    write_by_rank(
        environment, [&](auto&& visit) { counts->for_each(visit); }, ranks.ids(), result.nodes,
        *outputs.per_node);
    counts.reset();
    if (outputs.degrees != nullptr) {
      const auto for_each = [&](auto&& visit) {
        Rank rank = 0;
        for (core::RunCursor<Rank> degree(environment, ranks.degrees()); !degree.at_end(); degree.next()) {
          visit(rank++, *degree);
        }
      };
      write_by_rank(environment, for_each, ranks.ids(), result.nodes, *outputs.degrees);
    }
  }
  if (list) {
    core::Phase phase(environment.progress, "write list", found.triangles, "triangles");
    write_list(*list->translate(ranks.ids(), result.nodes), *outputs.list);
  }
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           const Outputs<Id>& outputs) {
  const auto declared = declared_nodes<Id>(options.nodes, edges.facts());
  const Demand demand{.model = options.model,
                      .memory_bytes = environment.memory.available(),
                      .id_bytes = sizeof(Id),
                      .per_node = outputs.per_node != nullptr,
                      .degrees = outputs.degrees != nullptr,
                      .list = outputs.list != nullptr};
  const bool may_be_external = demand.model == MemoryModel::automatic;
  const KeptState state(environment.checkpoint);
  Result result;
  if (state.reader != nullptr && state.place.stage != Stage::count &&
      state.place.model != MemoryModel::external) {
    Place place = state.place;
    result.nodes = place.nodes;
    result.edges = place.edges;
    auto ranks = std::make_unique<DegreeRanks>(environment.memory, 0, ~std::uint64_t{0});
    ranks->restore(*environment.checkpoint->read_state_file(place.ranks));
    run_with_ranks<Id>(environment, demand, {declared, edges, std::move(ranks), place, state.reader.get()},
                       outputs, result);
    return result;
  }
  if (declared && demand.model != MemoryModel::external && !may_be_external) check_nodes(demand, *declared);
  if (demand.model == MemoryModel::external || state.in(Stage::intersect) ||
      (may_be_external && declared && *declared > demand.most_nodes())) {
    run_without_ranks(environment, edges, demand, declared, options, outputs, state, result);
    return result;
  }
  prepare::TwoReadings<Id> readings(environment, edges);
  auto ranks = std::make_unique<DegreeRanks>(environment.memory, declared, demand.most_nodes());
  prepare::IngestFacts before;
  if (state.reader != nullptr) {
    before = {state.place.edges, state.place.largest_id};
    ranks->restore(*state.reader);
  }
  const prepare::IngestFacts read =
      readings.first("count degrees", declared,
                     [&](std::span<const Edge<Id>> batch, std::uint64_t) {
                       ranks->count(batch, prepare::largest_id(batch));
                     },
                     {environment.checkpoint, before, [&](const prepare::IngestFacts& so_far) {
                        environment.checkpoint->seal(
                            prepare::edges_read("count degrees", so_far.edges, edges.facts().edges),
                            [&](core::StateWriter& to) {
                              to.value(Place{.edges = so_far.edges, .largest_id = so_far.largest_id});
                              ranks->save(to);
                            });
                      }});
  result.nodes = read.nodes(declared);
  result.edges = read.edges;
  if (outputs.per_node != nullptr) {
    require_values_justified(edges.facts(), options, result.nodes, read.edges);
  }
  if (ranks->gave_up() && edges.rewindable() && result.nodes <= demand.most_nodes()) {
    // The array could not grow. Now n is known, and it need not grow.
    ranks.reset();
    edges.rewind();
    Options again = options;
    again.nodes = result.nodes;
    return run<Id>(environment, edges, again, outputs);
  }
  EdgeSource<Id>& source = readings.second();
  if (ranks->gave_up()) {
    if (!may_be_external) {
      check_nodes(demand, result.nodes);
      throw nodes_unknown(demand);
    }
    ranks.reset();
    run_without_ranks(environment, source, demand, declared, options, outputs, state, result);
    return result;
  }
  Place place{
      .stage = Stage::sort, .nodes = result.nodes, .edges = read.edges, .largest_id = read.largest_id};
  place.facts = ranks->assign();
  if (environment.checkpoint != nullptr) {
    place.ranks = environment.checkpoint->write_state_file([&](core::StateWriter& to) { ranks->save(to); });
  }
  run_with_ranks<Id>(environment, demand, {declared, source, std::move(ranks), place, nullptr}, outputs,
                     result);
  return result;
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&,
                    const Outputs<std::uint32_t>&);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&,
                    const Outputs<std::uint64_t>&);

}  // namespace emgraph::graph::triangles
