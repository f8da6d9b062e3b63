// SPDX-License-Identifier: MIT
// Ranks by degree and oriented lists when the nodes do not fit in memory: by sorting and merging.
//
// Method: the edges, smaller end first, are sorted without duplicates; the larger ends sorted, and a merge of
// both, give (node, degree) by node. Sorted by descending degree these are the ranks. Sorted by node again
// they are merged with the edges twice, once for either end, which become ranks; the oriented edges are
// sorted by their larger rank. Invariant: of two sorts that are open at a time one is read while the other is
// filled.
//
// I/O: four sorts of the edges, two of the nodes, a run of the edges. Memory: all that is free, two sorters
// and some blocks; not charged: a sample of 8192 edges. Threads: sorts on all, merges on one. Throws:
// DataError, MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/vector_sort.hpp"
#include "core/block/run.hpp"
#include "core/block/run_blocks.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/prepare/sorted_edges.hpp"
#include "graph/triangles/chunk_passes.hpp"

namespace emgraph::graph::triangles {

/// The division of the memory in each step.
struct ExternalPlan {
  std::size_t first_bytes = 0;   ///< memory of the sorter that is read
  std::size_t second_bytes = 0;  ///< memory of the sorter that is filled
  std::size_t block_bytes = 0;

  static ExternalPlan make(std::size_t memory_bytes) {
    return {memory_bytes / 16 * 7, memory_bytes / 16 * 6, core::block_share(memory_bytes, 128)};
  }
};

/// What is kept in the order of ranks besides the lists.
struct KeptByRank {
  bool ids = false;
  bool degrees = false;
};

template <class Id>
class ExternalRanks {
 public:
  /// `segments`: of the lists.
  ExternalRanks(core::Environment& environment, EdgeSource<Id>& source,
                const std::optional<std::uint64_t>& nodes, const KeptByRank& kept,
                const SegmentPlan& segments)
      : environment_(environment),
        plan_(ExternalPlan::make(environment.memory.available())),
        segments_(segments) {
    prepare::with_edge_keys<Id>(nodes, [&](const auto& keys) { sort_edges(source, nodes, keys); });
    // (greatest degree - degree, node): usually 64 bits suffice.
    id_bits_ = prepare::bits_for_nodes(read_.largest_id + 1);
    if (static_cast<unsigned>(std::bit_width(simple_edges_)) + id_bits_ <= 64) {
      rank_nodes(sort_degrees<std::uint64_t>(), kept);
    } else {
      rank_nodes(sort_degrees<core::uint128>(), kept);
    }
    orient();
  }

  /// What save() has described in an earlier process.
  ExternalRanks(core::Environment& environment, core::StateReader& from)
      : environment_(environment), plan_(), segments_() {
    wedges_ = from.value<core::uint128>();
    read_.edges = from.value<std::uint64_t>();
    read_.largest_id = from.value<std::uint64_t>();
    facts_ = from.value<RankFacts>();
    simple_edges_ = from.value<std::uint64_t>();
    ids_ = core::Run<Id>::restored(environment, from);
    degrees_ = core::Run<Rank>::restored(environment, from);
    lists_ = ListSegments::restored(environment, from);
  }
  void save(core::StateWriter& to) const {
    to.value(wedges_);
    to.value(read_.edges);
    to.value(read_.largest_id);
    to.value(facts_);
    to.value(simple_edges_);
    ids_.save(to);
    degrees_.save(to);
    lists_.save(to);
  }

  const prepare::IngestFacts& read() const { return read_; }
  const RankFacts& facts() const { return facts_; }
  std::uint64_t simple_edges() const { return simple_edges_; }
  core::uint128 wedges() const { return wedges_; }
  const ListSegments& lists() const { return lists_; }
  /// The ids in the order of ranks.
  const core::Run<Id>& ids() const { return ids_; }
  /// The degrees in the order of ranks.
  const core::Run<Rank>& degrees() const { return degrees_; }

 private:
  /// A node in the high bits, a value of up to 32 bits in the low bits.
  using NodeKey = std::conditional_t<sizeof(Id) == 4, std::uint64_t, core::uint128>;
  using Ranked = Edge<Id>;  ///< id, rank
  static constexpr unsigned rank_bits = 32;
  static constexpr std::uint64_t sampled_edges = 8 * 1024;

  static NodeKey node_key(std::uint64_t node, Rank rank) {
    return static_cast<NodeKey>(node) << rank_bits | rank;
  }
  static std::uint64_t node_of(NodeKey key) { return static_cast<std::uint64_t>(key >> rank_bits); }
  static Rank rank_of(NodeKey key) { return static_cast<Rank>(key & core::low_mask<NodeKey>(rank_bits)); }

  template <core::IntegerKey Key>
  void sort_edges(EdgeSource<Id>& source, const std::optional<std::uint64_t>& nodes,
                  const prepare::EdgeKeys<Key>& keys) {
    const auto visit = [](std::uint64_t a, std::uint64_t b, auto&& push) {
      if (a != b) push(std::min(a, b), std::max(a, b));
    };
    prepare::SortInput<Id> input = prepare::sort_input(environment_, source, nodes);
    std::vector<std::uint64_t> high_sample;
    for (const Edge<Id>& edge : input.sample) {
      const std::uint64_t high = std::max(edge.source, edge.target);
      if (edge.source != edge.target && (!nodes || high < *nodes)) high_sample.push_back(high);
    }
    auto sorted = prepare::sort_edges(std::move(input), keys, {.unique = true}, visit,
                                      [&](unsigned) { return plan_.first_bytes; });
    read_ = sorted.read();

    read_.nodes(nodes);  // refuses ids for which n does not fit
    highs_ = std::make_unique<core::SerialSort<std::uint64_t>>(
        environment_, read_.largest_id, sorted.records(), plan_.second_bytes, std::move(high_sample));
    const std::uint64_t sample_step = sorted.records() / sampled_edges + 1;
    {
      core::Phase phase(environment_.progress, "remove duplicates", sorted.records(), "edges");
      core::RunWriter<Ranked> edges(environment_, plan_.block_bytes, 2);
      sorted.for_each(phase, [&](std::uint64_t low, std::uint64_t high) {
        edges.push({static_cast<Id>(low), static_cast<Id>(high)});
        highs_->push(high);
        if (edges.records() % sample_step == 0) sample_.push_back({low, high});
      });
      simple_edges_ = edges.records();
      edges_ = edges.finish();
    }
  }

  /// Computes (node, degree) by descending degree.
  template <core::IntegerKey Key>
  std::unique_ptr<core::SerialSort<Key>> sort_degrees() {
    highs_->start();
    core::Phase phase(environment_.progress, "count degrees", simple_edges_, "edges");
    const Key last =
        static_cast<Key>(static_cast<Key>(simple_edges_) << id_bits_ | core::low_mask<Key>(id_bits_));
    auto by_degree = std::make_unique<core::SerialSort<Key>>(
        environment_, last, std::min(2 * simple_edges_, read_.largest_id + 1), plan_.first_bytes);
    auto& highs = *highs_;
    core::RunCursor<Ranked> edges(environment_, std::as_const(edges_));
    while (!edges.at_end() || !highs.at_end()) {
      std::uint64_t node = ~std::uint64_t{0};
      if (!edges.at_end()) node = edges->source;
      if (!highs.at_end()) node = std::min(node, highs.key());
      std::uint64_t degree = 0;
      for (; !edges.at_end() && edges->source == node; edges.next()) ++degree;
      phase.advance(degree);
      for (; !highs.at_end() && highs.key() == node; highs.next()) ++degree;
      wedges_ += wedges_at(degree);
      facts_.hub_candidates += degree >= least_hub_degree ? 1 : 0;
      if (++facts_.ranks > most_ranks) {
        throw core::DataError("found more than " + core::format_count(most_ranks) +
                              " nodes with an edge, expected at most as many");
      }
      by_degree->push(static_cast<Key>(static_cast<Key>(simple_edges_ - degree) << id_bits_ | node));
    }
    highs_.reset();
    return by_degree;
  }

  /// Numbers the nodes, and sorts (node, rank) by node.
  template <core::IntegerKey Key>
  void rank_nodes(std::unique_ptr<core::SerialSort<Key>> by_degree, const KeptByRank& kept) {
    by_degree->start();
    core::Phase phase(environment_.progress, "rank", facts_.ranks, "nodes");
    std::vector<std::uint64_t> nodes;  // nodes of the sample, ascending
    for (const Edge<std::uint64_t>& edge : sample_) nodes.insert(nodes.end(), {edge.source, edge.target});
    core::vector_sort(std::span(nodes));
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    std::vector<NodeKey> node_sample;
    for (const std::uint64_t node : nodes) node_sample.push_back(node_key(node, 0));
    core::SerialSort<NodeKey> by_node(environment_, node_key(read_.largest_id, no_rank), facts_.ranks,
                                      plan_.second_bytes, std::move(node_sample));
    {
      std::optional<core::RunWriter<Id>> ids;
      std::optional<core::RunWriter<Rank>> degrees;
      if (kept.ids) ids.emplace(environment_, plan_.block_bytes, 2);
      if (kept.degrees) degrees.emplace(environment_, plan_.block_bytes, 2);
      for (Rank rank = 0; !by_degree->at_end(); by_degree->next(), ++rank) {
        const auto node = static_cast<std::uint64_t>(by_degree->key() & core::low_mask<Key>(id_bits_));
        if (ids) ids->push(static_cast<Id>(node));
        if (degrees) {
          degrees->push(
              static_cast<Rank>(simple_edges_ - static_cast<std::uint64_t>(by_degree->key() >> id_bits_)));
        }
        by_node.push(node_key(node, rank));
      }
      if (ids) ids_ = ids->finish();
      if (degrees) degrees_ = degrees->finish();
    }
    by_degree.reset();
    by_node.start();
    std::vector<Rank> node_ranks;  // ranks of `nodes`
    core::RunWriter<Ranked> ranks(environment_, plan_.block_bytes, 2);
    for (; !by_node.at_end(); by_node.next()) {
      const std::uint64_t node = node_of(by_node.key());
      const Rank rank = rank_of(by_node.key());
      ranks.push({static_cast<Id>(node), static_cast<Id>(rank)});
      if (node_ranks.size() < nodes.size() && nodes[node_ranks.size()] == node) node_ranks.push_back(rank);
      phase.advance(1);
    }
    ranks_ = ranks.finish();
    for (const Edge<std::uint64_t>& edge : sample_) {
      const auto rank = [&](std::uint64_t node) {
        return node_ranks[static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) -
                                                   nodes.begin())];
      };
      rank_sample_.push_back(low_high(rank(edge.source), rank(edge.target)));
    }
  }

  /// Replaces both ends by ranks, then makes the lists.
  void orient() {
    std::vector<NodeKey> half_sample;
    for (const Edge<std::uint64_t>& edge : sample_) half_sample.push_back(node_key(edge.target, 0));
    auto half =
        std::make_unique<core::SerialSort<NodeKey>>(environment_, node_key(read_.largest_id, no_rank),
                                                    simple_edges_, plan_.first_bytes, std::move(half_sample));
    {
      core::Phase phase(environment_.progress, "rank smaller ends", simple_edges_, "edges");
      core::RunCursor<Ranked> ranks(environment_, std::as_const(ranks_));
      for (core::RunCursor<Ranked> edges(environment_, std::move(edges_)); !edges.at_end(); edges.next()) {
        while (ranks->source != edges->source) ranks.next();
        half->push(node_key(edges->target, static_cast<Rank>(ranks->target)));
        phase.advance(1);
      }
    }
    half->start();
    const prepare::EdgeKeys<std::uint64_t> keys{prepare::bits_for_nodes(facts_.ranks)};
    std::vector<std::uint64_t> oriented_sample;
    for (const Edge<Rank>& ends : rank_sample_)
      oriented_sample.push_back(keys.make(ends.target, ends.source));
    core::SerialSort<std::uint64_t> oriented(environment_, core::low_mask<std::uint64_t>(2 * keys.id_bits),
                                             simple_edges_, plan_.second_bytes, std::move(oriented_sample));
    {
      core::Phase phase(environment_.progress, "rank larger ends", simple_edges_, "edges");
      for (core::RunCursor<Ranked> ranks(environment_, std::move(ranks_)); !half->at_end(); half->next()) {
        while (ranks->source != node_of(half->key())) ranks.next();
        const Edge<Rank> ends = low_high(rank_of(half->key()), static_cast<Rank>(ranks->target));
        oriented.push(keys.make(ends.target, ends.source));
        phase.advance(1);
      }
    }
    half.reset();
    core::Phase phase(environment_.progress, "orient", simple_edges_, "edges");
    oriented.start();
    ListWriter writer(environment_, segments_);
    for (; !oriented.at_end(); oriented.next()) {
      writer.add(static_cast<Rank>(keys.first(oriented.key())),
                 static_cast<Rank>(keys.second(oriented.key())));
      phase.advance(1);
    }
    lists_ = writer.finish();
  }

  core::Environment& environment_;
  const ExternalPlan plan_;
  const SegmentPlan segments_;
  prepare::IngestFacts read_;
  RankFacts facts_;
  std::uint64_t simple_edges_ = 0;
  core::uint128 wedges_ = 0;
  unsigned id_bits_ = 0;
  core::Run<Ranked> edges_;  ///< smaller id first, ascending
  core::Run<Ranked> ranks_;  ///< by id
  core::Run<Id> ids_;
  core::Run<Rank> degrees_;
  std::unique_ptr<core::SerialSort<std::uint64_t>> highs_;
  std::vector<Edge<std::uint64_t>> sample_;  ///< a sample of the simple edges
  std::vector<Edge<Rank>> rank_sample_;      ///< the same, smaller rank first
  ListSegments lists_;
};

}  // namespace emgraph::graph::triangles
