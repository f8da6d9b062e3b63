// SPDX-License-Identifier: MIT
// A bit per node that several threads set.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/prefetch.hpp"
#include "core/memory/buffer.hpp"
#include "graph/node_bits.hpp"

namespace emgraph::graph {

/// `size` bits, initially 0, that several threads can set at once. Memory: size / 8 bytes, rounded up to a
/// word. Threads: any number for bits; in words() at most one per word. Relaxed, but where an order is given.
class AtomicBits {
 public:
  AtomicBits() = default;
  AtomicBits(core::MemoryBudget& budget, std::uint64_t size, std::string_view what)
      : words_(budget, NodeBits::words_for(size), what) {}

  bool test(std::uint64_t i) const {
    const std::atomic_ref<std::uint64_t> word(words_[static_cast<std::size_t>(i >> 6)]);
    return (word.load(std::memory_order_relaxed) >> (i & 63) & 1) != 0;
  }
  /// Sets a bit; true if it was 0.
  bool set(std::uint64_t i, std::memory_order order = std::memory_order_relaxed) {
    const std::atomic_ref<std::uint64_t> word(words_[static_cast<std::size_t>(i >> 6)]);
    const std::uint64_t bit = std::uint64_t{1} << (i & 63);
    if ((word.load(order) & bit) != 0) return false;
    return (word.fetch_or(bit, order) & bit) == 0;
  }
  void reset(std::uint64_t i, std::memory_order order = std::memory_order_relaxed) {
    const std::atomic_ref<std::uint64_t> word(words_[static_cast<std::size_t>(i >> 6)]);
    word.fetch_and(~(std::uint64_t{1} << (i & 63)), order);
  }
  /// Fetches the word of a bit, in order to write it.
  void prefetch(std::uint64_t i) const { core::prefetch(words_.data() + (i >> 6)); }
  /// True if bits [first, end) contain a 1, or a 0.
  bool any_one(std::uint64_t first, std::uint64_t end) const { return next_one(first, end) != end; }
  bool any_zero(std::uint64_t first, std::uint64_t end) const {
    return next(first, end, ~std::uint64_t{0}) != end;
  }
  /// The first i in [first, end) whose bit is 1, or `end`. Requires: first <= end.
  std::uint64_t next_one(std::uint64_t first, std::uint64_t end) const { return next(first, end, 0); }

  std::span<std::uint64_t> words() { return words_.span(); }
  std::span<const std::uint64_t> words() const { return words_.span(); }

  /// Calls take(i) for the bits that are 1 in words [first, end), ascending.
  template <class Take>
  void for_each_one(std::size_t first, std::size_t end, Take&& take) const {
    for (std::size_t w = first; w < end; ++w) {
      for (std::uint64_t ones = words_[w]; ones != 0; ones &= ones - 1) {
        take(static_cast<std::uint64_t>(w) * 64 + static_cast<std::uint64_t>(std::countr_zero(ones)));
      }
    }
  }

 private:
  // The first bit that differs from those of `plain`.
  std::uint64_t next(std::uint64_t first, std::uint64_t end, std::uint64_t plain) const {
    while (first < end) {
      const std::atomic_ref<std::uint64_t> word(words_[static_cast<std::size_t>(first >> 6)]);
      const std::uint64_t bits = (word.load(std::memory_order_relaxed) ^ plain) >> (first & 63);
      if (bits != 0) return std::min(first + static_cast<std::uint64_t>(std::countr_zero(bits)), end);
      first = (first | 63) + 1;
    }
    return end;
  }

  core::Array<std::uint64_t> words_;
};

}  // namespace emgraph::graph
