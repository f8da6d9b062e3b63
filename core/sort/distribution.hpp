// SPDX-License-Identifier: MIT
// Distributes records to buckets: every thread classifies and stages its own records.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/prefetch.hpp"
#include "core/memory/buffer.hpp"
#include "core/sort/classifier.hpp"
#include "core/spill/block_store.hpp"
#include "core/spill/packing.hpp"

namespace emgraph::core {

/// A key range of the sort with the chain of blocks that holds its records.
template <IntegerKey Key>
struct Bucket {
  KeyRange<Key> range;
  Packing<Key> packing;
};

/// The buckets of a classifier, in order.
template <IntegerKey Key>
std::vector<Bucket<Key>> buckets_of(const Classifier<Key>& classifier, std::size_t attachment_bytes) {
  std::vector<Bucket<Key>> buckets(classifier.buckets());
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    const KeyRange<Key> range = classifier.range(b);
    buckets[b] = {range,
                  {range.first, Packing<Key>::key_bytes_for(range.last - range.first), attachment_bytes}};
  }
  return buckets;
}

template <IntegerKey Key>
BlockLayout layout_of(const Bucket<Key>& bucket) {
  return {.key_bits = bit_width<Key>(bucket.range.last - bucket.range.first),
          .attachment_bytes = bucket.packing.attachment_bytes};
}

/// Inserts empty chains for buckets before position `at` of a store. Their blocks may be coded.
template <IntegerKey Key>
void add_chains(BlockStore& store, std::size_t at, const std::vector<Bucket<Key>>& buckets) {
  std::vector<BlockLayout> layouts;
  for (const Bucket<Key>& bucket : buckets) layouts.push_back(layout_of(bucket));
  store.chains.insert(at, layouts);
}

/// Problem: distribute records to the buckets of a classifier with many threads. Method: a thread gathers
/// records of a bucket in its own group, which stays in the cache (write combining), and copies a full group
/// to the open block of the bucket. If memory is short, all threads share the open block of a bucket, with a
/// lock per group; there can then be more buckets and larger blocks. Else each thread has its own open
/// blocks, because cache lines that move between cores cost more than the copy. Chains `first_chain` … of the
/// store receive the blocks. Measured: distributing 134 M keys of kron22 (-M 1G, 2 cores): 0.52-0.68 s with
/// blocks of their own, 0.54-0.97 s with shared ones.
///
/// Usage: `lane(i).push` from thread i; `finish` after all lanes have finished. Memory: each lane has
/// `group_records` rows per bucket, each a key and its attachment; per bucket 64 bytes and one block of the
/// store, per lane unless blocks are shared. Threads: one per lane. Throws: as BlockStore.
template <IntegerKey Key>
class Distribution {
 public:
  static constexpr std::size_t group_records = Packing<Key>::group_records;

  /// The open block of a bucket.
  struct alignas(64) OpenBlock {
    std::atomic<bool> busy{false};
    std::uint32_t records = 0;
    std::uint32_t most_records = 0;
    std::byte* buffer = nullptr;
    Packing<Key> packing;
  };

  /// Takes the records of one thread.
  class Lane {
   public:
    Lane(Distribution& distribution, std::size_t buckets, OpenBlock* open, MemoryBudget& budget)
        : classifier_(distribution.classifier_),
          distribution_(distribution),
          open_(open),
          attachment_bytes_(distribution.attachment_bytes_),
          row_bytes_(sizeof(Key) + attachment_bytes_),
          rows_(budget, buckets * group_records * row_bytes_, "sort staging space"),
          staged_(buckets, 0) {}

    /// Requires: records without attachments.
    void push(std::span<const Key> keys) { stage(keys, nullptr, std::integral_constant<std::size_t, 0>()); }
    /// `attachments[i]`: of key i.
    void push(std::span<const Key> keys, const std::byte* const* attachments) {
      if (attachment_bytes_ == 8) {
        stage(keys, attachments, std::integral_constant<std::size_t, 8>());
      } else if (attachment_bytes_ == 4) {
        stage(keys, attachments, std::integral_constant<std::size_t, 4>());
      } else {
        stage(keys, attachments, attachment_bytes_);
      }
    }
    void push(Key key) { push(std::span<const Key>(&key, 1)); }
    void push(Key key, const std::byte* attachment) { push(std::span<const Key>(&key, 1), &attachment); }
    /// Requires: attachments of sizeof(T) bytes.
    template <class T>
    void push_with(Key key, const T& attachment) {
      const std::size_t bucket = classifier_.bucket(key);
      std::byte* const row =
          rows_.data() + (bucket * group_records + staged_[bucket]) * (sizeof(Key) + sizeof(T));
      std::memcpy(row, &key, sizeof(Key));
      std::memcpy(row + sizeof(Key), &attachment, sizeof(T));
      count_staged(bucket);
    }

   private:
    friend class Distribution;
    /// `width`: bytes of an attachment.
    template <class Width>
    void stage(std::span<const Key> keys, const std::byte* const* attachments, Width width) {
      // In registers: stores of keys might change members.
      const typename Classifier<Key>::Lookup bucket_of(classifier_);
      std::byte* const all = rows_.data();
      std::uint32_t* const staged = staged_.data();
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const Key key = keys[i];
        const std::size_t bucket = bucket_of(key);
        const std::uint32_t before = staged[bucket];
        std::byte* const row = all + (bucket * group_records + before) * (sizeof(Key) + width);
        std::memcpy(row, &key, sizeof(Key));
        if (width > 0) copy_attachment(row + sizeof(Key), attachments[i], width);
        staged[bucket] = before + 1;
        if (before + 1 == group_records) [[unlikely]]
          flush_staged(bucket);
      }
    }
    [[gnu::noinline]] void flush_staged(std::size_t bucket) {
      distribution_.flush(open_[bucket], bucket, rows(bucket), group_records);
      staged_[bucket] = 0;
    }
    void count_staged(std::size_t bucket) {
      if (++staged_[bucket] == group_records) [[unlikely]]
        flush_staged(bucket);
    }
    const std::byte* rows(std::size_t bucket) const {
      return rows_.data() + bucket * group_records * row_bytes_;
    }

    const Classifier<Key>& classifier_;
    Distribution& distribution_;
    OpenBlock* const open_;
    const std::size_t attachment_bytes_;
    const std::size_t row_bytes_;
    Buffer rows_;  // per bucket a group; a row is a key and its attachment
    std::vector<std::uint32_t> staged_;
  };

  Distribution(const Classifier<Key>& classifier, const std::vector<Bucket<Key>>& buckets,
               ChainWriter& writer, std::size_t first_chain, MemoryBudget& budget, unsigned lanes,
               bool shared)
      : classifier_(classifier),
        writer_(writer),
        first_chain_(first_chain),
        shared_(shared),
        attachment_bytes_(buckets[0].packing.attachment_bytes),
        open_(buckets.size() * (shared ? 1 : lanes)) {
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const Packing<Key>& packing = buckets[i % buckets.size()].packing;
      open_[i].packing = packing;
      open_[i].most_records = static_cast<std::uint32_t>(packing.capacity(writer.block_bytes()));
    }
    for (unsigned i = 0; i < lanes; ++i) {
      OpenBlock* const open = open_.data() + (shared ? 0 : i * buckets.size());
      lanes_.push_back(std::make_unique<Lane>(*this, buckets.size(), open, budget));
    }
  }
  Distribution(const Distribution&) = delete;
  ~Distribution() {
    for (const OpenBlock& open : open_) {
      if (open.buffer != nullptr) writer_.give_back(open.buffer);
    }
  }

  Lane& lane(unsigned number) { return *lanes_[number]; }

  /// Passes all staged records and partly filled blocks to the store: at the end, or to save them. Requires:
  /// no lane is in use.
  void finish() {
    const std::size_t buckets = lanes_[0]->staged_.size();
    const std::size_t row_bytes = lanes_[0]->row_bytes_;
    std::vector<std::byte> rows(group_records * row_bytes);
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      std::size_t gathered = 0;
      for (const auto& lane : lanes_) {
        for (std::uint32_t i = 0; i < lane->staged_[bucket]; ++i) {
          std::memcpy(rows.data() + gathered * row_bytes, lane->rows(bucket) + i * row_bytes, row_bytes);
          if (++gathered == group_records)
            flush(open_[bucket], bucket, rows.data(), std::exchange(gathered, 0));
        }
      }
      for (const auto& lane : lanes_) lane->staged_[bucket] = 0;
      if (gathered > 0) flush(open_[bucket], bucket, rows.data(), gathered);
      for (std::size_t i = bucket; i < open_.size(); i += buckets) {
        if (open_[i].buffer != nullptr) hand_on(open_[i], bucket);
      }
    }
  }

 private:
  /// Locks a shared block while a group is copied: about 20 ns, or a wait for the disk. Blocks of one thread
  /// are not locked, because the atomic exchange would wait for earlier stores.
  class Hold {
   public:
    Hold(OpenBlock& open, bool shared) : busy_(shared ? &open.busy : nullptr) {
      while (busy_ != nullptr && busy_->exchange(true, std::memory_order_acquire)) std::this_thread::yield();
    }
    Hold(const Hold&) = delete;
    ~Hold() {
      if (busy_ != nullptr) busy_->store(false, std::memory_order_release);
    }

   private:
    std::atomic<bool>* const busy_;
  };

  /// All groups of a block except the last are full.
  void flush(OpenBlock& open, std::size_t bucket, const std::byte* rows, std::size_t count) {
    const Hold hold(open, shared_);
    if (open.buffer == nullptr) open.buffer = writer_.take();
    open.packing.pack(rows, count, open.buffer, open.records / group_records);
    open.records += static_cast<std::uint32_t>(count);
    if (open.records == open.most_records) {
      hand_on(open, bucket);
    } else {
      // The place of the next group comes to the second-level cache meanwhile. Measured: `mis --single-pass`
      // of 131 M random edges 1.95 CPU s without, 1.74 with; with a payload of 8 bytes 3.67 and 3.44 (EPYC
      // 9004).
      const std::byte* const next = open.buffer + open.records / group_records * open.packing.group_bytes();
      for (std::size_t at = 0; at < open.packing.group_bytes(); at += 64) prefetch_to_second_level(next + at);
    }
  }

  void hand_on(OpenBlock& open, std::size_t bucket) {
    std::byte* const buffer = std::exchange(open.buffer, nullptr);
    writer_.put(first_chain_ + bucket, buffer, std::exchange(open.records, 0));
  }

  const Classifier<Key>& classifier_;
  ChainWriter& writer_;
  const std::size_t first_chain_;
  const bool shared_;
  const std::size_t attachment_bytes_;
  std::vector<OpenBlock> open_;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace emgraph::core
