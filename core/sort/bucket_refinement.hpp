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

/// Blocks of a chain that are being read for a sample, some at a time.
class PeekedBlocks {
 public:
  /// `bytes`: of each block that are read. Blocks 0, `step`, 2 `step` …
  PeekedBlocks(MemoryBudget& memory, BlockStore& store, std::size_t chain, std::size_t step,
               std::size_t depth, std::size_t bytes)
      : store_(store),
        chain_(chain),
        step_(step),
        bytes_(bytes),
        buffer_(memory, depth * bytes, "the sample of a bucket"),
        slots_(depth) {}
  PeekedBlocks(const PeekedBlocks&) = delete;
  ~PeekedBlocks() {
    for (const PeekedBlock& peeked : slots_) {
      if (peeked.request != nullptr) peeked.request->wait_ignoring_error();
    }
  }

  /// Calls take(data, records, coded) for each.
  template <class Take>
  void for_each(Take&& take) {
    const std::size_t blocks = store_.chains.view(chain_).blocks;
    std::size_t asked = 0;
    for (std::size_t block = 0; block < blocks; block += step_) {
      for (; asked < blocks && asked < block + slots_.size() * step_; asked += step_) {
        const std::size_t slot = asked / step_ % slots_.size();
        slots_[slot] = store_.reader.peek(chain_, asked, buffer_.bytes().subspan(slot * bytes_, bytes_));
      }
      const std::size_t slot = block / step_ % slots_.size();
      const PeekedBlock peeked = std::exchange(slots_[slot], {});
      if (peeked.request != nullptr) peeked.request->wait();
      take(buffer_.data() + slot * bytes_, peeked.records, peeked.coded);
    }
  }

 private:
  BlockStore& store_;
  const std::size_t chain_;
  const std::size_t step_;
  const std::size_t bytes_;
  const Buffer buffer_;
  std::vector<PeekedBlock> slots_;
};

/// A sample of the keys in the blocks of a chain; the blocks are not consumed. Of many blocks it has the
/// first keys of each. Few blocks are read whole: the first keys of sorted input are the smallest of their
/// block, and tell nothing of the others. I/O: reads the first pages of up to 256 blocks, many at a time, or
/// up to 31 blocks. Memory: the sample, up to 256 KiB of 64-bit keys, and 16 pages or a block, or a quarter
/// of what is free. `count`: keys of the sample.
template <IntegerKey Key>
Array<Key> sample_chain(MemoryBudget& memory, BlockStore& store, std::size_t position,
                        const Bucket<Key>& bucket, std::size_t& count) {
  constexpr std::size_t most_of_block = 128;  // records, if there are many blocks
  constexpr std::size_t many_blocks = 32;
  constexpr std::size_t most_depth = 16;
  const std::size_t share = memory.available() / 8;
  const std::size_t most_blocks = std::clamp<std::size_t>(share / (most_of_block * sizeof(Key)), 1, 256);
  static_assert(Packing<Key>::group_records * (sizeof(Key) + most_attachment_bytes) + sizeof(Key) <=
                page_bytes);
  const Packing<Key>& packing = bucket.packing;
  const std::size_t blocks = store.chains.view(position).blocks;
  const std::size_t step = divide_up(blocks, most_blocks);
  const std::size_t block_bytes = store.writer.block_bytes();
  const bool whole = blocks < many_blocks && step == 1 && block_bytes <= share;
  const std::size_t of_block = whole ? most_blocks * most_of_block / blocks : most_of_block;
  const std::size_t depth = whole ? 1 : std::clamp<std::size_t>(share / page_bytes, 1, most_depth);
  PeekedBlocks peeked(memory, store, position, step, depth, whole ? block_bytes : page_bytes);
  Array<Key> sample(memory, divide_up(blocks, step) * of_block, "the sample of a bucket");
  count = 0;
  peeked.for_each([&](const std::byte* data, std::size_t records, bool coded) {
    if (coded) {
      sample_coded_block(layout_of(bucket), data, records,
                         [&](uint128 key) { sample[count++] = packing.base + static_cast<Key>(key); });
      return;
    }
    const std::size_t in_page = (page_bytes - sizeof(Key)) / packing.group_bytes() * packing.group_records;
    const std::size_t held = whole ? records : std::min({records, in_page, most_of_block});
    const std::size_t stride = divide_up(held, of_block);
    packing.unpack_keys(data, held, [&](std::size_t i, Key key) {
      if (i % stride == 0) sample[count++] = packing.base + key;
    });
  });
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
