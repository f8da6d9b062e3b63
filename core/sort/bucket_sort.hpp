// SPDX-License-Identifier: MIT
// Loads one bucket into memory and sorts it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/base/vector_sort.hpp"
#include "core/memory/buffer.hpp"
#include "core/sort/distribution.hpp"
#include "core/spill/block_store.hpp"

namespace emgraph::core {

/// Order of attachments of records with equal keys: negative, 0, positive as memcmp.
using CompareAttachments = int (*)(const std::byte* a, const std::byte* b, std::size_t bytes);

inline int compare_bytes(const std::byte* a, const std::byte* b, std::size_t bytes) {
  return std::memcmp(a, b, bytes);
}

/// Space for one bucket and the kernel that sorts it.
///
/// Problem: up to `capacity` records with keys in a known range, in packed blocks. Method: without
/// attachments the keys are unpacked to one array and sorted by the vectorised sort. With attachments the
/// array holds (key - base) · 2^i + index, i the bits of an index, in 64 bits where that fits and 128 where
/// not; attachments stay where they were unpacked and are gathered when the bucket is handed on. Equal keys
/// are then put in the order of their attachments, so that the result is a total order. I/O: reads the
/// bucket's blocks once. Memory: `bytes_per_record` each. Threads: one. Throws: as BlockStore.
template <IntegerKey Key, std::size_t A>
class BucketSort {
 public:
  using Record = KeyedRecord<Key, A>;

  /// With attachments a key of 64 bits and an index may need 128 bits; 128 bits and an index 160 (Wide).
  static constexpr std::size_t entry_bytes = A == 0 ? sizeof(Key) : 2 * sizeof(Key);
  static constexpr std::size_t bytes_per_record = entry_bytes + A;
  /// On top of that, whatever the bucket.
  static constexpr std::size_t fixed_bytes =
      A == 0 && sizeof(Key) == 8 ? 0 : 1024 * sizeof(Record) + page_bytes;

  BucketSort(MemoryBudget& budget, std::size_t capacity)
      : entries_(budget, capacity * entry_bytes, "sorting a bucket"),
        attachments_(budget, capacity * A, "attachments of a bucket"),
        batch_(budget, absolute ? 0 : batch_records, "records of a bucket") {}

  /// Sorts chain `chain` of the store, `records` records.
  void load(BlockStore& store, std::size_t chain, const Bucket<Key, A>& bucket, bool unique,
            CompareAttachments compare) {
    base_ = bucket.range.first;
    count_ = static_cast<std::size_t>(store.chains.view(chain).records);
    at_ = 0;
    index_bits_ = A == 0 || count_ < 2 ? 0 : core::bit_width<std::uint64_t>(count_ - 1);
    const unsigned bits = core::bit_width<Key>(bucket.range.last - bucket.range.first) + index_bits_;
    form_ = bits <= 64 ? Form::narrow : bits <= 128 ? Form::wide : Form::pair;
    switch (form_) {
      case Form::narrow:
        return sort_entries<std::uint64_t>(store, chain, bucket, unique, compare);
      case Form::wide:
        return sort_entries<uint128>(store, chain, bucket, unique, compare);
      case Form::pair:
        if constexpr (A > 0 && sizeof(Key) == 16) sort_entries<Pair>(store, chain, bucket, unique, compare);
    }
  }

  /// Records left to hand on, in order; a batch is valid until the next call.
  std::span<const Record> next() {
    const std::size_t left = count_ - at_;
    if (left == 0) return {};
    if constexpr (absolute) {
      static_assert(sizeof(Record) == sizeof(std::uint64_t));
      at_ = count_;
      return {reinterpret_cast<const Record*>(entries_.data()), left};
    }
    const std::size_t here = std::min(left, batch_records);
    switch (form_) {
      case Form::narrow:
        emit<std::uint64_t>(here);
        break;
      case Form::wide:
        emit<uint128>(here);
        break;
      case Form::pair:
        if constexpr (A > 0 && sizeof(Key) == 16) emit<Pair>(here);
    }
    at_ += here;
    return {batch_.data(), here};
  }

 private:
  static constexpr std::size_t batch_records = 1024;
  // Keys of 64 bits without attachments stay absolute: they are handed on as they lie.
  static constexpr bool absolute = A == 0 && sizeof(Key) == 8;
  enum class Form { narrow, wide, pair };
  struct Pair {
    Key key;
    std::uint32_t index;
    auto operator<=>(const Pair&) const = default;
  };

  template <class Entry>
  Entry* entries() const {
    return reinterpret_cast<Entry*>(entries_.data());
  }
  template <class Entry>
  Entry make_entry(Key relative, std::size_t index) const {
    if constexpr (std::is_same_v<Entry, Pair>) {
      return {relative, static_cast<std::uint32_t>(index)};
    } else if constexpr (absolute) {
      return static_cast<Entry>(base_ + relative);
    } else if constexpr (A == 0) {
      return static_cast<Entry>(relative);
    } else {
      return static_cast<Entry>(static_cast<Entry>(relative) << index_bits_ | index);
    }
  }
  template <class Entry>
  Key relative(const Entry& entry) const {
    if constexpr (std::is_same_v<Entry, Pair>) {
      return entry.key;
    } else {
      return static_cast<Key>(entry >> index_bits_);
    }
  }
  template <class Entry>
  const std::byte* attachment(const Entry& entry) const {
    if constexpr (std::is_same_v<Entry, Pair>) {
      return attachments_.data() + entry.index * A;
    } else {
      return attachments_.data() + static_cast<std::size_t>(entry & low_mask<Entry>(index_bits_)) * A;
    }
  }

  template <class Entry>
  void sort_entries(BlockStore& store, std::size_t chain, const Bucket<Key, A>& bucket, bool unique,
                    CompareAttachments compare) {
    Entry* const to = entries<Entry>();
    std::size_t done = 0;
    store.reader.consume(chain, [&](const std::byte* from, std::size_t here) {
      Entry* const next = to + done;
      bucket.packing.unpack_keys(from, here, [this, next, first = done](std::size_t i, Key key) {
        next[i] = make_entry<Entry>(key, first + i);
      });
      if constexpr (A > 0) bucket.packing.unpack_attachments(from, here, attachments_.data() + done * A);
      done += here;
    });
    if constexpr (std::is_same_v<Entry, Pair>) {
      std::sort(to, to + count_);
    } else {
      vector_sort(std::span(to, count_));
    }
    if constexpr (A > 0) order_equal_keys<Entry>(compare);
    if (unique) {
      const auto same = [&](const Entry& a, const Entry& b) { return relative(a) == relative(b); };
      count_ = static_cast<std::size_t>(std::unique(to, to + count_, same) - to);
    }
  }

  template <class Entry>
  void order_equal_keys(CompareAttachments compare) {
    Entry* const all = entries<Entry>();
    for (std::size_t i = 0; i + 1 < count_;) {
      if (relative(all[i]) != relative(all[i + 1])) {
        ++i;
        continue;
      }
      std::size_t end = i + 2;
      while (end < count_ && relative(all[end]) == relative(all[i])) ++end;
      std::sort(all + i, all + end,
                [&](const Entry& a, const Entry& b) { return compare(attachment(a), attachment(b), A) < 0; });
      i = end;
    }
  }

  template <class Entry>
  void emit(std::size_t count) {
    const Entry* const from = entries<Entry>() + at_;
    for (std::size_t i = 0; i < count; ++i) {
      batch_[i].key = base_ + relative(from[i]);
      if constexpr (A > 0) std::memcpy(batch_[i].attachment.data(), attachment(from[i]), A);
    }
  }

  Buffer entries_;
  Buffer attachments_;
  Array<Record> batch_;
  Key base_ = 0;
  std::size_t count_ = 0;
  std::size_t at_ = 0;
  unsigned index_bits_ = 0;
  Form form_ = Form::narrow;
};

}  // namespace emgraph::core
