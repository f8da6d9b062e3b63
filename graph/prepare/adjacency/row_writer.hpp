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

/// Places [begin, end) that hold no entry.
struct UnusedPlaces {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Places are written in groups of so many, so that the node numbers of a group are a cache line.
inline constexpr std::size_t row_group = 32;

/// Entries by bucket: node v belongs to bucket v >> shift. Threads take pieces of places one after another
/// and fill each with entries of one bucket. Beside an entry is the number of its node within the bucket.
/// The last piece of a thread in a bucket has unused places.
struct RowPieces {
  unsigned shift = 0;
  std::uint64_t piece = 0;          ///< places of a piece, a multiple of row_group
  std::span<std::uint32_t> bucket;  ///< of each piece
  std::uint64_t* taken = nullptr;   ///< the number of pieces that are taken
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
  RowWriter(core::MemoryBudget& memory, std::size_t buckets, const RowPieces& pieces, Entry* entries)
      : pieces_(pieces),
        entries_(entries),
        mask_((std::uint32_t{1} << pieces.shift) - 1),
        entry_buffer_(memory, buckets * row_group, "buffers of buckets"),
        node_buffer_(memory, buckets * row_group, "buffers of buckets"),
        at_(memory, buckets, "buffers of buckets"),
        places_(memory, buckets, "buffers of buckets") {
    for (std::size_t b = 0; b < at_.size(); ++b) at_[b] = static_cast<std::uint32_t>(b * row_group);
  }

  /// Returns false if no piece is left.
  bool put(std::uint32_t node, const Entry& entry) {
    const std::size_t bucket = node >> pieces_.shift;
    const std::uint32_t at = at_[bucket];
    entry_buffer_[at] = entry;
    node_buffer_[at] = static_cast<std::uint16_t>(node & mask_);
    at_[bucket] = at + 1;
    return at % row_group != row_group - 1 || write_group(bucket);
  }

  /// Writes what is left in the buffers. Returns false if no piece is left. Other threads may read the
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
      std::uint64_t& place = places_[b].begin;
      std::copy_n(&entry_buffer_[b * row_group], count, entries_ + place);
      std::copy_n(&node_buffer_[b * row_group], count, pieces_.nodes + place);
      place += count;
    }
    core::finish_streams();
    return room;
  }

  std::size_t buckets() const { return places_.size(); }
  /// In the thread's last piece of the bucket. After finish().
  const UnusedPlaces& unused(std::size_t bucket) const { return places_[bucket]; }

 private:
  bool write_group(std::size_t bucket) {
    const std::size_t from = bucket * row_group;
    at_[bucket] = static_cast<std::uint32_t>(from);
    if (!take_places(bucket)) return false;
    std::uint64_t& place = places_[bucket].begin;
    core::stream_store(entries_ + place, &entry_buffer_[from], row_group * sizeof(Entry));
    core::stream_store(pieces_.nodes + place, &node_buffer_[from], row_group * sizeof(std::uint16_t));
    place += row_group;
    return true;
  }
  /// Has a group of places for the bucket. An atomic operation waits until all stores of the thread are done,
  /// so a thread takes many groups at once.
  bool take_places(std::size_t bucket) {
    UnusedPlaces& places = places_[bucket];
    if (places.begin != places.end) return true;
    const std::uint64_t number =
        std::atomic_ref<std::uint64_t>(*pieces_.taken).fetch_add(1, std::memory_order_relaxed);
    if (number >= pieces_.bucket.size()) return false;
    pieces_.bucket[static_cast<std::size_t>(number)] = static_cast<std::uint32_t>(bucket);
    places = {number * pieces_.piece, (number + 1) * pieces_.piece};
    return true;
  }

  const RowPieces pieces_;
  Entry* const entries_;
  const std::uint32_t mask_;
  core::Array<Entry> entry_buffer_;
  core::Array<std::uint16_t> node_buffer_;
  core::Array<std::uint32_t> at_;     // of each bucket's next entry, in the buffers
  core::Array<UnusedPlaces> places_;  // what is left of each bucket's piece
};

}  // namespace emgraph::graph::adjacency
