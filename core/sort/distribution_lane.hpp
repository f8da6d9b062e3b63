// SPDX-License-Identifier: MIT
// One thread's end of the distribution: classify, stage, pack, hand full blocks on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/memory/buffer.hpp"
#include "core/sort/block_store.hpp"
#include "core/sort/classifier.hpp"
#include "core/sort/packing.hpp"

namespace emgraph::core {

/// A key range of the sort with the chain of blocks that holds its records.
template <IntegerKey Key, std::size_t A>
struct Bucket {
  KeyRange<Key> range;
  Packing<Key, A> packing;
};

/// The buckets of a classifier, in order.
template <IntegerKey Key, std::size_t A>
std::vector<Bucket<Key, A>> buckets_of(const Classifier<Key>& classifier) {
  std::vector<Bucket<Key, A>> buckets(classifier.buckets());
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    const KeyRange<Key> range = classifier.range(b);
    buckets[b] = {range, {range.first, Packing<Key, A>::key_bytes_for(range.last - range.first)}};
  }
  return buckets;
}

/// Records are gathered per bucket in a group that stays in the cache (write combining) and move to the
/// bucket's block when the group is full. Chains `first_chain` … of the store receive the blocks. Memory:
/// `staging_bytes(buckets)` and one block of the store per bucket. Threads: one per lane.
template <IntegerKey Key, std::size_t A>
class DistributionLane {
 public:
  using Record = KeyedRecord<Key, A>;
  static constexpr std::size_t group_records = Packing<Key, A>::group_records;

  static std::size_t staging_bytes(std::size_t buckets) { return buckets * group_records * sizeof(Record); }

  DistributionLane(const Classifier<Key>& classifier, const std::vector<Bucket<Key, A>>& buckets,
                   BlockStore& store, std::size_t first_chain, MemoryBudget& budget)
      : classifier_(classifier),
        store_(store),
        first_chain_(first_chain),
        staging_(budget, buckets.size() * group_records, "sort staging space"),
        staged_(buckets.size(), 0),
        open_(buckets.size()) {
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      open_[b].packing = buckets[b].packing;
      open_[b].most_groups =
          static_cast<std::uint32_t>(buckets[b].packing.capacity(store.block_bytes()) / group_records);
    }
  }
  DistributionLane(const DistributionLane&) = delete;
  ~DistributionLane() {
    for (const OpenBlock& open : open_) {
      if (open.buffer != nullptr) store_.give_back(open.buffer);
    }
  }

  void push(const Record& record) {
    const std::size_t bucket = classifier_.bucket(record.key);
    const std::uint32_t at = staged_[bucket];
    staging_[bucket * group_records + at] = record;
    staged_[bucket] = at + 1;
    if (at + 1 == group_records) [[unlikely]]
      flush(bucket, group_records);
  }

  /// Hands all partly filled blocks to the store. To be called once, last.
  void finish() {
    for (std::size_t bucket = 0; bucket < open_.size(); ++bucket) {
      const std::uint32_t rest = staged_[bucket];
      if (rest > 0) flush(bucket, rest);
      OpenBlock& open = open_[bucket];
      if (open.buffer != nullptr) hand_on(bucket);
    }
  }

 private:
  struct OpenBlock {
    std::byte* buffer = nullptr;
    std::uint32_t groups = 0;
    std::uint32_t records = 0;
    std::uint32_t most_groups = 0;
    Packing<Key, A> packing;
  };

  void flush(std::size_t bucket, std::size_t count) {
    OpenBlock& open = open_[bucket];
    if (open.buffer == nullptr) open.buffer = store_.take();
    open.packing.pack(staging_.data() + bucket * group_records, count, open.buffer, open.groups);
    staged_[bucket] = 0;
    ++open.groups;
    open.records += static_cast<std::uint32_t>(count);
    if (open.groups == open.most_groups) hand_on(bucket);
  }

  void hand_on(std::size_t bucket) {
    OpenBlock& open = open_[bucket];
    std::byte* buffer = open.buffer;
    const std::uint32_t records = open.records;
    open.buffer = nullptr;
    open.groups = 0;
    open.records = 0;
    store_.put(first_chain_ + bucket, buffer, records);
  }

  const Classifier<Key>& classifier_;
  BlockStore& store_;
  const std::size_t first_chain_;
  Array<Record> staging_;
  std::vector<std::uint32_t> staged_;
  std::vector<OpenBlock> open_;
};

}  // namespace emgraph::core
