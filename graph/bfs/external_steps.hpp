// SPDX-License-Identifier: MIT
// The two ways to find the next level in the external model: bottom-up and top-down.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/base/vector_sort.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/atomic_bits.hpp"
#include "graph/bfs/external_levels.hpp"
#include "graph/bfs/external_log.hpp"
#include "graph/node_bits.hpp"
#include "graph/prepare/edge_keys.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::bfs {

// Bottom-up: one scan of all lists finds a visited neighbour of every node that is not visited.
//
// Problem: find a large level without sorting the neighbours of the level above.
// Method: all threads scan the pages and search the list of each unvisited node for its first visited
// neighbour (Beamer, Asanović, Patterson 2012, doi 10.1109/SC.2012.50). All visited neighbours of such a node
// are on the level above, because otherwise the node would have been visited earlier. So the first visited
// neighbour is the parent. A list that extends over several pages may have such a neighbour in each of them,
// and several threads may find them in any order. All of them are logged; the smallest one counts.
//
// I/O: one scan. Memory: one bit per node, charged; buffers of 12 or 24 KiB per thread, not charged. Threads:
// all. Throws: DataError (damaged page), MemoryLimitError, EnvironmentError.

/// Returns the bits of the unvisited nodes with a visited neighbour, and logs these nodes and their parents.
/// Requires: an undirected graph.
template <class Id>
AtomicBits level_from_below(core::Environment& environment, adjacency::PagedAdjacency<Id>& graph,
                            const NodeBits& visited, SearchLog<Id>& log) {
  constexpr std::size_t most_gathered = 1024;
  AtomicBits found(environment.memory, graph.facts().nodes, "one bit per node");
  struct Gathered {
    std::vector<Id> nodes;
    std::vector<Edge<Id>> pairs;
  };
  std::vector<Gathered> gathered(environment.threads);
  std::mutex mutex;
  const auto flush = [&](Gathered& mine) {
    const std::lock_guard lock(mutex);
    for (const Id node : mine.nodes) log.add(node);
    for (const Edge<Id>& pair : mine.pairs) log.add_parent(pair.source, pair.target);
    mine.nodes.clear();
    mine.pairs.clear();
  };
  graph.scan(environment.threads, 0, [&](unsigned thread, adjacency::PageCursor<Id>& cursor) {
    Gathered& mine = gathered[thread];
    bool any = false;
    Id last = 0;  // the last node with a visited neighbour in this page
    while (cursor.next()) {
      const Id node = cursor.node();
      if (visited.test(node) || (any && node == last)) continue;
      Id parent = 0;
      const auto hit = [&](Id neighbour) {
        parent = neighbour;
        return visited.test(neighbour);
      };
      if (!cursor.find(hit)) continue;
      any = true;
      last = node;
      if (found.set(node)) mine.nodes.push_back(node);
      mine.pairs.push_back({node, parent});
      if (mine.pairs.size() == most_gathered) flush(mine);
    }
  });
  for (Gathered& mine : gathered) flush(mine);
  return found;
}

// Top-down: reads the lists of the current level and sorts their neighbours.
//
// Problem: find the distinct neighbours of a level in little memory.
// Method: select reads the list of each node, by pages through a cache; scan reads all pages in order, merged
// with the level. Candidates are pairs (node, neighbour above). After sorting, the first pair of a node has
// its smallest parent. Some thousand candidates are sorted in memory, more by an external sort.
//
// I/O: select O(pages touched), scan O(pages), and O(sort(neighbours of the level)). Memory: `candidates` for
// sorting in memory; an external sort takes all free memory. Threads: one reads, all sort. Throws: DataError
// (damaged page), MemoryLimitError, EnvironmentError.

template <class Id, core::IntegerKey Key>
class TopDown {
 public:
  using Adjacency = adjacency::PagedAdjacency<Id>;

  /// Candidates take a sixteenth of the free memory. `all_pairs`: keeps all parents of a node.
  TopDown(core::Environment& environment, Adjacency& graph, const prepare::EdgeKeys<Key>& keys,
          SearchLevels<Id>& levels, bool all_pairs)
      : environment_(environment),
        graph_(graph),
        keys_(keys),
        levels_(levels),
        all_pairs_(all_pairs),
        candidates_(environment.memory,
                    std::max<std::size_t>(256, environment.memory.available() / 16 / sizeof(Key)),
                    "neighbours of a level") {}

  /// Selects and sorts in memory. False, without any effect, if there are too many candidates. Requires: the
  /// level is in memory, and the graph's cache is open.
  bool select_in_memory() {
    const NodeBits* const visited = levels_.visited();
    std::size_t count = 0;
    bool full = false;
    graph_.select(levels_.current().span(), [&](Id node, std::span<const Id> neighbours) {
      if (full) return;
      if (candidates_.size() - count < neighbours.size()) {
        count = compact(count);
        if (candidates_.size() - count < std::max(neighbours.size(), candidates_.size() / 2)) {
          full = true;
          return;
        }
      }
      for (const Id neighbour : neighbours) {
        if (visited != nullptr && visited->test(neighbour)) continue;
        candidates_[count++] = keys_.make(neighbour, node);
      }
    });
    if (full) return false;
    core::vector_sort(candidates_.span().first(count));
    levels_.begin();
    for (const Key key : candidates_.span().first(count)) accept(key);
    levels_.end();
    return true;
  }

  /// Selects and sorts externally. `cache_bytes`: memory for pages. `spare_bytes`: memory for lists.
  /// Requires: the graph's cache is closed.
  void select_and_sort(std::size_t spare_bytes) {
    const std::size_t cache_bytes = environment_.memory.available() / 4;
    sort_level(spare_bytes + cache_bytes, [&](const auto& push) {
      graph_.open_cache(cache_bytes);
      typename NodeList<Id>::Reader level(levels_.current());
      for (auto batch = level.next(); !batch.empty(); batch = level.next()) graph_.select(batch, push);
      graph_.close_cache();
    });
  }

  /// Scans and sorts externally. Requires: the graph's cache is closed.
  void scan_and_sort(std::size_t spare_bytes) {
    const std::size_t reading = (environment_.threads + 3) * graph_.store().chunk_bytes();
    sort_level(spare_bytes + reading, [&](const auto& push) { scan(push); });
  }

 private:
  using Sorter = core::DistributionSorter<Key>;

  void accept(Key key) {
    levels_.accept(static_cast<Id>(keys_.first(key)), static_cast<Id>(keys_.second(key)));
  }

  /// Sorts the candidates and keeps the smallest parent of each node, or all parents.
  std::size_t compact(std::size_t count) {
    if (all_pairs_) return count;
    const std::span<Key> all = candidates_.span().first(count);
    core::vector_sort(all);
    const auto end =
        std::unique(all.begin(), all.end(), [&](Key a, Key b) { return keys_.first(a) == keys_.first(b); });
    return static_cast<std::size_t>(end - all.begin());
  }

  /// `read(push)` must call push(node, neighbours) for all nodes of the level.
  template <class Read>
  void sort_level(std::size_t spare_bytes, Read&& read) {
    const adjacency::AdjacencyFacts& facts = graph_.facts();
    const std::size_t free = environment_.memory.available();
    const NodeBits* const visited = levels_.visited();
    typename Sorter::Options sort;
    sort.range = keys_.range(facts.nodes - 1);
    sort.memory_bytes = within_sort(free - std::min(free, spare_bytes));
    sort.records =
        std::min(facts.entries, core::size_product(levels_.size() * 16, facts.entries / facts.nodes + 1));
    Sorter sorter(environment_, std::move(sort));
    auto& lane = sorter.lane(0);
    read([&](Id node, std::span<const Id> neighbours) {
      for (const Id neighbour : neighbours) {
        if (visited == nullptr || !visited->test(neighbour)) lane.push(keys_.make(neighbour, node));
      }
    });
    for (unsigned i = 0; i < sorter.lanes(); ++i) sorter.lane(i).finish();
    sorter.finish();
    levels_.begin();
    for (auto batch = sorter.next(); !batch.empty(); batch = sorter.next()) {
      for (const Key key : batch) accept(key);
    }
    levels_.end();
  }

  template <class Push>
  void scan(Push&& push) {
    typename NodeList<Id>::Reader level(levels_.current());
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

  core::Environment& environment_;
  Adjacency& graph_;
  const prepare::EdgeKeys<Key> keys_;
  SearchLevels<Id>& levels_;
  const bool all_pairs_;
  core::Array<Key> candidates_;
};

}  // namespace emgraph::graph::bfs
