// SPDX-License-Identifier: MIT
// Breadth-first search when not even a level per node fits in memory.
//
// Problem: the levels of a graph whose lists of neighbours lie in pages on the disks. Method: level t + 1 is
// the neighbours of level t, sorted, each once, without those of levels t and t - 1: an edge leads at most
// one level up or down (Munagala and Ranade 1999, "I/O-complexity of graph algorithms", SODA). So a level
// needs the two before it, not the set of all visited nodes. Directed edges lead up any number of levels:
// there one bit per node says what was visited, on the disks if need be (external_visited.hpp).
//
// How a level's lists are read is decided by what it costs, in pages read in order: a page on its own costs
// as much as random_page_cost in a row.
//   select    a page for every node, through a cache; candidates are sorted in memory. Levels of some
//             thousand nodes, by the thousand: no transfer but the pages that are not in the cache.
//   scan      all pages in order, merged with the level; candidates go through an external sort.
//   bottom up where one bit per node fits: all pages in order, by all threads; a node that is not visited
//             looks for its first visited neighbour. All its visited neighbours are on the level above, for
//             it would have been visited sooner otherwise; so the first is its parent, and nothing is sorted
//             (Beamer, Asanović, Patterson 2012, doi 10.1109/SC.2012.50, with a list read to its first hit).
// Candidates are (node, neighbour above): sorted, the first of a node is its smallest parent.
//
// Measured (2 cores, loaded machine, both outputs written): grid of 4096 x 4096 from a corner, 8,191 levels,
// -M 32M: 6.4-6.9 s, the search 3.8-4.1 of it, 168 MiB read for 151 MiB of pages. Kronecker, scale 22,
// -M 16M: 4.0-4.3 s, the search 0.8-1.1; without bits, by sorting, 9.4 s, the search 5.7.
//
// I/O: O(min(pages, level) + sort(neighbours of the level)) per level; a level in the cache none.
// Memory: what is free, divided below. Threads: bottom up and sorting all, else one.
// Throws: DataError (damaged page), MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "core/sort/vector_sort.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/bfs/external_log.hpp"
#include "graph/bfs/external_nodes.hpp"
#include "graph/bfs/external_visited.hpp"
#include "graph/node_bits.hpp"

namespace emgraph::graph::bfs {

/// How often each way of reading was taken, for the reason in the summary.
struct LevelCounts {
  std::uint64_t selected = 0;
  std::uint64_t scanned = 0;
  std::uint64_t bottom_up = 0;
};

struct SearchOptions {
  bool bits = true;        ///< one bit per node may be held in memory if it fits
  bool all_pairs = false;  ///< log all parents of a node, not the smallest alone
  /// Give up after reading so many times all pages; 0: never.
  std::uint64_t most_scans = 0;
};

template <class Id, core::IntegerKey Key>
class ExternalSearch {
 public:
  using Adjacency = adjacency::PagedAdjacency<Id>;

  ExternalSearch(core::Environment& environment, Adjacency& graph, const SearchOptions& options,
                 const prepare::EdgeKeys<Key>& keys, SearchLog<Id>& log)
      : environment_(environment),
        graph_(graph),
        options_(options),
        keys_(keys),
        log_(log),
        block_bytes_(block_bytes(environment.memory.available())),
        list_capacity_(std::max<std::size_t>(32, environment.memory.available() / 64 / sizeof(Id))),
        before_(environment, list_capacity_, block_bytes_),
        current_(environment, list_capacity_, block_bytes_),
        next_(environment, list_capacity_, block_bytes_) {
    const std::size_t free = environment.memory.available();
    const std::uint64_t nodes = graph.facts().nodes;
    // For bottom_up twice, visited and found.
    const bool bits_fit =
        options.bits && nodes < std::uint64_t{1} << 48 && 2 * NodeBits::bytes_for(nodes) <= free / 2;
    if (!graph.facts().directed) {
      can_go_bottom_up_ = bits_fit && !options.all_pairs;
    } else if (bits_fit) {
      visited_.emplace(environment.memory, nodes, "one bit per node");
    } else {
      visited_pages_.emplace(environment, nodes, free / 8);
    }
    candidates_ = core::Array<Key>(environment.memory, std::max<std::size_t>(256, free / 16 / sizeof(Key)),
                                   "neighbours of a level");
    open_cache();
  }

  static std::size_t block_bytes(std::size_t memory_bytes) {
    return std::clamp<std::size_t>(core::round_down(memory_bytes / 256, core::page_bytes), core::page_bytes,
                                   64 * core::KiB);
  }

  bool has_bits() const { return visited_.has_value(); }
  const LevelCounts& counts() const { return counts_; }

  /// False if it gave up (SearchOptions::most_scans). To be called once.
  bool run(Id root) {
    core::Phase phase(environment_.progress, "search", graph_.facts().nodes, "nodes");
    begin_level();
    accept(root, root);
    end_level();
    while (level_size_ > 0) {
      phase.advance(level_size_);
      if (options_.most_scans > 0 && spent_pages_ > options_.most_scans * graph_.pages()) break;
      expand();
    }
    graph_.close_cache();
    return level_size_ == 0;
  }

 private:
  // A page on its own takes about as long as so many in a row: 47,000 reads of 4 KiB a second at depth 32
  // against 1.3 GB/s (an earlier measurement of the disk).
  static constexpr std::uint64_t random_page_cost = 6;
  // Blocks that lists and their readers may take at a time.
  static constexpr std::size_t list_blocks = 8;
  using Sorter = core::DistributionSorter<Key, 0>;

  void open_cache() {
    const std::size_t free = environment_.memory.available();
    graph_.open_cache(free - std::min(free, list_blocks * block_bytes_));
  }

  // --- What a level is made of ------------------------------------------------------------------

  void begin_level() {
    next_.clear();
    if (!visited_ && !visited_pages_) {
      before_reader_.emplace(before_);
      current_reader_.emplace(current_);
    }
  }
  /// A candidate of the next level and a neighbour of it above; candidates ascending, and all of one node
  /// in a row.
  void accept(Id node, Id parent) {
    if (has_last_ && node == last_) {
      if (last_is_new_ && options_.all_pairs) log_.add_parent(node, parent);
      return;
    }
    has_last_ = true;
    last_ = node;
    last_is_new_ = is_new(node);
    if (!last_is_new_) return;
    next_.push(node);
    log_.add(node);
    log_.add_parent(node, parent);
  }
  bool is_new(Id node) {
    if (visited_) {
      if (visited_->test(node)) return false;
      visited_->set(node);
      return true;
    }
    if (visited_pages_) return visited_pages_->visit(node);
    return !current_reader_->contains(node) && !before_reader_->contains(node);
  }
  void end_level() {
    next_.finish();
    before_reader_.reset();
    current_reader_.reset();
    has_last_ = false;
    level_size_ = next_.size();
    listed_ = true;
    swap(before_, current_);
    swap(current_, next_);
    next_.clear();
    if (level_size_ > 0) log_.end_level();
  }

  // --- The choice -------------------------------------------------------------------------------

  void expand() {
    const std::uint64_t pages = graph_.absent_pages();
    if (listed_ && current_.in_memory()) {
      const std::uint64_t most = level_size_;
      const std::uint64_t touched =
          most * random_page_cost <= pages ? most : graph_.pages_to_read(current_.span());
      if (touched * random_page_cost <= pages) {
        if (select_in_memory()) return;
        if (!can_go_bottom_up_) return sort_level(true);
      }
    }
    spent_pages_ += pages;
    if (can_go_bottom_up_) return bottom_up();
    sort_level(level_size_ * random_page_cost <= pages);
  }

  // --- select -----------------------------------------------------------------------------------

  /// False, and nothing done, if there are too many candidates.
  bool select_in_memory() {
    std::size_t count = 0;
    bool full = false;
    const std::uint64_t read_before = environment_.io.snapshot().read_bytes;
    graph_.select(current_.span(), [&](Id node, std::span<const Id> neighbours) {
      if (full) return;
      if (candidates_.size() - count < neighbours.size()) {
        count = compact(count);
        if (candidates_.size() - count < std::max(neighbours.size(), candidates_.size() / 2)) {
          full = true;
          return;
        }
      }
      for (const Id neighbour : neighbours) {
        if (visited_ && visited_->test(neighbour)) continue;
        candidates_[count++] = keys_.make(neighbour, node);
      }
    });
    const std::uint64_t read = environment_.io.snapshot().read_bytes - read_before;
    spent_pages_ += read / graph_.context().page_bytes * random_page_cost;
    if (full) return false;
    ++counts_.selected;
    core::vector_sort(candidates_.span().first(count));
    begin_level();
    for (const Key key : candidates_.span().first(count)) {
      accept(static_cast<Id>(keys_.first(key)), static_cast<Id>(keys_.second(key)));
    }
    end_level();
    return true;
  }

  /// Sorts the candidates and keeps the smallest parent of each, unless all are wanted.
  std::size_t compact(std::size_t count) {
    if (options_.all_pairs) return count;
    const std::span<Key> all = candidates_.span().first(count);
    core::vector_sort(all);
    const auto end =
        std::unique(all.begin(), all.end(), [&](Key a, Key b) { return keys_.first(a) == keys_.first(b); });
    return static_cast<std::size_t>(end - all.begin());
  }

  // --- select or scan, and an external sort -----------------------------------------------------

  void sort_level(bool select) {
    graph_.close_cache();
    const std::size_t free = environment_.memory.available();
    const std::size_t reading = (environment_.threads + 3) * graph_.store().chunk_bytes();
    const std::size_t lists = std::min(free, list_blocks * block_bytes_);
    typename Sorter::Options sort;
    const std::uint64_t nodes = graph_.facts().nodes;
    sort.range = keys_.range(nodes - 1);
    const std::size_t most = free - std::min(free, lists + (select ? free / 4 : reading));
    sort.memory_bytes = within_sort(most);
    const adjacency::AdjacencyFacts& facts = graph_.facts();
    const std::uint64_t likely = level_size_ * 16 * (facts.entries / nodes + 1);
    sort.records = std::min(facts.entries, likely);
    {
      Sorter sorter(environment_, std::move(sort));
      auto& lane = sorter.lane(0);
      const auto push = [&](Id node, std::span<const Id> neighbours) {
        for (const Id neighbour : neighbours) {
          if (!visited_ || !visited_->test(neighbour)) lane.push({keys_.make(neighbour, node)});
        }
      };
      if (select) {
        ++counts_.selected;
        graph_.open_cache(free / 4);
        typename NodeList<Id>::Reader level(current_);
        for (auto batch = level.next(); !batch.empty(); batch = level.next()) graph_.select(batch, push);
        graph_.close_cache();
      } else {
        ++counts_.scanned;
        scan(push);
      }
      for (unsigned i = 0; i < sorter.lanes(); ++i) sorter.lane(i).finish();
      sorter.finish();
      begin_level();
      for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
        for (const auto& record : batch) {
          accept(static_cast<Id>(keys_.first(record.key)), static_cast<Id>(keys_.second(record.key)));
        }
      }
      end_level();
    }
    open_cache();
  }

  template <class Push>
  void scan(Push&& push) {
    typename NodeList<Id>::Reader level(current_);
    std::span<const Id> batch = level.next();
    std::array<Id, adjacency::fragment_neighbours + 3> list;
    graph_.scan(1, 0, [&](unsigned, adjacency::PageCursor<Id>& cursor) {
      if (batch.empty()) return;
      cursor.seek(batch.front());
      while (cursor.next()) {
        while (batch.front() < cursor.node()) {
          batch = batch.subspan(1);
          if (batch.empty() && (batch = level.next()).empty()) return;
        }
        if (batch.front() == cursor.node()) {
          cursor.decode(list.data());
          push(cursor.node(), std::span<const Id>(list.data(), cursor.count()));
        } else {
          cursor.seek(batch.front());
        }
      }
    });
  }

  // --- bottom up --------------------------------------------------------------------------------

  void bottom_up() {
    ++counts_.bottom_up;
    graph_.close_cache();
    const std::uint64_t nodes = graph_.facts().nodes;
    if (!visited_) {
      visited_.emplace(environment_.memory, nodes, "one bit per node");
      log_.for_each_node([&](Id node) { visited_->set(node); });
    }
    found_ = core::Array<std::uint64_t>(environment_.memory, NodeBits::words_for(nodes), "one bit per node");
    struct Found {
      std::vector<Edge<Id>> pairs;  // 8 or 16 KiB per thread, not charged
      Id last;
      bool any = false;
    };
    std::mutex mutex;
    // Hits in a page that begins in the middle of a list: its first part may have a smaller one.
    std::vector<Edge<Id>> later;
    core::Reservation later_memory = environment_.memory.reserve(0, "parents of long lists");
    std::vector<Found> found(environment_.threads);
    const auto flush = [&](Found& mine) {
      const std::lock_guard lock(mutex);
      for (const Edge<Id>& pair : mine.pairs) {
        log_.add(pair.source);
        log_.add_parent(pair.source, pair.target);
      }
      mine.pairs.clear();
    };
    const auto set_found = [&](Id node) {
      std::atomic_ref<std::uint64_t>(found_[node >> 6])
          .fetch_or(std::uint64_t{1} << (node & 63), std::memory_order_relaxed);
    };
    const auto is_found = [&](Id node) {
      return (std::atomic_ref<std::uint64_t>(found_[node >> 6]).load(std::memory_order_relaxed) >>
                  (node & 63) &
              1) != 0;
    };
    graph_.scan(environment_.threads, 0, [&](unsigned thread, adjacency::PageCursor<Id>& cursor) {
      Found& mine = found[thread];
      mine.any = false;
      const bool continues = cursor.foot().continues != 0;
      const Id first = static_cast<Id>(cursor.foot().first_node);
      while (cursor.next()) {
        const Id node = cursor.node();
        if (visited_->test(node) || (mine.any && node == mine.last)) continue;
        Id parent = 0;
        const auto hit = [&](Id neighbour) {
          parent = neighbour;
          return visited_->test(neighbour);
        };
        const bool is_later = continues && node == first;
        if ((is_later && is_found(node)) || !cursor.find(hit)) continue;
        mine.any = true;
        mine.last = node;
        if (is_later) {
          const std::lock_guard lock(mutex);
          if (later.size() == later.capacity()) {
            later_memory.resize((later.size() * 2 + 16) * sizeof(Edge<Id>), "parents of long lists");
            later.reserve(later.size() * 2 + 16);
          }
          later.push_back({node, parent});
        } else {
          set_found(node);
          mine.pairs.push_back({node, parent});
          if (mine.pairs.size() == 1024) flush(mine);
        }
      }
    });
    std::sort(later.begin(), later.end());
    for (const Edge<Id>& pair : later) {
      if (is_found(pair.source)) continue;
      set_found(pair.source);
      found[0].pairs.push_back(pair);
    }
    for (Found& mine : found) flush(mine);
    take_found();
    open_cache();
  }

  /// The found nodes become the current level; their list is made if it fits in memory.
  void take_found() {
    level_size_ = 0;
    for (const std::uint64_t word : found_.span()) {
      level_size_ += static_cast<std::uint64_t>(std::popcount(word));
    }
    next_.clear();
    listed_ = level_size_ <= list_capacity_;
    for (std::size_t w = 0; w < found_.size(); ++w) {
      for (std::uint64_t word = found_[w]; word != 0; word &= word - 1) {
        const auto node = static_cast<Id>(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
        visited_->set(node);
        if (listed_) next_.push(node);
      }
    }
    found_ = {};
    next_.finish();
    swap(current_, next_);
    next_.clear();
    if (level_size_ > 0) log_.end_level();
  }

  core::Environment& environment_;
  Adjacency& graph_;
  const SearchOptions options_;
  const prepare::EdgeKeys<Key> keys_;
  SearchLog<Id>& log_;
  const std::size_t block_bytes_;
  const std::size_t list_capacity_;

  NodeList<Id> before_;
  NodeList<Id> current_;
  NodeList<Id> next_;
  std::uint64_t level_size_ = 0;  ///< of the current level
  bool listed_ = true;            ///< current_ holds it; else it is too large, and bottom_up does not ask
  core::Array<Key> candidates_;

  bool can_go_bottom_up_ = false;
  std::optional<NodeBits> visited_;   ///< from the first level on that goes bottom up; if directed always
  core::Array<std::uint64_t> found_;  ///< bits of the level that bottom_up finds
  std::optional<VisitedPages> visited_pages_;
  std::optional<typename NodeList<Id>::Reader> before_reader_;
  std::optional<typename NodeList<Id>::Reader> current_reader_;

  bool has_last_ = false;
  Id last_ = 0;
  bool last_is_new_ = false;
  std::uint64_t spent_pages_ = 0;
  LevelCounts counts_;
};

}  // namespace emgraph::graph::bfs
