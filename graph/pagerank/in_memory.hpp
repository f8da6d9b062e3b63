// SPDX-License-Identifier: MIT
// PageRank with the arcs and all vectors in memory.
//
// Problem: add, for every node, the shares of the nodes with arcs to it, in many rounds.
// Method: lists of sources by target (pull), so that each sum is written once and by one thread. The shares
// are computed once per node and round. Threads take pieces of the nodes. Shares lie in groups of nodes with
// degrees of as many bits, the largest degrees first, and in a group in the order of the nodes: the shares
// that are read most stay in the processor's cache, and nodes with near ids stay near. Source: Faldu,
// Diamond, Grot (2019), "A Closer Look at Lightweight Graph Reordering", doi 10.1109/IISWC47752.2019.9041948.
//
// I/O: none. Memory: bytes_for(). Threads: all. Throws: MemoryLimitError.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/parallel.hpp"
#include "core/base/prefetch.hpp"
#include "core/base/thread_team.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/pagerank/fixed_point.hpp"
#include "graph/pagerank/kept.hpp"
#include "graph/prepare/adjacency/csr.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::pagerank {

template <class Id, bool Weighted>
class InMemory {
 public:
  /// For arcs that push() will add.
  InMemory(core::Environment& environment, std::uint64_t nodes, std::uint64_t arcs)
      : InMemory(
            environment, nodes, arcs,
            core::Array<std::uint64_t>(environment.memory, core::size_sum(nodes, 1),
                                       "where the sources of each node are"),
            core::Array<Id>(environment.memory, static_cast<std::size_t>(arcs), "the sources of each node")) {
  }
  /// For lists that are complete. `symmetric`: they are those of an undirected graph. Requires: not Weighted.
  InMemory(core::Environment& environment, adjacency::Csr<Id, std::uint64_t> lists, bool symmetric)
      : InMemory(environment, lists.facts(), std::move(lists).take_arrays()) {
    if (symmetric) {
      count_symmetric();
    } else {
      count_all();
    }
  }

  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint64_t arcs) {
    return core::size_sum(core::size_product(nodes, sizeof(std::uint64_t) + bytes_per_node),
                          core::size_product(arcs, sizeof(Id) + (Weighted ? sizeof(double) : 0)),
                          9 * core::page_bytes);
  }
  /// Beside the lists.
  static constexpr std::uint64_t bytes_per_node = 4 * sizeof(std::uint64_t) + sizeof(Id);

  /// Adds an arc. Requires: ascending targets. `weight`: if Weighted.
  void push(std::uint64_t target, std::uint64_t source, double weight) {
    while (next_target_ <= target) offsets_[next_target_++] = arcs_;
    const auto at = static_cast<std::size_t>(arcs_++);
    if constexpr (Weighted) weights_[at] = weight;
    sources_[at] = static_cast<Id>(source);
    core::prefetch(out_.data() + source);
    if (at >= count_distance) count_out(at - count_distance);
  }
  /// After the last arc.
  void end_lists() {
    while (next_target_ <= nodes_) offsets_[next_target_++] = arcs_;
    const auto arcs = static_cast<std::size_t>(arcs_);
    for (std::size_t at = arcs - std::min(arcs, count_distance); at < arcs; ++at) count_out(at);
  }

  /// The ranks to go on with, for the caller to fill.
  std::span<std::uint64_t> restored_ranks() {
    restored_ = true;
    return ranks_.span();
  }

  /// Iterates from the restored ranks if there are any, else from the first ranks of the rule.
  void iterate(const RankRule& rule, Rounds& rounds, RoundKeeper& keeper) {
    core::Phase phase(environment_.progress, "iterate", 0, "arcs");
    core::ThreadTeam team(
        static_cast<unsigned>(std::clamp<std::size_t>(nodes_ / piece_nodes, 1, environment_.threads)));
    group_shares(team);
    std::vector<Part> parts(team.size());
    std::uint64_t dangling = 0;
    const auto in_pieces = [&](const auto& work) {
      std::atomic<std::size_t> cursor{0};
      std::fill(parts.begin(), parts.end(), Part());
      team.all([&](unsigned thread) {
        Part part;
        for (std::size_t begin; (begin = cursor.fetch_add(piece_nodes)) < nodes_;) {
          work(begin, std::min(nodes_, begin + piece_nodes), part);
        }
        parts[thread] = part;
      });
      core::uint128 change = 0;
      dangling = 0;
      for (const Part& part : parts) {
        change += part.change;
        dangling += part.dangling;
      }
      return change;
    };
    in_pieces([&](std::size_t begin, std::size_t end, Part& part) {
      SourceCursor sources = rule.sources(begin);
      for (std::size_t v = begin; v < end; ++v) {
        shares_[places_[v]] = set_rank(v, restored_ ? ranks_[v] : sources.at(v) ? rule.first() : 0, part);
      }
    });
    while (!rounds.done()) {
      const std::uint64_t base = rule.base(dangling);
      rounds.finish_round(in_pieces([&](std::size_t begin, std::size_t end, Part& part) {
        SourceCursor sources = rule.sources(begin);
        for (std::size_t v = begin; v < end; ++v) {
          const std::uint64_t rank = rule.next(sources.at(v) ? base : 0, sum_of_shares(v));
          part.change += distance(ranks_[v], rank);
          next_shares_[places_[v]] = set_rank(v, rank, part);
        }
      }));
      std::swap(shares_, next_shares_);
      phase.advance(arcs_);
      if (!keeper.due()) continue;
      keeper.seal(rounds, ValuesAre::an_array, [&](core::StateWriter& to) { to.array(ranks()); });
    }
  }

  std::span<const std::uint64_t> ranks() const { return ranks_.span(); }

 private:
  static constexpr std::size_t piece_nodes = 2048;
  // An arc counts for its source that many arcs later, when the degree has come from memory: the lists of the
  // Kronecker graph of scale 22 take 0.9 s in place of 1.9 s (Intel Xeon).
  static constexpr std::size_t count_distance = 32;
  // While shares come from memory in any order, the processor fetches too few of the sources by itself. With
  // a prefetch so many arcs ahead and sums of eight shares a step, the 134 M arcs of the Kronecker graph of
  // scale 22 take 0.21 s in place of 0.38 s (Intel Xeon, one thread). Vectors that gather shares take 0.20 s.
  // 128 to 2048 arcs ahead are as fast.
  static constexpr std::size_t read_ahead = 512;

  InMemory(core::Environment& environment, const adjacency::AdjacencyFacts& facts,
           std::pair<core::Array<std::uint64_t>, core::Array<Id>> lists)
      : InMemory(environment, facts.nodes, facts.entries, std::move(lists.first), std::move(lists.second)) {
    arcs_ = facts.entries;
  }
  InMemory(core::Environment& environment, std::uint64_t nodes, std::uint64_t arcs,
           core::Array<std::uint64_t> offsets, core::Array<Id> sources)
      : environment_(environment),
        nodes_(static_cast<std::size_t>(nodes)),
        offsets_(std::move(offsets)),
        sources_(std::move(sources)),
        weights_(environment.memory, Weighted ? static_cast<std::size_t>(arcs) : 0, "a weight per arc"),
        out_(environment.memory, nodes_, "a degree per node"),
        ranks_(environment.memory, nodes_, "a rank per node"),
        places_(environment.memory, nodes_, "the place of the share of each node"),
        shares_(environment.memory, nodes_, "a share per node"),
        next_shares_(environment.memory, nodes_, "a share per node") {}

  /// Arcs go both ways.
  void count_symmetric() {
    for (std::size_t v = 0; v < nodes_; ++v) out_[v] = offsets_[v + 1] - offsets_[v];
  }
  void count_all() {
    const auto arcs = static_cast<std::size_t>(arcs_);
    core::run_on_threads(environment_.threads, [&](unsigned thread) {
      const std::size_t begin = arcs / environment_.threads * thread;
      const std::size_t end =
          thread + 1 == environment_.threads ? arcs : arcs / environment_.threads * (thread + 1);
      for (std::size_t at = begin; at < end; ++at) {
        core::prefetch(out_.data() + sources_[std::min(at + count_distance, end - 1)]);
        std::atomic_ref<std::uint64_t>(out_[static_cast<std::size_t>(sources_[at])])
            .fetch_add(1, std::memory_order_relaxed);
      }
    });
  }

  /// What a thread has counted in a round.
  struct alignas(64) Part {
    core::uint128 change = 0;
    std::uint64_t dangling = 0;  ///< rank of the nodes without outgoing arcs
  };

  /// The number of bits of the degree; with weights, the exponent of their sum.
  static std::size_t group_of(std::uint64_t out) {
    return Weighted ? static_cast<std::size_t>(out >> 52) : static_cast<std::size_t>(std::bit_width(out));
  }
  /// Sets places_, and puts places into sources_.
  void group_shares(core::ThreadTeam& team) {
    std::array<std::size_t, 2048> groups{};
    for (std::size_t v = 0; v < nodes_; ++v) ++groups[group_of(out_[v])];
    std::size_t end = nodes_;  // of the places that are left for larger degrees
    for (std::size_t& group : groups) group = end -= group;
    for (std::size_t v = 0; v < nodes_; ++v) places_[v] = static_cast<Id>(groups[group_of(out_[v])]++);
    const auto arcs = static_cast<std::size_t>(arcs_);
    team.all([&](unsigned thread) {
      const auto share = [&](std::size_t part) {
        return arcs / team.size() * part + arcs % team.size() * part / team.size();
      };
      for (Id& source : sources_.span().subspan(share(thread), share(thread + 1) - share(thread))) {
        source = places_[static_cast<std::size_t>(source)];
      }
    });
  }

  void count_out(std::size_t arc) {
    std::uint64_t& out = out_[static_cast<std::size_t>(sources_[arc])];
    out = with_arc(Weighted, out, Weighted ? weights_[arc] : 0);
  }
  /// Returns the share of the node.
  std::uint64_t set_rank(std::size_t v, std::uint64_t rank, Part& part) {
    ranks_[v] = rank;
    if (out_[v] != 0) return sent_along(Weighted, rank, out_[v]);
    part.dangling += rank;
    return 0;
  }
  std::uint64_t share_at(std::size_t arc) const {
    const std::uint64_t share = shares_[static_cast<std::size_t>(sources_[arc])];
    if constexpr (Weighted) return weighted_share(std::bit_cast<double>(share), weights_[arc]);
    return share;
  }
  std::uint64_t sum_of_shares(std::size_t v) const {
    const auto end = static_cast<std::size_t>(offsets_[v + 1]);
    auto arc = static_cast<std::size_t>(offsets_[v]);
    std::uint64_t even = 0;
    std::uint64_t odd = 0;
    for (; end - arc >= 8; arc += 8) {
      const std::size_t ahead = std::min(arc + read_ahead, sources_.size() - 1);
      core::prefetch(sources_.data() + ahead);
      if constexpr (Weighted) core::prefetch(weights_.data() + ahead);
      even += share_at(arc) + share_at(arc + 2) + share_at(arc + 4) + share_at(arc + 6);
      odd += share_at(arc + 1) + share_at(arc + 3) + share_at(arc + 5) + share_at(arc + 7);
    }
    for (; arc < end; ++arc) even += share_at(arc);
    return even + odd;
  }

  core::Environment& environment_;
  const std::size_t nodes_;
  core::Array<std::uint64_t> offsets_;
  core::Array<Id> sources_;         ///< while iterating, the places of their shares
  core::Array<double> weights_;     ///< of the arcs, as sources_
  core::Array<std::uint64_t> out_;  ///< of the arcs from each node: with_arc()
  core::Array<std::uint64_t> ranks_;
  core::Array<Id> places_;
  core::Array<std::uint64_t> shares_;  ///< sent_along()
  core::Array<std::uint64_t> next_shares_;
  std::uint64_t next_target_ = 0;  ///< offsets before this one are set
  std::uint64_t arcs_ = 0;
  bool restored_ = false;
};

}  // namespace emgraph::graph::pagerank
