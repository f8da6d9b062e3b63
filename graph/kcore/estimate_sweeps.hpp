// SPDX-License-Identifier: MIT
// Core numbers with one value per node in memory.
//
// Problem: find the core numbers with the lists on the disks, in less memory than peeling takes.
// Method: an estimate starts as the degree. A node is settled: its estimate becomes the largest h, at most
// the estimate so far, such that h neighbours have estimates of at least h. A neighbour that counted the old
// estimate and may not count the new one is marked, to be settled again. Estimates never get below the core
// numbers, and when no node is marked they are the core numbers, in whatever order nodes were settled.
//
// - Many nodes are marked: groups of pages are read in order, on all threads. The nodes whose lists are
//   within a group are settled again and again until none of them is marked: estimates sink far in one
//   reading. Then the nodes whose lists cross the border of two groups are settled.
// - Few of each group are marked: the pages of their lists are read. Batches are settled together: counters
//   for each node first, then, for estimates that sink, the lists once more.
//
// Invariant: a node that is not marked has as many neighbours with at least its estimate as its estimate is.
// Two neighbours may be settled by two threads at once: each writes its estimate before it looks at the
// other's (sequentially consistent), so one of them sees the other's, and counts again or marks.
// Bound: a k-core has k + 1 nodes with degrees of at least k, so no estimate starts above the largest such k.
// Source: Wen, Qin, Zhang, Lin, Yu (2016), "I/O Efficient Core Graph Decomposition at Web Scale", ICDE,
// arXiv 1511.00367 (there one list after the other, on one thread); Montresor, De Pellegrini, Miorandi
// (2013), doi 10.1109/TPDS.2012.124.
//
// I/O: a sweep reads the groups with marked nodes, or single pages. Memory: estimate_bytes(), and that of
// PageLists. Threads: all. Throws: as PageLists.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/prefetch.hpp"
#include "core/base/thread_team.hpp"
#include "core/base/vector_sort.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/adjacency/list_access.hpp"
#include "graph/atomic_bits.hpp"
#include "graph/kcore/kept.hpp"
#include "graph/kcore/list_reader.hpp"
#include "graph/kcore/lists.hpp"

namespace emgraph::graph::kcore {

/// No core number is larger if there are this many entries in all lists: a k-core has k (k + 1) / 2 edges.
inline std::uint64_t most_core_number(std::uint64_t entries) {
  return static_cast<std::uint64_t>(std::sqrt(static_cast<double>(entries))) + 1;
}
/// Nodes that are settled by the pages of their lists, at most; at least one for each group of pages.
inline std::uint64_t most_settled_together(std::uint64_t nodes, std::uint64_t groups) {
  return std::max(std::clamp<std::uint64_t>(nodes / 64, 1024, 64 * 1024), groups + 1);
}
/// Counters for nodes that are settled together.
inline std::uint64_t counters_together(std::uint64_t together, std::uint64_t most_core) {
  return core::size_sum(core::size_product(together, 4), most_core + 1);
}
/// Memory of EstimateSweeps beside PageLists. `groups`: of pages.
template <class Id>
std::uint64_t estimate_bytes(std::uint64_t nodes, std::uint64_t entries, std::uint64_t groups,
                             unsigned threads) {
  constexpr std::uint64_t each = sizeof(std::uint32_t);
  const std::uint64_t most = most_core_number(entries);
  const std::uint64_t together = most_settled_together(nodes, groups);
  return core::size_sum(core::size_product(nodes, each), nodes / 8 + 8,
                        core::size_product(together, 3 * sizeof(Id) + 2 * each),
                        core::size_product(counters_together(together, most), each),
                        core::size_product(most + 1, threads * each), 8 * core::page_bytes);
}

template <class Id>
class EstimateSweeps {
 public:
  using Pages = adjacency::PagedAdjacency<Id>;

  /// `start`: estimates to go on with, if there are any.
  EstimateSweeps(core::Environment& environment, PageLists<Id>& lists, std::uint64_t nodes, Start& start,
                 RoundKeeper<Id>& keeper)
      : environment_(environment),
        lists_(lists),
        pages_(lists.access().pages()),
        nodes_(static_cast<std::size_t>(nodes)),
        together_(static_cast<std::size_t>(most_settled_together(nodes, pages_.store().chunks()))),
        estimates_(environment.memory, nodes_, "an estimate per node"),
        marks_(environment.memory, nodes, "a bit per node"),
        settled_(environment.memory, together_, "nodes that are settled together"),
        next_(environment.memory, together_, "nodes to be settled next"),
        sunk_(environment.memory, together_, "nodes whose estimates sink"),
        before_(environment.memory, together_, "their estimates before"),
        offsets_(environment.memory, together_, "places of their counters"),
        most_(static_cast<std::uint32_t>(most_core_number(pages_.facts().entries))),
        counts_of_thread_(std::size_t{most_} + 1),
        counts_(environment.memory, environment.threads * counts_of_thread_, "counters of threads"),
        counters_(environment.memory, static_cast<std::size_t>(counters_together(together_, most_)),
                  "counters of nodes"),
        team_(environment.threads),
        keeper_(keeper),
        rounds_(start.rounds) {
    if (start.estimates.missing()) {
      lists_.count_degrees(team_, estimates_.span());
    } else {
      std::uint32_t* to = estimates_.data();
      start.estimates.for_each(environment, nodes, [&](std::uint64_t value) {
        *to++ = static_cast<std::uint32_t>(std::min<std::uint64_t>(value, most_));
      });
    }
  }

  /// Returns the largest core number.
  std::uint64_t run() {
    bound_estimates();
    core::Phase phase(environment_.progress, "sweeps", 0, "sweeps");
    while (true) {
      const auto few = few_marked();
      if (few && few->empty()) break;
      ++rounds_;
      if (few && are_few(*few)) {
        settle_together(*few);
      } else {
        settle_groups();
        settle_together(marked_at_borders());
      }
      phase.advance(1);
      if (!keeper_.due()) continue;
      keeper_.seal(rounds_, ValuesAre::an_array, [&](core::StateWriter& to) { to.array(cores()); });
    }
    return nodes_ == 0 ? 0 : *std::max_element(estimates_.data(), estimates_.data() + nodes_);
  }
  std::span<const std::uint32_t> cores() const { return estimates_.span(); }
  /// Sweeps. With several threads their number depends on which of them is first.
  std::uint64_t rounds() const { return rounds_; }

 private:
  using Group = typename Pages::PageGroup;
  static constexpr auto in_order = std::memory_order_seq_cst;

  std::uint32_t estimate(Id node) const {
    return std::atomic_ref(estimates_[static_cast<std::size_t>(node)]).load(in_order);
  }
  void set_estimate(Id node, std::uint32_t value) {
    std::atomic_ref(estimates_[static_cast<std::size_t>(node)]).store(value, in_order);
  }

  /// The estimates are anywhere in memory.
  void prefetch(std::span<const Id> nodes) const {
    for (const Id node : nodes) core::prefetch(&estimates_[static_cast<std::size_t>(node)]);
  }

  /// Bounds the degrees, and marks all nodes whose estimates may be too large.
  void bound_estimates() {
    std::uint32_t* const counts = counters_.data();  // of the nodes of each degree; 2^32 - 1 or more
    for (const std::uint32_t degree : estimates_.span()) {
      std::uint32_t& count = counts[std::min(degree, most_)];
      count += count != ~std::uint32_t{0} ? 1 : 0;
    }
    std::uint64_t nodes = counts[most_];
    while (most_ > 0 && nodes <= most_) nodes += counts[--most_];
    for (std::size_t v = 0; v < nodes_; ++v) {
      estimates_[v] = std::min(estimates_[v], most_);
      if (estimates_[v] > 1) marks_.set(v);
    }
  }

  /// The nodes that are marked, ascending; nullopt if there are many.
  std::optional<std::span<const Id>> few_marked() {
    if (next_count_ <= together_) {
      std::swap(settled_, next_);
      const std::span<Id> nodes = settled_.span().first(std::exchange(next_count_, 0));
      core::vector_sort(nodes);
      return nodes;
    }
    std::size_t count = 0;
    for (std::uint64_t v = marks_.next_one(0, nodes_); v < nodes_; v = marks_.next_one(v + 1, nodes_)) {
      if (count == together_) return std::nullopt;
      settled_[count++] = static_cast<Id>(v);
    }
    next_count_ = 0;
    return settled_.span().first(count);
  }

  /// True if the single pages of the lists of these nodes cost much less than their groups do, in which
  /// estimates sink further.
  bool are_few(std::span<const Id> nodes) const {
    constexpr std::uint64_t cost = 64;  // of a node, in pages of a scan
    const std::uint64_t group_pages = pages_.store().chunk_pages();
    std::uint64_t groups = 0;
    std::uint64_t page = 0;
    std::uint64_t last = ~std::uint64_t{0};
    for (const Id node : nodes) {
      page = pages_.index().page_of(node, page);
      groups += page / group_pages != last ? 1 : 0;
      last = page / group_pages;
    }
    return nodes.size() * cost <= groups * group_pages;
  }

  void mark(Id node) {
    if (!marks_.set(node, in_order)) return;
    const std::atomic_ref count(next_count_);
    if (count.load(std::memory_order_relaxed) > together_) return;
    const std::size_t at = count.fetch_add(1, std::memory_order_relaxed);
    if (at < together_) next_[at] = node;
  }
  /// Marks the neighbour of a node whose estimate has sunk, if it counted that before and does not now.
  /// `own`: its own estimate.
  void mark_if_concerned(Id neighbour, std::uint32_t own, std::uint32_t before, std::uint32_t now) {
    if (own > now && own <= before) mark(neighbour);
  }

  /// The largest h with counts[h] + counts[h + 1] + … + counts[most] >= h.
  static std::uint32_t largest_reached(const std::uint32_t* counts, std::uint32_t most) {
    std::uint32_t reached = counts[most];
    while (reached < most) reached += counts[--most];
    return most;
  }

  void settle_groups() {
    next_count_ = together_ + 1;  // they are found by their marks
    lists_.access().scan_groups([&](unsigned thread, const Group& group) { settle_group(thread, group); },
                                [&](std::uint64_t first, std::uint64_t end) {
                                  const auto nodes = pages_.nodes_within(first, end);
                                  return marks_.any_one(nodes.first, nodes.end);
                                });
  }
  void settle_group(unsigned thread, const Group& group) {
    std::uint32_t* const counts = counts_.data() + thread * counts_of_thread_;
    const auto nodes = pages_.nodes_within(group.first_page, group.end_page);
    while (true) {
      std::uint64_t v = marks_.next_one(nodes.first, nodes.end);
      if (v == nodes.end) return;
      ListReader<Id> reader(pages_, group, static_cast<Id>(v));
      for (; v < nodes.end; v = marks_.next_one(v + 1, nodes.end)) {
        settle(static_cast<Id>(v), group, reader, counts);
      }
    }
  }
  /// `counts`: as many as the estimate and one more, all 0.
  void settle(Id node, const Group& group, ListReader<Id>& reader, std::uint32_t* counts) {
    marks_.reset(node, in_order);
    std::uint32_t before = estimate(node);
    std::uint32_t now = counted(node, before, reader, counts);
    while (now < before && lower(node, before, now, group) < now) {
      // Another thread has lowered a neighbour meanwhile.
      before = now;
      ListReader<Id> again(pages_, group, node);
      now = counted(node, before, again, counts);
    }
  }
  /// Sets the estimate and marks the neighbours. Returns how many have an estimate of at least `now`.
  std::uint32_t lower(Id node, std::uint32_t before, std::uint32_t now, const Group& group) {
    set_estimate(node, now);
    std::uint32_t reached = 0;
    ListReader<Id>(pages_, group, node).read(node, [&](std::span<const Id> neighbours) {
      for (const Id neighbour : neighbours) {
        const std::uint32_t other = estimate(neighbour);
        reached += other >= now ? 1 : 0;
        mark_if_concerned(neighbour, other, before, now);
      }
    });
    return reached;
  }
  std::uint32_t counted(Id node, std::uint32_t most, ListReader<Id>& reader, std::uint32_t* counts) const {
    reader.read(node, [&](std::span<const Id> neighbours) {
      prefetch(neighbours);
      for (const Id neighbour : neighbours) ++counts[std::min(estimate(neighbour), most)];
    });
    const std::uint32_t largest = largest_reached(counts, most);
    std::fill_n(counts, std::size_t{most} + 1, 0);
    return largest;
  }

  /// The marked nodes whose lists cross the border of two groups.
  std::span<const Id> marked_at_borders() {
    std::size_t count = 0;
    const std::uint64_t step = pages_.store().chunk_pages();
    for (std::uint64_t page = step; page < pages_.pages(); page += step) {
      if (!pages_.index().continues(page)) continue;
      const Id node = pages_.index().first_node(page);
      if (count > 0 && settled_[count - 1] == node) continue;
      if (marks_.test(node)) settled_[count++] = node;
    }
    return settled_.span().first(count);
  }

  /// Settles these nodes (ascending). A batch has as many as there are counters for.
  void settle_together(std::span<const Id> nodes) {
    while (!nodes.empty()) {
      std::size_t count = 0;
      std::size_t counters = 0;
      for (; count < nodes.size(); ++count) {
        const std::size_t end = counters + estimate(nodes[count]) + 1;
        if (end > counters_.size()) break;
        offsets_[count] = static_cast<std::uint32_t>(counters);
        counters = end;
      }
      settle_batch(nodes.first(count), counters_.span().first(counters));
      nodes = nodes.subspan(count);
    }
  }
  void settle_batch(std::span<const Id> nodes, std::span<std::uint32_t> counters) {
    const auto place = [](std::span<const Id> among, Id node) {
      return static_cast<std::size_t>(std::lower_bound(among.begin(), among.end(), node) - among.begin());
    };
    for (const Id node : nodes) marks_.reset(node);
    std::ranges::fill(counters, 0);
    lists_.read_sorted(team_, nodes, [&](unsigned, Id node, std::span<const Id> neighbours) {
      std::uint32_t* const counts = counters.data() + offsets_[place(nodes, node)];
      const std::uint32_t most = estimate(node);
      prefetch(neighbours);
      for (const Id neighbour : neighbours) {
        std::atomic_ref(counts[std::min(estimate(neighbour), most)]).fetch_add(1, std::memory_order_relaxed);
      }
    });
    std::size_t sunk = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::uint32_t before = estimate(nodes[i]);
      const std::uint32_t now = largest_reached(counters.data() + offsets_[i], before);
      if (now == before) continue;
      set_estimate(nodes[i], now);
      sunk_[sunk] = nodes[i];
      before_[sunk++] = before;
    }
    const std::span<const Id> lowered = sunk_.span().first(sunk);
    if (lowered.empty()) return;
    lists_.read_sorted(team_, lowered, [&](unsigned, Id node, std::span<const Id> neighbours) {
      const std::uint32_t before = before_[place(lowered, node)];
      const std::uint32_t now = estimate(node);
      for (const Id neighbour : neighbours) mark_if_concerned(neighbour, estimate(neighbour), before, now);
    });
  }

  core::Environment& environment_;
  PageLists<Id>& lists_;
  Pages& pages_;
  const std::size_t nodes_;
  const std::size_t together_;
  core::Array<std::uint32_t> estimates_;
  AtomicBits marks_;
  core::Array<Id> settled_;
  core::Array<Id> next_;  ///< the marked nodes, if next_count_ <= together_
  core::Array<Id> sunk_;
  core::Array<std::uint32_t> before_;
  core::Array<std::uint32_t> offsets_;
  std::uint32_t most_;  ///< the largest estimate
  const std::size_t counts_of_thread_;
  core::Array<std::uint32_t> counts_;
  core::Array<std::uint32_t> counters_;  ///< of nodes that are settled together
  core::ThreadTeam team_;
  RoundKeeper<Id>& keeper_;
  std::size_t next_count_ = ~std::size_t{0};
  std::uint64_t rounds_;
};

}  // namespace emgraph::graph::kcore
