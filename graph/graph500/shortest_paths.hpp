// SPDX-License-Identifier: MIT
// Kernel 3 in memory: shortest paths by delta-stepping with pulled long arcs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/base/thread_team.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/graph500/graph.hpp"
#include "graph/graph500/shared_list.hpp"

namespace emgraph::graph::graph500 {

/// Problem: distances from a root, as doubles added from the root outwards: the least fixed point of
/// d(v) = min d(u) + w, which is unique; and parents, of the nearer neighbours u with d(u) + w = d(v) the
/// smallest. Where there is none (only arcs of weight 0 are tight), the smallest of those with the fewest
/// such arcs behind them.
///
/// Method: narrow windows of distances, one after the other. Inside a window, buckets are emptied in rounds
/// (Meyer, Sanders 2003, doi 10.1016/S0196-6774(03)00076-2), along arcs that end in the window, a short first
/// part of each row, as rows are in order of ranges of weights. Then its nodes push the other arcs. In a
/// Kronecker graph one window soon settles the nodes of large degree. From then on pulling is cheaper
/// (Chakaravarthy et al. 2014, doi 10.1109/IPDPS.2014.96): every other node reads the short part of its row
/// that can lower it. A second pull, over all nodes, gives the parents as well and lowers few nodes; those
/// push, and their neighbours look for their parents again. I/O: none. Memory: 20 bytes a node and the
/// entries of lists, charged. Threads: those of the team. Throws: MemoryLimitError.
class ShortestPaths {
 public:
  ShortestPaths(core::Environment& environment, core::ThreadTeam& team, const Graph& graph);

  /// Forgets the last search.
  void reset();
  /// Requires: reset() since the last search; the root has a neighbour.
  void run(std::uint32_t root);
  /// Unreached: infinity.
  std::span<const double> distances() const { return distances_.span(); }
  /// The root's is itself, that of an unreached node no_parent.
  std::span<const std::uint32_t> parents() const { return parents_.span(); }

  static std::uint64_t bytes(std::uint64_t nodes);

 private:
  static constexpr std::uint64_t entries_at_a_time = 64;
  static constexpr std::uint64_t nodes_at_a_time = 8192;
  // With fewer entries a round is done by one thread: starting the others takes longer.
  static constexpr std::uint64_t worth_sharing = 1024;
  static constexpr std::uint64_t targets_ahead = 16;
  static constexpr double unreached = std::numeric_limits<double>::infinity();

  struct Entry {
    std::uint32_t rank;
    double distance;
  };
  using List = SharedList<Entry>;
  struct Window {
    double begin = 0;
    double end = 0;
    double bucket_width = 0;
  };
  struct Amount {
    std::uint64_t nodes = 0;
    std::uint64_t entries = 0;  // of their rows
  };
  struct Pulled {
    double distance;
    std::uint32_t parent;  // of nearer neighbours
  };
  class BucketWriters;

  std::span<const Arc> arcs_of(std::uint64_t rank) const {
    const ArcRow& row = graph_.rows()[rank];
    return {graph_.arcs() + row.begin, row.degree};
  }
  bool current(const Entry& entry) const;
  bool lower(std::uint32_t rank, double distance);
  template <class Work>
  void share(std::uint64_t count, std::uint64_t at_a_time, const Work& work);
  void settle(const Window& window);
  void relax_inside(const Window& window, const Entry& entry, BucketWriters& buckets);
  bool pull_is_cheaper();
  void push(const Window& window, std::uint64_t first, std::uint64_t last);
  void pull(const Window& window, std::uint64_t first, std::uint64_t last);
  void prefetch_rows(std::uint64_t rank, std::uint64_t last) const;
  bool next_window(Window& window);
  void find_parents(std::uint32_t root, double begin);
  void push_parents(std::uint64_t first, std::uint64_t last);
  Pulled pulled(std::uint64_t rank, double begin) const;
  void settle_lowered(SharedList<std::uint32_t>& again);
  void find_equal_parents(const SharedList<std::uint32_t>& orphans);

  const Graph& graph_;
  core::MemoryBudget& memory_;
  core::ThreadTeam& team_;
  core::Array<double> known_;      // by rank
  core::Array<double> distances_;  // by node
  core::Array<std::uint32_t> parents_;
  std::vector<std::unique_ptr<List>> buckets_;
  List settled_;    // nodes of the window, some with distances that were lowered again
  List pushed_;     // settled nodes whose arcs have been pushed out of their windows
  List beyond_[2];  // nodes lowered to distances beyond the window
  unsigned beyond_now_ = 0;
  Amount unsettled_;
  std::atomic<std::uint64_t> cursor_{0};
};

/// work(first, last) for all pieces of 0 ... count - 1.
template <class Work>
void ShortestPaths::share(std::uint64_t count, std::uint64_t at_a_time, const Work& work) {
  if (team_.size() == 1 || count <= std::min(at_a_time, worth_sharing)) {
    if (count > 0) work(std::uint64_t{0}, count);
    return;
  }
  cursor_.store(0, std::memory_order_relaxed);
  team_.all([&](unsigned) {
    for (std::uint64_t at; (at = cursor_.fetch_add(at_a_time, std::memory_order_relaxed)) < count;) {
      work(at, std::min(count, at + at_a_time));
    }
  });
}

}  // namespace emgraph::graph::graph500
