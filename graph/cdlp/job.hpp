// SPDX-License-Identifier: MIT
// What a run of `cdlp` and its forecast share: the keys of the sort, its memory, the choice of the model.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/block/manager.hpp"
#include "core/block/run_blocks.hpp"
#include "core/environment.hpp"
#include "graph/cdlp/cdlp.hpp"
#include "graph/cdlp/label_rounds.hpp"
#include "graph/edge_source.hpp"
#include "graph/prepare/adjacency/build_rows.hpp"
#include "graph/prepare/sort_keeper.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/sinks.hpp"
#include "graph/sparse_ids.hpp"

namespace emgraph::graph::cdlp {

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

template <class Id>
std::uint64_t internal_bytes(std::uint64_t nodes, const ListFacts& lists) {
  return core::size_sum(Rows<Id>::bytes_for(nodes, lists.entries),
                        LabelRounds<Id>::bytes_for(nodes, lists.longest));
}

template <class Id>
struct Job {
  static constexpr std::uint64_t most_tallied_edges = std::numeric_limits<Id>::max() / 8;  ///< see Tally
  core::Environment& environment;
  EdgeSource<Id>& source;
  const Options& options;
  std::optional<std::uint64_t> declared;  ///< n
  bool both;                              ///< an edge gives both of its ends a neighbour
  std::size_t memory_bytes;
  std::size_t block_bytes;
  NodeSink<Id>* sink = nullptr;
  prepare::SortKeeper* keeper = nullptr;  ///< with a checkpoint

  static Job make(core::Environment& environment, EdgeSource<Id>& source, const Options& options) {
    const std::size_t memory = environment.memory.available();
    return {.environment = environment,
            .source = source,
            .options = options,
            .declared = declared_nodes<Id>(options.nodes, source.facts()),
            .both = options.directed || !source.facts().symmetric,
            .memory_bytes = memory,
            .block_bytes = core::block_share(memory, 64)};
  }

  /// The neighbours that edges declare, at most.
  std::optional<std::uint64_t> most_entries() const {
    const EdgeFacts& facts = source.facts();
    const auto edges = facts.edges ? facts.edges : facts.most_edges;
    return edges ? std::optional(core::size_product(*edges, both ? 2 : 1)) : std::nullopt;
  }
  /// True if build_rows() may make the lists. A row holds a neighbour once.
  bool may_take_rows() const {
    return sizeof(Id) == sizeof(std::uint32_t) && !options.directed && may_be_internal(options.model) &&
           source.facts().edges.value_or(0) <= most_tallied_edges;
  }
  adjacency::RowsOptions rows_options() const {
    constexpr std::size_t slots_of_neighbour = 4;  // of a tally, at most
    constexpr std::size_t slot_bytes = 3 * sizeof(Id);
    return {.nodes = options.nodes,
            .beside_bytes_per_node = 2 * sizeof(Id) + slots_of_neighbour * slot_bytes,
            .beside_bytes = 4 * core::page_bytes};
  }

  prepare::SortSpec sort_spec() const {
    return {.keys_per_edge = both ? 2U : 1U, .unique = true, .attachment_bytes = 0, .keeper = keeper};
  }
  /// The keys of an edge.
  template <class Keys>
  auto ends(const Keys& keys) const {
    return [&keys, both = both, tag = options.directed ? 1U : 0U](std::uint64_t from, std::uint64_t to,
                                                                  auto&& push) {
      if (from == to) return;
      push(from, keys.tagged(to, 0));
      if (both) push(to, keys.tagged(from, tag));
    };
  }
};

/// The internal model and why.
template <class Id>
ModelChoice internal_choice(const Job<Id>& job, std::uint64_t nodes, const ListFacts& facts) {
  return {MemoryModel::internal, edges_and_nodes_fit(internal_bytes<Id>(nodes, facts), job.memory_bytes) +
                                     std::string(forced_suffix(job.options.model))};
}

/// What is set aside for the lists while the edges are sorted.
struct SortShare {
  bool kept = false;                        ///< the lists are built in memory; not with a checkpoint
  std::uint64_t bytes = ~std::uint64_t{0};  ///< of labels and lists in memory, at most

  template <class Id>
  SortShare(const Job<Id>& job, const std::optional<std::uint64_t>& nodes_below) {
    const auto entries = job.most_entries();
    if (nodes_below && entries && *entries / (job.both ? 2 : 1) <= Job<Id>::most_tallied_edges) {
      bytes = internal_bytes<Id>(
          *nodes_below,
          {.entries = *entries, .longest = std::min(*entries, core::size_product(*nodes_below, 2))});
    }
    kept = job.keeper == nullptr && may_be_internal(job.options.model) &&
           bytes <= job.environment.memory.available() / 2;
  }

  template <class Id>
  prepare::SortMemory memory(const Job<Id>& job) {
    core::MemoryBudget& memory = job.environment.memory;
    // The lanes of many threads may have taken what the sort needs.
    kept = kept && bytes <= memory.available() / 2;
    core::Reservation later = memory.reserve(kept ? static_cast<std::size_t>(bytes) : 4 * job.block_bytes,
                                             "the lists of neighbours");
    return prepare::SortMemory{std::move(later), prepare::sorter_memory(memory)};
  }
};

/// The model for lists on the disks. Throws MemoryLimitError if the forced model does not fit.
template <class Id>
ModelChoice choose(const Job<Id>& job, std::uint64_t nodes, const ListFacts& facts, std::size_t free) {
  const MemoryModel model = job.options.model;
  const std::string by(forced_suffix(model));
  const std::uint64_t blocks = 4 * std::uint64_t{job.block_bytes};
  const std::uint64_t labels = LabelRounds<Id>::bytes_for(nodes, facts.longest);
  const std::uint64_t all = core::size_sum(internal_bytes<Id>(nodes, facts), blocks);
  const bool countable = facts.longest <= std::numeric_limits<Id>::max() / 4;
  if (may_be_internal(job.options.model) && all <= free && countable) {
    return {MemoryModel::internal, edges_and_nodes_fit(all, job.memory_bytes) + by};
  }
  if (model == MemoryModel::internal) {
    throw missing_memory({.what = model_option(model),
                          .precision = "",
                          .bytes = all,
                          .purpose = " for edges and nodes",
                          .advice = "; --model semi-external needs less"},
                         free);
  }
  const bool fits = core::size_sum(labels, blocks) <= free && countable;
  const std::string share =
      share_of_memory("two labels per node and a list's counters take", labels, job.memory_bytes);
  if (fits && model != MemoryModel::external) return {MemoryModel::semi_external, share + by};
  if (model == MemoryModel::semi_external) {
    throw missing_memory({.what = model_option(model),
                          .precision = "",
                          .bytes = core::size_sum(labels, blocks),
                          .purpose = " for labels, counters and blocks",
                          .advice = "; --model external needs less"},
                         free);
  }
  return {MemoryModel::external, share + by};
}

/// Ids of a directed graph are below this: the tag takes a bit of 64.
inline constexpr std::uint64_t most_tagged = std::uint64_t{1} << 63;

[[noreturn]] inline void refuse_tagged(const std::string& name) {
  throw core::EnvironmentError(
      name + ": with --directed ids must be below 2^63; --relabel numbers them without gaps");
}

/// Calls work(SortInput<Id>, ListKeys) with the narrowest keys. Throws EnvironmentError if ids leave no room
/// for the tag.
template <class Id, class Work>
decltype(auto) with_list_keys(const Job<Id>& job, Work&& work) {
  const bool directed = job.options.directed;
  const bool limited = directed && sizeof(Id) == 8;
  const std::string& name = job.source.facts().name;
  if (limited && job.declared.value_or(0) > most_tagged) refuse_tagged(name);
  const auto with_keys = [&](prepare::SortInput<Id> input) {
    if (limited && !input.bound.below) input.bound = prepare::IdBound::guess(most_tagged);
    const auto nodes = input.bound.below;
    const unsigned most = 8 * sizeof(Id);
    const unsigned bits = nodes ? std::min(prepare::bits_for_nodes(*nodes), most) : most;
    const unsigned tag_bits = directed ? 1 : 0;
    if (2 * bits + tag_bits <= 64) {
      return work(std::move(input), ListKeys<std::uint64_t>{bits, tag_bits});
    }
    return work(std::move(input), ListKeys<core::uint128>{bits, tag_bits});
  };
  try {
    return prepare::with_id_bound(job.environment, job.source, job.declared, job.keeper, with_keys);
  } catch (const prepare::GuessFailed&) {
    refuse_tagged(name);
  }
}

}  // namespace emgraph::graph::cdlp
