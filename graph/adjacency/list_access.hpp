// SPDX-License-Identifier: MIT
// The cheapest way to read the lists of some nodes: from memory, by single pages, or by a scan of all pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "graph/adjacency/page_scan.hpp"
#include "graph/adjacency/paged_adjacency.hpp"

namespace emgraph::graph::adjacency {

/// Free memory with which all pages are loaded: `absent_bytes` that are not in memory, the rest of the last
/// chunk, and the buffers of a scan.
constexpr std::uint64_t bytes_to_load(std::uint64_t absent_bytes, std::size_t chunk_bytes, unsigned threads) {
  return absent_bytes + (std::uint64_t{threads} + PageScan::least_depth_of_load + 1) * chunk_bytes;
}

/// For searches that read the lists of one set of nodes after another.
///
/// Method: few nodes: the pages of their lists, many requests at once, through a cache. If successive sets
/// use nearby pages (grids, roads), most pages are found there. If reading single pages would take longer
/// than reading all, a scan reads all pages in order. If all pages fit into memory, they are read in order
/// and stay there, at the latest when single pages have cost as much. I/O: as PagedAdjacency. Memory: the
/// free memory when a cache is opened, less a share for later users; resident pages. Threads: one. Throws: as
/// PagedAdjacency.
template <class Id>
class ListAccess {
 public:
  using Pages = PagedAdjacency<Id>;

  /// `spare_bytes`: what cached and resident pages leave free for other structures of the search.
  ListAccess(core::Environment& environment, Pages& pages, std::size_t spare_bytes = 0)
      : environment_(environment),
        pages_(pages),
        spare_bytes_(spare_bytes),
        allowance_(single_page_cost * pages.absent_pages()) {}

  Pages& pages() const { return pages_; }
  bool all_resident() const { return pages_.store().all_resident(); }

  /// Reads all pages into memory, as far as they fit.
  void load() {
    if (all_resident()) return;
    close_cache();
    lists_read_ = 0;
    pages_.scan(environment_.threads, keep_bytes(), [](unsigned, PageCursor<Id>&) {});
  }

  enum class Way { resident, select, scan };
  /// How to read the lists of these nodes (ascending). Loads all pages if that pays. Opens the cache if pages
  /// are missing.
  Way choose(std::span<const Id> nodes) {
    if (worth_loading(nodes)) load();
    pages_.open_marks();
    if (all_resident()) return Way::resident;
    open_cache();
    return cheap(nodes) ? Way::select : Way::scan;
  }

  /// As PagedAdjacency::select and select_pages. Requires: choose() did not return Way::scan for these nodes.
  template <class Visit>
  void select(std::span<const Id> nodes, Visit&& visit) {
    counting_reads([&] { pages_.select(nodes, std::forward<Visit>(visit)); });
  }
  void select_pages(core::ThreadTeam& team, std::span<const Id> nodes, typename Pages::VisitPage visit) {
    counting_reads([&] { pages_.select_pages(team, nodes, visit); });
  }
  /// As PagedAdjacency::scan on all threads. Closes the cache. Keeps pages in memory: all if they fit, else,
  /// if `keep`, until they take as much memory as is left.
  template <class Visit, class Wanted>
  void scan(Visit&& visit, Wanted&& wanted, bool keep = true) {
    scanning([&] {
      pages_.scan(environment_.threads, keep || all_fit() ? keep_bytes() : 0, std::forward<Visit>(visit),
                  std::forward<Wanted>(wanted));
    });
  }
  /// The same for groups, as PagedAdjacency::scan_groups.
  void scan_groups(typename Pages::VisitGroup visit,
                   core::FunctionRef<bool(std::uint64_t, std::uint64_t)> wanted) {
    scanning([&] { pages_.scan_groups(environment_.threads, keep_bytes(), visit, wanted); });
  }
  /// True if the single pages read since the last scan have cost as much as a scan. What fills the cache does
  /// not count; before the first scan, as many pages as there are do not count. A search to which a scan is
  /// of more use than the lists of one set should then scan.
  bool scan_is_due() const { return reading_cost_ > allowance_ + pages_.absent_pages(); }

  /// Frees all memory except resident pages.
  void close_cache() {
    pages_.close_cache();
    cache_bytes_ = 0;
  }

 private:
  // Cost of a single page in units of pages that a scan reads: 47,000 random reads of 4 KiB per second, scans
  // at 1.4 GB/s (measured on an earlier disk).
  static constexpr std::uint64_t single_page_cost = 7;

  template <class Select>
  void counting_reads(Select&& select) {
    const core::IoSnapshot before = environment_.io.snapshot();
    select();
    const core::IoSnapshot read = environment_.io.snapshot() - before;
    reading_cost_ += read.reads * (single_page_cost - 1) + read.read_bytes / pages_.context().page_bytes;
  }

  template <class Scan>
  void scanning(Scan&& scan) {
    close_cache();
    scan();
    reading_cost_ = 0;
    allowance_ = single_page_cost * std::min(pages_.absent_pages(),
                                             environment_.memory.available() / pages_.context().page_bytes);
  }

  std::uint64_t absent_bytes() const { return pages_.absent_pages() * pages_.context().page_bytes; }

  /// True if all pages fit into memory together with the buffers of a scan.
  bool all_fit() const {
    return bytes_to_load(absent_bytes(), pages_.store().chunk_bytes(), environment_.threads) + spare_bytes_ <=
           environment_.memory.available() + cache_bytes_;
  }

  bool cheap(std::span<const Id> nodes) const {
    const std::uint64_t absent = pages_.absent_pages();
    if (nodes.size() * single_page_cost <= absent) return true;
    return pages_.pages_to_read(nodes) * single_page_cost <= absent;
  }

  // True if all pages fit and single pages have cost as much as reading all would.
  bool worth_loading(std::span<const Id> nodes) {
    if (all_resident() || !all_fit()) return false;
    lists_read_ += nodes.size();
    return lists_read_ * single_page_cost > pages_.absent_pages();
  }

  void open_cache() {
    if (cache_bytes_ != 0) return;
    // Takes nearly all free memory: a cache that is slightly smaller than the pages of a set is nearly
    // useless.
    const std::size_t free = environment_.memory.available();
    pages_.open_cache(free - std::min(free, std::max(free / 16, spare_bytes_)));
    cache_bytes_ = free - environment_.memory.available();
  }

  // Bytes that a scan may keep: all pages if they fit, else until they take half of the memory, so that a
  // cache has space.
  std::size_t keep_bytes() const {
    const std::size_t free =
        environment_.memory.available() - std::min(environment_.memory.available(), spare_bytes_);
    const auto kept = static_cast<std::size_t>(pages_.store().resident_pages() * pages_.context().page_bytes);
    return all_fit() ? free : (free + kept) / 2 - std::min(kept, (free + kept) / 2);
  }

  core::Environment& environment_;
  Pages& pages_;
  const std::size_t spare_bytes_;
  std::size_t cache_bytes_ = 0;   ///< 0: no cache is open
  std::uint64_t lists_read_ = 0;  ///< lists that were read one by one
  // Costs are in units of pages that a scan reads.
  std::uint64_t reading_cost_ = 0;  ///< of single pages since the last scan
  std::uint64_t allowance_;         ///< of reading_cost_ that does not count
};

}  // namespace emgraph::graph::adjacency
