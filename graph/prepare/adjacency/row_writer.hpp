// SPDX-License-Identifier: MIT
// Distribution of the entries of rows to ranges of nodes, through a buffer per range that is written past the
// caches.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/stream_store.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::adjacency {

/// Places [begin, end) of a bucket that hold no entry.
struct UnusedPlaces {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Places are written in groups of so many, so that the node numbers of a group are a cache line.
inline constexpr std::size_t row_group = 32;

/// Entries in the order of their buckets. Beside an entry is the number of its node within the bucket. Bucket
/// b has the places starts[b] ... starts[b + 1] - 1; all starts are multiples of row_group. Threads take a
/// bucket's places in pieces of `piece`, so the last piece of each has unused places.
struct RowBuckets {
  unsigned shift = 0;       ///< node v belongs to bucket v >> shift
  std::uint64_t piece = 0;  ///< a multiple of row_group
  std::span<const std::uint64_t> starts;
  std::span<std::uint64_t> next;  ///< of each bucket: the first place that no thread has taken
  std::uint16_t* nodes = nullptr;
};

/// Of a RowWriter.
inline std::uint64_t row_writer_bytes(std::size_t buckets, std::size_t entry_bytes) {
  return buckets * (row_group * (entry_bytes + sizeof(std::uint16_t)) + sizeof(std::uint32_t) +
                    sizeof(UnusedPlaces)) +
         4 * core::page_bytes;
}

/// One thread's writer. The buffer of a bucket has one group.
template <class Entry>
class RowWriter {
 public:
  /// `entries`: the places. Memory: row_writer_bytes(). Throws MemoryLimitError.
  RowWriter(core::MemoryBudget& memory, const RowBuckets& buckets, Entry* entries)
      : buckets_(buckets),
        entries_(entries),
        mask_((std::uint32_t{1} << buckets.shift) - 1),
        entry_buffer_(memory, buckets.next.size() * row_group, "buffers of buckets"),
        node_buffer_(memory, buckets.next.size() * row_group, "buffers of buckets"),
        at_(memory, buckets.next.size(), "buffers of buckets"),
        pieces_(memory, buckets.next.size(), "buffers of buckets") {
    for (std::size_t b = 0; b < at_.size(); ++b) at_[b] = static_cast<std::uint32_t>(b * row_group);
  }

  /// Returns false if the bucket is full: there are more entries than were counted.
  bool put(std::uint32_t node, const Entry& entry) {
    const std::size_t bucket = node >> buckets_.shift;
    const std::uint32_t at = at_[bucket];
    entry_buffer_[at] = entry;
    node_buffer_[at] = static_cast<std::uint16_t>(node & mask_);
    at_[bucket] = at + 1;
    return at % row_group != row_group - 1 || write_group(bucket);
  }

  /// Writes what is left in the buffers. Returns false if a bucket is full. Other threads may read the
  /// entries after this thread was joined.
  bool finish() {
    bool room = true;
    for (std::size_t b = 0; b < at_.size(); ++b) {
      const std::size_t count = at_[b] - b * row_group;
      if (count == 0) continue;
      if (!take_places(b)) {
        room = false;
        continue;
      }
      std::uint64_t& place = pieces_[b].begin;
      std::copy_n(&entry_buffer_[b * row_group], count, entries_ + place);
      std::copy_n(&node_buffer_[b * row_group], count, buckets_.nodes + place);
      place += count;
    }
    core::finish_streams();
    return room;
  }

  /// After finish().
  UnusedPlaces unused(std::size_t bucket) const { return pieces_[bucket]; }

 private:
  bool write_group(std::size_t bucket) {
    const std::size_t from = bucket * row_group;
    at_[bucket] = static_cast<std::uint32_t>(from);
    if (!take_places(bucket)) return false;
    std::uint64_t& place = pieces_[bucket].begin;
    core::stream_store(entries_ + place, &entry_buffer_[from], row_group * sizeof(Entry));
    core::stream_store(buckets_.nodes + place, &node_buffer_[from], row_group * sizeof(std::uint16_t));
    place += row_group;
    return true;
  }
  /// Has a group of places in the bucket. An atomic operation waits until all stores of the thread are done,
  /// so a thread takes many groups at once.
  bool take_places(std::size_t bucket) {
    UnusedPlaces& piece = pieces_[bucket];
    if (piece.begin != piece.end) return true;
    const std::atomic_ref<std::uint64_t> next(buckets_.next[bucket]);
    piece.begin = next.fetch_add(buckets_.piece, std::memory_order_relaxed);
    piece.end = piece.begin + buckets_.piece;
    if (piece.end <= buckets_.starts[bucket + 1]) return true;
    piece.begin = piece.end;
    return false;
  }

  const RowBuckets buckets_;
  Entry* const entries_;
  const std::uint32_t mask_;
  core::Array<Entry> entry_buffer_;
  core::Array<std::uint16_t> node_buffer_;
  core::Array<std::uint32_t> at_;     // of each bucket's next entry, in the buffers
  core::Array<UnusedPlaces> pieces_;  // what is left of each bucket's piece
};

}  // namespace emgraph::graph::adjacency
