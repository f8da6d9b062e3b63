// SPDX-License-Identifier: MIT
// Hashes of labels to numbers, in the order in which they come first; the first ones, as many as there is
// room for.
//
// Problem: the number of a label among all, most of them asked for again and again. Method: open addressing
// with linear probing, slots of 16 bytes that hold a hash of 88 bits above a number of 40; the home slot of a
// hash is its place in proportion, so that growing to twice the size reads and writes both tables in order.
// Once full the table takes no more labels, and tells which ones it does not have. Source: Knuth, The Art of
// Computer Programming 3, 6.4 (linear probing: 2.2 slots for a label that is there, 6.1 for one that is not,
// at 0.7 full).
//
// I/O: none. Memory: 16 bytes per slot, at most 0.7 of them filled; while growing also the table before.
// Threads: one. Throws: MemoryLimitError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/integers.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/text/label_text.hpp"

namespace emgraph::graph::relabel {

class LabelTable {
 public:
  /// Takes at most `bytes` at a time. Never holds 2^32 - 1 labels or more.
  LabelTable(core::MemoryBudget& budget, std::size_t bytes);

  /// Loads what find() and number() will look at.
  void prefetch(core::uint128 hash) const { __builtin_prefetch(slots_.data() + home(hash)); }

  struct Number {
    std::uint32_t value = 0;
    bool known = false;  ///< false: no room for a label that is new
    bool added = false;  ///< the label is new
  };
  Number number(core::uint128 hash) {
    const std::size_t slot = find_slot(hash);
    const core::uint128 found = slots_[slot];
    if (found != 0) return {.value = static_cast<std::uint32_t>((found & number_mask) - 1), .known = true};
    if (full_) return {};
    return add(hash, slot);
  }
  std::optional<std::uint64_t> find(core::uint128 hash) const {
    const core::uint128 found = slots_[find_slot(hash)];
    if (found == 0) return std::nullopt;
    return static_cast<std::uint64_t>(found & number_mask) - 1;
  }
  /// How many labels it has: all below have numbers.
  std::uint64_t size() const { return size_; }

 private:
  static constexpr unsigned number_bits = 128 - format::label_hash_bits;
  static constexpr core::uint128 number_mask = core::low_mask<core::uint128>(number_bits);

  std::size_t home(core::uint128 hash) const {
    const auto top = static_cast<std::uint64_t>(hash >> (format::label_hash_bits - 64));
    return static_cast<std::size_t>(static_cast<core::uint128>(top) * slots_.size() >> 64);
  }
  /// Where the hash stands, or the free slot where it would.
  std::size_t find_slot(core::uint128 hash) const {
    std::size_t slot = home(hash);
    while (slots_[slot] != 0 && slots_[slot] >> number_bits != hash) {
      if (++slot == slots_.size()) slot = 0;
    }
    return slot;
  }
  Number add(core::uint128 hash, std::size_t slot);
  bool grow();

  core::MemoryBudget& budget_;
  const std::size_t most_slots_;
  core::Array<core::uint128> slots_;  ///< hash above number + 1; 0: free
  std::uint64_t size_ = 0;
  std::uint64_t most_ = 0;  ///< labels in so many slots
  bool full_ = false;
};

}  // namespace emgraph::graph::relabel
