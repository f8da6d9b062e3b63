// SPDX-License-Identifier: MIT
// One bit per node, in memory, charged to the budget.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/prefetch.hpp"
#include "core/io/state_stream.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph {

/// `size` bits, initially 0. Memory: size / 8 bytes, rounded up to a word. Threads: any number of readers, or
/// one writer; more by the members that say so.
class NodeBits {
 public:
  NodeBits() = default;
  NodeBits(core::MemoryBudget& budget, std::uint64_t size, std::string_view what)
      : words_(budget, words_for(size), what), size_(size) {}

  static std::size_t words_for(std::uint64_t size) {
    return static_cast<std::size_t>(size / 64 + (size % 64 != 0));
  }
  static std::size_t bytes_for(std::uint64_t size) { return words_for(size) * 8; }

  std::uint64_t size() const { return size_; }
  bool test(std::uint64_t i) const { return (words_[i >> 6] >> (i & 63) & 1) != 0; }
  void set(std::uint64_t i) { words_[i >> 6] |= std::uint64_t{1} << (i & 63); }
  void reset(std::uint64_t i) { words_[i >> 6] &= ~(std::uint64_t{1} << (i & 63)); }
  /// The same for one writer while other threads call test_shared(), which sees a bit at once or later.
  void set_shared(std::uint64_t i) {
    const std::atomic_ref word(words_[i >> 6]);
    word.store(word.load(std::memory_order_relaxed) | std::uint64_t{1} << (i & 63),
               std::memory_order_relaxed);
  }
  /// For several writers.
  void set_by_any(std::uint64_t i) {
    std::atomic_ref(words_[i >> 6]).fetch_or(std::uint64_t{1} << (i & 63), std::memory_order_relaxed);
  }
  bool test_shared(std::uint64_t i) const {
    return (std::atomic_ref(words_[i >> 6]).load(std::memory_order_relaxed) >> (i & 63) & 1) != 0;
  }
  /// Bit i is bit i mod 64 of word i / 64.
  std::span<const std::uint64_t> words() const { return words_.span(); }
  void prefetch(std::uint64_t i) const { core::prefetch(words_.data() + (i >> 6)); }

  /// Calls `take(i)` for every i with bit 0, ascending.
  template <class Take>
  void for_each_zero(Take&& take) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      const std::uint64_t first = static_cast<std::uint64_t>(w) * 64;
      std::uint64_t zeros = ~words_[w];
      if (size_ - first < 64) zeros &= (std::uint64_t{1} << (size_ - first)) - 1;
      for (; zeros != 0; zeros &= zeros - 1)
        take(first + static_cast<std::uint64_t>(std::countr_zero(zeros)));
    }
  }

  /// The number of bits 0 below `end`.
  std::uint64_t zeros_below(std::uint64_t end) const {
    std::uint64_t ones = 0;
    for (std::size_t w = 0; w < end / 64; ++w) ones += static_cast<unsigned>(std::popcount(words_[w]));
    if (end % 64 != 0) {
      const std::uint64_t last = words_[end / 64] & ((std::uint64_t{1} << (end % 64)) - 1);
      ones += static_cast<unsigned>(std::popcount(last));
    }
    return end - ones;
  }

  /// Clears the bits that are 0 in `other`, which has the same size.
  void keep_common(const NodeBits& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
  }

  void save(core::StateWriter& to) const { to.array(words()); }
  /// Requires: the bits saved have the same size.
  void restore(core::StateReader& from) { from.array(words_.span()); }

  void clear() {
    for (std::uint64_t& word : words_.span()) word = 0;
  }

 private:
  core::Array<std::uint64_t> words_;
  std::uint64_t size_ = 0;
};

}  // namespace emgraph::graph
