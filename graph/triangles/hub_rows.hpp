// SPDX-License-Identifier: MIT
// The adjacency of the nodes of largest degree among themselves, one bit per pair.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/memory/buffer.hpp"
#include "graph/triangles/lists.hpp"

namespace emgraph::graph::triangles {

/// Row v < size(): bit w is set iff w < v is a neighbour of v. Rows are rounded up to whole lines of 512
/// bits; row v has v / 512 + 1 of them. Memory: about size² / 16 bytes. Threads: rows are independent.
class HubRows {
 public:
  static constexpr std::size_t line_words = 8;
  static constexpr std::size_t line_bits = 512;

  HubRows() = default;
  HubRows(core::MemoryBudget& budget, Rank size)
      : words_(budget, first_line(size) * line_words, "one bit per pair of hubs"), size_(size) {}

  static std::size_t bytes_for(Rank size) { return first_line(size) * line_words * sizeof(std::uint64_t); }

  Rank size() const { return size_; }
  const std::uint64_t* words() const { return words_.data(); }

  /// Line that row v begins with: rows 512 q … 512 q + 511 have q + 1 lines each.
  static std::size_t first_line(Rank v) {
    const std::size_t q = v / line_bits;
    return line_bits * (q * (q + 1) / 2) + v % line_bits * (q + 1);
  }
  static std::size_t lines(Rank v) { return v / line_bits + 1; }

  void set(Rank v, Rank w) const {
    words_[first_line(v) * line_words + w / 64] |= std::uint64_t{1} << (w % 64);
  }

 private:
  core::Array<std::uint64_t> words_;
  Rank size_ = 0;
};

}  // namespace emgraph::graph::triangles
