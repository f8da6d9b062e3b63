// SPDX-License-Identifier: MIT
// From edges to labels: sorts both ends of the edges into lists, chooses the model and propagates.
#include "graph/cdlp/cdlp.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "graph/cdlp/external_rounds.hpp"
#include "graph/cdlp/label_rounds.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::cdlp {
namespace {

/// Keys with the order of (node, neighbour, whether the arc leads to the node). Requires: with tags,
/// 2 id_bits + 1 bits in Key.
template <core::IntegerKey Key>
struct ListKeys {
  using key_type = Key;
  unsigned id_bits = 0;
  unsigned tag_bits = 0;

  /// `tagged`: the neighbour · 2^tag_bits + the tag.
  Key make(std::uint64_t node, std::uint64_t tagged) const {
    return static_cast<Key>(node) << (id_bits + tag_bits) | tagged;
  }
  std::uint64_t tagged(std::uint64_t neighbour, unsigned tag) const { return neighbour << tag_bits | tag; }
  std::uint64_t node(Key key) const { return static_cast<std::uint64_t>(key >> (id_bits + tag_bits)); }
  std::uint64_t neighbour(Key key) const {
    return static_cast<std::uint64_t>(key >> tag_bits & core::low_mask<Key>(id_bits));
  }
  core::KeyRange<Key> range(std::uint64_t largest_id) const {
    return {0, make(largest_id, tagged(largest_id, (1U << tag_bits) - 1))};
  }
};

template <class Id, class Body>
decltype(auto) with_list_keys(const std::optional<std::uint64_t>& nodes, bool directed, Body&& body) {
  const unsigned most = 8 * sizeof(Id);
  const unsigned bits = nodes ? std::min(prepare::bits_for_nodes(*nodes), most) : most;
  const unsigned tag_bits = directed ? 1 : 0;
  if (2 * bits + tag_bits <= 64) return body(ListKeys<std::uint64_t>{bits, tag_bits});
  return body(ListKeys<core::uint128>{bits, tag_bits});
}

template <class Id>
struct Job {
  core::Environment& environment;
  EdgeSource<Id>& source;
  const Options& options;
  NodeSink<Id>* sink;
  std::optional<std::uint64_t> declared;  ///< n
  std::size_t memory_bytes;
  std::size_t block_bytes;

  bool may_be_internal() const {
    return options.model == MemoryModel::automatic || options.model == MemoryModel::internal;
  }
};

template <class Id>
std::uint64_t internal_bytes(std::uint64_t nodes, std::uint64_t entries, std::uint64_t longest_list) {
  return core::size_sum(ListArray<Id>::bytes_for(nodes, entries),
                        LabelRounds<Id>::bytes_for(nodes, longest_list));
}

/// What the lists are made of.
struct ListFacts {
  std::uint64_t entries = 0;
  std::uint64_t longest = 0;
};

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
void send(const Job<Id>& job, LabelRounds<Id>& rounds, Result& result) {
  result.iterations = rounds.rounds();
  result.changed = rounds.changed();
  result.communities = rounds.count_communities();
  const core::Phase phase(job.environment.progress, "write labels", result.nodes, "nodes");
  if (job.sink != nullptr) append_in_batches(*job.sink, rounds.labels());
}

template <class Id, core::IntegerKey Key>
void run_external(const Job<Id>& job, const NeighbourLists<Id>& lists, const ListFacts& facts,
                  Result& result) {
  ExternalRounds<Id, Key> rounds(job.environment, lists, result.nodes, facts.entries, job.block_bytes);
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

/// Chooses the model for lists on the disks and propagates.
template <class Id>
void propagate(const Job<Id>& job, NeighbourLists<Id> lists, const ListFacts& facts, Result& result) {
  core::Environment& environment = job.environment;
  const MemoryModel model = job.options.model;
  const std::string by(forced_suffix(model));
  const std::size_t free = environment.memory.available();
  const std::uint64_t nodes = result.nodes;
  const std::uint64_t blocks = 4 * std::uint64_t{job.block_bytes};
  const std::uint64_t labels = LabelRounds<Id>::bytes_for(nodes, facts.longest);
  const std::uint64_t all = core::size_sum(internal_bytes<Id>(nodes, facts.entries, facts.longest), blocks);
  if (job.may_be_internal() && all <= free && facts.longest <= std::numeric_limits<Id>::max() / 4) {
    result.choice = {MemoryModel::internal, edges_and_nodes_fit(all, job.memory_bytes) + by};
    ListArray<Id> array(environment.memory, static_cast<std::size_t>(nodes), facts.entries);
    read_lists(environment, lists, [&](Id node, std::span<const Id> neighbours, std::size_t) {
      for (const Id neighbour : neighbours) array.push(node, neighbour);
    });
    lists = {};
    array.end();
    LabelRounds<Id> rounds(environment, static_cast<std::size_t>(nodes), facts.longest);
    rounds.run(array, job.options.iterations);
    return send(job, rounds, result);
  }
  if (model == MemoryModel::internal) {
    throw missing_memory({.what = model_option(model),
                          .precision = "",
                          .bytes = all,
                          .purpose = " for edges and nodes",
                          .advice = "; --model semi-external needs less"},
                         free);
  }
  const bool fits =
      core::size_sum(labels, blocks) <= free && facts.longest <= std::numeric_limits<Id>::max() / 4;
  const std::string share =
      share_of_memory("two labels per node and a list's counters take", labels, job.memory_bytes);
  if (fits && model != MemoryModel::external) {
    result.choice = {MemoryModel::semi_external, share + by};
    LabelRounds<Id> rounds(environment, static_cast<std::size_t>(nodes), facts.longest);
    rounds.run(lists, job.options.iterations);
    return send(job, rounds, result);
  }
  if (model == MemoryModel::semi_external) {
    throw missing_memory({.what = model_option(model),
                          .precision = "",
                          .bytes = core::size_sum(labels, blocks),
                          .purpose = " for labels, counters and blocks",
                          .advice = "; --model external needs less"},
                         free);
  }
  result.choice = {MemoryModel::external, share + by};
  if (prepare::bits_for_nodes(nodes) <= 32) {
    run_external<Id, std::uint64_t>(job, lists, facts, result);
  } else if constexpr (sizeof(Id) == 8) {
    run_external<Id, core::uint128>(job, lists, facts, result);
  }
}

template <class Id, class Keys>
Result solve(const Job<Id>& job, prepare::SortInput<Id> input, const Keys& keys) {
  core::Environment& environment = job.environment;
  const EdgeFacts& declared = job.source.facts();
  const bool directed = job.options.directed;
  const bool both = directed || !declared.symmetric;
  const auto edges = declared.edges ? declared.edges : declared.most_edges;
  std::uint64_t all = ~std::uint64_t{0};
  if (input.bound.below && edges) {
    const std::uint64_t entries = core::size_product(*edges, both ? 2 : 1);
    all = internal_bytes<Id>(*input.bound.below, entries,
                             std::min(entries, core::size_product(*input.bound.below, 2)));
  }
  if (edges.value_or(0) > std::numeric_limits<Id>::max() / 8) all = ~std::uint64_t{0};  // see Tally
  bool kept = job.may_be_internal() && all <= environment.memory.available() / 2;
  const auto memory = [&](unsigned) {
    // The lanes of many threads may have taken what the sort needs.
    kept = kept && all <= environment.memory.available() / 2;
    core::Reservation later = environment.memory.reserve(
        kept ? static_cast<std::size_t>(all) : 4 * job.block_bytes, "the lists of neighbours");
    return prepare::SortMemory{std::move(later), prepare::sorter_memory(environment.memory)};
  };
  const auto ends = [&keys, both, tag = directed ? 1U : 0U](std::uint64_t source, std::uint64_t target,
                                                            auto&& push) {
    if (source == target) return;
    push(source, keys.tagged(target, 0));
    if (both) push(target, keys.tagged(source, tag));
  };
  const prepare::SortSpec spec{.keys_per_edge = both ? 2U : 1U, .unique = true, .attachment_bytes = 0};
  auto sorted = prepare::sort_edges(std::move(input), keys, spec, ends, memory);
  Result result;
  result.nodes = sorted.read().nodes(job.declared);
  result.edges = sorted.read().edges;
  require_justified(declared, job.options.nodes, result.nodes, result.edges);
  if (job.sink != nullptr) job.sink->expect(result.nodes);
  if (!kept && result.nodes > 0) {
    ListWriter<Id> writer(environment, job.block_bytes);
    const ListFacts facts = read_keys<Id>(environment, sorted, [&](Id a, Id b) { writer.push(a, b); });
    auto lists = writer.finish();
    sorted.close();
    propagate(job, std::move(lists), facts, result);
    return result;
  }
  const auto nodes = static_cast<std::size_t>(result.nodes);
  ListArray<Id> array(environment.memory, nodes, sorted.records());
  const ListFacts facts = read_keys<Id>(environment, sorted, [&](Id a, Id b) { array.push(a, b); });
  sorted.close();
  array.end();
  result.choice = {
      MemoryModel::internal,
      edges_and_nodes_fit(internal_bytes<Id>(nodes, facts.entries, facts.longest), job.memory_bytes) +
          std::string(forced_suffix(job.options.model))};
  LabelRounds<Id> rounds(environment, nodes, facts.longest);
  rounds.run(array, job.options.iterations);
  send(job, rounds, result);
  return result;
}

}  // namespace

template <class Id>
Result run(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
           NodeSink<Id>* sink) {
  const auto declared = declared_nodes<Id>(options.nodes, source.facts());
  const std::size_t memory = environment.memory.available();
  const Job<Id> job{
      .environment = environment,
      .source = source,
      .options = options,
      .sink = sink,
      .declared = declared,
      .memory_bytes = memory,
      .block_bytes = core::round_down(std::clamp<std::size_t>(memory / 64, core::page_bytes, core::MiB),
                                      core::BlockManager::granularity_bytes)};
  return prepare::with_id_bound(environment, source, declared, [&](prepare::SortInput<Id> input) {
    // The tag takes a bit of 64.
    constexpr std::uint64_t most_tagged = std::uint64_t{1} << 63;
    if (options.directed && sizeof(Id) == 8 && input.bound.below.value_or(~std::uint64_t{0}) > most_tagged) {
      input.bound = std::optional<std::uint64_t>(most_tagged);
    }
    return with_list_keys<Id>(input.bound.below, options.directed,
                              [&](const auto& keys) { return solve(job, std::move(input), keys); });
  });
}

template Result run(core::Environment&, EdgeSource<std::uint32_t>&, const Options&, NodeSink<std::uint32_t>*);
template Result run(core::Environment&, EdgeSource<std::uint64_t>&, const Options&, NodeSink<std::uint64_t>*);

}  // namespace emgraph::graph::cdlp
