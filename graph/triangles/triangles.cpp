// SPDX-License-Identifier: MIT
// The pipeline of `triangles`: degrees, ranks, oriented lists, intersections.
#include "graph/triangles/triangles.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "graph/edge_facts.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/prepare/spooled_source.hpp"
#include "graph/sparse_ids.hpp"
#include "graph/triangles/choice.hpp"
#include "graph/triangles/chunk_passes.hpp"
#include "graph/triangles/degree_ranks.hpp"
#include "graph/triangles/external_ranks.hpp"
#include "graph/triangles/kept.hpp"
#include "graph/triangles/node_counts.hpp"
#include "graph/triangles/triangle_list.hpp"

namespace emgraph::graph::triangles {
namespace {

using Keys = prepare::EdgeKeys<std::uint64_t>;
using Sorter = core::DistributionSorter<std::uint64_t>;

/// Pushes edges as keys of ranks, larger rank first, in steps, so that the look-ups of a step overlap. False:
/// an end has no rank, so it had no edge when the degrees were counted.
template <class Id>
bool push_oriented(Sorter::Lane& lane, std::span<const Edge<Id>> batch, const DegreeRanks& ranks,
                   const Keys& keys) {
  constexpr std::size_t step = 256;
  std::array<std::uint64_t, step> made;
  for (std::size_t done = 0; done < batch.size(); done += step) {
    std::size_t count = 0;
    Rank largest = 0;
    for (const Edge<Id>& edge : batch.subspan(done, std::min(step, batch.size() - done))) {
      const Edge<Rank> ends = low_high(ranks[edge.source], ranks[edge.target]);
      made[count] = keys.make(ends.target, ends.source);
      const bool proper = edge.source != edge.target;
      count += proper ? 1 : 0;
      largest = std::max(largest, proper ? ends.target : 0);
    }
    if (largest == no_rank) return false;
    for (std::size_t i = 0; i < count; ++i) lane.push(made[i]);
  }
  return true;
}

/// Sends all sorted edges to `lists.add(u, v)`; returns the degrees by rank.
template <class Lists>
core::Array<std::uint32_t> emit(core::Environment& environment, prepare::SortedEdges<Keys>& edges,
                                std::uint64_t ranks, Lists& lists, Result& result) {
  core::Phase phase(environment.progress, "orient", edges.records(), "edges");
  core::Array<std::uint32_t> degrees(environment.memory, static_cast<std::size_t>(ranks),
                                     "4 bytes per node for degrees");
  std::uint64_t simple_edges = 0;
  edges.for_each(phase, [&](std::uint64_t first, std::uint64_t second) {
    const auto u = static_cast<Rank>(first);
    const auto v = static_cast<Rank>(second);
    lists.add(u, v);
    ++degrees[u];
    ++degrees[v];
    ++simple_edges;
  });
  result.simple_edges = simple_edges;
  return degrees;
}

/// The input after the degrees have been counted, when the nodes fit.
template <class Id>
struct Counted {
  const Demand& demand;
  const std::optional<std::uint64_t>& declared;
  EdgeSource<Id>& source;
  std::unique_ptr<DegreeRanks> ranks;
  Place& place;              ///< has their facts
  core::StateReader* state;  ///< of an earlier run, after its Place
};

/// Keeps the passes, if the counts of nodes can be kept. `written_sort`: may be empty. Reads the position and
/// the counts of an earlier run from `state`; null: there was none.
std::optional<KeptPasses> keep_passes(core::Environment& environment, Place& place,
                                      std::vector<std::byte> written_sort, NodeCounts* counts, bool list,
                                      core::StateReader* state) {
  if (environment.checkpoint == nullptr || list || (counts != nullptr && !counts->resumable())) {
    return std::nullopt;
  }
  core::Checkpoint& checkpoint = *environment.checkpoint;
  KeptPasses kept{checkpoint, {}, {}};
  if (state != nullptr) {
    kept.position = state->value<PassPosition>();
    if (counts != nullptr) counts->restore(*state);
  }
  place.stage = Stage::intersect;
  kept.seal = [&checkpoint, &place, written = std::move(written_sort), counts](const PassPosition& at) {
    checkpoint.seal("intersect: chunk " + core::format_count(at.chunks) + ", " +
                        core::format_count(at.triangles) + " triangles are found",
                    [&](core::StateWriter& to) {
                      to.value(place);
                      to.put(written);
                      to.value(at);
                      if (counts != nullptr) counts->save(to);
                    });
  };
  return kept;
}

/// With ranks in memory: sorts the edges by rank, and keeps the lists in memory or writes them to segments.
template <class Id>
void run_with_ranks(core::Environment& environment, Counted<Id> counted, const Outputs<Id>& outputs,
                    Result& result) {
  core::MemoryBudget& memory = environment.memory;
  Place& place = counted.place;
  const RankFacts facts = place.facts;
  const bool intersecting = place.stage == Stage::intersect;
  const Keys keys{prepare::bits_for_nodes(facts.ranks)};
  const std::uint64_t edges = counted.ranks->edges();
  const MemoryModel model =
      intersecting ? place.model : choose_lists(counted.demand, result.nodes, facts.ranks, edges);
  const SegmentPlan segments = intersecting ? place.segments : SegmentPlan::make(memory.available());

  const DegreeRanks& ranks = *counted.ranks;
  const auto orient = [&](std::uint64_t source, std::uint64_t target, auto&& push) {
    if (source == target || std::max(source, target) >= ranks.size()) return;
    const Edge<Rank> ends = low_high(ranks[source], ranks[target]);
    push(ends.target, ends.source);
  };
  ListChunk lists;
  core::Array<Id> ids;
  const bool keep_ranks = outputs.per_node != nullptr;
  const auto reserve = [&](unsigned) {
    if (model == MemoryModel::internal) {
      lists = ListChunk(memory, edges, facts.ranks);
      lists.restart(0);
    }
    if (outputs.list != nullptr) ids = ids_by_rank<Id>(memory, ranks, facts.ranks);
    // For later reservations, while the sorter is read: degrees, ranks that are kept, a writer.
    core::Reservation later =
        memory.reserve((keep_ranks ? facts.ranks * sizeof(Rank) + core::page_bytes : 0) +
                           (model == MemoryModel::internal ? 0 : 2 * segments.writer_bytes()),
                       "writing oriented lists");
    return prepare::SortMemory{std::move(later), prepare::sorter_memory(memory)};
  };
  std::optional<prepare::SortKeeper> keeper;
  if (environment.checkpoint != nullptr) {
    place.sort_kept = intersecting && place.sort_kept;
    keeper.emplace(
        *environment.checkpoint,
        prepare::SortKeeper::Options{.head =
                                         [&place](core::StateWriter& to) {
                                           Place sorting = place;
                                           sorting.stage = Stage::sort;
                                           to.value(sorting);
                                         },
                                     .state = intersecting && !place.sort_kept ? nullptr : counted.state,
                                     .kept_part = 0.05,
                                     .seals = !intersecting,
                                     .seals_keys = false});
  }
  const std::string& name = counted.source.facts().name;
  // Without a declared n, the ids of the second reading must be below those of the first.
  const auto bound =
      counted.declared ? prepare::IdBound(counted.declared) : prepare::IdBound::guess(result.nodes);
  std::optional<prepare::SortedEdges<Keys>> sorted;
  try {
    sorted.emplace(prepare::sort_edges(
        prepare::sort_input(environment, counted.source, bound), keys,
        {.unique = true, .ends_below = facts.ranks, .records = edges, .keeper = keeper ? &*keeper : nullptr},
        orient, reserve, [&](unsigned, Sorter::Lane& lane, std::span<const Edge<Id>> batch) {
          if (!push_oriented(lane, batch, ranks, keys)) prepare::refuse_changed(name);
        }));
  } catch (const prepare::GuessFailed&) {
    prepare::refuse_changed(name);
  }
  if (sorted->read().edges != place.edges || sorted->records() != edges) prepare::refuse_changed(name);
  if (!keep_ranks) counted.ranks.reset();
  place.model = model;
  place.segments = segments;
  place.sort_kept = keeper && keeper->kept();
  const auto written_sort =
      place.sort_kept ? keeper->written_sort(sorted->sorter()) : std::vector<std::byte>();
  ListSegments on_disk;
  core::Array<std::uint32_t> degrees;
  if (model == MemoryModel::internal) {
    degrees = emit(environment, *sorted, facts.ranks, lists, result);
    lists.finish();
  } else {
    ListWriter writer(environment, segments);
    degrees = emit(environment, *sorted, facts.ranks, writer, result);
    on_disk = writer.finish();
  }
  result.wedges = count_wedges(degrees.span());
  if (outputs.degrees == nullptr) degrees = {};
  sorted.reset();

  Sinks sinks;
  std::optional<NodeCounts> counts;
  if (keep_ranks) sinks.add(&counts.emplace(environment, facts.ranks, facts.ranks, 0));
  std::unique_ptr<TripleSort> triples;
  std::optional<IdTriples<Id>> list;
  if (outputs.list != nullptr) {
    triples = make_triple_sort(environment, result.nodes, std::nullopt, memory.available() / 3);
    sinks.add(&list.emplace(std::move(ids), *triples));
  }
  std::optional<KeptPasses> kept = keep_passes(environment, place, written_sort, counts ? &*counts : nullptr,
                                               list.has_value(), intersecting ? counted.state : nullptr);
  KeptPasses* const passes = kept ? &*kept : nullptr;
  const PassResult found = model == MemoryModel::internal
                               ? find_in_memory(environment, lists, facts, sinks.get(), passes)
                               : find_in_chunks(environment, on_disk, facts, sinks.get(), passes);
  result.triangles = found.triangles;
  result.chunks = found.chunks;
  result.choice =
      describe_choice(counted.demand, model, result.nodes, facts.ranks, result.simple_edges, found.chunks);
  lists = {};
  on_disk = {};
  if (counts) {
    core::Phase phase(environment.progress, "write counts", result.nodes, "nodes");
    counts->finish();
    outputs.per_node->expect(result.nodes);
    write_by_rank(*counts, *counted.ranks, result.nodes, *outputs.per_node);
    if (outputs.degrees != nullptr) {
      write_by_rank(degrees, *counted.ranks, result.nodes, *outputs.degrees);
    }
  }
  if (list) {
    core::Phase phase(environment.progress, "write list", found.triangles, "triangles");
    list.reset();
    triples->finish();
    write_list(*triples, *outputs.list);
  }
}

/// The nodes do not fit in memory.
template <class Id>
void run_without_ranks(core::Environment& environment, EdgeSource<Id>& source, const Demand& demand,
                       const std::optional<std::uint64_t>& declared, const Outputs<Id>& outputs,
                       const KeptState& state, Result& result) {
  core::MemoryBudget& memory = environment.memory;
  Place place = state.place;
  if (!state.in(Stage::intersect)) place.segments = SegmentPlan::make(memory.available());
  place.model = MemoryModel::external;
  place.sort_kept = false;
  const ExternalRanks<Id> ranks(
      environment, source, declared,
      {.ids = outputs.per_node != nullptr || outputs.list != nullptr, .degrees = outputs.degrees != nullptr},
      place.segments);
  result.nodes = ranks.read().nodes(declared);
  result.edges = ranks.read().edges;
  result.simple_edges = ranks.simple_edges();
  result.wedges = ranks.wedges();
  if (outputs.per_node != nullptr) {
    const auto asked = declared == source.facts().nodes ? std::nullopt : declared;
    require_justified(source.facts(), asked, result.nodes, result.edges);
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
  std::optional<KeptPasses> kept =
      keep_passes(environment, place, {}, counts ? &*counts : nullptr, list.has_value(),
                  state.in(Stage::intersect) ? state.reader.get() : nullptr);
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
    run_with_ranks<Id>(environment, {demand, declared, edges, std::move(ranks), place, state.reader.get()},
                       outputs, result);
    return result;
  }
  if (declared && demand.model != MemoryModel::external && !may_be_external) check_nodes(demand, *declared);
  if (demand.model == MemoryModel::external || state.in(Stage::intersect) ||
      (may_be_external && declared && *declared > demand.most_nodes())) {
    run_without_ranks(environment, edges, demand, declared, outputs, state, result);
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
  if (outputs.per_node != nullptr) require_justified(edges.facts(), options.nodes, result.nodes, read.edges);
  if (ranks->gave_up() && edges.rewindable() && result.nodes <= demand.most_nodes()) {
    // The array could not grow. Now n is known, and it need not grow.
    ranks.reset();
    edges.rewind();
    return run<Id>(environment, edges, {.model = options.model, .nodes = result.nodes}, outputs);
  }
  EdgeSource<Id>& source = readings.second();
  if (ranks->gave_up()) {
    if (!may_be_external) {
      check_nodes(demand, result.nodes);
      throw nodes_unknown(demand);
    }
    ranks.reset();
    run_without_ranks(environment, source, demand, declared, outputs, state, result);
    return result;
  }
  Place place{
      .stage = Stage::sort, .nodes = result.nodes, .edges = read.edges, .largest_id = read.largest_id};
  place.facts = ranks->assign();
  if (environment.checkpoint != nullptr) {
    place.ranks = environment.checkpoint->write_state_file([&](core::StateWriter& to) { ranks->save(to); });
  }
  run_with_ranks<Id>(environment, {demand, declared, source, std::move(ranks), place, nullptr}, outputs,
                     result);
  return result;
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&,
                    const Outputs<std::uint32_t>&);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&,
                    const Outputs<std::uint64_t>&);

}  // namespace emgraph::graph::triangles
