// SPDX-License-Identifier: MIT
// Kernel 2: breadth-first search in both directions, over all ranks.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory/buffer.hpp"
#include "graph/graph500/distributed/gathered_bits.hpp"
#include "graph/graph500/distributed/local_graph.hpp"

namespace emgraph::graph::graph500::distributed {

/// Problem: levels and parents from a root; the parent of a node is its smallest neighbour on the level
/// above, so that the answer depends on neither ranks nor threads.
///
/// Method: Beamer, Asanović, Patterson (2012, doi 10.1109/SC.2012.50), with their thresholds. Top-down: ranks
/// send (neighbour, node) to the owner of the neighbour, which keeps the smallest sender. A rank sends to a
/// node once: it reads its frontier in ascending order, so the first sender is its smallest. Bottom-up: the
/// bits of the frontier are gathered at all ranks, then each looks for the first neighbour of its unvisited
/// nodes in the frontier; rows ascend, so that is the smallest.
///
/// Memory: 8 bytes (12 for long ids) and 2 bits per own node; 2 bits per node of the graph, and the lists of
/// GatheredBits. Threads: bottom-up levels by the team; top-down levels, which are short, by the caller.
/// Throws: as mpi::Communicator.
template <class Id>
class BreadthFirst {
 public:
  static constexpr std::uint32_t unreached_level = ~std::uint32_t{0};
  static constexpr Id no_parent = static_cast<Id>(~Id{0});

  BreadthFirst(Room& room, const LocalGraph<Id>& graph)
      : communicator_(room.communicator),
        team_(room.team),
        graph_(graph),
        partition_(graph.partition()),
        pool_(room.communicator, room.pools),
        levels_(room.memory, static_cast<std::size_t>(partition_.own_nodes()), "levels"),
        parents_(room.memory, static_cast<std::size_t>(partition_.own_nodes()), "parents"),
        visited_(room.memory, static_cast<std::size_t>(partition_.own_words()), "visited nodes"),
        frontier_(room.memory, static_cast<std::size_t>(partition_.own_words()), "the frontier"),
        next_(room.memory, static_cast<std::size_t>(partition_.own_words()), "the next frontier"),
        all_frontier_(room.memory, partition_, "the frontier of all ranks"),
        sent_(room.memory, static_cast<std::size_t>(partition_.words()), "nodes that were sent to") {}

  std::span<std::uint32_t> levels() const { return levels_.span(); }
  std::span<Id> parents() const { return parents_.span(); }

  /// Forgets the last search.
  void reset() {
    std::ranges::fill(levels_.span(), unreached_level);
    std::ranges::fill(parents_.span(), no_parent);
    std::ranges::copy(graph_.isolated(), visited_.data());
    std::ranges::fill(frontier_.span(), 0);
    std::ranges::fill(next_.span(), 0);
    std::ranges::fill(sent_.span(), 0);
    found_nodes_ = 0;
    found_arcs_ = 0;
    unvisited_arcs_ = graph_.arc_count();
    level_ = unreached_level;
  }

  /// All ranks call it together. Requires: reset() since the last search.
  void search(std::uint64_t root) {
    if (partition_.owns(root)) {
      offer(static_cast<std::uint32_t>(root - partition_.own_first()), static_cast<Id>(root));
      unvisited_arcs_ -= found_arcs_;
    }
    bool bottom_up = false;
    std::uint64_t before = 0;
    for (level_ = 0;; ++level_) {
      std::array<std::uint64_t, 3> sums{found_nodes_, found_arcs_, unvisited_arcs_};
      communicator_.reduce(sums, mpi::Reduction::sum);
      const auto [nodes, arcs, unvisited] = sums;
      if (nodes == 0) return;
      bottom_up = bottom_up ? nodes >= before || nodes > partition_.nodes() / 24 : arcs > unvisited / 14;
      before = nodes;
      std::swap(frontier_, next_);
      std::ranges::fill(next_.span(), 0);
      found_nodes_ = 0;
      found_arcs_ = 0;
      if (bottom_up) {
        go_bottom_up(nodes);
      } else {
        go_top_down();
      }
      unvisited_arcs_ -= found_arcs_;
    }
  }

 private:
  struct Message {
    std::uint32_t local;
    std::array<std::uint32_t, sizeof(Id) / 4> source;  // so that a message of a long id takes 12 bytes
  };

  void offer(std::uint32_t local, Id source) {
    if (levels_[local] == level_ + 1) {
      parents_[local] = std::min(parents_[local], source);
    } else if (levels_[local] == unreached_level) {
      levels_[local] = level_ + 1;
      parents_[local] = source;
      next_[local / 64] |= std::uint64_t{1} << local % 64;
      visited_[local / 64] |= std::uint64_t{1} << local % 64;
      ++found_nodes_;
      found_arcs_ += graph_.degree(local);
    }
  }

  void go_top_down() {
    std::size_t word = 0;
    std::uint64_t bits = frontier_.size() > 0 ? frontier_[0] : 0;
    std::size_t at = 0;  // in the row of the lowest of the bits
    const auto produce = [&] {
      for (;;) {
        while (bits == 0) {
          if (++word >= frontier_.size()) return false;
          bits = frontier_[word];
        }
        const std::uint64_t local = 64 * word + static_cast<unsigned>(std::countr_zero(bits));
        const std::span<const Id> row = graph_.neighbours(local);
        const Id node = static_cast<Id>(partition_.own_first() + local);
        for (; at < row.size(); ++at) {
          const std::uint64_t to = row[at];
          if ((sent_[to / 64] >> to % 64 & 1) != 0) continue;
          const unsigned owner = partition_.owner(to);
          if (owner == partition_.rank()) {
            offer(partition_.local(to, owner), node);
            continue;
          }
          if (pool_.full(owner)) return true;
          sent_[to / 64] |= std::uint64_t{1} << to % 64;
          pool_.push(owner, {partition_.local(to, owner), std::bit_cast<decltype(Message::source)>(node)});
        }
        at = 0;
        bits &= bits - 1;
      }
    };
    pool_.rounds(MessagePool<Message>::Until::all_sent, produce, [&](std::span<const Message> received) {
      for (const Message& message : received) offer(message.local, std::bit_cast<Id>(message.source));
    });
  }

  void go_bottom_up(std::uint64_t frontier_nodes) {
    all_frontier_.gather(communicator_, frontier_.span(), frontier_nodes);
    for (std::size_t word = 0; word < sent_.size(); ++word) sent_[word] |= all_frontier_.words()[word];
    constexpr std::size_t chunk_words = 64;
    std::atomic<std::size_t> next_chunk{0};
    std::atomic<std::uint64_t> found_nodes{0};
    std::atomic<std::uint64_t> found_arcs{0};
    team_.all([&](unsigned) {
      std::uint64_t nodes = 0;
      std::uint64_t arcs = 0;
      for (;;) {
        const std::size_t first = next_chunk.fetch_add(chunk_words);
        if (first >= visited_.size()) break;
        const std::size_t end = std::min(first + chunk_words, visited_.size());
        for (std::size_t word = first; word < end; ++word) look_up(word, nodes, arcs);
      }
      found_nodes += nodes;
      found_arcs += arcs;
    });
    found_nodes_ = found_nodes;
    found_arcs_ = found_arcs;
  }

  /// Looks for the parents of the unvisited nodes of a word.
  void look_up(std::size_t word, std::uint64_t& nodes, std::uint64_t& arcs) {
    std::uint64_t found = 0;
    for (std::uint64_t bits = ~visited_[word]; bits != 0; bits &= bits - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(bits));
      const std::size_t local = 64 * word + bit;
      for (const Id neighbour : graph_.neighbours(local)) {
        if (!all_frontier_.contains(neighbour)) continue;
        levels_[local] = level_ + 1;
        parents_[local] = neighbour;
        found |= std::uint64_t{1} << bit;
        arcs += graph_.degree(local);
        break;
      }
    }
    next_[word] = found;
    visited_[word] |= found;
    nodes += static_cast<unsigned>(std::popcount(found));
  }

  mpi::Communicator& communicator_;
  core::ThreadTeam& team_;
  const LocalGraph<Id>& graph_;
  const Partition partition_;
  MessagePool<Message> pool_;
  core::Array<std::uint32_t> levels_;
  core::Array<Id> parents_;
  core::Array<std::uint64_t> visited_;  ///< own nodes, those without neighbours from the start
  core::Array<std::uint64_t> frontier_;
  core::Array<std::uint64_t> next_;
  GatheredBits<Id> all_frontier_;
  core::Array<std::uint64_t> sent_;  ///< nodes that need no message: sent to before, or visited
  std::uint32_t level_ = 0;
  std::uint64_t found_nodes_ = 0;
  std::uint64_t found_arcs_ = 0;
  std::uint64_t unvisited_arcs_ = 0;
};

}  // namespace emgraph::graph::graph500::distributed
