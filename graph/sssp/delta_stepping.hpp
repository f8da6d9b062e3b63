// SPDX-License-Identifier: MIT
// Delta-stepping on rows in memory: shortest paths on all threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/prefetch.hpp"
#include "core/base/thread_team.hpp"
#include "graph/sssp/chunk_lists.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/rows.hpp"

namespace emgraph::graph::sssp {

/// Buckets of the ring of delta-stepping; the last one also has what comes later.
inline constexpr std::uint64_t bucket_ring = 1024;

/// The least width of a bucket for arcs of at most this length: no arc leads beyond the ring, where entries
/// would be passed on ring after ring. Half of the ring, as integer widths are rounded down to powers of
/// two.
inline double least_bucket_width(double longest) {
  return std::max(longest / (bucket_ring / 2 - 1), std::numeric_limits<double>::min());
}

/// The number of the bucket of a distance. The width is a power of two for integers, any for doubles.
template <class Distances>
class BucketNumbers {
 public:
  /// `width`: at least 1 for integers; for doubles a normal number, so that its inverse is finite.
  explicit BucketNumbers(double width) {
    if constexpr (Distances::floating) {
      inverse_ = 1 / width;
    } else {
      shift_ = width < 2 ? 0 : static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(width)) - 1);
    }
  }
  std::uint64_t bucket(std::uint64_t distance) const {
    if constexpr (Distances::floating) {
      const double number = std::bit_cast<double>(distance) * inverse_;
      return number < 0x1p62 ? static_cast<std::uint64_t>(number) : std::uint64_t{1} << 62;
    } else {
      return distance >> shift_;
    }
  }

 private:
  unsigned shift_ = 0;
  double inverse_ = 1;
};

/// Problem: the distances of all nodes from a root, by all threads, the same whatever their number.
/// Requires: `width` is at least least_bucket_width() of the longest arc.
///
/// Method: nodes whose distance fell wait in the bucket of their distance; a bucket is emptied in rounds,
/// whose nodes are relaxed in any order by all threads with atomic minima. Nodes that come later than the
/// ring of buckets reaches wait in its last bucket. Each thread has its own buckets. What an entry needs is
/// fetched from memory some entries ahead. The distances are the least fixed point, which is unique, so the
/// order of the threads does not show. Source: Meyer, Sanders 2003, doi 10.1016/S0196-6774(03)00076-2. I/O:
/// none. Memory: the entries at a time, charged. Threads: those of the team. Throws: MemoryLimitError.
template <class Distances, class RowsType>
class DeltaStepping {
 public:
  using Id = typename RowsType::Id;

  DeltaStepping(core::MemoryBudget& budget, core::ThreadTeam& team, const RowsType& rows,
                std::span<std::uint64_t> distances, double width)
      : team_(team),
        rows_(rows),
        distance_(distances.data()),
        width_(width),
        pool_(budget, "the buckets of delta-stepping"),
        workers_(team.size()) {
    for (Worker& worker : workers_) worker.buckets.resize(ring);
  }

  /// Requires: the distances are `unreached`.
  void run(Id root) {
    distance_[root] = 0;
    push(workers_[0], 0, root);
    while (find_bucket()) {
      while (gather()) {
        if (entries_ < worth_sharing || team_.size() == 1) {
          relax_alone();
        } else {
          cursor_.store(0, std::memory_order_relaxed);
          team_.all([this](unsigned thread) { relax_shared(workers_[thread]); });
        }
      }
    }
  }

  std::uint64_t buckets() const { return buckets_; }
  std::uint64_t rounds() const { return rounds_; }

 private:
  static constexpr std::uint64_t ring = bucket_ring;
  static constexpr std::size_t chunk_bytes = 2048;
  // With fewer entries a round of all threads costs more than it gains.
  static constexpr std::uint64_t worth_sharing = 1024;
  // Chunks of its own bucket that a thread relaxes in the round that filled it.
  static constexpr std::size_t most_fused = 64;
  static constexpr std::size_t far_ahead = 16;
  static constexpr std::size_t near_ahead = 6;
  static constexpr std::size_t targets_ahead = 16;

  /// `mark`: bits of the distance; if the node's distance has other ones, the entry is stale.
  struct Entry {
    Id node;
    std::uint32_t mark;
  };
  using Pool = ChunkPool<Entry, chunk_bytes>;
  struct alignas(64) Worker {
    typename Pool::Cache cache;
    std::vector<ChunkList> buckets;
  };

  static std::uint32_t mark_of(std::uint64_t distance) {
    if constexpr (Distances::floating) {
      return static_cast<std::uint32_t>(distance ^ distance >> 32);
    } else {
      return static_cast<std::uint32_t>(distance);
    }
  }

  void push(Worker& worker, std::uint64_t distance, Id node) {
    const std::uint64_t bucket = std::min(width_.bucket(distance), current_ + ring - 1);
    pool_.push(worker.cache, worker.buckets[bucket % ring], {node, mark_of(distance)});
  }

  // Moves to the next bucket that has entries.
  bool find_bucket() {
    for (std::uint64_t ahead = 0; ahead < ring; ++ahead) {
      for (const Worker& worker : workers_) {
        if (worker.buckets[(current_ + ahead) % ring].empty()) continue;
        current_ += ahead;
        ++buckets_;
        return true;
      }
    }
    return false;
  }

  // Takes the chunks of the current bucket. False if there are none.
  bool gather() {
    chunks_.clear();
    entries_ = 0;
    for (Worker& worker : workers_) {
      ChunkList& bucket = worker.buckets[current_ % ring];
      for (std::uint32_t at = bucket.head; at != ChunkList::none; at = pool_.at(at).next) {
        chunks_.push_back(at);
        entries_ += pool_.at(at).count;
      }
      bucket = {};
    }
    rounds_ += chunks_.empty() ? 0 : 1;
    return !chunks_.empty();
  }

  void relax_alone() {
    for (const std::uint32_t chunk : chunks_) {
      relax<false>(workers_[0], pool_.at(chunk));
      pool_.give_back(workers_[0].cache, chunk);
    }
  }
  void relax_shared(Worker& worker) {
    for (std::size_t i; (i = cursor_.fetch_add(1, std::memory_order_relaxed)) < chunks_.size();) {
      relax<true>(worker, pool_.at(chunks_[i]));
      pool_.give_back(worker.cache, chunks_[i]);
    }
    // What fell into the same bucket meanwhile: no other round for a few entries. A long list is shared.
    ChunkList& bucket = worker.buckets[current_ % ring];
    for (std::size_t left = most_fused; !bucket.empty() && left > 0; --left) {
      const std::uint32_t chunk = bucket.head;
      bucket.head = pool_.at(chunk).next;
      relax<true>(worker, pool_.at(chunk));
      pool_.give_back(worker.cache, chunk);
    }
  }

  template <bool shared>
  std::uint64_t load(Id node) const {
    if constexpr (shared) return std::atomic_ref(distance_[node]).load(std::memory_order_relaxed);
    return distance_[node];
  }
  // Lowers the distance; false if it is as low already.
  template <bool shared>
  bool lower(Id node, std::uint64_t to) const {
    if constexpr (!shared) {
      if (distance_[node] <= to) return false;
      distance_[node] = to;
      return true;
    }
    std::atomic_ref place(distance_[node]);
    std::uint64_t known = place.load(std::memory_order_relaxed);
    while (to < known) {
      if (place.compare_exchange_weak(known, to, std::memory_order_relaxed)) return true;
    }
    return false;
  }

  template <bool shared>
  void relax(Worker& worker, const typename Pool::Chunk& chunk) {
    const std::size_t count = chunk.count;
    const Entry* const entries = chunk.entries;
    const auto fetch_node = [&](std::size_t i) {
      core::prefetch(distance_ + entries[i].node);
      core::prefetch(rows_.offset_of(entries[i].node));
    };
    for (std::size_t i = 0; i < std::min(count, far_ahead); ++i) fetch_node(i);
    for (std::size_t i = 0; i < std::min(count, near_ahead); ++i) {
      core::prefetch(rows_.first_arc(entries[i].node));
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (i + far_ahead < count) fetch_node(i + far_ahead);
      if (i + near_ahead < count) core::prefetch(rows_.first_arc(entries[i + near_ahead].node));
      const Id node = entries[i].node;
      const std::uint64_t distance = load<shared>(node);
      // Stale: the node was relaxed in an earlier bucket, or waits again with a smaller distance.
      if (mark_of(distance) != entries[i].mark) continue;
      if (width_.bucket(distance) > current_) {
        push(worker, distance, node);
        continue;
      }
      const auto arcs = rows_.arcs(node);
      for (std::size_t j = 0; j < arcs.size(); ++j) {
        // Of a long row: a wrongly predicted branch would end the loads that the processor has begun.
        if (j + targets_ahead < arcs.size()) core::prefetch(distance_ + arcs[j + targets_ahead].target);
        const auto arc = arcs[j];
        const std::uint64_t sum = Distances::add(distance, arc.length);
        if (lower<shared>(arc.target, sum)) push(worker, sum, arc.target);
      }
    }
  }

  core::ThreadTeam& team_;
  const RowsType& rows_;
  std::uint64_t* const distance_;
  const BucketNumbers<Distances> width_;
  Pool pool_;
  std::vector<Worker> workers_;
  std::uint64_t current_ = 0;          ///< number of the bucket that is emptied
  std::vector<std::uint32_t> chunks_;  ///< of the round
  std::uint64_t entries_ = 0;
  std::atomic<std::size_t> cursor_{0};
  std::uint64_t buckets_ = 0;
  std::uint64_t rounds_ = 0;
};

}  // namespace emgraph::graph::sssp
