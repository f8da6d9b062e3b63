// SPDX-License-Identifier: MIT
// The nodes of one bucket of the external search, with tentative distances.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::sssp {

/// A distance that a node can have, as a word (distances.hpp). Without padding, because the queue may be on
/// disk.
template <class Id>
struct __attribute__((packed, aligned(alignof(Id)))) Candidate {
  std::uint64_t distance;
  Id node;
  /// By distance, then by node: the order of the queue.
  bool operator<(const Candidate& other) const {
    return distance != other.distance ? distance < other.distance : node < other.node;
  }
};

/// Nodes in ascending order with their least known distances. Those whose lists must be read are pending.
///
/// Method: candidates are collected, sorted by node, and merged with the nodes. Memory: 3 arrays of 1/2 or
/// 3/2 capacity() elements, charged. Throws: the constructor MemoryLimitError.
template <class Id>
class ExternalBucket {
 public:
  struct Entry {
    std::uint64_t distance;
    Id node;
    bool pending;
  };

  /// The memory of a bucket that holds so many nodes.
  static constexpr std::uint64_t bytes_for(std::uint64_t nodes) {
    return core::size_product(std::max<std::uint64_t>(nodes + 2, 1024), bytes_per_node);
  }

  ExternalBucket(core::MemoryBudget& budget, std::size_t memory_bytes)
      : capacity_(std::max<std::size_t>(1024, memory_bytes / bytes_per_node / 2 * 2)),
        fresh_(budget, capacity_ / 2, "candidates of a bucket"),
        entries_(budget, capacity_ + capacity_ / 2, "nodes of a bucket"),
        nodes_(budget, capacity_ + capacity_ / 2, "pending nodes of a bucket") {}

  /// Nodes that it should hold; a merge can leave half as many more.
  std::size_t capacity() const { return capacity_; }
  std::size_t size() const { return count_; }
  std::span<const Entry> entries() const { return {entries_.data(), count_}; }
  void clear() { count_ = fresh_count_ = 0; }
  /// Takes as much memory as a new bucket would, and frees its own afterwards. Requires: it is not smaller
  /// then, and has no collected candidates.
  void grow(core::MemoryBudget& budget, std::size_t memory_bytes) {
    ExternalBucket larger(budget, memory_bytes);
    std::copy_n(entries_.data(), count_, larger.entries_.data());
    larger.count_ = count_;
    *this = std::move(larger);
  }

  bool full() const { return fresh_count_ == fresh_.size(); }
  /// Requires: not full().
  void collect(const Candidate<Id>& candidate) { fresh_[fresh_count_++] = candidate; }

  /// Merges the collected candidates for which wanted(node) is true; it is called for ascending nodes, once
  /// for each new one. New nodes and those whose distances fell are then pending. The number of the latter.
  /// Requires: size() <= capacity().
  template <class Wanted>
  std::size_t merge(Wanted&& wanted) {
    const std::span<Candidate<Id>> fresh = fresh_.span().first(std::exchange(fresh_count_, 0));
    std::sort(fresh.begin(), fresh.end(), [](const Candidate<Id>& a, const Candidate<Id>& b) {
      return a.node != b.node ? a.node < b.node : a.distance < b.distance;
    });
    std::size_t lowered = 0;
    std::size_t at = 0;
    std::size_t added = 0;
    Id last = 0;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      const Candidate<Id> candidate = fresh[i];
      // A copy: the place before may have another candidate by now.
      if (i > 0 && last == candidate.node) continue;
      last = candidate.node;
      while (at < count_ && entries_[at].node < candidate.node) ++at;
      if (at < count_ && entries_[at].node == candidate.node) {
        Entry& entry = entries_[at];
        if (entry.distance <= candidate.distance) continue;
        lowered += !entry.pending;
        entry = {candidate.distance, candidate.node, true};
      } else if (wanted(candidate.node)) {
        fresh[added++] = candidate;
      }
    }
    // From the back, so that no entry is overwritten before it has moved.
    std::size_t out = count_ + added;
    std::size_t old = std::exchange(count_, out);
    while (added > 0) {
      if (old > 0 && entries_[old - 1].node > fresh[added - 1].node) {
        entries_[--out] = entries_[--old];
      } else {
        --added;
        entries_[--out] = {fresh[added].distance, fresh[added].node, true};
      }
    }
    return lowered;
  }

  /// A distance that about 7/8 capacity() nodes are nearer than, by a sample of the nodes. Requires: size() >
  /// capacity(), and no collected candidates.
  std::uint64_t cut_distance() {
    constexpr std::size_t step = 3;
    std::size_t count = 0;
    for (std::size_t i = 0; i < count_; i += step) fresh_[count++] = {entries_[i].distance, entries_[i].node};
    const auto sample = fresh_.span().first(count);
    const auto place = sample.begin() + static_cast<std::ptrdiff_t>((capacity_ - capacity_ / 8) / step);
    std::nth_element(sample.begin(), place, sample.end());
    return place->distance;
  }

  /// Hands the nodes at distances of at least `end` to give_back(Candidate<Id>) and forgets them.
  template <class GiveBack>
  void cut(std::uint64_t end, GiveBack&& give_back) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (entries_[i].distance < end) {
        entries_[kept++] = entries_[i];
      } else {
        give_back(Candidate<Id>{entries_[i].distance, entries_[i].node});
      }
    }
    count_ = kept;
  }

  /// The pending nodes, ascending.
  std::span<const Id> pending() {
    std::size_t count = 0;
    for (const Entry& entry : entries()) {
      if (entry.pending) nodes_[count++] = entry.node;
    }
    return nodes_.span().first(count);
  }
  /// No node is pending afterwards.
  void clear_pending() {
    for (Entry& entry : entries_.span().first(count_)) entry.pending = false;
  }

 private:
  static constexpr std::size_t bytes_per_node =
      sizeof(Candidate<Id>) / 2 + 3 * (sizeof(Entry) + sizeof(Id)) / 2;

  std::size_t capacity_;
  core::Array<Candidate<Id>> fresh_;
  core::Array<Entry> entries_;
  core::Array<Id> nodes_;  // pending ones, for pending()
  std::size_t fresh_count_ = 0;
  std::size_t count_ = 0;
};

}  // namespace emgraph::graph::sssp
