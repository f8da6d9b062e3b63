// SPDX-License-Identifier: MIT
// The records of a hub come back in order, and what holds them is charged.
#include "core/sort/hub_sort.hpp"

#include <malloc.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "tests/support/machine.hpp"

namespace emgraph::tests {
namespace {

using Key = core::uint128;

/// The bytes that the heap has given out; 0 with sanitizers. Buffers are not of the heap.
std::size_t heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

/// Fills chain 0 with `count` records of key `bucket.range.first`. Returns their attachments.
std::vector<std::vector<std::byte>> fill(core::BlockStore& store, const core::Bucket<Key>& bucket,
                                         std::size_t count) {
  const std::size_t bytes = bucket.packing.attachment_bytes;
  constexpr std::size_t group = core::Packing<Key>::group_records;
  const std::size_t row_bytes = sizeof(Key) + bytes;
  std::vector<std::vector<std::byte>> sent;
  std::mt19937_64 random(1);
  while (sent.size() < count) {
    std::byte* const block = store.writer.take();
    std::uint32_t filled = 0;
    while (filled < bucket.packing.capacity(store.block_bytes()) && sent.size() < count) {
      const std::size_t here = std::min(group, count - sent.size());
      std::vector<std::byte> rows(here * row_bytes);
      for (std::byte& byte : rows) byte = static_cast<std::byte>(random());
      for (std::size_t i = 0; i < here; ++i) {
        std::memcpy(rows.data() + i * row_bytes, &bucket.range.first, sizeof(Key));
        sent.emplace_back(rows.begin() + i * row_bytes + sizeof(Key), rows.begin() + (i + 1) * row_bytes);
      }
      bucket.packing.pack(rows.data(), here, block, filled / group);
      filled += static_cast<std::uint32_t>(here);
    }
    store.writer.put(0, block, filled);
  }
  return sent;
}

TEST_CASE("hub sort: records come back in order within the given memory, which holds their batches") {
  constexpr std::size_t memory = 256 * core::KiB;
  for (const std::size_t attachment_bytes : {0, 1, 4, 8, 16, 17, 64}) {
    for (const std::size_t count : {1, 1000, 20'001}) {
      CAPTURE(attachment_bytes, count);
      TestEnvironment test{.memory_bytes = 2 * core::MiB};
      const NothingLeft nothing_left(test);
      core::BlockStore store(test.environment, 16 * core::KiB, 64 * 16 * core::KiB);
      store.chains.insert(0, 1);
      const Key key = (Key{1} << 90) + 7;
      const core::Bucket<Key> bucket{{key, key}, {key, 1, attachment_bytes}};
      std::vector<std::vector<std::byte>> sent = fill(store, bucket, count);
      std::sort(sent.begin(), sent.end());
      store.reader.start_reading(0, 1);
      const std::size_t charged = test.memory.used();
      const std::size_t heap = heap_bytes();
      core::HubSort<Key> hub(test.environment, memory, store, 0, bucket, false, core::compare_bytes);
      if (count <= 1000) CHECK(heap_bytes() <= heap + 16 * core::KiB);  // more go to the disk, which is heap
      CHECK(test.memory.used() <= charged + memory + 16 * core::KiB);   // and what is noted of blocks on disk
      std::size_t seen = 0;
      for (auto keys = hub.next(); !keys.empty(); keys = hub.next()) {
        for (std::size_t i = 0; i < keys.size(); ++i, ++seen) {
          REQUIRE(keys[i] == key);
          if (attachment_bytes == 0) continue;
          REQUIRE(std::memcmp(hub.attachments() + i * attachment_bytes, sent[seen].data(),
                              attachment_bytes) == 0);
        }
      }
      CHECK(seen == count);
      store.reader.drop_blocks(0);
    }
  }
}

}  // namespace
}  // namespace emgraph::tests
