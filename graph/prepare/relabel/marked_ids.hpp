// SPDX-License-Identifier: MIT
// A bit vector with ranks: numbers ids that are not too sparse.
//
// Problem: find the rank of an id among all that occur, where all ids are below a bound. Method: one pass
// sets the bit of every id that occurs. For every word of 64 bits the number of bits set in earlier words is
// stored, so a rank takes one addition and one population count. Source: Jacobson 1989, "Space-efficient
// static trees and graphs", doi 10.1109/SFCS.1989.63533.
//
// I/O: none. Memory: 12 bytes per 64 ids up to the largest. Threads: any number may call `mark` at once.
// Throws: MemoryLimitError.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory/buffer.hpp"
#include "core/memory/growing_array.hpp"
#include "graph/prepare/relabel/id_ranks.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::relabel {

class MarkedIds final : public IdRanks {
 public:
  /// The largest bound for which `bytes` of memory suffice.
  static std::uint64_t bound(std::size_t bytes);

  /// The bytes that ids up to `largest` take.
  static std::uint64_t bytes_for(std::uint64_t largest);

  /// Ids must be below `bound`, which is at most 2^32.
  MarkedIds(core::MemoryBudget& budget, std::uint64_t bound);

  /// Marks both ends of the edges. False: an id is not below the bound; the object is unusable then.
  template <class Id>
  bool mark(std::span<const Edge<Id>> edges) {
    Id largest = 0;
    for (const Edge<Id>& edge : edges) {
      if (edge.source > largest) largest = edge.source;
      if (edge.target > largest) largest = edge.target;
    }
    if (largest >= bound_) return false;
    if (edges.empty()) return true;
    words_.reach((static_cast<std::uint64_t>(largest) >> 6) + 1);
    for (const Edge<Id>& edge : edges) {
      set(edge.source);
      set(edge.target);
    }
    return true;
  }
  /// Call after the last mark(): computes the ranks.
  void finish();

  std::uint64_t size() const override { return size_; }
  std::optional<std::uint64_t> replace(std::span<std::uint64_t> ids) const override;
  void write(NodeSink<std::uint64_t>& sink) const override;

 private:
  void set(std::uint64_t id) {
    const std::atomic_ref<std::uint64_t> word(words_[id >> 6]);
    const std::uint64_t bit = std::uint64_t{1} << (id & 63);
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  }

  core::MemoryBudget& budget_;
  const std::uint64_t bound_;
  core::GrowingArray<std::uint64_t> words_;
  core::Array<std::uint32_t> before_;  ///< bits set in earlier words
  std::uint64_t size_ = 0;
};

}  // namespace emgraph::graph::relabel
