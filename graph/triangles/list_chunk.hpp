// SPDX-License-Identifier: MIT
// The lists of consecutive sources in memory: all of them (internal), or as many as fit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory/buffer.hpp"
#include "graph/triangles/hub_rows.hpp"
#include "graph/triangles/intersect_kernel.hpp"

namespace emgraph::graph::triangles {

/// Offsets and targets. Memory: 4 bytes per edge and per source of the range, reserved on construction.
/// Requires: less than 2^32 edges.
class ListChunk {
 public:
  ListChunk() = default;
  ListChunk(core::MemoryBudget& budget, std::uint64_t most_edges, std::uint64_t most_sources)
      : offsets_(budget, static_cast<std::size_t>(most_sources) + 1, "4 bytes per source of a chunk"),
        targets_(budget, static_cast<std::size_t>(most_edges) + list_slack, "4 bytes per edge of a chunk") {}

  static std::uint64_t bytes_for(std::uint64_t edges, std::uint64_t sources) {
    return (edges + sources + list_slack + 1) * sizeof(Rank) + 2 * core::page_bytes;
  }

  Rank first() const { return first_; }
  Rank end() const { return end_; }
  std::size_t lists() const { return end_ - first_; }
  std::size_t edges() const { return edges_; }

  /// Forgets its lists; the next ones begin with source `first`.
  void restart(Rank first) {
    first_ = end_ = first;
    edges_ = 0;
    offsets_[0] = 0;
  }
  /// Next edge; ascending by (source, target), from restart's source on.
  void add(Rank source, Rank target) {
    if (source >= end_) open(source);
    targets_[edges_++] = target;
  }
  void add_list(Rank source, std::span<const Rank> targets) {
    open(source);
    std::copy(targets.begin(), targets.end(), targets_.data() + edges_);
    edges_ += targets.size();
  }
  /// No more edges come.
  void finish() { offsets_[end_ - first_] = static_cast<std::uint32_t>(edges_); }

  ChunkView view(const HubRows& hubs) const {
    return {.first = first_,
            .end = end_,
            .offsets = offsets_.data(),
            .targets = targets_.data(),
            .hubs = hubs.size(),
            .hub_rows = hubs.words()};
  }
  /// Sources first() + begin … first() + end - 1.
  ListBatch batch(std::size_t begin, std::size_t end) const {
    return {.first_source = first_ + static_cast<Rank>(begin),
            .begins = offsets_.data() + begin,
            .ends = offsets_.data() + begin + 1,
            .targets = targets_.data(),
            .lists = end - begin};
  }

 private:
  void open(Rank source) {
    for (; end_ <= source; ++end_) offsets_[end_ - first_] = static_cast<std::uint32_t>(edges_);
  }

  core::Array<std::uint32_t> offsets_;
  core::Array<Rank> targets_;
  Rank first_ = 0;
  Rank end_ = 0;
  std::size_t edges_ = 0;
};

}  // namespace emgraph::graph::triangles
