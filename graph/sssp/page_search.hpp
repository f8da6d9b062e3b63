// SPDX-License-Identifier: MIT
// Shortest paths with the distances in memory and the lists in compressed pages, on disk or in memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/thread_team.hpp"
#include "core/environment.hpp"
#include "graph/adjacency/list_access.hpp"
#include "graph/node_bits.hpp"
#include "graph/prepare/adjacency/kept_search.hpp"
#include "graph/sssp/bucket_state.hpp"
#include "graph/sssp/page_lists.hpp"

namespace emgraph::graph::sssp {

/// Problem: distances from a root, with one word per node in memory and the lists of neighbours on disk.
///
/// Method: delta-stepping (Meyer, Sanders 2003, doi 10.1016/S0196-6774(03)00076-2) without queues: a node is
/// pending if its distance fell since its list was read, and belongs to the set `near` if its distance is in
/// the current bucket, else to `far`. A round reads the lists of the near nodes, ascending, so that each page
/// is used once; they may become near again. When no node is near, the next bucket begins at the least
/// pending distance. A round of few pages reads them through a cache; if all pages fit into memory, they are
/// read once and all threads work on a round (list_access.hpp).
///
/// A scan reads all pages that hold lists of pending nodes; it relaxes all pending nodes, also those beyond
/// the bucket, because reading costs more than relaxing. A node that becomes pending during the scan is
/// relaxed by the same scan if its page is still to come. The search scans when a round touches so many pages
/// that a scan is cheaper, and when single pages have been read again at the cost of a scan.
///
/// Invariants: a node of `far` whose distance is below the bucket's end is not pending. The order of
/// relaxations does not matter: distances only fall, and end at the least fixed point.
/// I/O: as ListAccess. Memory: bytes_for(nodes) beside the distances, then what is free when a round begins,
/// less a share for later users. Threads: all of the environment; one for single pages. Throws: DataError
/// (damaged page), EnvironmentError, MemoryLimitError; afterwards only destruction is allowed.
template <class Id, class Distances>
class PageSearch {
 public:
  using Pages = adjacency::PagedAdjacency<Id>;
  using Cursor = adjacency::PageCursor<Id>;

  /// `delta`: width of a bucket in units of the weights; default: see BucketWidth. Requires: the lists have
  /// weights, all valid lengths (distances.hpp).
  PageSearch(core::Environment& environment, Pages& pages, const std::optional<std::uint64_t>& delta)
      : environment_(environment),
        access_(environment, pages, spare_bytes(pages.facts().nodes)),
        state_(environment, length_facts(pages.facts()), delta),
        team_(environment.threads),
        list_(environment.memory, list_capacity(pages.facts().nodes), "the nodes of a round"),
        long_lists_(environment.memory, pages.pages() + 1, "one bit per page") {}

  /// What the pages leave free for a pass that finds parents: two sets of nodes and a list.
  static std::size_t spare_bytes(std::uint64_t nodes) {
    return static_cast<std::size_t>(bytes_for(nodes)) + 64 * core::KiB;
  }
  /// Memory for `nodes` nodes, without the cache and the buffers of scans.
  static std::uint64_t bytes_for(std::uint64_t nodes) {
    return State::bytes_for(nodes) + list_capacity(nodes) * sizeof(Id) + 2 * core::page_bytes;
  }

  /// Reads all pages into memory, as far as they fit.
  void load() { access_.load(); }

  /// Fills `distances`, one word per node. With a target, the search ends when its distance is final; larger
  /// ones are then upper bounds, and so is max_distance. `kept`: the checkpoint of this search, or null.
  Reach run(Id root, std::span<std::uint64_t> distances, const std::optional<Id>& target = std::nullopt,
            adjacency::KeptSearch<Id>* kept = nullptr) {
    by_page_ = scans_ = 0;
    core::Phase phase(environment_.progress, "search", distances.size(), "nodes");
    const auto saved = kept != nullptr ? kept->take_state() : nullptr;
    if (saved != nullptr) {
      by_page_ = saved->template value<std::uint64_t>();
      scans_ = saved->template value<std::uint64_t>();
      state_.restore(distances, *saved);
      phase.advance(state_.reached());
      if (!state_.next_bucket()) return state_.reach(team_);
    } else {
      state_.start(team_, root, distances);
    }
    while (true) {
      for (std::uint64_t reached = state_.reached(); expand(); reached = state_.reached()) {
        phase.advance(state_.reached() - reached);
        if (kept != nullptr && kept->due()) seal(*kept);
      }
      if (target && state_.distance(*target) <= state_.least_far()) break;
      if (!state_.next_bucket()) break;
    }
    return state_.reach(team_);
  }

  /// How the lists were read, for the summary.
  std::string method() const {
    return core::format_count(by_page_) + (by_page_ == 1 ? " round by page, " : " rounds by page, ") +
           core::format_count(scans_) + " by scans, bucket width " + state_.width().text();
  }

  /// The reader of the lists, for passes after the search.
  adjacency::ListAccess<Id>& access() { return access_; }

 private:
  using State = BucketState<Id, Distances>;
  using Tally = typename State::Tally;
  template <Sharing sharing>
  using Lists = PageLists<Id, Distances, sharing>;

  void seal(adjacency::KeptSearch<Id>& kept) {
    kept.seal(core::format_count(state_.reached()) + " nodes are reached", [&](core::StateWriter& to) {
      to.value(by_page_);
      to.value(scans_);
      state_.save(to);
    });
  }

  static std::size_t list_capacity(std::uint64_t nodes) {
    return static_cast<std::size_t>(std::max<std::uint64_t>(nodes / 64, 1024));
  }

  /// Relaxes near nodes: all, or as many as the list holds. False if there are none.
  bool expand() {
    std::size_t count = 0;
    state_.near().walk([&](std::uint64_t node) {
      if (count == list_.size()) return NodeSet::Visit::stop;
      state_.prefetch(node);
      list_[count++] = static_cast<Id>(node);
      return NodeSet::Visit::remove;
    });
    if (count == 0) return false;
    const std::span<const Id> nodes = list_.span().first(count);
    using Way = typename adjacency::ListAccess<Id>::Way;
    const Way way = access_.choose(nodes);
    if (way == Way::scan || (way == Way::select && access_.scan_is_due())) {
      for (const Id node : nodes) state_.near().template insert<Sharing::alone>(node);
      scan(way == Way::scan);
    } else {
      ++by_page_;
      team_.size() == 1 ? relax_listed<Sharing::alone>(nodes) : relax_listed<Sharing::shared>(nodes);
      state_.end_round(true);
    }
    return true;
  }

  template <Sharing sharing>
  void relax_listed(std::span<const Id> nodes) {
    access_.select_pages(team_, nodes, [&](unsigned thread, Cursor& cursor, std::span<const Id> here) {
      relax_near<sharing>(cursor, here, state_.tally(thread));
    });
  }

  /// The nodes whose lists are in one page, all of it.
  struct Inside {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };
  Inside inside(std::uint64_t page) const {
    const adjacency::PageIndex<Id>& index = access_.pages().index();
    const auto nodes = access_.pages().nodes_of(page);
    const bool continued = page + 1 < index.pages() && index.continues(page + 1);
    return {page == 0 ? 0 : nodes.first + std::uint64_t{index.continues(page)},
            nodes.end - std::uint64_t{continued}};
  }

  /// Relaxes the nodes, which have lists in the page, and then the nodes inside the page that became near,
  /// until there are none: so each page is visited fewer times.
  template <Sharing sharing>
  void relax_near(Cursor& cursor, std::span<const Id> nodes, Tally& tally) {
    const Inside page = inside(cursor.number());
    NodeSet& near = state_.near();
    std::array<Id, 256> more;
    Lists<sharing> lists(state_, cursor, tally);
    while (true) {
      for (const Id node : nodes) {
        // If the node came nearer since it was listed, it is near again. A list that extends over several
        // pages is read by several threads, so such a node stays near.
        if (node >= page.first && node < page.end) near.template remove<sharing>(node);
        lists.add(node);
      }
      lists.relax();
      tally.relaxed += nodes.size();
      const std::size_t count = NodeSet::collect<Id>(near, near, page.first, page.end, more);
      if (count == 0) return;
      nodes = std::span(more).first(count);
      lists.rewind();
    }
  }

  /// Relaxes all pending nodes. `keep`: as ListAccess::scan.
  void scan(bool keep) {
    ++scans_;
    mark_long_lists();
    access_.scan([&](unsigned thread, Cursor& cursor) { relax_pending(cursor, state_.tally(thread)); },
                 [&](std::uint64_t number) {
                   if (long_lists_.test(number) || long_lists_.test(number + 1)) return true;
                   const Inside page = inside(number);
                   return state_.near().any(page.first, page.end) || state_.far().any(page.first, page.end);
                 },
                 keep);
    state_.end_round(false);
  }

  // The parts of a list that extends over several pages are relaxed by several threads. So it is decided
  // before the scan whether they are: bit p stands for the list that page p continues.
  void mark_long_lists() {
    long_lists_.clear();
    const adjacency::PageIndex<Id>& index = access_.pages().index();
    for (std::uint64_t page = 1; page < index.pages(); ++page) {
      if (!index.continues(page)) continue;
      const Id node = index.first_node(page);
      const bool goes_on = index.continues(page - 1) && index.first_node(page - 1) == node;
      if (goes_on ? long_lists_.test(page - 1) : state_.template take<Sharing::alone>(node))
        long_lists_.set(page);
    }
  }

  /// Relaxes the pending nodes with lists in the page.
  void relax_pending(Cursor& cursor, Tally& tally) {
    const std::uint64_t number = cursor.number();
    const Inside page = inside(number);
    Lists<Sharing::shared> lists(state_, cursor, tally);
    if (long_lists_.test(number)) lists.add(access_.pages().index().first_node(number));
    std::array<Id, 256> nodes;
    for (std::uint64_t first = page.first;;) {
      const std::size_t count = NodeSet::collect<Id>(state_.near(), state_.far(), first, page.end, nodes);
      if (count == 0) break;
      for (const Id node : std::span(nodes).first(count)) {
        if (state_.template take<Sharing::shared>(node)) lists.add(node);
      }
      first = std::uint64_t{nodes[count - 1]} + 1;
    }
    if (long_lists_.test(number + 1)) lists.add(access_.pages().index().first_node(number + 1));
    lists.relax();
  }

  core::Environment& environment_;
  adjacency::ListAccess<Id> access_;
  State state_;
  core::ThreadTeam team_;
  core::Array<Id> list_;
  NodeBits long_lists_;
  std::uint64_t by_page_ = 0;
  std::uint64_t scans_ = 0;
};

}  // namespace emgraph::graph::sssp
