// SPDX-License-Identifier: MIT
// Loads one bucket into memory and sorts it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/base/prefetch.hpp"
#include "core/io/codec_pairs.hpp"
#include "core/memory/buffer.hpp"
#include "core/sort/bucket_entries.hpp"
#include "core/sort/bucket_parts.hpp"
#include "core/sort/distribution.hpp"
#include "core/sort/keep_keys.hpp"
#include "core/spill/block_store.hpp"

namespace emgraph::core {

/// Space for one bucket and the kernel that sorts it.
///
/// Problem: up to `capacity` records with keys in a known range, in packed blocks. Method: without
/// attachments the keys are unpacked to one array and sorted by the vectorised sort. With attachments the
/// array holds entries of a key and a place (bucket_entries.hpp), and the attachments stay in their places
/// until the entries are sorted. If the keys are spread evenly, each record is unpacked to the part of its
/// key, and each part is sorted and its attachments gathered in the second-level cache. Else the bucket is
/// one part, and the attachments are gathered when it is returned. I/O: reads the bucket's blocks once.
/// Memory: `bytes_per_record` for each record. Threads: one. Throws: as BlockStore.
template <IntegerKey Key>
class BucketSort {
 public:
  /// With attachments a key of 64 bits and a place may need 128 bits; 128 bits and a place 160 (PairEntry).
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
        records_(budget, capacity * bytes_per_record(attachment_bytes), "sorting a bucket"),
        batch_(budget, is_absolute(attachment_bytes) ? 0 : batch_records, "records of a bucket"),
        batch_attachments_(budget, batch_records * attachment_bytes, "records of a bucket") {}

  /// Sorts chain `chain` of the store. `keep`: drops keys before they are sorted; null: all stay.
  void load(BlockStore& store, std::size_t chain, const Bucket<Key>& bucket, bool unique,
            CompareAttachments compare, const KeepKeys* keep) {
    base_ = bucket.range.first;
    count_ = static_cast<std::size_t>(store.chains.view(chain).records);
    const bool attached = attachment_bytes_ > 0;
    place_bits_ = !attached || count_ < 2 ? 0 : core::bit_width<std::uint64_t>(count_ - 1);
    const unsigned bits = core::bit_width<Key>(bucket.range.last - bucket.range.first) + place_bits_;
    form_ = bits <= 64 ? Form::narrow : bits <= 128 ? Form::wide : Form::pair;
    const auto sort = [&]<class Entry, bool Attached>() {
      unpack<Entry, Attached>(store, chain, bucket);
      if constexpr (!Attached && is_absolute(0)) drop(keep);
      sort_parts<Entry, Attached>(unique, compare);
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
      sort.template operator()<PairEntry, true>();
    }
    part_ = 0;
    at_ = 0;
  }

  /// The next sorted keys; a batch is valid until the next call.
  std::span<const Key> next() {
    const std::span<const BucketParts::Part> parts = parts_.parts();
    while (at_ == parts[part_].end && part_ + 1 < parts.size()) at_ = parts[++part_].begin;
    const std::size_t left = parts[part_].end - at_;
    if (left == 0) return {};
    if (is_absolute(attachment_bytes_) || parts_.several()) {  // the keys replace the entries
      const std::span<const Key> keys(entries<Key>() + at_, left);
      latest_attachments_ = gathered(at_);
      at_ += left;
      return keys;
    }
    const std::size_t here = std::min(left, batch_records);
    if (form_ == Form::narrow) {
      emit<std::uint64_t>(here);
    } else if (form_ == Form::wide) {
      emit<uint128>(here);
    } else if constexpr (sizeof(Key) == 16) {
      emit<PairEntry>(here);
    }
    at_ += here;
    latest_attachments_ = batch_attachments_.data();
    return {batch_.data(), here};
  }
  /// Attachments of the latest batch, contiguous.
  const std::byte* attachments() const { return latest_attachments_; }
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
  // Only entries of keys alone and of 64-bit keys with their places can be replaced by keys.
  template <class Entry, bool Attached>
  static constexpr bool may_scatter = Attached && sizeof(Key) == 8 && sizeof(Entry) == 8;
  static constexpr unsigned most_undivided = 256;
  enum class Form { narrow, wide, pair };

  template <class Entry>
  Entry* entries() const {
    return reinterpret_cast<Entry*>(records_.data());
  }
  template <class Entry>
  EntryFormat<Entry> format() const {
    return {place_bits_};
  }
  /// Where the sorted attachments of a part are, from the record at `place` on. They are written the length
  /// of one part before the unsorted ones.
  std::byte* gathered(std::size_t place) const {
    return attachments_ + place * attachment_bytes_ - parts_.room() * attachment_bytes_;
  }

  /// Reads the records to one part, or if they are spread evenly to several.
  template <class Entry, bool Attached>
  void unpack(BlockStore& store, std::size_t chain, const Bucket<Key>& bucket) {
    parts_.join();
    if constexpr (may_scatter<Entry, Attached>) divide(bucket.range.last - bucket.range.first);
    attachments_ = records_.data() + std::max(count_, parts_.places()) * sizeof(Entry) +
                   parts_.room() * attachment_bytes_;
    store.reader.consume(chain, [&](const std::byte* from, std::size_t here) {
      if constexpr (may_scatter<Entry, Attached>) {
        for (; parts_.several() && here > 0; from += bucket.packing.group_bytes()) {
          const std::size_t group = std::min(here, Packing<Key>::group_records);
          here -= group;
          if (!scatter(bucket.packing, from, group)) join_parts();
        }
        if (here == 0) return;
      }
      const std::size_t first = parts_.parts()[0].end;
      Entry* const next = entries<Entry>() + first;
      std::byte* const attachments = Attached ? attachments_ + first * attachment_bytes_ : nullptr;
      bucket.packing.unpack(
          from, here, attachments,
          [next, first, format = format<Entry>(), base = is_absolute(0) ? base_ : 0](std::size_t i, Key key) {
            if constexpr (Attached) {
              next[i] = format.make(static_cast<typename EntryFormat<Entry>::Key>(key), first + i);
            } else {
              next[i] = static_cast<Entry>(base + key);
            }
          });
      parts_.parts()[0].end += here;
    });
  }

  void drop(const KeepKeys* keep) {
    dropped_ = 0;
    if (keep == nullptr) return;
    std::size_t& end = parts_.parts()[0].end;
    const std::size_t kept = (*keep)(std::span(entries<std::uint64_t>(), end));
    dropped_ = end - kept;
    end = kept;
  }

  template <class Entry, bool Attached>
  void sort_parts(bool unique, CompareAttachments compare) {
    for (BucketParts::Part& part : parts_.parts()) {
      const std::span<Entry> sorted(entries<Entry>() + part.begin, entries<Entry>() + part.end);
      sort_entries(sorted);
      if constexpr (Attached) {
        order_equal_keys(sorted, format<Entry>(), {attachments_, attachment_bytes_}, compare);
      }
      if (unique) {
        const auto same = [format = format<Entry>()](const Entry& a, const Entry& b) {
          return format.key(a) == format.key(b);
        };
        const auto end = std::unique(sorted.begin(), sorted.end(), same);
        part.end = part.begin + static_cast<std::size_t>(end - sorted.begin());
      }
      if constexpr (may_scatter<Entry, Attached>) {
        if (parts_.several()) gather(part);
      }
    }
  }

  /// Makes several parts, if their places fit. After a bucket whose keys were uneven the next ones are not
  /// divided; their number doubles each time.
  void divide(Key last) {
    if (undivided_left_ > 0) return void(--undivided_left_);
    parts_.divide(count_, last);
    if (!parts_.several()) return;
    const unsigned bits = core::bit_width<std::uint64_t>(parts_.places() - 1);
    const std::size_t bytes =
        parts_.places() * sizeof(std::uint64_t) + (parts_.places() + parts_.room()) * attachment_bytes_;
    if (core::bit_width(last) + bits <= 64 && bytes <= records_.size()) {
      place_bits_ = bits;
    } else {
      parts_.join();
    }
  }
  /// Adds a group of records to their parts. False if another one might not fit.
  bool scatter(const Packing<Key>& packing, const std::byte* group, std::size_t count) {
    static_assert(Packing<Key>::group_records <= BucketParts::spare);
    // In registers: the stores might change members.
    const BucketParts::Lookup part_of = parts_.lookup();
    BucketParts::Part* const parts = parts_.parts().data();
    const auto format = this->format<std::uint64_t>();
    const std::size_t width = attachment_bytes_;
    std::uint64_t* const entries_to = entries<std::uint64_t>();
    std::byte* const attachments_to = attachments_;
    const std::byte* attachment = packing.attachments_of(group);
    bool fit = true;
    packing.unpack_keys(group, count, [&](std::size_t, Key key) {
      BucketParts::Part& part = parts[part_of(key)];
      const std::size_t place = part.end++;
      entries_to[place] = format.make(key, place);
      copy_attachment(attachments_to + place * width, attachment, width);
      prefetch_to_write(entries_to + place + BucketParts::spare);
      prefetch_to_write(attachments_to + (place + BucketParts::spare) * width);
      attachment += width;
      fit &= part.end < part.full;
    });
    return fit;
  }
  /// Moves the records of all parts to one.
  void join_parts() {
    const auto format = this->format<std::uint64_t>();
    std::uint64_t* const all = entries<std::uint64_t>();
    std::size_t end = 0;
    for (const BucketParts::Part& part : parts_.parts()) {
      std::memmove(attachments_ + end * attachment_bytes_, attachments_ + part.begin * attachment_bytes_,
                   (part.end - part.begin) * attachment_bytes_);
      for (std::size_t i = part.begin; i < part.end; ++i, ++end)
        all[end] = format.make(format.key(all[i]), end);
    }
    parts_.join();
    parts_.parts()[0].end = end;
    undivided_left_ = undivided_after_uneven_;
    undivided_after_uneven_ = std::min(2 * undivided_after_uneven_, most_undivided);
  }
  /// Puts the attachments of a part in order, and keys in place of its entries. The places one part before
  /// are free: those of the part before were gathered, too.
  void gather(const BucketParts::Part& part) {
    const auto format = this->format<std::uint64_t>();
    const Key base = base_;
    const std::size_t width = attachment_bytes_;
    const std::byte* const attachments = attachments_;
    std::uint64_t* const all = entries<std::uint64_t>();
    std::byte* to = gathered(part.begin);
    for (std::size_t i = part.begin; i < part.end; ++i, to += width) {
      copy_attachment(to, attachments + format.place(all[i]) * width, width);
      all[i] = base + format.key(all[i]);
    }
  }

  /// The next `count` records of one part to the batch.
  template <class Entry>
  void emit(std::size_t count) {
    const auto format = this->format<Entry>();
    const Entry* const from = entries<Entry>() + at_;
    const Key base = base_;  // in a register; the stores might change members
    Key* const keys = batch_.data();
    for (std::size_t i = 0; i < count; ++i) keys[i] = base + static_cast<Key>(format.key(from[i]));
    if (attachment_bytes_ == 0) return;
    const std::size_t left = parts_.parts()[0].end - at_;
    with_constant_size(attachment_bytes_, [&](auto size) {
      const std::size_t bytes = size == 0 ? attachment_bytes_ : std::size_t{size};
      const std::byte* const all = attachments_;
      std::byte* to = batch_attachments_.data();
      for (std::size_t i = 0; i < count; ++i, to += bytes) {
        const std::size_t ahead = std::min(i + prefetch_distance, left - 1);
        prefetch_to_second_level(all + format.place(from[ahead]) * bytes);
        std::memcpy(to, all + format.place(from[i]) * bytes, bytes);
      }
    });
  }

  const std::size_t attachment_bytes_;
  Buffer records_;  ///< entries, then attachments
  std::byte* attachments_ = nullptr;
  BucketParts parts_;
  unsigned undivided_left_ = 0;          ///< next buckets that are read to one part
  unsigned undivided_after_uneven_ = 4;  ///< buckets that will be after the next uneven one
  Array<Key> batch_;
  Buffer batch_attachments_;
  const std::byte* latest_attachments_ = nullptr;
  Key base_ = 0;
  std::size_t count_ = 0;  ///< records of the chain
  std::size_t dropped_ = 0;
  std::size_t part_ = 0;  ///< of the next record
  std::size_t at_ = 0;    ///< its place
  unsigned place_bits_ = 0;
  Form form_ = Form::narrow;
};

}  // namespace emgraph::core
