// SPDX-License-Identifier: MIT
// A hash table that numbers labels in the order of their first occurrence, as many labels as fit.
//
// Problem: find the number of a label; most labels occur many times.
// Method: open addressing with linear probing. A slot of 16 bytes holds 88 bits of hash and a number of 40
// bits. The home slot of a hash is proportional to the hash, so that growing to twice the size reads and
// writes both tables in order. A full table adds no labels, and reports labels that it does not hold. Source:
// Knuth, The Art of Computer Programming 3, 6.4 (linear probing at load 0.7: 2.2 slots for a label in the
// table, 6.1 for one not in the table).
//
// I/O: none. Memory: 16 bytes per slot, at most 0.7 of them filled; while growing also the previous table.
// Threads: one. Throws: MemoryLimitError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/integers.hpp"
#include "core/base/prefetch.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/text/label_text.hpp"

namespace emgraph::graph::relabel {

class LabelTable {
 public:
  /// Takes at most `bytes` at a time. Holds fewer than 2^32 - 1 labels.
  LabelTable(core::MemoryBudget& budget, std::size_t bytes);

  /// Labels for which `bytes` suffice.
  static std::uint64_t most_labels(std::size_t bytes);
  /// The most bytes that so many labels take while they are added.
  static std::uint64_t most_bytes(std::uint64_t labels);

  /// Prefetches the home slot for find() and number().
  void prefetch(core::uint128 hash) const { core::prefetch(slots_.data() + home(hash)); }

  struct Number {
    std::uint32_t value = 0;
    bool known = false;  ///< false: the label is new, and there is no space for it
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
  /// Number of labels in the table; their numbers are 0 … size() - 1.
  std::uint64_t size() const { return size_; }

 private:
  static constexpr unsigned number_bits = 128 - format::label_hash_bits;
  static constexpr core::uint128 number_mask = core::low_mask<core::uint128>(number_bits);

  std::size_t home(core::uint128 hash) const {
    const auto top = static_cast<std::uint64_t>(hash >> (format::label_hash_bits - 64));
    return static_cast<std::size_t>(static_cast<core::uint128>(top) * slots_.size() >> 64);
  }
  /// The slot of the hash, or the free slot for it.
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
  std::uint64_t most_ = 0;  ///< most labels for the current number of slots
  bool full_ = false;
};

}  // namespace emgraph::graph::relabel
