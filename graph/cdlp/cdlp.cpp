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
#include "graph/node_space.hpp"

namespace emgraph::graph::cdlp {
namespace {

template <class Id>
using RowsBuilder = adjacency::CsrBuilder<Id, std::uint64_t>;

/// Reads the sorted keys; calls push(node, neighbour) for each.
template <class Id, class Sorted, class Push>
ListFacts read_keys(core::Environment& environment, Sorted& sorted, Push&& push) {
  core::Phase phase(environment.progress, "build lists", sorted.records(), "neighbours");
  ListFacts facts;
  std::uint64_t length = 0;
  std::uint64_t last = 0;
  const auto keys = sorted.keys();
  for (auto batch = sorted.next(); !batch.empty(); batch = sorted.next()) {
    for (const auto key : batch) {
      const std::uint64_t node = keys.node(key);
      if (node != last) length = 0;
      last = node;
      facts.longest = std::max(facts.longest, ++length);
      push(static_cast<Id>(node), static_cast<Id>(keys.neighbour(key)));
    }
    facts.entries += batch.size();
    phase.advance(batch.size());
  }
  return facts;
}

template <class Id>
void send(const Job<Id>& job, NodeSink<Id>* sink, LabelRounds<Id>& rounds, Result& result) {
  result.iterations = rounds.rounds();
  result.changed = rounds.changed();
  result.communities = rounds.count_communities();
  const core::Phase phase(job.environment.progress, "write labels", result.nodes, "nodes");
  if (sink != nullptr) append_in_batches(*sink, rounds.labels());
}

template <class Id>
void run_on_rows(const Job<Id>& job, NodeSink<Id>* sink, const Rows<Id>& rows, Result& result) {
  LabelRounds<Id> rounds(job.environment, static_cast<std::size_t>(result.nodes),
                         rows.facts().largest_degree);
  rounds.run(rows, job.options.iterations);
  send(job, sink, rounds, result);
}

template <class Id, core::IntegerKey Key>
void run_external(const Job<Id>& job, NodeSink<Id>* sink, const NeighbourLists<Id>& lists,
                  const ListFacts& facts, Result& result) {
  require_node_space(job.environment, result.nodes,
                     core::size_product(result.nodes, 2 * sizeof(std::uint64_t)));
  ExternalRounds<Id, Key> rounds(job.environment, lists, result.nodes, facts.entries, job.block_bytes);
  rounds.run(job.options.iterations);
  result.iterations = rounds.rounds();
  result.changed = rounds.changed();
  result.communities = rounds.count_communities();
  if (sink == nullptr) return;
  const core::Phase phase(job.environment.progress, "write labels", result.nodes, "nodes");
  std::array<Id, 1024> batch;
  std::size_t filled = 0;
  rounds.for_each([&](std::uint64_t label) {
    batch[filled++] = static_cast<Id>(label);
    if (filled < batch.size()) return;
    sink->append({batch.data(), std::exchange(filled, 0)});
  });
  sink->append({batch.data(), filled});
}

/// Chooses the model for lists on the disks and propagates.
template <class Id>
void propagate(const Job<Id>& job, NodeSink<Id>* sink, NeighbourLists<Id> lists, const ListFacts& facts,
               Result& result) {
  core::Environment& environment = job.environment;
  const std::uint64_t nodes = result.nodes;
  result.choice = choose(job, nodes, facts, environment.memory.available());
  if (result.choice.model == MemoryModel::internal) {
    RowsBuilder<Id> rows(environment.memory, nodes, facts.entries);
    read_lists(environment, lists, [&](Id node, std::span<const Id> neighbours, std::size_t) {
      for (const Id neighbour : neighbours) rows.push(node, neighbour);
    });
    lists = {};
    return run_on_rows(job, sink, *rows.finish(job.options.directed), result);
  }
  if (result.choice.model == MemoryModel::semi_external) {
    LabelRounds<Id> rounds(environment, static_cast<std::size_t>(nodes), facts.longest);
    rounds.run(lists, job.options.iterations);
    return send(job, sink, rounds, result);
  }
  if (prepare::bits_for_nodes(nodes) <= 32) {
    run_external<Id, std::uint64_t>(job, sink, lists, facts, result);
  } else if constexpr (sizeof(Id) == 8) {
    run_external<Id, core::uint128>(job, sink, lists, facts, result);
  }
}

/// The result when the edges have been read.
template <class Id>
Result begun(const Job<Id>& job, NodeSink<Id>* sink, const prepare::IngestFacts& read) {
  Result result;
  result.nodes = read.nodes(job.declared);
  result.edges = read.edges;
  require_justified(job.source.facts(), job.options.nodes, result.nodes, result.edges);
  if (sink != nullptr) sink->expect(result.nodes);
  return result;
}

template <class Id, class Keys>
Result solve(const Job<Id>& job, NodeSink<Id>* sink, prepare::SortInput<Id> input, const Keys& keys) {
  core::Environment& environment = job.environment;
  SortShare share(job, input.bound.below);
  const auto memory = [&](unsigned) { return share.memory(job); };
  auto sorted = prepare::sort_edges(std::move(input), keys, job.sort_spec(), job.ends(keys), memory);
  Result result = begun(job, sink, sorted.read());
  if (!share.kept && result.nodes > 0) {
    ListFacts facts;
    auto lists = [&] {
      ListWriter<Id> writer(environment, job.block_bytes);
      facts = read_keys<Id>(environment, sorted, [&](Id a, Id b) { writer.push(a, b); });
      return writer.finish();
    }();
    sorted.close();
    propagate(job, sink, std::move(lists), facts, result);
    return result;
  }
  RowsBuilder<Id> rows(environment.memory, result.nodes, sorted.records());
  const ListFacts facts = read_keys<Id>(environment, sorted, [&](Id a, Id b) { rows.push(a, b); });
  sorted.close();
  result.choice = internal_choice(job, result.nodes, facts);
  run_on_rows(job, sink, *rows.finish(job.options.directed), result);
  return result;
}

/// Propagates on rows that build_rows() makes; nullopt if the input does not suit.
template <class Id>
std::optional<Result> solve_on_rows(const Job<Id>& job, NodeSink<Id>* sink) {
  if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
    if (!job.may_take_rows()) return std::nullopt;
    const auto built = adjacency::build_rows<std::uint64_t>(job.environment, job.source, job.rows_options());
    if (!built) return std::nullopt;
    Result result = begun(job, sink, built->read);
    const adjacency::AdjacencyFacts& facts = built->rows->facts();
    result.choice =
        internal_choice(job, result.nodes, {.entries = facts.entries, .longest = facts.largest_degree});
    run_on_rows(job, sink, *built->rows, result);
    return result;
  }
  return std::nullopt;
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
           NodeSink<Id>* sink) {
  const auto job = Job<Id>::make(environment, source, options);
  if (const auto result = solve_on_rows(job, sink)) return *result;
  return with_list_keys(job, [&](prepare::SortInput<Id> input, const auto& keys) {
    return solve(job, sink, std::move(input), keys);
  });
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::cdlp
