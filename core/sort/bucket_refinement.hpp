// SPDX-License-Identifier: MIT
// Splits buckets that are too large to be sorted in memory: hubs, unlucky samples, sorted input.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/parallel.hpp"
#include "core/sort/distribution.hpp"
#include "core/sort/sort_plan.hpp"

namespace emgraph::core {

/// Keys of records spread over the blocks of a chain; consumes nothing. I/O: the heads of up to 256 blocks,
/// many at a time. Memory: the sample, up to 256 KiB of 64-bit keys, and 16 heads; not charged.
template <IntegerKey Key, std::size_t A>
std::vector<Key> sample_chain(BlockStore& store, std::size_t position, const Packing<Key, A>& packing) {
  constexpr std::size_t most_blocks = 256;
  constexpr std::size_t most_of_block = 128;  // records
  constexpr std::size_t depth = 16;
  static_assert(Packing<Key, A>::group_records * (sizeof(Key) + A) + sizeof(Key) <= page_bytes);
  const auto& blocks = store.chain(position).blocks;
  const std::size_t step = divide_up(blocks.size(), most_blocks);
  std::vector<std::byte> heads((depth + 1) * page_bytes);
  std::byte* const aligned =
      heads.data() + (page_bytes - reinterpret_cast<std::uintptr_t>(heads.data()) % page_bytes) % page_bytes;
  struct Peeks {
    std::array<RequestPtr, depth> requests;
    ~Peeks() {
      for (const RequestPtr& request : requests) {
        if (request != nullptr) request->settle();
      }
    }
  } peeks;
  std::vector<Key> sample;
  sample.reserve(divide_up(blocks.size(), step) * most_of_block);
  std::size_t asked = 0;
  for (std::size_t block = 0; block < blocks.size(); block += step) {
    for (; asked < blocks.size() && asked < block + depth * step; asked += step) {
      const std::size_t slot = asked / step % depth;
      peeks.requests[slot] = store.peek(position, asked, aligned + slot * page_bytes);
    }
    const std::size_t slot = block / step % depth;
    if (RequestPtr request = std::exchange(peeks.requests[slot], nullptr)) request->wait();
    const std::byte* const head = aligned + slot * page_bytes;
    if (store.coded(position, block)) {
      sample_coded_block(*store.chain(position).layout, head, blocks[block].records,
                         [&](uint128 key) { sample.push_back(packing.base + static_cast<Key>(key)); });
      continue;
    }
    const std::size_t groups = (page_bytes - sizeof(Key)) / packing.group_bytes();
    const std::size_t records =
        std::min<std::size_t>({blocks[block].records, groups * packing.group_records, most_of_block});
    packing.unpack_keys(head, records, [&](std::size_t, Key key) { sample.push_back(packing.base + key); });
  }
  return sample;
}

/// Distributes chain `position` to new chains right behind it, by splitters from its own sample, and leaves
/// it empty. Buckets and chains keep equal positions. Each round either halves the weight of what is too
/// large or isolates a single key, which needs no further sorting by key. I/O: the bucket once in and, as far
/// as it does not stay in memory, once out.
template <IntegerKey Key, std::size_t A>
std::size_t split_bucket(Environment& environment, BlockStore& store, std::vector<Bucket<Key, A>>& buckets,
                         std::size_t position, const SortPlan& plan) {
  const Bucket<Key, A> parent = buckets[position];
  const std::uint64_t records = store.chain(position).records;
  std::vector<Key> sample = sample_chain(store, position, parent.packing);
  const std::uint64_t aim = std::max<std::uint64_t>(1, plan.bucket_records / 2);
  const auto wish = static_cast<std::size_t>(
      std::clamp<std::uint64_t>(divide_up(records, aim), 2, std::max<std::size_t>(2, plan.buckets)));
  const Classifier<Key> classifier(parent.range, sample, wish);
  const std::vector<Bucket<Key, A>> children = buckets_of<Key, A>(classifier);
  add_chains(store, position + 1, children);
  store.start_reading(position, position + 1);

  Distribution<Key, A> distribution(classifier, children, store, position + 1, environment.memory,
                                    plan.threads, plan.shared_blocks);
  std::atomic<std::size_t> next_block{0};
  run_on_threads(plan.threads, [&](unsigned thread) {
    auto& lane = distribution.lane(thread);
    std::vector<KeyedRecord<Key, A>> records_of_group(Packing<Key, A>::group_records);
    const auto& blocks = store.chain(position).blocks;
    for (std::size_t block; (block = next_block.fetch_add(1)) < blocks.size();) {
      const std::byte* const from = store.load(position, block);
      const std::byte* group = from;
      for (std::size_t left = blocks[block].records; left > 0; group += parent.packing.group_bytes()) {
        const std::size_t here = std::min<std::size_t>(left, Packing<Key, A>::group_records);
        parent.packing.unpack_keys(group, here, [&](std::size_t i, Key key) {
          records_of_group[i].key = parent.packing.base + key;
        });
        if constexpr (A > 0) {
          const std::byte* attachment = group + Packing<Key, A>::group_records * parent.packing.key_bytes;
          for (std::size_t i = 0; i < here; ++i, attachment += A) {
            std::memcpy(records_of_group[i].attachment.data(), attachment, A);
          }
        }
        for (std::size_t i = 0; i < here; ++i) lane.push(records_of_group[i]);
        left -= here;
      }
      store.release(position, block);
    }
  });
  distribution.finish();
  store.drop_blocks(position);
  store.chain(position).records = 0;  // they are the children's now
  buckets.insert(buckets.begin() + static_cast<std::ptrdiff_t>(position) + 1, children.begin(),
                 children.end());
  return children.size();
}

/// Splits until every bucket fits `plan.bucket_records` or holds a single key.
template <IntegerKey Key, std::size_t A>
void refine_buckets(Environment& environment, BlockStore& store, std::vector<Bucket<Key, A>>& buckets,
                    const SortPlan& plan) {
  for (std::size_t position = buckets.size(); position-- > 0;) {
    const KeyRange<Key>& range = buckets[position].range;
    if (store.chain(position).records <= plan.bucket_records || range.first == range.last) continue;
    position += 1 + split_bucket(environment, store, buckets, position, plan);
  }
}

}  // namespace emgraph::core
