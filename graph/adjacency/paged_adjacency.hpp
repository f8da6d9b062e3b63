// SPDX-License-Identifier: MIT
// An adjacency in compressed pages: access to the lists of selected nodes, and scans of all lists.
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/function_ref.hpp"
#include "core/base/prefetch.hpp"
#include "core/base/thread_team.hpp"
#include "core/environment.hpp"
#include "graph/adjacency/page.hpp"
#include "graph/adjacency/page_cache.hpp"
#include "graph/adjacency/page_index.hpp"
#include "graph/adjacency/page_marks.hpp"
#include "graph/adjacency/page_prefetch.hpp"
#include "graph/adjacency/page_scan.hpp"
#include "graph/adjacency/page_store.hpp"
#include "graph/adjacency/page_walk.hpp"

namespace emgraph::graph::adjacency {

struct AdjacencyFacts {
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;  ///< sum of the lengths of all lists: twice the edges unless directed
  bool directed = false;  ///< true: lists hold targets only; false: every edge is in the lists of both ends
  std::uint64_t largest_degree_node = 0;  ///< the smallest node of the largest degree
  std::uint64_t largest_degree = 0;
  WeightType weight = WeightType::none;
  WeightRanks weights = {};  ///< ranks of the least and the largest weight; of weight 0 without entries
};

/// Problem: read the lists of few nodes without reading all pages, and all lists at the speed of the disk.
/// Method: an index in memory holds the first node of each page. `select` reads the pages it needs by many
/// requests at once and caches them. `scan` reads ahead and may keep the pages it reads. Invariant: each page
/// is verified once when it comes from a disk; directories and weights of a file are checked before use. I/O:
/// select: each page it needs that is neither resident nor cached; scan: all pages that are not resident.
/// Memory: the index; the cache; the chunks that are resident or in flight (page_store.hpp, page_scan.hpp).
/// Threads: see the functions. Throws: DataError (damaged page), EnvironmentError, MemoryLimitError;
/// afterwards only destruction is allowed.
template <class Id>
class PagedAdjacency {
 public:
  using Need = typename PageWalk<Id>::Need;

  PagedAdjacency(core::Environment& environment, const AdjacencyFacts& facts, std::string name,
                 std::uint64_t data_offset, PageIndex<Id> index, std::unique_ptr<PageStore> store)
      : environment_(environment),
        facts_(facts),
        context_{.name = std::move(name),
                 .data_offset = data_offset,
                 .page_bytes = store->page_bytes(),
                 .id_bytes = sizeof(Id),
                 .nodes = facts.nodes,
                 .weight = facts.weight,
                 .weights = facts.weights},
        index_(std::move(index)),
        store_(std::move(store)) {}

  /// Describes temporary pages for a later process, which calls restored().
  void save(core::StateWriter& state) const {
    state.value(facts_);
    index_.save(state);
    store_->save(state);
  }
  static std::unique_ptr<PagedAdjacency> restored(core::Environment& environment, core::StateReader& state) {
    const auto facts = state.value<AdjacencyFacts>();
    PageIndex<Id> index(environment.memory);
    index.restore(state);
    return std::make_unique<PagedAdjacency>(environment, facts, temporary_name, 0, std::move(index),
                                            std::make_unique<PageStore>(environment, state));
  }
  /// In messages, of an adjacency that is no file.
  static constexpr const char* temporary_name = "temporary adjacency";

  const AdjacencyFacts& facts() const { return facts_; }
  const PageIndex<Id>& index() const { return index_; }
  const PageContext& context() const { return context_; }
  PageStore& store() { return *store_; }
  const PageStore& store() const { return *store_; }
  std::uint64_t pages() const { return store_->pages(); }
  std::uint64_t absent_pages() const { return store_->pages() - store_->resident_pages(); }

  /// Calls visit(thread, PageCursor<Id>&) once for each page, on one of `threads` threads; with one thread in
  /// order. Pages that are read stay resident until they take `keep_bytes`.
  template <class Visit>
  void scan(unsigned threads, std::size_t keep_bytes, Visit&& visit) {
    PageScan pages(environment_, *store_, threads, keep_bytes);
    scan_pages(pages, threads, visit, [](std::uint64_t) { return true; });
  }

  /// The same for pages for which wanted(page), called by any thread, is true; other chunks are not read.
  template <class Visit, class Wanted>
  void scan(unsigned threads, std::size_t keep_bytes, Visit&& visit, Wanted&& wanted) {
    PageScan pages(environment_, *store_, threads, keep_bytes, [&](std::uint64_t first, std::uint64_t count) {
      for (std::uint64_t page = first; page < first + count; ++page) {
        if (wanted(page)) return true;
      }
      return false;
    });
    scan_pages(pages, threads, visit, wanted);
  }

  /// Consecutive pages in memory, verified and checked.
  struct PageGroup {
    std::uint64_t first_page = 0;
    std::uint64_t end_page = 0;
    const std::byte* data = nullptr;
  };
  PageCursor<Id> cursor(const PageGroup& group, std::uint64_t page) const {
    return cursor(page, group.data + (page - group.first_page) * context_.page_bytes, false);
  }
  using VisitGroup = core::FunctionRef<void(unsigned, const PageGroup&)>;
  /// Calls visit(thread, group) for the groups of pages for which wanted(first_page, end_page) is true, on
  /// one of `threads` threads. Pages that are read stay resident until they take `keep_bytes`.
  void scan_groups(unsigned threads, std::size_t keep_bytes, VisitGroup visit,
                   core::FunctionRef<bool(std::uint64_t, std::uint64_t)> wanted);

  /// Range of nodes: at least `first`, below `end`.
  struct NodeRange {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };
  /// The nodes whose lists have no part outside these pages.
  NodeRange nodes_within(std::uint64_t first_page, std::uint64_t end_page) const {
    const std::uint64_t first = index_.first_node(first_page) + std::uint64_t{index_.continues(first_page)};
    const std::uint64_t end = end_page == index_.pages() ? facts_.nodes : index_.first_node(end_page);
    return {first, std::max(first, end)};
  }
  /// The nodes with lists, or parts of them, in a page.
  NodeRange nodes_of(std::uint64_t page) const {
    const std::uint64_t first = index_.first_node(page);
    if (page + 1 == index_.pages()) return {first, facts_.nodes};
    return {first, index_.first_node(page + 1) + std::uint64_t{index_.continues(page + 1)}};
  }

  /// Reserves up to `bytes` for pages that `select` reads. No effect if all pages are resident.
  void open_cache(std::size_t bytes) {
    if (!store_->all_resident()) cache_ = std::make_unique<PageCache>(environment_, *store_, bytes);
  }
  /// Remembers where the lists of each page were read last, unless that takes more than a sixteenth of the
  /// free memory.
  void open_marks() {
    if (!marks_.empty() || PageMarks::bytes_for(pages()) > environment_.memory.available() / 16) return;
    marks_ = PageMarks(environment_.memory, pages());
  }
  /// Frees the cache and the marks.
  void close_cache() {
    cache_.reset();
    marks_ = {};
  }

  /// Number of pages that a select of these nodes (ascending) would read.
  std::uint64_t pages_to_read(std::span<const Id> nodes) const {
    std::uint64_t count = 0;
    PageWalk<Id> walk(index_, nodes);
    for (Need need; walk.next(need);) {
      count += store_->resident(need.page) == nullptr && !(cache_ != nullptr && cache_->holds(need.page));
    }
    return count;
  }

  /// Calls visit(node, std::span<const Id> neighbours) for these nodes (ascending, distinct), in order:
  /// several times for a long list, one part after another; never for a node without neighbours. If it takes
  /// a third argument, that is a std::span<const std::uint64_t> of the weights (PageCursor::decode_weights).
  /// Threads: one. Requires: open_cache, unless all pages are resident; weights, if they are asked for.
  template <class Visit>
  void select(std::span<const Id> nodes, Visit&& visit) {
    if (store_->all_resident()) return select_resident(nodes, visit);
    const std::size_t most = std::min<std::size_t>(cache_->frames(), pages_ahead);
    std::deque<Selected> window;
    std::size_t fetched = 0;  // pages of the window in the second step of the prefetch
    PageWalk<Id> walk(index_, nodes);
    bool more = true;
    while (more || !window.empty()) {
      Need need;
      while (more && window.size() < most && (more = walk.next(need))) window.push_back(pinned(need, nodes));
      if (window.empty()) return;
      for (; fetched < std::min(window.size(), prefetched); ++fetched) prefetch(window[fetched], nodes);
      Selected first = window.front();
      window.pop_front();
      --fetched;
      wait(first);
      PageCursor<Id> cursor = cursor_of(first, nodes);
      visit_lists(cursor, first.need.of(nodes), visit);
      marks_.put(first.need.page, cursor.mark());
      unpin(first);
    }
  }

  /// The same if all pages are resident. Threads: any number.
  template <class Visit>
  void select_resident(std::span<const Id> nodes, Visit&& visit) const {
    PageWalk<Id> walk(index_, nodes);
    visit_in_memory(
        walk, nodes, [&](std::uint64_t page) { return store_->resident(page); },
        [&](PageCursor<Id>& cursor, std::span<const Id> here) { visit_lists(cursor, here, visit); },
        [](const Need&) { return true; });
  }

  /// Visits a page: visit(thread, cursor, here). `here`: nodes whose lists begin in the page or have a part
  /// in it.
  using VisitPage = core::FunctionRef<void(unsigned, PageCursor<Id>&, std::span<const Id>)>;
  /// Visits the pages that hold lists of these nodes (ascending, distinct), in any order, on the threads of
  /// the team: first the pages in memory, each thread those of its pieces of the nodes, then those that must
  /// be read. A page that holds lists of two pieces is visited for each of them. Requires: as select.
  void select_pages(core::ThreadTeam& team, std::span<const Id> nodes, VisitPage visit);

  /// Calls visit as select does for those of these nodes (ascending) that have a list, or a part of one, in
  /// the cursor's page.
  template <class Visit>
  static void visit_lists(PageCursor<Id>& cursor, std::span<const Id> nodes, Visit&& visit) {
    constexpr bool with_weights =
        std::invocable<Visit&, Id, std::span<const Id>, std::span<const std::uint64_t>>;
    std::array<Id, fragment_neighbours + 3> list;
    std::array<std::uint64_t, with_weights ? fragment_neighbours : 0> weights;
    std::size_t i = 0;
    cursor.seek(nodes[i]);
    while (cursor.next()) {
      if (cursor.node() > nodes[i]) {
        while (nodes[i] < cursor.node()) {
          if (++i == nodes.size()) return;
        }
        if (nodes[i] > cursor.node()) {
          cursor.seek(nodes[i]);
          continue;
        }
      }
      if (cursor.node() < nodes[i]) continue;
      cursor.decode(list.data());
      const std::span<const Id> neighbours(list.data(), cursor.count());
      if constexpr (with_weights) {
        cursor.decode_weights(weights.data());
        visit(nodes[i], neighbours, std::span<const std::uint64_t>(weights.data(), cursor.count()));
      } else {
        visit(nodes[i], neighbours);
      }
    }
  }

  /// Throws unless `page`, which was read from the disk, is the valid page `number`: DataError for a page of
  /// a file, EnvironmentError for a temporary page.
  void verify(std::uint64_t number, const std::byte* page) const {
    if (!store_->from_file()) return store_->verify_temporary(number, page);
    verify_page(context_, number, page, index_.first_node(number), index_.continues(number));
  }
  /// A cursor of a verified page. `fresh`: the page was read from the disk, and no cursor has checked it yet.
  PageCursor<Id> cursor(std::uint64_t number, const std::byte* page, bool fresh) const {
    return {context_, number, page, nodes_of(number).end,
            fresh && store_->from_file() ? PageCheck::due : PageCheck::done};
  }

 private:
  template <class Visit, class Wanted>
  void scan_pages(PageScan& pages, unsigned threads, Visit&& visit, Wanted&& wanted) {
    scan_chunks(pages, threads, [&](unsigned thread, const PageScan::Loaded& chunk) {
      for (std::uint64_t i = 0; i < chunk.pages; ++i) {
        const std::uint64_t number = chunk.first_page + i;
        const std::byte* const page = chunk.data + i * context_.page_bytes;
        const bool visited = wanted(number);
        if (chunk.fresh && (visited || chunk.kept)) verify(number, page);
        if (!visited && !chunk.kept) continue;
        PageCursor<Id> cursor = this->cursor(number, page, chunk.fresh);
        if (chunk.kept) cursor.check();
        if (visited) visit(thread, cursor);
      }
    });
  }
  /// Calls work(thread, chunk) for the chunks that the scan gives.
  static void scan_chunks(PageScan& pages, unsigned threads,
                          core::FunctionRef<void(unsigned, const PageScan::Loaded&)> work);

  /// A page that a select needs.
  struct Selected {
    Need need;
    const std::byte* page = nullptr;        ///< null: being read into the cache
    std::uint32_t frame = PageCache::none;  ///< none: resident
    bool fresh = false;
    PageMark mark{};
  };
  /// `page`: null if it is not in memory yet. First step of the prefetch: the foot, unless the mark serves.
  Selected found(const Need& need, std::span<const Id> nodes, const std::byte* page,
                 std::uint32_t frame = PageCache::none) const {
    const Selected selected{.need = need, .page = page, .frame = frame, .mark = marks_.of(need.page)};
    if (page != nullptr && !near(selected, nodes[need.begin])) prefetch_foot(context_, page);
    return selected;
  }
  Selected pinned(const Need& need, std::span<const Id> nodes) {
    if (const std::byte* const page = store_->resident(need.page); page != nullptr) {
      return found(need, nodes, page);
    }
    const std::uint32_t frame = cache_->pin(need.page);
    return found(need, nodes, cache_->loaded(frame), frame);
  }
  /// True if the list of `node` begins a few fragments behind the mark, or at it.
  bool near(const Selected& selected, Id node) const {
    if (!selected.mark) return false;
    const std::uint64_t at = index_.first_node(selected.need.page) + selected.mark.node;
    return node >= at && node - at < std::uint64_t{1} << directory_bits(context_.weight);
  }
  /// The page, if it is resident, or if it has been read into the cache and verified.
  const std::byte* in_memory(std::uint64_t page) const {
    const std::byte* const resident = store_->resident(page);
    return resident != nullptr || cache_ == nullptr ? resident : cache_->find(page);
  }
  void wait(Selected& selected) {
    if (selected.page == nullptr) selected.page = cache_->wait(selected.frame, selected.fresh);
  }
  void unpin(const Selected& selected) {
    if (selected.frame != PageCache::none) cache_->unpin(selected.frame);
  }
  PageCursor<Id> cursor_of(const Selected& selected, std::span<const Id> nodes) const {
    const std::uint64_t page = selected.need.page;
    if (!selected.fresh && near(selected, nodes[selected.need.begin])) {
      const NodeRange range = nodes_of(page);
      return {context_, page, selected.page, range.first, range.end, selected.mark};
    }
    if (selected.fresh) verify(page, selected.page);
    return cursor(page, selected.page, selected.fresh);
  }

  /// Calls visit(PageCursor<Id>&, std::span<const Id> here) for the pages of the walk over `nodes` that
  /// page_of(page) finds in memory, and absent(need) for the others. Stops the walk when that returns false.
  template <class PageOf, class Visit, class Absent>
  void visit_in_memory(PageWalk<Id>& walk, std::span<const Id> nodes, PageOf&& page_of, Visit&& visit,
                       Absent&& absent) const {
    // A ring of the next pages. Those before `middle` are in the second step of the prefetch.
    std::array<Selected, 2 * prefetched> ahead;
    std::size_t begin = 0;
    std::size_t middle = 0;
    std::size_t end = 0;
    for (bool more = true;; ++begin) {
      Need need;
      while (end < begin + ahead.size() && (more = more && walk.next(need))) {
        if (const std::byte* const page = page_of(need.page); page != nullptr) {
          ahead[end++ % ahead.size()] = found(need, nodes, page);
        } else {
          more = absent(need);
        }
      }
      for (; middle < std::min(end, begin + prefetched); ++middle) {
        prefetch(ahead[middle % ahead.size()], nodes);
      }
      if (begin == end) return;
      const Selected& first = ahead[begin % ahead.size()];
      PageCursor<Id> cursor = cursor_of(first, nodes);
      visit(cursor, first.need.of(nodes));
      marks_.put(first.need.page, cursor.mark());
    }
  }

  /// Consecutive nodes of a level: `taken` by the thread that visits their pages in memory; then `absent` are
  /// pages that it has not found, and the walk is behind them.
  struct Piece {
    std::span<const Id> nodes;
    std::size_t first = 0;  ///< their place among all nodes
    std::optional<PageWalk<Id>> walk;
    std::vector<Need> absent;
    std::atomic<bool> taken{false};
  };
  void visit_found(unsigned thread, Piece& piece, VisitPage visit);
  void visit_pinned(core::ThreadTeam& team, std::span<const Id> nodes, core::FunctionRef<bool(Need&)> next,
                    VisitPage visit);
  void visit_on(core::ThreadTeam& team, std::span<const Selected> pages, std::span<const Id> nodes,
                VisitPage visit) const;

  // Number of pages that are pinned ahead of the visited one.
  static constexpr std::size_t pages_ahead = 256;

  void prefetch(const Selected& selected, std::span<const Id> nodes) const {
    if (selected.page == nullptr) return;
    if (near(selected, nodes[selected.need.begin])) {
      core::prefetch(selected.page + selected.mark.position);
      return;
    }
    const NodeRange range = nodes_of(selected.need.page);
    prefetch_lists(context_, selected.page, range.first, range.end, selected.need.of(nodes));
  }

  core::Environment& environment_;
  const AdjacencyFacts facts_;
  const PageContext context_;
  PageIndex<Id> index_;
  std::unique_ptr<PageStore> store_;
  std::unique_ptr<PageCache> cache_;
  PageMarks marks_;
  std::vector<Selected> ready_;    ///< of select_pages, which is called for each level of a search: in memory
  std::vector<Selected> reading_;  ///< being read
};

}  // namespace emgraph::graph::adjacency
