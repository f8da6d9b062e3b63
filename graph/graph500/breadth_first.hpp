// SPDX-License-Identifier: MIT
// Kernel 2 in memory: direction-optimising breadth-first search.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "core/base/thread_team.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/graph500/graph.hpp"
#include "graph/graph500/shared_list.hpp"

namespace emgraph::graph::graph500 {

inline constexpr std::uint32_t no_parent = ~std::uint32_t{0};

/// Problem: the parents of a breadth-first tree: of each reached node the smallest neighbour on the level
/// above, whatever the threads.
///
/// Method: top-down, the nodes of a level offer themselves to their neighbours, which keep the smallest
/// offer; bottom-up, each unreached node finds its first neighbour on the last level and takes the smallest
/// one of that range, as rows are in order of ranges. A level is searched bottom-up if its nodes have more
/// than 1/15 of the entries of unreached nodes. Source: Beamer, Asanovic, Patterson 2012,
/// doi 10.1109/SC.2012.50. Nodes without neighbours count as reached from the beginning, so that bottom-up
/// steps pass over them. I/O: none. Memory: 12 bytes and 3 bits a node, charged once. Threads: those of the
/// team. Throws: MemoryLimitError.
class BreadthFirst {
 public:
  BreadthFirst(core::Environment& environment, core::ThreadTeam& team, const Graph& graph);

  /// Forgets the last search.
  void reset();
  /// Requires: reset() since the last search; the root has a neighbour.
  void run(std::uint32_t root);
  /// The root's is itself, that of an unreached node no_parent.
  std::span<const std::uint32_t> parents() const { return parents_.span(); }

  static std::uint64_t bytes(std::uint64_t nodes);

 private:
  struct alignas(64) Found {
    std::uint64_t nodes = 0;
    std::uint64_t entries = 0;  // of the nodes
  };

  template <bool shared>
  void offer(std::uint32_t node, SharedList<std::uint32_t>::Writer& found, std::uint64_t& entries);
  Found top_down();
  Found bottom_up();
  std::uint32_t smallest_of_range(std::uint64_t first, std::uint64_t end) const;
  Found search_words(std::uint64_t first, std::uint64_t last);
  Found total() const;
  void list_to_bits();
  void bits_to_list();

  const Graph& graph_;
  core::ThreadTeam& team_;
  const std::uint64_t words_;
  core::Array<std::uint32_t> parents_;
  core::Array<std::uint64_t> reached_, level_bits_, next_bits_;
  SharedList<std::uint32_t> lists_[2];
  unsigned level_list_ = 0;  // which of the lists has the level
  bool as_bits_ = false;     // the level is in level_bits_, else in the list
  std::atomic<std::uint64_t> cursor_{0};
  core::Array<Found> found_;  // by thread
};

}  // namespace emgraph::graph::graph500
