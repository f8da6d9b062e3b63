// SPDX-License-Identifier: MIT
// Splits buckets that are too large to be sorted in memory, because of frequent keys, bad samples or sorted
// input.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/sort/distribution.hpp"
#include "core/sort/sort_plan.hpp"

namespace emgraph::core {

/// A sample of the keys in the blocks of a chain; the blocks are not consumed. I/O: reads the first pages of
/// up to 256 blocks, many at a time. Memory: the sample, up to 256 KiB of 64-bit keys, and 16 pages, or a
/// quarter of what is free. `count`: keys of the sample.
template <IntegerKey Key>
Array<Key> sample_chain(MemoryBudget& memory, BlockStore& store, std::size_t position,
                        const Bucket<Key>& bucket, std::size_t& count) {
  constexpr std::size_t most_of_block = 128;  // records
  constexpr std::size_t most_depth = 16;
  const std::size_t share = memory.available() / 8;
  const std::size_t most_blocks = std::clamp<std::size_t>(share / (most_of_block * sizeof(Key)), 1, 256);
  const std::size_t depth = std::clamp<std::size_t>(share / page_bytes, 1, most_depth);
  static_assert(Packing<Key>::group_records * (sizeof(Key) + most_attachment_bytes) + sizeof(Key) <=
                page_bytes);
  const Packing<Key>& packing = bucket.packing;
  const std::size_t blocks = store.chains.view(position).blocks;
  const std::size_t step = divide_up(blocks, most_blocks);
  const Buffer heads(memory, depth * page_bytes, "the sample of a bucket");
  struct Peeks {
    std::array<PeekedBlock, most_depth> slots;
    ~Peeks() {
      for (const PeekedBlock& peeked : slots) {
        if (peeked.request != nullptr) peeked.request->wait_ignoring_error();
      }
    }
  } peeks;
  Array<Key> sample(memory, divide_up(blocks, step) * most_of_block, "the sample of a bucket");
  count = 0;
  std::size_t asked = 0;
  for (std::size_t block = 0; block < blocks; block += step) {
    for (; asked < blocks && asked < block + depth * step; asked += step) {
      const std::size_t slot = asked / step % depth;
      peeks.slots[slot] = store.reader.peek(position, asked, heads.data() + slot * page_bytes);
    }
    const std::size_t slot = block / step % depth;
    const PeekedBlock peeked = std::exchange(peeks.slots[slot], {});
    if (peeked.request != nullptr) peeked.request->wait();
    const std::byte* const head = heads.data() + slot * page_bytes;
    if (peeked.coded) {
      sample_coded_block(layout_of(bucket), head, peeked.records,
                         [&](uint128 key) { sample[count++] = packing.base + static_cast<Key>(key); });
      continue;
    }
    const std::size_t groups = (page_bytes - sizeof(Key)) / packing.group_bytes();
    const std::size_t records = std::min({peeked.records, groups * packing.group_records, most_of_block});
    packing.unpack_keys(head, records, [&](std::size_t, Key key) { sample[count++] = packing.base + key; });
  }
  return sample;
}

/// Distributes chain `position` to new chains directly after it, by splitters from its own sample, and leaves
/// it empty. Buckets and chains keep equal positions. Each round either halves the weight of the bucket or
/// isolates a single key, which needs no further sorting by key. I/O: reads the bucket once, and writes the
/// part that does not stay in memory once.
template <IntegerKey Key>
std::size_t split_bucket(Environment& environment, BlockStore& store, std::vector<Bucket<Key>>& buckets,
                         std::size_t position, const SortPlan& plan) {
  const Bucket<Key> parent = buckets[position];
  const std::uint64_t records = store.chains.view(position).records;
  const std::uint64_t aim = std::max<std::uint64_t>(1, plan.bucket_records / 2);
  const auto wish = static_cast<std::size_t>(
      std::clamp<std::uint64_t>(divide_up(records, aim), 2, std::max<std::size_t>(2, plan.buckets)));
  const Classifier<Key> classifier = [&] {
    std::size_t count = 0;
    const Array<Key> sample = sample_chain(environment.memory, store, position, parent, count);
    return Classifier<Key>(parent.range, sample.span().first(count), wish);
  }();
  const std::vector<Bucket<Key>> children = buckets_of(classifier, parent.packing.attachment_bytes);
  add_chains(store, position + 1, children);
  store.reader.start_reading(position, position + 1);

  Distribution<Key> distribution(classifier, children, store.writer, position + 1, environment.memory,
                                 plan.threads, plan.shared_blocks);
  store.reader.consume_on_threads(
      position, plan.threads, [&](unsigned thread, const std::byte* group, std::size_t left) {
        auto& lane = distribution.lane(thread);
        std::array<Key, Packing<Key>::group_records> keys;
        const std::size_t attachment_bytes = parent.packing.attachment_bytes;
        for (; left > 0; group += parent.packing.group_bytes()) {
          const std::size_t here = std::min<std::size_t>(left, Packing<Key>::group_records);
          parent.packing.unpack_keys(group, here,
                                     [&](std::size_t i, Key key) { keys[i] = parent.packing.base + key; });
          if (attachment_bytes == 0) {
            for (std::size_t i = 0; i < here; ++i) lane.push(keys[i]);
          } else {
            const std::byte* const attachments = parent.packing.attachments_of(group);
            for (std::size_t i = 0; i < here; ++i) lane.push(keys[i], attachments + i * attachment_bytes);
          }
          left -= here;
        }
      });
  distribution.finish();
  store.reader.clear(position);  // the records are in the new chains
  buckets.insert(buckets.begin() + static_cast<std::ptrdiff_t>(position) + 1, children.begin(),
                 children.end());
  return children.size();
}

/// Splits buckets until each has at most `plan.bucket_records` records or a single key.
template <IntegerKey Key>
void refine_buckets(Environment& environment, BlockStore& store, std::vector<Bucket<Key>>& buckets,
                    const SortPlan& plan) {
  for (std::size_t position = buckets.size(); position-- > 0;) {
    const KeyRange<Key>& range = buckets[position].range;
    if (store.chains.view(position).records <= plan.bucket_records || range.first == range.last) continue;
    position += 1 + split_bucket(environment, store, buckets, position, plan);
  }
}

}  // namespace emgraph::core
