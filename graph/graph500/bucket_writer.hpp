// SPDX-License-Identifier: MIT
// Distribution of entries to buckets, through a buffer per bucket that is written past the caches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/stream_store.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::graph500 {

/// A thread's writer. Beside each entry it writes the number of the entry's node within the bucket. Places of
/// the output form groups of 32, aligned, so that a group's numbers are a cache line. The buffer of a bucket
/// has one group. Threads do not share a counter: an atomic operation would wait until the group before is
/// written. Measured: it took 60 % of the time (scale 22, two threads, Xeon with AVX-512).
template <class Entry>
class BucketWriter {
  static constexpr std::size_t group = 32;

 public:
  /// Node v belongs to bucket v >> shift. Memory: bytes() for all buckets.
  BucketWriter(core::MemoryBudget& memory, std::size_t buckets, unsigned shift, Entry* entries,
               std::uint16_t* sources)
      : shift_(shift),
        mask_((std::uint32_t{1} << shift) - 1),
        entries_(entries),
        sources_(sources),
        entry_buffer_(memory, buckets * group, "buffers of buckets"),
        source_buffer_(memory, buckets * group, "buffers of buckets"),
        next_(memory, buckets, "buffers of buckets"),
        places_(memory, buckets, "buffers of buckets") {}

  static std::uint64_t bytes(std::size_t buckets) {
    return buckets * (group * (sizeof(Entry) + sizeof(std::uint16_t)) + sizeof(std::uint32_t) +
                      sizeof(std::uint64_t)) +
           4 * core::page_bytes;
  }

  /// The next entry of bucket b goes to place starts[b].
  void start(std::span<const std::uint64_t> starts) {
    for (std::size_t b = 0; b < starts.size(); ++b) {
      places_[b] = starts[b];
      next_[b] = static_cast<std::uint32_t>(b * group + starts[b] % group);
    }
  }

  void put(std::uint32_t node, Entry entry) {
    const std::size_t bucket = node >> shift_;
    const std::uint32_t at = next_[bucket];
    entry_buffer_[at] = entry;
    source_buffer_[at] = static_cast<std::uint16_t>(node & mask_);
    next_[bucket] = at + 1;
    if (at % group == group - 1) [[unlikely]]
      write_group(bucket);
  }

  /// Writes what is left in the buffers. Other threads may read it after this thread was joined.
  void finish() {
    for (std::size_t b = 0; b < next_.size(); ++b) {
      copy(b, next_[b] - b * group - places_[b] % group);
    }
    core::finish_streams();
  }

 private:
  void write_group(std::size_t bucket) {
    const std::size_t from = bucket * group;
    const std::uint64_t place = places_[bucket];
    if (place % group == 0) {
      core::stream_store(entries_ + place, &entry_buffer_[from], group * sizeof(Entry));
      core::stream_store(sources_ + place, &source_buffer_[from], group * sizeof(std::uint16_t));
      places_[bucket] = place + group;
    } else {
      copy(bucket, group - place % group);
    }
    next_[bucket] = static_cast<std::uint32_t>(from);
  }
  void copy(std::size_t bucket, std::size_t count) {
    const std::uint64_t place = places_[bucket];
    const std::size_t from = bucket * group + place % group;
    std::copy_n(&entry_buffer_[from], count, entries_ + place);
    std::copy_n(&source_buffer_[from], count, sources_ + place);
    places_[bucket] = place + count;
  }

  const unsigned shift_;
  const std::uint32_t mask_;
  Entry* const entries_;
  std::uint16_t* const sources_;
  const core::Array<Entry> entry_buffer_;
  const core::Array<std::uint16_t> source_buffer_;
  const core::Array<std::uint32_t> next_;    // of each bucket, in the buffers
  const core::Array<std::uint64_t> places_;  // of each bucket's first buffered entry
};

}  // namespace emgraph::graph::graph500
