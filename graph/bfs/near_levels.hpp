// SPDX-License-Identifier: MIT
// The first levels of a search, found by reading the edges once for each: most edges then need no sorting.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/atomic_bits.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/bfs/choice.hpp"
#include "graph/edge_source.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::bfs {

/// Problem: an adjacency of a graph larger than memory is made by sorting all edges. Where some nodes have
/// very many neighbours, most edges have an end on the first levels of a search, and the search needs each of
/// them once.
///
/// Method: a reading of all edges finds the neighbours of the root; another finds each further level, from
/// bits of the nodes on the levels so far. When a sample says that most edges have an end there, far_edges()
/// are read: the edges without such an end, which are all that the rest of the search needs. That reading
/// finds one more level. find() gives up where levels grow too slowly for that, mostly after the first of
/// these readings; without a node of very many neighbours in the sample it reads nothing.
///
/// I/O: two to four readings of the edges, one more without a root. Memory: a bit per node for each level and
/// two more; an id per node for parents. Threads: all. Throws: UsageError (the root is no node), DataError
/// (id not below n; no nodes), MemoryLimitError, EnvironmentError.
template <class Id>
class NearLevels {
 public:
  /// Null: they do not pay, and the source is at its first edge. Without a root that of largest degree is
  /// found, if it can be found so (largest_degree.hpp). `demand`: of the search.
  static std::unique_ptr<NearLevels> find(core::Environment& environment, EdgeSource<Id>& source,
                                          const Options& options, Demand demand);
  /// Most bytes that find() keeps for a graph of so many nodes.
  static std::uint64_t bytes_for(std::uint64_t nodes, bool parents);
  /// True if find() reads the edges: the source suits it, there is at most one root, and a sample has a node
  /// of very many neighbours.
  static bool may_pay(EdgeSource<Id>& source, const Options& options) {
    return !sample_with_hub(source, options).empty();
  }

  /// Of the whole input.
  const prepare::IngestFacts& read() const { return read_; }
  Id root() const { return root_; }
  std::uint64_t nodes() const { return nodes_; }
  /// Edges that far_edges() has, by a sample; somewhat more.
  std::uint64_t far_edges_expected() const {
    return static_cast<std::uint64_t>(static_cast<double>(read_.edges) * std::min(1.0, far_share_ + 0.01));
  }

  /// The edges with both ends beyond these levels. Reading them finds the next level. May be read again.
  /// `this` must outlive the source. To be called once.
  EdgeSource<Id> far_edges();

  /// Number of levels, including level 0, and their nodes.
  std::uint64_t levels() const { return levels_.size() + 1; }
  const std::vector<std::uint64_t>& nodes_per_level() const { return nodes_per_level_; }
  /// Calls take(node, level) for the nodes of these levels.
  template <class Take>
  void for_each(Take&& take) const {
    take(root_, std::uint64_t{0});
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      levels_[i].for_each_one(0, levels_[i].words().size(),
                              [&](std::uint64_t node) { take(static_cast<Id>(node), i + 1); });
    }
  }
  const AtomicBits& visited() const { return visited_; }
  /// The level that reading far_edges() has found.
  const AtomicBits& next() const { return *next_; }
  /// Requires: parents are wanted, and the node is on one of these levels or on the next.
  Id parent(Id node) const { return parents_[static_cast<std::size_t>(node)]; }

 private:
  class FarSource;

  NearLevels(core::Environment& environment, EdgeSource<Id>& source, const Options& options, bool both)
      : environment_(environment), source_(source), options_(options), both_(both) {}

  /// Empty unless may_pay().
  static std::vector<Edge<Id>> sample_with_hub(EdgeSource<Id>& source, const Options& options);
  // These find level 1 as the next level.
  bool start_at_root();
  bool start_at_largest_degree(std::span<const Edge<Id>> sample);
  void open_parents();
  bool find_levels(std::span<const Edge<Id>> sample);
  bool end_search();
  void open_next_level();
  /// Makes the nodes of the next level the last of these levels.
  void close_level();
  void find_level();
  double seen_share(std::span<const Edge<Id>> edges) const;
  /// Takes the edges that have one end on these levels. Returns whether both ends are beyond them.
  bool take(Id source, Id target);
  void reach(Id node, Id parent);
  void prefetch(const Edge<Id>& edge) const {
    visited_.prefetch(edge.source);
    visited_.prefetch(edge.target);
  }

  core::Environment& environment_;
  EdgeSource<Id>& source_;
  const Options& options_;
  const bool both_;  ///< an edge leads both ways
  prepare::IngestFacts read_;
  std::uint64_t nodes_ = 0;
  Id root_ = 0;
  bool ended_ = false;  ///< no node is beyond these levels
  AtomicBits visited_;
  std::vector<AtomicBits> levels_;  ///< from level 1 on
  std::optional<AtomicBits> next_;
  core::Array<Id> parents_;  ///< empty unless wanted
  std::vector<std::uint64_t> nodes_per_level_;
  double far_share_ = 1;
};

extern template class NearLevels<std::uint32_t>;

}  // namespace emgraph::graph::bfs
