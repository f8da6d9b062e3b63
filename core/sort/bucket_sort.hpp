// SPDX-License-Identifier: MIT
// Loads one bucket into memory and sorts it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "core/base/vector_sort.hpp"
#include "core/io/codec_pairs.hpp"
#include "core/memory/buffer.hpp"
#include "core/sort/distribution.hpp"
#include "core/sort/keep_keys.hpp"
#include "core/spill/block_store.hpp"

namespace emgraph::core {

/// Space for one bucket and the kernel that sorts it.
///
/// Problem: up to `capacity` records with keys in a known range, in packed blocks. Method: without
/// attachments the keys are unpacked to one array and sorted by the vectorised sort. With attachments the
/// array holds (key - base) · 2^i + index, i the bits of an index, in 64 bits where that fits and 128 where
/// not; attachments stay where they were unpacked and are gathered when the bucket is returned. Equal keys
/// are then put in the order of their attachments, so that the result is a total order. I/O: reads the
/// bucket's blocks once. Memory: `bytes_per_record` for each record. Threads: one. Throws: as BlockStore.
template <IntegerKey Key>
class BucketSort {
 public:
  /// With attachments a key of 64 bits and an index may need 128 bits; 128 bits and an index 160 (Pair).
  static constexpr std::size_t entry_bytes(std::size_t attachment_bytes) {
    return attachment_bytes == 0 ? sizeof(Key) : 2 * sizeof(Key);
  }
  static constexpr std::size_t bytes_per_record(std::size_t attachment_bytes) {
    return entry_bytes(attachment_bytes) + attachment_bytes;
  }
  /// Further bytes for any bucket.
  static constexpr std::size_t fixed_bytes(std::size_t attachment_bytes) {
    return is_absolute(attachment_bytes) ? 0 : batch_records * (sizeof(Key) + attachment_bytes) + page_bytes;
  }

  BucketSort(MemoryBudget& budget, std::size_t capacity, std::size_t attachment_bytes)
      : attachment_bytes_(attachment_bytes),
        entries_(budget, capacity * entry_bytes(attachment_bytes), "sorting a bucket"),
        attachments_(budget, capacity * attachment_bytes, "attachments of a bucket"),
        batch_(budget, is_absolute(attachment_bytes) ? 0 : batch_records, "records of a bucket"),
        batch_attachments_(budget, batch_records * attachment_bytes, "records of a bucket") {}

  /// Sorts chain `chain` of the store. `keep`: drops keys before they are sorted; null: all stay.
  void load(BlockStore& store, std::size_t chain, const Bucket<Key>& bucket, bool unique,
            CompareAttachments compare, const KeepKeys* keep) {
    base_ = bucket.range.first;
    count_ = static_cast<std::size_t>(store.chains.view(chain).records);
    at_ = 0;
    const bool attached = attachment_bytes_ > 0;
    index_bits_ = !attached || count_ < 2 ? 0 : core::bit_width<std::uint64_t>(count_ - 1);
    const unsigned bits = core::bit_width<Key>(bucket.range.last - bucket.range.first) + index_bits_;
    form_ = bits <= 64 ? Form::narrow : bits <= 128 ? Form::wide : Form::pair;
    const auto sort = [&]<class Entry, bool Attached>() {
      sort_entries<Entry, Attached>(store, chain, bucket, unique, compare, keep);
    };
    if (form_ == Form::narrow) {
      attached ? sort.template operator()<std::uint64_t, true>()
               : sort.template operator()<std::uint64_t, false>();
    } else if (form_ == Form::wide) {
      if (attached) {
        sort.template operator()<uint128, true>();
      } else if constexpr (sizeof(Key) == 16) {
        sort.template operator()<uint128, false>();
      }
    } else if constexpr (sizeof(Key) == 16) {
      sort.template operator()<Pair, true>();
    }
  }

  /// The next sorted keys; a batch is valid until the next call.
  std::span<const Key> next() {
    const std::size_t left = count_ - at_;
    if (left == 0) return {};
    if (is_absolute(attachment_bytes_)) {
      at_ = count_;
      return {reinterpret_cast<const Key*>(entries_.data()), left};
    }
    const std::size_t here = std::min(left, batch_records);
    if (form_ == Form::narrow) {
      emit<std::uint64_t>(here);
    } else if (form_ == Form::wide) {
      emit<uint128>(here);
    } else if constexpr (sizeof(Key) == 16) {
      emit<Pair>(here);
    }
    at_ += here;
    return {batch_.data(), here};
  }
  /// Attachments of the latest batch, contiguous.
  const std::byte* attachments() const { return batch_attachments_.data(); }
  /// The records that load() has dropped before it sorted.
  std::size_t dropped() const { return dropped_; }

 private:
  static constexpr std::size_t batch_records = 1024;
  // Attachments are read in random order, from the third-level cache if the bucket is large. 131 M records of
  // 16 bytes (`mis --carry-payload`): 0.97 s without, 0.47 s with prefetching (Intel Xeon).
  static constexpr std::size_t prefetch_distance = 48;
  // Keys of 64 bits without attachments are stored without subtracting the base, and returned without a copy.
  static constexpr bool is_absolute(std::size_t attachment_bytes) {
    return attachment_bytes == 0 && sizeof(Key) == 8;
  }
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
  template <class Entry, bool Attached>
  Entry make_entry(Key relative, std::size_t index) const {
    if constexpr (std::is_same_v<Entry, Pair>) {
      return {relative, static_cast<std::uint32_t>(index)};
    } else if constexpr (Attached) {
      return static_cast<Entry>(static_cast<Entry>(relative) << index_bits_ | index);
    } else if constexpr (is_absolute(0)) {
      return static_cast<Entry>(base_ + relative);
    } else {
      return static_cast<Entry>(relative);
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
  std::size_t index(const Entry& entry) const {
    if constexpr (std::is_same_v<Entry, Pair>) {
      return entry.index;
    } else {
      return static_cast<std::size_t>(entry & low_mask<Entry>(index_bits_));
    }
  }
  template <class Entry>
  const std::byte* attachment(const Entry& entry) const {
    return attachments_.data() + index(entry) * attachment_bytes_;
  }

  template <class Entry, bool Attached>
  void sort_entries(BlockStore& store, std::size_t chain, const Bucket<Key>& bucket, bool unique,
                    CompareAttachments compare, const KeepKeys* keep) {
    Entry* const to = entries<Entry>();
    std::size_t done = 0;
    store.reader.consume(chain, [&](const std::byte* from, std::size_t here) {
      Entry* const next = to + done;
      std::byte* const attachments = Attached ? attachments_.data() + done * attachment_bytes_ : nullptr;
      bucket.packing.unpack(from, here, attachments, [this, next, first = done](std::size_t i, Key key) {
        next[i] = make_entry<Entry, Attached>(key, first + i);
      });
      done += here;
    });
    dropped_ = 0;
    if constexpr (!Attached && is_absolute(0)) {
      if (keep != nullptr) {
        dropped_ = count_ - (*keep)(std::span(to, count_));
        count_ -= dropped_;
      }
    }
    if constexpr (std::is_same_v<Entry, Pair>) {
      std::sort(to, to + count_);
    } else {
      vector_sort(std::span(to, count_));
    }
    if constexpr (Attached) order_equal_keys<Entry>(compare);
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
      std::sort(all + i, all + end, [&](const Entry& a, const Entry& b) {
        return compare(attachment(a), attachment(b), attachment_bytes_) < 0;
      });
      i = end;
    }
  }

  template <class Entry>
  void emit(std::size_t count) {
    const Entry* const from = entries<Entry>() + at_;
    const Key base = base_;  // in a register; the stores might change members
    Key* const keys = batch_.data();
    for (std::size_t i = 0; i < count; ++i) keys[i] = base + relative(from[i]);
    if (attachment_bytes_ == 0) return;
    const std::size_t left = count_ - at_;
    with_constant_size(attachment_bytes_, [&](auto size) {
      const std::size_t bytes = size == 0 ? attachment_bytes_ : std::size_t{size};
      const std::byte* const all = attachments_.data();
      std::byte* to = batch_attachments_.data();
      for (std::size_t i = 0; i < count; ++i, to += bytes) {
        __builtin_prefetch(all + index(from[std::min(i + prefetch_distance, left - 1)]) * bytes, 0, 2);
        std::memcpy(to, all + index(from[i]) * bytes, bytes);
      }
    });
  }

  const std::size_t attachment_bytes_;
  Buffer entries_;
  Buffer attachments_;
  Array<Key> batch_;
  Buffer batch_attachments_;
  Key base_ = 0;
  std::size_t count_ = 0;
  std::size_t dropped_ = 0;
  std::size_t at_ = 0;
  unsigned index_bits_ = 0;
  Form form_ = Form::narrow;
};

}  // namespace emgraph::core
