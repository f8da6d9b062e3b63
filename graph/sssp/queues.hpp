// SPDX-License-Identifier: MIT
// Monotone priority queues for searches by one thread: heap, one-level buckets, multi-level buckets.
//
// Keys are distances, and no key below the latest minimum is pushed. A node is pushed again when its distance
// falls; the search tells its older entries by their keys. So no queue has an operation that lowers a key.
// `next` returns the entries of the least key; an entry of that key that is pushed later comes in a later
// batch. Memory: the entries at a time, charged. Threads: one. Throws: MemoryLimitError.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/memory/buffer.hpp"
#include "core/memory/growing_array.hpp"
#include "graph/sssp/chunk_lists.hpp"

namespace emgraph::graph::sssp {

/// Nodes whose entries have the key; none at the end.
template <class Id>
struct QueueBatch {
  std::uint64_t key = 0;
  std::span<const Id> nodes;
};

/// A heap in which every entry has four children. Source: Johnson 1975, doi 10.1016/0020-0190(75)90001-0.
template <class Id>
class HeapQueue {
 public:
  explicit HeapQueue(core::MemoryBudget& budget) : entries_(budget, most_entries, "a heap") {}

  void push(std::uint64_t key, Id node) {
    entries_.reach(size_ + 1);
    std::uint64_t at = size_++;
    for (; at > 0; at = (at - 1) / 4) {
      const std::uint64_t parent = (at - 1) / 4;
      if (entries_[parent].key <= key) break;
      entries_[at] = entries_[parent];
    }
    entries_[at] = {key, node};
  }

  QueueBatch<Id> next() {
    if (size_ == 0) return {};
    const Entry least = entries_[0];
    const Entry last = entries_[--size_];
    std::uint64_t at = 0;
    for (;;) {
      const std::uint64_t first = 4 * at + 1;
      if (first >= size_) break;
      std::uint64_t child = first;
      const std::uint64_t end = std::min(first + 4, size_);
      for (std::uint64_t i = first + 1; i < end; ++i)
        child = entries_[i].key < entries_[child].key ? i : child;
      if (entries_[child].key >= last.key) break;
      entries_[at] = entries_[child];
      at = child;
    }
    if (size_ > 0) entries_[at] = last;
    node_ = least.node;
    return {least.key, {&node_, 1}};
  }

  /// The least key. Requires: not empty.
  std::uint64_t least() const { return entries_[0].key; }
  bool empty() const { return size_ == 0; }
  std::uint64_t size() const { return size_; }
  void clear() { size_ = 0; }

 private:
  static constexpr std::uint64_t most_entries = std::uint64_t{1} << 40;
  struct Entry {
    std::uint64_t key;
    Id node;
  };
  core::GrowingArray<Entry> entries_;
  std::uint64_t size_ = 0;
  Id node_ = 0;
};

/// One bucket for each key between the minimum and the minimum plus the longest arc, in a ring.
/// Source: Dial 1969, doi 10.1145/363269.363610. Memory also: 4 bytes per bucket.
template <class Id>
class DialQueue {
 public:
  DialQueue(core::MemoryBudget& budget, std::uint64_t longest_arc)
      : pool_(budget, "the buckets of Dial's queue"),
        buckets_(budget, buckets_for(longest_arc), "the buckets of Dial's queue"),
        used_(buckets_.size() / 64),
        mask_(buckets_.size() - 1) {
    std::fill(buckets_.span().begin(), buckets_.span().end(), ChunkList{});
  }

  static std::uint64_t buckets_for(std::uint64_t longest_arc) {
    return std::max<std::uint64_t>(64, std::bit_ceil(longest_arc + 1));
  }

  void push(std::uint64_t key, Id node) {
    const std::uint64_t bucket = key & mask_;
    used_[bucket / 64] |= std::uint64_t{1} << (bucket % 64);
    pool_.push(cache_, buckets_[bucket], node);
  }

  QueueBatch<Id> next() {
    if (taken_ != ChunkList::none) pool_.give_back(cache_, taken_);
    taken_ = ChunkList::none;
    std::uint64_t bucket = key_ & mask_;
    if (buckets_[bucket].empty() && !find(bucket)) return {};
    taken_ = buckets_[bucket].head;
    const auto& chunk = pool_.at(taken_);
    buckets_[bucket].head = chunk.next;
    if (chunk.next == ChunkList::none) used_[bucket / 64] &= ~(std::uint64_t{1} << (bucket % 64));
    return {key_, {chunk.entries, chunk.count}};
  }

  /// Nodes that will come soon; to be fetched from memory in advance.
  template <class Take>
  void look_ahead(Take&& take) const {
    for (std::uint64_t ahead = 1; ahead <= 2; ++ahead) {
      const std::uint32_t head = buckets_[(key_ + ahead) & mask_].head;
      if (head == ChunkList::none) continue;
      const auto& chunk = pool_.at(head);
      for (std::uint32_t i = 0; i < chunk.count; ++i) take(chunk.entries[i]);
    }
  }

 private:
  // Finds the next bucket with entries, and moves the minimum there.
  bool find(std::uint64_t& bucket) {
    const std::uint64_t words = used_.size();
    std::uint64_t word = bucket / 64;
    std::uint64_t bits = used_[word] & (~std::uint64_t{0} << (bucket % 64));
    for (std::uint64_t steps = 0; bits == 0; ++steps) {
      if (steps == words) return false;
      word = word + 1 == words ? 0 : word + 1;
      bits = used_[word];
    }
    const std::uint64_t found = word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
    key_ += (found - bucket) & mask_;
    bucket = found;
    return true;
  }

  static constexpr std::size_t chunk_bytes = 64;
  using Pool = ChunkPool<Id, chunk_bytes>;
  Pool pool_;
  typename Pool::Cache cache_;
  core::Array<ChunkList> buckets_;
  std::vector<std::uint64_t> used_;  ///< a bit per bucket: it has entries
  const std::uint64_t mask_;
  std::uint64_t key_ = 0;  ///< the minimum
  std::uint32_t taken_ = ChunkList::none;
};

/// Buckets in levels of 2^bits: a key is on the level of the highest digit in which it differs from the
/// minimum, in the bucket of its digit there. When level 0 is empty, the first bucket of the lowest level
/// with entries is spread over the levels below it. With one bit a digit this is the radix heap. Sources:
/// Denardo, Fox 1979, doi 10.1287/opre.27.1.161; Ahuja, Mehlhorn, Orlin, Tarjan 1990,
/// doi 10.1145/77600.77615; Goldberg 2008, doi 10.1137/070698774.
/// `Stale`: stale(key, node) is true for an entry that the search would pass over.
template <class Id, class Stale>
class LevelQueue {
 public:
  /// `bits`: of a digit, 1 to 16. One class serves all, because each kind of rows compiles a search for it.
  LevelQueue(core::MemoryBudget& budget, unsigned bits, Stale stale)
      : bits_(bits),
        words_((digits() + 63) / 64),
        pool_(budget, "the buckets of a queue"),
        buckets_(budget, levels() * digits(), "the buckets of a queue"),
        used_(levels() * words_),
        stale_(stale) {
    std::fill(buckets_.span().begin(), buckets_.span().end(), ChunkList{});
    for (unsigned bit = 0; bit < 64; ++bit) level_of_bit_[bit] = static_cast<std::uint8_t>(bit / bits);
  }

  void push(std::uint64_t key, Id node) {
    const unsigned level = level_of(key);
    const std::uint64_t digit = digit_of(key, level);
    used_[level * words_ + digit / 64] |= std::uint64_t{1} << (digit % 64);
    levels_used_ |= std::uint64_t{1} << level;
    pool_.push(cache_, bucket(level, digit), {key, node});
  }

  QueueBatch<Id> next() {
    while (levels_used_ != 0) {
      const auto level = static_cast<unsigned>(std::countr_zero(levels_used_));
      const std::uint64_t digit = first_digit(level);
      ChunkList& bucket = this->bucket(level, digit);
      if (level == 0) {
        const std::uint32_t head = bucket.head;
        const auto& chunk = pool_.at(head);
        key_ = chunk.entries[0].key;
        for (std::uint32_t i = 0; i < chunk.count; ++i) nodes_[i] = chunk.entries[i].node;
        const std::uint32_t count = chunk.count;
        bucket.head = chunk.next;
        pool_.give_back(cache_, head);
        if (bucket.empty()) clear_digit(0, digit);
        return {key_, {nodes_.data(), count}};
      }
      spread(level, digit, bucket);
    }
    return {};
  }

 private:
  static constexpr std::size_t chunk_bytes = 512;
  struct Entry {
    std::uint64_t key;
    Id node;
  };
  using Pool = ChunkPool<Entry, chunk_bytes>;

  std::uint64_t digits() const { return std::uint64_t{1} << bits_; }
  unsigned levels() const { return (64 + bits_ - 1) / bits_; }
  ChunkList& bucket(unsigned level, std::uint64_t digit) { return buckets_[(level << bits_) + digit]; }

  unsigned level_of(std::uint64_t key) const {
    const std::uint64_t differs = key ^ key_;
    return differs == 0 ? 0 : level_of_bit_[static_cast<std::size_t>(std::bit_width(differs) - 1)];
  }
  std::uint64_t digit_of(std::uint64_t key, unsigned level) const {
    return key >> (level * bits_) & (digits() - 1);
  }
  std::uint64_t first_digit(unsigned level) const {
    for (std::size_t word = 0;; ++word) {
      const std::uint64_t bits = used_[level * words_ + word];
      if (bits != 0) return word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
    }
  }
  void clear_digit(unsigned level, std::uint64_t digit) {
    used_[level * words_ + digit / 64] &= ~(std::uint64_t{1} << (digit % 64));
    for (std::size_t word = 0; word < words_; ++word) {
      if (used_[level * words_ + word] != 0) return;
    }
    levels_used_ &= ~(std::uint64_t{1} << level);
  }

  void spread(unsigned level, std::uint64_t digit, ChunkList& bucket) {
    const ChunkList list = bucket;
    bucket = {};
    clear_digit(level, digit);
    std::uint64_t least = ~std::uint64_t{0};
    for (std::uint32_t at = list.head; at != ChunkList::none; at = pool_.at(at).next) {
      const auto& chunk = pool_.at(at);
      for (std::uint32_t i = 0; i < chunk.count; ++i) {
        if (stale_(chunk.entries[i].key, chunk.entries[i].node)) continue;
        least = std::min(least, chunk.entries[i].key);
      }
    }
    if (least != ~std::uint64_t{0}) key_ = least;
    for (std::uint32_t at = list.head; at != ChunkList::none;) {
      const auto& chunk = pool_.at(at);
      for (std::uint32_t i = 0; i < chunk.count; ++i) {
        if (!stale_(chunk.entries[i].key, chunk.entries[i].node))
          push(chunk.entries[i].key, chunk.entries[i].node);
      }
      const std::uint32_t next = chunk.next;
      pool_.give_back(cache_, at);
      at = next;
    }
  }

  const unsigned bits_;
  const std::size_t words_;  ///< of `used_`, per level
  Pool pool_;
  typename Pool::Cache cache_;
  core::Array<ChunkList> buckets_;
  std::vector<std::uint64_t> used_;  ///< a bit per bucket: it has entries
  std::array<std::uint8_t, 64> level_of_bit_;
  Stale stale_;
  std::uint64_t key_ = 0;  ///< the minimum
  std::uint64_t levels_used_ = 0;
  std::array<Id, Pool::capacity> nodes_{};
};

}  // namespace emgraph::graph::sssp
