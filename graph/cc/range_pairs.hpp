// SPDX-License-Identifier: MIT
// Pairs of nodes, spilled to one chain of blocks per node range and taken in range by range.
//
// A pair (first, second) goes to the range of its first node and is packed without the bits that the range
// implies: 6 bytes for 2^24 nodes in 8 ranges. All traffic of the external model has this form:
//   edges     (larger end, smaller end), ranges taken in from the highest to the lowest;
//   requests  (node, asker), and answers (asker, label), from the lowest to the highest;
//   counts    (label, nodes - 1), at the end.
// They share one pool; the chains lie in the order in which they are taken in, so that the last ones are
// written first.
//
// I/O: pair_bytes out and in per pair that does not stay in memory. Memory: the pool, as planned, and the
// lists of its chains. Threads: a lane each; a chain is read by many at once. Throws: MemoryLimitError,
// EnvironmentError.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/environment.hpp"
#include "core/spill/block_store.hpp"
#include "graph/cc/contraction_plan.hpp"

namespace emgraph::graph::cc {

enum class PairKind { edges, requests, answers, counts };

class RangePairs {
 public:
  /// Bookkeeping of empty chains.
  static std::size_t list_bytes(std::size_t ranges) { return 4 * ranges * chain_bytes; }

  RangePairs(core::Environment& environment, const ContractionPlan& plan);
  RangePairs(const RangePairs&) = delete;

  const ContractionPlan& plan() const { return plan_; }
  std::uint64_t pairs(PairKind kind, std::size_t range) { return store_.chain(chain(kind, range)).records; }

  /// One thread's end of a kind. The blocks that it fills go to the store when they are full.
  class Lane {
   public:
    Lane(RangePairs& pairs, PairKind kind);
    ~Lane();
    Lane(const Lane&) = delete;

    void push(std::uint64_t first, std::uint64_t second) {
      const std::size_t range = pairs_.table_[first >> pairs_.plan_.cell_shift];
      Open& open = open_[range];
      if (open.at == open.end) [[unlikely]]
        next_block(range);
      const std::uint64_t pair = (first - open.base) << pairs_.plan_.id_bits | second;
      std::memcpy(open.at, &pair, sizeof pair);
      open.at += pairs_.plan_.pair_bytes;
    }
    /// Hands on what has come for a range; to be called before it is read.
    void finish(std::size_t range);
    void finish();

   private:
    struct Open {
      std::byte* at = nullptr;
      std::byte* end = nullptr;  ///< a whole pair may be stored before it
      std::byte* buffer = nullptr;
      std::uint64_t base = 0;
    };
    void next_block(std::size_t range);
    RangePairs& pairs_;
    const PairKind kind_;
    std::vector<Open> open_;
  };

  /// Calls `take(thread, pairs of a block)` for all pairs of a chain and frees it; `take` gets a Block.
  template <class Take>
  void read(PairKind kind, std::size_t range, unsigned threads, Take&& take);

  /// The pairs of a block in memory.
  class Block {
   public:
    Block(const ContractionPlan& plan, std::uint64_t base, const std::byte* data, std::size_t count)
        : plan_(plan), base_(base), data_(data), count_(count) {}
    std::size_t size() const { return count_; }
    struct Pair {
      std::uint64_t first;
      std::uint64_t second;
    };
    Pair operator[](std::size_t i) const {
      std::uint64_t word;
      std::memcpy(&word, data_ + i * plan_.pair_bytes, sizeof word);
      if (plan_.pair_bytes < sizeof word) word &= (std::uint64_t{1} << (8 * plan_.pair_bytes)) - 1;
      const std::uint64_t second = word & ((std::uint64_t{1} << plan_.id_bits) - 1);
      return {base_ + (word >> plan_.id_bits), second};
    }

   private:
    const ContractionPlan& plan_;
    const std::uint64_t base_;
    const std::byte* const data_;
    const std::size_t count_;
  };

 private:
  // A std::deque without elements takes some 600 bytes.
  static constexpr std::size_t chain_bytes = 768;

  std::size_t chain(PairKind kind, std::size_t range) const;
  /// Number of the next block of the chain and its bytes; null at the end.
  const std::byte* load_next(std::size_t chain, std::size_t& block);

  const ContractionPlan plan_;
  core::Reservation lists_;
  core::BlockStore store_;
  std::vector<std::uint16_t> table_;  ///< cell to range
  std::mutex mutex_;                  // guards the place of reading
  std::size_t next_block_ = 0;
};

template <class Take>
void RangePairs::read(PairKind kind, std::size_t range, unsigned threads, Take&& take) {
  const std::size_t chain = this->chain(kind, range);
  const std::size_t blocks = store_.chain(chain).blocks.size();
  if (blocks == 0) return;
  next_block_ = 0;
  store_.start_reading(chain, chain + 1);
  std::atomic<bool> stop{false};
  const auto share = static_cast<unsigned>(std::min<std::size_t>(threads, blocks));
  core::run_on_threads(share, [&](unsigned thread) {
    try {
      std::size_t block = 0;
      while (!stop.load(std::memory_order_relaxed)) {
        const std::byte* const data = load_next(chain, block);
        if (data == nullptr) break;
        take(thread, Block(plan_, plan_.begin(range), data, store_.chain(chain).blocks[block].records));
        store_.release(chain, block);
      }
    } catch (...) {
      stop.store(true);
      throw;
    }
  });
  store_.drop_blocks(chain);
}

}  // namespace emgraph::graph::cc
