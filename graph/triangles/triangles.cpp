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

/// One run.
template <class Id>
class Run {
 public:
  Run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
      const Outputs<Id>& outputs)
      : environment_(environment),
        edges_(edges),
        options_(options),
        outputs_(outputs),
        declared_(declared_nodes<Id>(options.nodes, edges.facts())),
        demand_{.model = options.model,
                .memory_bytes = environment.memory.available(),
                .id_bytes = sizeof(Id),
                .per_node = outputs.per_node != nullptr,
                .degrees = outputs.degrees != nullptr,
                .list = outputs.list != nullptr,
                .copies_of_node = options.copies_of_node,
                .copies_of_edge = options.copies_of_edge},
        state_(environment.checkpoint) {}

  Result solve() {
    if (state_.reader != nullptr && state_.place.stage != Stage::count &&
        state_.place.model != MemoryModel::external) {
      go_on_with_ranks();
      return std::move(result_);
    }
    const bool external = demand_.model == MemoryModel::external;
    if (declared_ && !external && !may_be_external()) check_nodes(demand_, *declared_);
    if (external || state_.in(Stage::intersect) ||
        (may_be_external() && declared_ && *declared_ > demand_.most_nodes())) {
      run_without_ranks(edges_);
    } else {
      count_and_run();
    }
    return std::move(result_);
  }

 private:
  bool may_be_external() const { return demand_.model == MemoryModel::automatic; }

  /// The degrees were counted in an earlier run.
  void go_on_with_ranks() {
    Place place = state_.place;
    result_.nodes = place.nodes;
    result_.edges = place.edges;
    auto ranks = std::make_unique<DegreeRanks>(environment_.memory, 0, ~std::uint64_t{0});
    ranks->restore(*environment_.checkpoint->read_state_file(place.ranks));
    run_with_ranks({declared_, edges_, std::move(ranks), place, state_.reader.get()});
  }

  void count_and_run() {
    prepare::TwoReadings<Id> readings(environment_, edges_);
    auto ranks = std::make_unique<DegreeRanks>(environment_.memory, declared_, demand_.most_nodes());
    const prepare::IngestFacts read = count_degrees(readings, *ranks);
    result_.nodes = read.nodes(declared_);
    result_.edges = read.edges;
    if (outputs_.per_node != nullptr) require_values_justified();
    if (ranks->gave_up() && edges_.rewindable() && result_.nodes <= demand_.most_nodes()) {
      // The array could not grow. Now n is known, and it need not grow.
      ranks.reset();
      edges_.rewind();
      Options again = options_;
      again.nodes = result_.nodes;
      result_ = run<Id>(environment_, edges_, again, outputs_);
      return;
    }
    EdgeSource<Id>& source = readings.second();
    if (ranks->gave_up()) {
      if (!may_be_external()) {
        check_nodes(demand_, result_.nodes);
        throw nodes_unknown(demand_);
      }
      ranks.reset();
      return run_without_ranks(source);
    }
    Place place{
        .stage = Stage::sort, .nodes = result_.nodes, .edges = read.edges, .largest_id = read.largest_id};
    place.facts = ranks->assign();
    if (environment_.checkpoint != nullptr) {
      place.ranks =
          environment_.checkpoint->write_state_file([&](core::StateWriter& to) { ranks->save(to); });
    }
    run_with_ranks({declared_, source, std::move(ranks), place, nullptr});
  }

  prepare::IngestFacts count_degrees(prepare::TwoReadings<Id>& readings, DegreeRanks& ranks) {
    prepare::IngestFacts before;
    if (state_.reader != nullptr) {
      before = {state_.place.edges, state_.place.largest_id};
      ranks.restore(*state_.reader);
    }
    const auto seal = [&](const prepare::IngestFacts& so_far) {
      environment_.checkpoint->seal(prepare::edges_read("count degrees", so_far.edges, edges_.facts().edges),
                                    [&](core::StateWriter& to) {
                                      to.value(Place{.edges = so_far.edges, .largest_id = so_far.largest_id});
                                      ranks.save(to);
                                    });
    };
    const auto count = [&](std::span<const Edge<Id>> batch, std::uint64_t) {
      ranks.count(batch, prepare::largest_id(batch));
    };
    return readings.first("count degrees", declared_, count, {environment_.checkpoint, before, seal});
  }

  /// require_justified() for the nodes and edges of the user.
  void require_values_justified() const {
    require_justified(edges_.facts(), options_.nodes, result_.nodes / options_.copies_of_node,
                      result_.edges / options_.copies_of_edge);
  }

  void take(const PassResult& found, MemoryModel model, std::uint64_t ranks) {
    result_.triangles = found.triangles;
    result_.chunks = found.chunks;
    result_.choice =
        describe_choice(demand_, model, result_.nodes, ranks, result_.simple_edges, found.chunks);
  }

  /// With ranks in memory: sorts the edges by rank, and keeps the lists in memory or writes them to segments.
  void run_with_ranks(Counted<Id> counted) {
    Place& place = counted.place;
    const RankFacts facts = place.facts;
    core::StateReader* const state = place.stage == Stage::intersect ? counted.state : nullptr;
    core::Array<Id> ids;  // by rank, for a list
    OrientedLists lists = lists_by_rank(counted, ids);
    result_.simple_edges = lists.simple_edges;
    result_.wedges = lists.wedges;

    Sinks sinks;
    std::optional<NodeCounts> counts;
    if (outputs_.per_node != nullptr) {
      sinks.add(&counts.emplace(environment_, facts.ranks, facts.ranks, 0));
    }
    std::unique_ptr<TripleSort> triples;
    std::optional<IdTriples<Id>> list;
    if (outputs_.list != nullptr) {
      triples =
          make_triple_sort(environment_, result_.nodes, std::nullopt, environment_.memory.available() / 3);
      sinks.add(&list.emplace(std::move(ids), *triples));
    }
    std::optional<KeptPasses> kept = keep_passes(
        environment_, place, [&](core::StateWriter& to) { lists.save(to, place.model); },
        counts ? &*counts : nullptr, list.has_value(), state);
    KeptPasses* const passes = kept ? &*kept : nullptr;
    const PassResult found = place.model == MemoryModel::internal
                                 ? find_in_memory(environment_, lists.in_memory, facts, sinks.get(), passes)
                                 : find_in_chunks(environment_, lists.on_disk, facts, sinks.get(), passes);
    take(found, place.model, facts.ranks);
    lists.in_memory = {};
    lists.on_disk = {};
    if (counts) {
      core::Phase phase(environment_.progress, "write counts", result_.nodes, "nodes");
      counts->finish();
      outputs_.per_node->expect(result_.nodes);
      write_by_rank(*counts, *counted.ranks, result_.nodes, *outputs_.per_node);
      if (outputs_.degrees != nullptr) {
        write_by_rank(lists.degrees, *counted.ranks, result_.nodes, *outputs_.degrees);
      }
    }
    if (list) {
      core::Phase phase(environment_.progress, "write list", found.triangles, "triangles");
      list.reset();
      triples->finish();
      write_list(*triples, *outputs_.list);
    }
  }

  /// Makes the lists, or reads those of an earlier run. `ids`: set if the triangles are listed.
  OrientedLists lists_by_rank(Counted<Id>& counted, core::Array<Id>& ids) {
    Place& place = counted.place;
    const bool keep_ranks = outputs_.per_node != nullptr;
    const auto make_ids = [&] {
      if (outputs_.list != nullptr) {
        ids = ids_by_rank<Id>(environment_.memory, *counted.ranks, place.facts.ranks);
      }
    };
    if (place.stage != Stage::intersect) {
      place.model = choose_lists(demand_, result_.nodes, place.facts.ranks, counted.ranks->edges());
      place.segments = SegmentPlan::make(environment_.memory.available());
      ListMaker<Id> maker(environment_, counted,
                          {.ranks = keep_ranks, .degrees = outputs_.degrees != nullptr});
      return maker.make(make_ids);
    }
    OrientedLists lists = OrientedLists::restored(
        environment_, *environment_.checkpoint->read_state_file(place.lists), place.model);
    make_ids();
    if (!keep_ranks) counted.ranks.reset();
    return lists;
  }

  /// The nodes do not fit in memory.
  void run_without_ranks(EdgeSource<Id>& source) {
    Place place = state_.place;
    const bool intersecting = state_.in(Stage::intersect);
    if (!intersecting) {
      place = {.model = MemoryModel::external,
               .segments = SegmentPlan::make(environment_.memory.available())};
    }
    const KeptByRank by_rank{.ids = outputs_.per_node != nullptr || outputs_.list != nullptr,
                             .degrees = outputs_.degrees != nullptr};
    const ExternalRanks<Id> ranks =
        intersecting ? ExternalRanks<Id>(environment_, *environment_.checkpoint->read_state_file(place.lists))
                     : ExternalRanks<Id>(environment_, source, declared_, by_rank, place.segments);
    result_.nodes = ranks.read().nodes(declared_);
    result_.edges = ranks.read().edges;
    result_.simple_edges = ranks.simple_edges();
    result_.wedges = ranks.wedges();

    Sinks sinks;
    std::optional<NodeCounts> counts;
    const std::size_t free = environment_.memory.available();
    if (outputs_.per_node != nullptr) {
      require_values_justified();
      outputs_.per_node->expect(result_.nodes);
      sinks.add(
          &counts.emplace(environment_, ranks.facts().ranks, free / 8 / sizeof(std::uint64_t), free / 4));
    }
    std::optional<RankTriples<Id>> list;
    if (outputs_.list != nullptr) sinks.add(&list.emplace(environment_, ranks.facts().ranks, free / 4));
    std::optional<KeptPasses> kept = keep_passes(
        environment_, place, [&](core::StateWriter& to) { ranks.save(to); }, counts ? &*counts : nullptr,
        list.has_value(), intersecting ? state_.reader.get() : nullptr);
    const PassResult found =
        find_in_chunks(environment_, ranks.lists(), ranks.facts(), sinks.get(), kept ? &*kept : nullptr);
    take(found, MemoryModel::external, ranks.facts().ranks);
    if (counts) write_counts(counts, ranks);
    if (list) {
      core::Phase phase(environment_.progress, "write list", found.triangles, "triangles");
      write_list(*list->translate(ranks.ids(), result_.nodes), *outputs_.list);
    }
  }

  /// Writes the counts, and frees them before it writes the degrees.
  void write_counts(std::optional<NodeCounts>& counts, const ExternalRanks<Id>& ranks) {
    core::Phase phase(environment_.progress, "write counts", result_.nodes, "nodes");
    counts->finish();
    write_by_rank(
        environment_, [&](auto&& visit) { counts->for_each(visit); }, ranks.ids(), result_.nodes,
        *outputs_.per_node);
    counts.reset();
    if (outputs_.degrees == nullptr) return;
    const auto for_each = [&](auto&& visit) {
      Rank rank = 0;
      for (core::RunCursor<Rank> degree(environment_, ranks.degrees()); !degree.at_end(); degree.next()) {
        visit(rank++, *degree);
      }
    };
    write_by_rank(environment_, for_each, ranks.ids(), result_.nodes, *outputs_.degrees);
  }

  core::Environment& environment_;
  EdgeSource<Id>& edges_;
  const Options& options_;
  const Outputs<Id>& outputs_;
  const std::optional<std::uint64_t> declared_;
  const Demand demand_;
  const KeptState state_;
  Result result_;
};

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& edges, const Options& options,
           const Outputs<Id>& outputs) {
  return Run<Id>(environment, edges, options, outputs).solve();
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&,
                    const Outputs<std::uint32_t>&);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&,
                    const Outputs<std::uint64_t>&);

}  // namespace emgraph::graph::triangles
