// SPDX-License-Identifier: MIT
// Pairs of nodes, spilled to one chain of blocks per node range and read range by range.
//
// A pair (first, second) goes to the range of its first node and is packed without the bits that the range
// implies: 6 bytes for 2^24 nodes in 8 ranges. All messages of the external model have this form:
//   edges     (larger end, smaller end), ranges are read from the highest to the lowest;
//   requests  (node, asker), and answers (asker, label), from the lowest to the highest;
//   counts    (label, nodes - 1), at the end.
// They share one pool; the chains lie in the order in which they are taken in, so that the last ones are
// written first.
//
// I/O: pair_bytes out and in per pair that does not stay in memory. Memory: the pool, as planned, and the
// lists of its chains. Threads: a Writer each; a chain is read by several at once. Throws: MemoryLimitError,
// EnvironmentError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/environment.hpp"
#include "core/io/state_stream.hpp"
#include "core/spill/block_store.hpp"
#include "core/spill/open_blocks.hpp"
#include "graph/cc/contraction_plan.hpp"

namespace emgraph::graph::cc {

enum class PairKind { edges, requests, answers, counts };

class RangePairs {
 public:
  /// Memory of empty chains.
  static std::size_t list_bytes(std::size_t ranges) { return 4 * ranges * chain_bytes; }

  /// `state`: what save() has written, with the same ranges and blocks; null: no pairs.
  RangePairs(core::Environment& environment, const ContractionPlan& plan, core::StateReader* state = nullptr);
  RangePairs(const RangePairs&) = delete;

  const ContractionPlan& plan() const { return plan_; }

  /// Writes all pairs to disk, and describes them. The blocks must be kept. Requires: all writers have
  /// finished, and no chain is being read.
  void save(core::StateWriter& to);

  /// The space on disk of this number of pairs, for a forecast. `open`: partly filled blocks among theirs.
  std::uint64_t spilled_bytes(std::uint64_t pairs, std::uint64_t open) const {
    const std::uint64_t block_pairs = (plan_.block_bytes - sizeof(std::uint64_t)) / plan_.pair_bytes;
    return store_.writer.spilled_bytes(core::size_sum(pairs / block_pairs, open));
  }

  /// One thread's end of a kind.
  class Writer {
   public:
    Writer(RangePairs& pairs, PairKind kind)
        : pairs_(pairs),
          open_(pairs.store_.writer, pairs.chains(kind), pairs.plan_.ranges, pairs.plan_.pair_bytes,
                sizeof(std::uint64_t)) {}  // the last pair is stored as a whole word

    void push(std::uint64_t first, std::uint64_t second) {
      const std::size_t range = pairs_.table_[first >> pairs_.plan_.cell_shift];
      const std::uint64_t pair = (first - pairs_.plan_.begin(range)) << pairs_.plan_.id_bits | second;
      std::memcpy(open_.add(range), &pair, sizeof pair);
    }
    /// Passes the pairs of a range to the store. Must be called before the range is read.
    void finish(std::size_t range) { open_.finish(range); }
    void finish() { open_.finish(); }

   private:
    const RangePairs& pairs_;
    core::OpenBlocks open_;
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
  // An upper estimate of a chain without blocks and an open block for each of the threads that write to it.
  static constexpr std::size_t chain_bytes = 768;

  core::ChainSeries chains(PairKind kind) const;

  const ContractionPlan plan_;
  core::Reservation lists_;
  core::BlockStore store_;
  std::vector<std::uint16_t> table_;  ///< cell to range
};

template <class Take>
void RangePairs::read(PairKind kind, std::size_t range, unsigned threads, Take&& take) {
  const std::size_t chain = chains(kind)[range];
  store_.reader.start_reading(chain, chain + 1);
  store_.reader.consume_on_threads(chain, threads,
                                   [&](unsigned thread, const std::byte* data, std::size_t count) {
                                     take(thread, Block(plan_, plan_.begin(range), data, count));
                                   });
  store_.reader.drop_blocks(chain);
}

}  // namespace emgraph::graph::cc
