// SPDX-License-Identifier: MIT
// One bit per node on the disks, for searches whose bits do not fit into memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/block/run_blocks.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph {

/// A bitmap in pages of 4 KiB, some of them in memory (direct-mapped cache). Accesses in ascending order
/// touch every page once, so a level costs at most a scan of n / 8 bytes, and a small level only the pages of
/// its nodes.
///
/// Sorted runs of the levels would not do: an edge of a directed graph can lead to any earlier level, so all
/// levels would be read for each level (undirected: the last two, Munagala and Ranade 1999).
///
/// I/O: reads and writes each page touched, one at a time. Memory, charged: the cached pages and, if not all
/// fit, 12 bytes per page of bits; not charged: 16 bytes per cached page and a bit per page. Threads: one.
/// Throws: EnvironmentError, MemoryLimitError.
class VisitedPages {
 public:
  /// Caches as many pages as fit into `memory_bytes`, at least one.
  VisitedPages(core::Environment& environment, std::uint64_t nodes, std::size_t memory_bytes);
  /// Bytes of the cached pages.
  static std::size_t bytes_for(std::uint64_t nodes, std::size_t memory_bytes) {
    return places_for(nodes, memory_bytes) * page_bytes;
  }

  /// Sets the bit of a node; true if it was 0.
  bool visit(std::uint64_t node);
  /// True if the bit of a node is set.
  bool test(std::uint64_t node);

 private:
  static constexpr std::size_t page_bytes = core::page_bytes;
  static constexpr std::uint64_t page_nodes = page_bytes * 8;
  struct Place {
    std::uint64_t page = ~std::uint64_t{0};
    bool changed = false;
  };
  std::uint64_t* load(std::uint64_t page);
  static std::uint64_t pages_for(std::uint64_t nodes) {
    return std::max<std::uint64_t>(1, core::divide_up(nodes, page_nodes));
  }
  static std::size_t places_for(std::uint64_t nodes, std::size_t memory_bytes) {
    return static_cast<std::size_t>(
        std::clamp<std::uint64_t>(memory_bytes / page_bytes, 1, pages_for(nodes)));
  }

  core::Environment& environment_;
  core::BlockList blocks_;
  std::vector<bool> written_;  ///< pages that are on disk; others are zero. 1 bit per 32,768 nodes
  core::Buffer memory_;
  std::vector<Place> places_;
};

}  // namespace emgraph::graph
