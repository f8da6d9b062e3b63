// SPDX-License-Identifier: MIT
// Core numbers by peeling, with the degrees in memory.
//
// Problem: remove nodes of the least degree again and again; the largest degree so far at which a node goes
// is its core number.
// Method: level k removes all nodes that have k neighbours left. They are a set whose lists are read
// together; each neighbour that thereby gets to k neighbours is in the next set. Levels without nodes are
// skipped. The list of every node is read once (lists.hpp).
// Invariant: degrees_[v] is the number of neighbours left if it is above k, else v is removed or in a set,
// and it is the core number. Core numbers are unique, so the order within a set does not matter.
// Source: Seidman (1983), doi 10.1016/0378-8733(83)90028-X; Batagelj, Zaversnik (2003), arXiv cs/0310049;
// sets as in Dasari, Desh, Zubair, "ParK" (2014), doi 10.1109/BigData.2014.7004366.
//
// I/O: that of the lists. Memory: peel_bytes(), and that of the lists. Threads: all look for the nodes of a
// level, and read the lists of a set. Throws: as the lists.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/prefetch.hpp"
#include "core/base/thread_team.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/kcore/lists.hpp"

namespace emgraph::graph::kcore {

/// Nodes that a thread has found and not yet appended to the next set, at most.
inline constexpr std::size_t peel_batch = 1024;
inline constexpr std::uint64_t most_peeled_degree = 0xfffffffeU;

template <class Id>
constexpr std::size_t peel_bytes_per_node = sizeof(std::uint32_t) + 2 * sizeof(Id);
/// Bytes beside those of the nodes.
template <class Id>
std::uint64_t peel_bytes_of_threads(unsigned threads) {
  return core::size_sum(core::size_product(threads, peel_batch * sizeof(Id)), 4 * core::page_bytes);
}
template <class Id>
std::uint64_t peel_bytes(std::uint64_t nodes, unsigned threads) {
  return core::size_sum(core::size_product(nodes, peel_bytes_per_node<Id>),
                        peel_bytes_of_threads<Id>(threads));
}

/// `Lists`: PageLists or RowLists.
template <class Lists>
class Peel {
 public:
  using Id = typename Lists::id_type;

  Peel(core::Environment& environment, Lists& lists, std::uint64_t nodes)
      : environment_(environment),
        lists_(lists),
        nodes_(static_cast<std::size_t>(nodes)),
        degrees_(environment.memory, nodes_, "a degree per node"),
        left_(environment.memory, nodes_, "an id per node"),
        queue_(environment.memory, nodes_, "an id per node"),
        found_(environment.memory, std::size_t{environment.threads} * peel_batch, "nodes of the next set"),
        team_(environment.threads) {}

  /// Returns the largest core number.
  std::uint64_t run() {
    lists_.count_degrees(team_, degrees_.span());
    core::Phase phase(environment_.progress, "peel", nodes_, "nodes");
    for (std::size_t v = 0; v < nodes_; ++v) left_[v] = static_cast<Id>(v);
    left_count_ = nodes_;
    for (bool first = true; next_level(first); first = false) {
      for (std::size_t begin = 0; begin < queue_end_;) {
        const std::size_t end = queue_end_;
        remove(queue_.span().subspan(begin, end - begin));
        phase.advance(end - begin);
        begin = end;
      }
    }
    return level_;
  }
  std::span<const std::uint32_t> cores() const { return degrees_.span(); }
  std::uint64_t rounds() const { return rounds_; }

 private:
  /// The nodes of a range of left_ that are not removed, and those of the least degree among them: both lists
  /// begin where the range does, in left_ and in queue_.
  struct LevelShare {
    std::size_t begin = 0;
    std::size_t kept = 0;
    std::size_t queued = 0;
    std::uint32_t least = ~std::uint32_t{0};
  };
  LevelShare share_of_level(std::size_t begin, std::size_t end, bool first) {
    LevelShare share{.begin = begin};
    Id* const left = left_.data() + begin;
    Id* const queue = queue_.data() + begin;
    for (std::size_t i = begin; i < end; ++i) {
      const Id node = left_[i];
      const std::uint32_t degree = degrees_[static_cast<std::size_t>(node)];
      if (!first && degree <= level_) continue;
      left[share.kept++] = node;
      if (degree > share.least) continue;
      if (degree < share.least) share.queued = 0;
      share.least = degree;
      queue[share.queued++] = node;
    }
    return share;
  }

  /// Drops removed nodes from the list of those left; the ones of the least degree become the first set of
  /// the next level. False if there are none left.
  bool next_level(bool first) {
    if (left_count_ == 0) return false;
    constexpr std::size_t small = 16 * 1024;
    const std::size_t count = left_count_;
    std::vector<LevelShare> shares(count < small ? 1 : team_.size());
    const auto find_share = [&](unsigned thread) {
      shares[thread] =
          share_of_level(count * thread / shares.size(), count * (thread + 1) / shares.size(), first);
    };
    if (shares.size() == 1) {
      find_share(0);
    } else {
      team_.all(find_share);
    }
    std::uint32_t least = ~std::uint32_t{0};
    for (const LevelShare& share : shares) least = std::min(least, share.least);
    left_count_ = 0;
    queue_end_ = 0;
    for (const LevelShare& share : shares) {
      std::memmove(left_.data() + left_count_, left_.data() + share.begin, share.kept * sizeof(Id));
      left_count_ += share.kept;
      if (share.least != least) continue;
      std::memmove(queue_.data() + queue_end_, queue_.data() + share.begin, share.queued * sizeof(Id));
      queue_end_ += share.queued;
    }
    if (left_count_ == 0) return false;
    level_ = least;
    return true;
  }

  /// Removes the nodes of `set` (a part of queue_) whose lists it sees. Nodes that thereby get to the level
  /// are the next set.
  class Remover {
   public:
    Remover(Peel& peel, unsigned thread) : peel_(peel), found_(peel.found_.data() + thread * peel_batch) {}

    void operator()(std::span<const Id> neighbours) {
      // The degrees are anywhere in memory.
      for (const Id neighbour : neighbours) core::prefetch(&peel_.degrees_[neighbour]);
      for (const Id neighbour : neighbours) {
        const std::atomic_ref degree(peel_.degrees_[static_cast<std::size_t>(neighbour)]);
        std::uint32_t left = degree.load(std::memory_order_relaxed);
        while (left > peel_.level_ &&
               !degree.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) {
        }
        if (left != peel_.level_ + 1) continue;
        found_[count_++] = neighbour;
        if (count_ == peel_batch) flush();
      }
    }
    void flush() {
      const std::size_t at = std::atomic_ref(peel_.queue_end_).fetch_add(count_, std::memory_order_relaxed);
      std::copy_n(found_, count_, peel_.queue_.data() + at);
      count_ = 0;
    }

   private:
    Peel& peel_;
    Id* const found_;
    std::size_t count_ = 0;
  };

  /// `set`: a part of queue_, to whose end the next set is appended.
  void remove(std::span<Id> set) {
    ++rounds_;
    std::vector<Remover> removers;
    for (unsigned thread = 0; thread < team_.size(); ++thread) removers.emplace_back(*this, thread);
    lists_.read(team_, set, removers);
    for (Remover& remover : removers) remover.flush();
  }

  core::Environment& environment_;
  Lists& lists_;
  const std::size_t nodes_;
  core::Array<std::uint32_t> degrees_;
  core::Array<Id> left_;   ///< nodes that are not removed; some are, since the level began
  core::Array<Id> queue_;  ///< the sets of a level, one after the other
  core::Array<Id> found_;  ///< `batch` for each thread
  core::ThreadTeam team_;
  std::size_t left_count_ = 0;
  std::size_t queue_end_ = 0;
  std::uint32_t level_ = 0;
  std::uint64_t rounds_ = 0;
};

}  // namespace emgraph::graph::kcore
