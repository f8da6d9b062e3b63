// SPDX-License-Identifier: MIT
// The pages that hold lists of the nodes of a level, on all threads.
#include "graph/adjacency/paged_adjacency.hpp"

#include <algorithm>

namespace emgraph::graph::adjacency {
namespace {

// Most pages that are pinned together.
constexpr std::size_t pages_together = 4096;
// Least number of pages for a second thread.
constexpr std::size_t worth_sharing = 32;
// Nodes of a piece of a level that one thread visits.
constexpr std::size_t nodes_of_piece = 256;

}  // namespace

// Pages in memory are found and visited by all threads, without pinning them: nothing is replaced in the
// cache meanwhile. Measured: grid of 4096 x 4096 from kept pages, -M 128M, two threads: 2.8 s, 3.5 if one
// thread pins all pages first; one thread 3.9 s either way (2-core Intel Xeon, 2.1 GHz).
template <class Id>
void PagedAdjacency<Id>::select_pages(core::ThreadTeam& team, std::span<const Id> nodes, VisitPage visit) {
  const std::size_t pieces = std::min<std::size_t>(nodes.size() / nodes_of_piece, 8 * team.size());
  if (team.size() == 1 || pieces < 2) {  // reading goes on while pages in memory are visited
    PageWalk<Id> walk(index_, nodes);
    const auto next = [&](Need& need) { return walk.next(need); };
    return visit_pinned(team, nodes, next, visit);
  }
  std::span<const Need> absent = visit_pages_in_memory(team, nodes, pieces, visit);
  const auto next_absent = [&](Need& need) {
    if (absent.empty()) return false;
    need = absent.front();
    absent = absent.subspan(1);
    return true;
  };
  visit_pinned(team, nodes, next_absent, visit);
}

template <class Id>
auto PagedAdjacency<Id>::visit_pages_in_memory(core::ThreadTeam& team, std::span<const Id> nodes,
                                               std::size_t pieces, VisitPage visit) -> std::span<const Need> {
  absent_.resize(std::max(absent_.size(), pieces));
  for (std::vector<Need>& needs : absent_) needs.clear();
  std::vector<std::atomic<bool>> taken(pieces);
  team.all([&](unsigned thread) {
    for (std::size_t step = 0; step < pieces; ++step) {
      // A thread begins with the pieces that have most of its pages of the level before.
      const std::size_t piece = (pieces * thread / team.size() + step) % pieces;
      if (taken[piece].exchange(true, std::memory_order_relaxed)) continue;
      const std::size_t first = nodes.size() * piece / pieces;
      const std::size_t end = nodes.size() * (piece + 1) / pieces;
      visit_in_memory(
          nodes.subspan(first, end - first), [&](std::uint64_t page) { return in_memory(page); },
          [&](PageCursor<Id>& cursor, std::span<const Id> here) { visit(thread, cursor, here); },
          [&](const Need& need) {
            absent_[piece].push_back({need.page, first + need.begin, first + need.end});
          });
    }
  });
  for (std::size_t piece = 1; piece < pieces; ++piece) {
    absent_[0].insert(absent_[0].end(), absent_[piece].begin(), absent_[piece].end());
  }
  return absent_[0];
}

/// Visits the pages that next(need) gives until it returns false, many at a time: pages that are in memory
/// before those that are being read.
template <class Id>
void PagedAdjacency<Id>::visit_pinned(core::ThreadTeam& team, std::span<const Id> nodes,
                                      core::FunctionRef<bool(Need&)> next, VisitPage visit) {
  const std::size_t most = store_->all_resident()
                               ? pages_together
                               : std::clamp<std::size_t>(cache_->frames() / 2, 1, pages_together);
  for (bool more = true; more;) {
    Need need;
    while (ready_.size() + reading_.size() < most && (more = next(need))) {
      const Selected selected = pinned(need, nodes);
      (selected.page != nullptr ? ready_ : reading_).push_back(selected);
    }
    if (!reading_.empty()) cache_->flush();
    for (std::vector<Selected>* pages : {&ready_, &reading_}) {
      for (Selected& page : *pages) wait(page);
      visit_on(team, *pages, nodes, visit);
      for (const Selected& page : *pages) unpin(page);
      pages->clear();
    }
  }
}

template <class Id>
void PagedAdjacency<Id>::visit_on(core::ThreadTeam& team, std::span<const Selected> pages,
                                  std::span<const Id> nodes, VisitPage visit) const {
  const auto visit_some = [&](unsigned thread, std::size_t first, std::size_t end) {
    std::size_t fetched = first;
    for (std::size_t i = first; i < end; ++i) {
      for (; fetched < std::min(end, i + prefetched); ++fetched) prefetch(pages[fetched], nodes);
      PageCursor<Id> cursor = cursor_of(pages[i], nodes);
      visit(thread, cursor, pages[i].need.of(nodes));
      marks_.put(pages[i].need.page, cursor.mark());
    }
  };
  if (team.size() == 1 || pages.size() < worth_sharing) return visit_some(0, 0, pages.size());
  std::atomic<std::size_t> next{0};
  const std::size_t piece = std::clamp<std::size_t>(pages.size() / (4 * team.size()), 1, pages_together / 16);
  team.all([&](unsigned thread) {
    for (std::size_t first; (first = next.fetch_add(piece)) < pages.size();) {
      visit_some(thread, first, std::min(first + piece, pages.size()));
    }
  });
}

template class PagedAdjacency<std::uint32_t>;
template class PagedAdjacency<std::uint64_t>;

}  // namespace emgraph::graph::adjacency
