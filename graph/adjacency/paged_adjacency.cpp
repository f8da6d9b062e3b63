// SPDX-License-Identifier: MIT
// The pages that hold lists of the nodes of a level, on all threads.
#include "graph/adjacency/paged_adjacency.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/base/parallel.hpp"

namespace emgraph::graph::adjacency {
namespace {

// Most pages that are pinned together.
constexpr std::size_t pages_together = 4096;
// Least number of pages for a second thread.
constexpr std::size_t worth_sharing = 32;
// Least number of nodes of a piece of a level, which one thread visits.
constexpr std::size_t nodes_of_piece = 256;
// Most pages of a piece that are left for later: their list is not charged to the memory budget.
constexpr std::size_t most_absent = 128;

}  // namespace

template <class Id>
void PagedAdjacency<Id>::scan_chunks(PageScan& pages, unsigned threads,
                                     core::FunctionRef<void(unsigned, const PageScan::Loaded&)> work) {
  std::atomic<bool> stop{false};
  core::run_on_threads(threads, [&](unsigned thread) {
    try {
      while (!stop.load(std::memory_order_relaxed)) {
        const auto chunk = pages.next();
        if (!chunk) return;
        work(thread, *chunk);
        pages.release(*chunk);
      }
    } catch (...) {
      stop.store(true);
      throw;
    }
  });
}

template <class Id>
void PagedAdjacency<Id>::scan_groups(unsigned threads, std::size_t keep_bytes, VisitGroup visit,
                                     core::FunctionRef<bool(std::uint64_t, std::uint64_t)> wanted) {
  PageScan pages(environment_, *store_, threads, keep_bytes,
                 [&](std::uint64_t first, std::uint64_t count) { return wanted(first, first + count); });
  scan_chunks(pages, threads, [&](unsigned thread, const PageScan::Loaded& chunk) {
    const PageGroup group{chunk.first_page, chunk.first_page + chunk.pages, chunk.data};
    for (std::uint64_t page = group.first_page; chunk.fresh && page < group.end_page; ++page) {
      const std::byte* const data = group.data + (page - group.first_page) * context_.page_bytes;
      verify(page, data);
      cursor(page, data, true).check();
    }
    visit(thread, group);
  });
}

// Pages in memory are found and visited by all threads, without pinning them: nothing is replaced in the
// cache meanwhile. Measured: grid of 4096 x 4096 from kept pages, -M 128M, two threads: 2.8 s, 3.5 if one
// thread pins all pages first; one thread 3.9 s either way (2-core Intel Xeon, 2.1 GHz).
template <class Id>
void PagedAdjacency<Id>::select_pages(core::ThreadTeam& team, std::span<const Id> nodes, VisitPage visit) {
  const std::size_t count = std::min<std::size_t>(nodes.size() / nodes_of_piece, 8 * team.size());
  if (team.size() == 1 || count < 2) {  // reading goes on while pages in memory are visited
    PageWalk<Id> walk(index_, nodes);
    const auto next = [&](Need& need) { return walk.next(need); };
    return visit_pinned(team, nodes, next, visit);
  }
  std::vector<Piece> pieces(count);
  for (std::size_t i = 0; i < count; ++i) {
    pieces[i].first = nodes.size() * i / count;
    pieces[i].nodes = nodes.subspan(pieces[i].first, nodes.size() * (i + 1) / count - pieces[i].first);
  }
  team.all([&](unsigned thread) {
    // A thread begins with the pieces that have most of its pages of the level before.
    for (std::size_t step = 0; step < count; ++step) {
      Piece& piece = pieces[(count * thread / team.size() + step) % count];
      if (!piece.taken.exchange(true, std::memory_order_relaxed)) visit_found(thread, piece, visit);
    }
  });
  std::size_t at = 0;
  std::size_t done = 0;  // of the absent pages of piece `at`
  const auto next = [&](Need& need) {
    for (; at < count; ++at, done = 0) {
      Piece& piece = pieces[at];
      const bool left = done < piece.absent.size();
      if (left) need = piece.absent[done++];
      if (!left && !piece.walk->next(need)) continue;
      need.begin += piece.first;
      need.end += piece.first;
      return true;
    }
    return false;
  };
  visit_pinned(team, nodes, next, visit);
}

/// Visits the pages of the piece that are in memory, until too many others are left.
template <class Id>
void PagedAdjacency<Id>::visit_found(unsigned thread, Piece& piece, VisitPage visit) {
  piece.walk.emplace(index_, piece.nodes);
  visit_in_memory(
      *piece.walk, piece.nodes, [&](std::uint64_t page) { return in_memory(page); },
      [&](PageCursor<Id>& cursor, std::span<const Id> here) { visit(thread, cursor, here); },
      [&](const Need& need) {
        piece.absent.push_back(need);
        return piece.absent.size() < most_absent;
      });
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
