// SPDX-License-Identifier: MIT
// From edges to labels: makes rows, or sorts both ends of the edges into lists; chooses the model;
// propagates.
#include "graph/cdlp/cdlp.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/cdlp/external_rounds.hpp"
#include "graph/cdlp/job.hpp"
#include "graph/cdlp/kept.hpp"
#include "graph/node_space.hpp"
#include "graph/prepare/remade.hpp"

namespace emgraph::graph::cdlp {
namespace {

template <class Id>
using RowsBuilder = adjacency::CsrBuilder<Id, std::uint64_t>;

/// Reads the sorted keys, calls push(node, neighbour) for each, and counts in `facts`.
template <class Id, class Sorted, class Push>
void read_keys(const Job<Id>& job, Sorted& sorted, ListFacts& facts, Push&& push) {
  core::Phase phase(job.environment.progress, "build lists", sorted.records(), "neighbours");
  const auto keys = sorted.keys();
  const auto take = [&](const auto& batch) {
    ListFacts counted = facts;  // in registers
    for (const auto key : batch) {
      counted.count(keys.node(key));
      push(static_cast<Id>(keys.node(key)), static_cast<Id>(keys.neighbour(key)));
    }
    facts = counted;
  };
  sorted.for_each_batch(phase, take, "in lists");
}

/// What a run knows when the edges have been read.
template <class Id>
Result begun(const Job<Id>& job, std::uint64_t nodes, std::uint64_t edges) {
  Result result;
  result.nodes = nodes;
  result.edges = edges;
  require_justified(job.source.facts(), job.options.nodes, nodes, edges);
  if (job.sink != nullptr) job.sink->expect(nodes);
  return result;
}

template <class Id>
void send(const Job<Id>& job, LabelRounds<Id>& rounds, Result& result) {
  result.iterations = rounds.rounds();
  result.changed = rounds.changed();
  result.communities = rounds.count_communities();
  const core::Phase phase(job.environment.progress, "write labels", result.nodes, "nodes");
  if (job.sink != nullptr) append_in_batches(*job.sink, rounds.labels());
}

template <class Id>
void run_on_rows(const Job<Id>& job, const Rows<Id>& rows, Start<Id>& start, RoundKeeper& keeper,
                 Result& result) {
  LabelRounds<Id> rounds(job.environment, static_cast<std::size_t>(result.nodes), rows.facts().largest_degree,
                         start, keeper);
  rounds.run(rows, job.options.iterations);
  send(job, rounds, result);
}

template <class Id, core::IntegerKey Key>
void run_external(const Job<Id>& job, const NeighbourLists<Id>& lists, std::uint64_t entries,
                  Start<Id>& start, RoundKeeper& keeper, Result& result) {
  require_node_space(job.environment, result.nodes,
                     core::size_product(result.nodes, 2 * sizeof(std::uint64_t)));
  ExternalRounds<Id, Key> rounds(job.environment, lists, result.nodes, entries, job.block_bytes, start,
                                 keeper);
  rounds.run(job.options.iterations);
  result.iterations = rounds.rounds();
  result.changed = rounds.changed();
  result.communities = rounds.count_communities();
  if (job.sink == nullptr) return;
  const core::Phase phase(job.environment.progress, "write labels", result.nodes, "nodes");
  std::array<Id, 1024> batch;
  std::size_t filled = 0;
  rounds.for_each([&](std::uint64_t label) {
    batch[filled++] = static_cast<Id>(label);
    if (filled < batch.size()) return;
    job.sink->append({batch.data(), std::exchange(filled, 0)});
  });
  job.sink->append({batch.data(), filled});
}

/// Chooses the model for lists on the disks and propagates. `place`: for the states of a checkpoint.
template <class Id>
void propagate(const Job<Id>& job, NeighbourLists<Id> lists, const Place& place, Start<Id> start,
               Result& result) {
  core::Environment& environment = job.environment;
  const std::uint64_t nodes = result.nodes;
  RoundKeeper keeper(environment.checkpoint, place);
  result.choice = choose(job, nodes, place.lists, environment.memory.available());
  if (result.choice.model == MemoryModel::internal) {
    RowsBuilder<Id> rows(environment.memory, nodes, place.lists.entries);
    read_lists(environment, lists, [&](Id node, std::span<const Id> neighbours, std::size_t) {
      for (const Id neighbour : neighbours) rows.push(node, neighbour);
    });
    lists = {};
    return run_on_rows(job, *rows.finish(job.options.directed), start, keeper, result);
  }
  if (result.choice.model == MemoryModel::semi_external) {
    LabelRounds<Id> rounds(environment, static_cast<std::size_t>(nodes), place.lists.longest, start, keeper);
    rounds.run(lists, job.options.iterations);
    return send(job, rounds, result);
  }
  if (prepare::bits_for_nodes(nodes) <= 32) {
    run_external<Id, std::uint64_t>(job, lists, place.lists.entries, start, keeper, result);
  } else if constexpr (sizeof(Id) == 8) {
    run_external<Id, core::uint128>(job, lists, place.lists.entries, start, keeper, result);
  }
}

/// The lists are complete: describes them in a state file, and seals that they are if this took long.
template <class Id>
void keep_lists(core::Checkpoint& checkpoint, const NeighbourLists<Id>& lists, Place& place) {
  place.stage = Stage::rounds;
  place.listing = 0;
  place.list_file = checkpoint.write_state_file([&](core::StateWriter& to) { lists.save(to); });
  constexpr double part_of_period = 0.25;
  if (!checkpoint.due(part_of_period)) return;
  checkpoint.seal("the lists are complete", [&](core::StateWriter& to) { to.value(place); });
}

/// `writer`: of the lists that an earlier run has begun, empty if there are none; set while they are built.
template <class Id, class Keys>
Result solve(const Job<Id>& job, prepare::SortInput<Id> input, const Keys& keys, Place& place,
             std::optional<ListWriter<Id>>& writer) {
  core::Environment& environment = job.environment;
  SortShare share(job, input.bound.below);
  const auto memory = [&](unsigned) { return share.memory(job); };
  auto sorted = prepare::sort_edges(std::move(input), keys, job.sort_spec(), job.ends(keys), memory);
  Result result = begun(job, sorted.read().nodes(job.declared), sorted.read().edges);
  if (share.kept || result.nodes == 0) {
    RowsBuilder<Id> rows(environment.memory, result.nodes, sorted.records());
    read_keys(job, sorted, place.lists, [&](Id a, Id b) { rows.push(a, b); });
    sorted.close();
    result.choice = internal_choice(job, result.nodes, place.lists);
    Start<Id> start;
    RoundKeeper none(nullptr, place);
    run_on_rows(job, *rows.finish(job.options.directed), start, none, result);
    return result;
  }
  place.nodes = result.nodes;
  place.edges = result.edges;
  if (!writer) writer.emplace(environment, job.block_bytes);
  read_keys(job, sorted, place.lists, [&](Id a, Id b) { writer->push(a, b); });
  NeighbourLists<Id> lists = writer->finish();
  writer.reset();
  sorted.close();
  if (job.keeper != nullptr) {
    job.keeper->finish();
    keep_lists(job.keeper->checkpoint(), lists, place);
  }
  propagate(job, std::move(lists), place, {}, result);
  return result;
}

/// Propagates on rows that build_rows() makes, from the labels that `state` has if it is not null; nullopt if
/// the input does not suit, or if it may not fit.
template <class Id>
std::optional<Result> solve_on_rows(const Job<Id>& job, Place place, core::StateReader* state) {
  if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
    if (!job.may_take_rows()) return std::nullopt;
    const auto built = adjacency::build_rows<std::uint64_t>(job.environment, job.source, job.rows_options());
    if (!built) return std::nullopt;
    Result result = begun(job, built->read.nodes(job.declared), built->read.edges);
    Start<Id> start;
    if (state != nullptr) {
      if (place.nodes != result.nodes || place.edges != result.edges) {
        prepare::refuse_changed(job.source.facts().name);
      }
      start = {place.rounds, place.changed, KeptValues<Id>(job.environment, place.labels, state)};
    }
    place.stage = Stage::rows;
    place.nodes = result.nodes;
    place.edges = result.edges;
    RoundKeeper keeper(job.environment.checkpoint, place);
    const adjacency::AdjacencyFacts& facts = built->rows->facts();
    result.choice =
        internal_choice(job, result.nodes, {.entries = facts.entries, .longest = facts.largest_degree});
    run_on_rows(job, *built->rows, start, keeper, result);
    return result;
  }
  return std::nullopt;
}

/// Goes on with rounds on lists that an earlier run has completed.
template <class Id>
Result resume_rounds(const Job<Id>& job, KeptState& kept) {
  core::Environment& environment = job.environment;
  const Place& place = kept.place;
  Result result = begun(job, place.nodes, place.edges);
  // The space of lists and labels is claimed before other space is taken.
  auto lists =
      NeighbourLists<Id>::restored(environment, *environment.checkpoint->read_state_file(place.list_file));
  propagate(job, std::move(lists), place,
            {place.rounds, place.changed, KeptValues<Id>(environment, place.labels, kept.reader.get())},
            result);
  return result;
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
           NodeSink<Id>* sink) {
  core::Checkpoint* const checkpoint = environment.checkpoint;
  KeptState kept(checkpoint);
  auto job = Job<Id>::make(environment, source, options);
  job.sink = sink;
  Place place = kept.place;
  const bool on_rows = kept.in(Stage::rows);
  if (on_rows || (!kept.reader && prepare::edges_are_remade(checkpoint, job.most_entries()))) {
    if (const auto result = solve_on_rows(job, place, kept.reader.get())) return *result;
  }
  if (on_rows) {  // the rows do not fit now
    checkpoint->start_again(checkpoint->id_bytes());
    kept.reader.reset();
    place = {};
  }
  if (kept.in(Stage::rounds)) return resume_rounds(job, kept);
  std::optional<ListWriter<Id>> writer;
  std::optional<prepare::SortKeeper> keeper;
  if (checkpoint != nullptr) {
    if (place.listing != 0) writer.emplace(environment, *kept.reader);
    const auto head = [&](core::StateWriter& to) {
      place.listing = writer ? 1 : 0;
      to.value(place);
      if (writer) writer->save(to);
    };
    keeper.emplace(*checkpoint,
                   prepare::SortKeeper::Options{
                       .head = head, .state = kept.reader.get(), .phase = "lists", .kept_part = 0.25});
    job.keeper = &*keeper;
  }
  return with_list_keys(job, [&](prepare::SortInput<Id> input, const auto& keys) {
    return solve(job, std::move(input), keys, place, writer);
  });
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::cdlp
