// SPDX-License-Identifier: MIT
// The block store gives every block back as it was, from memory or from disk.
#include "core/spill/block_store.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "core/base/parallel.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests {
namespace {

constexpr std::size_t block_bytes = 4096;

void stamp(std::byte* buffer, std::size_t chain, std::size_t number) {
  for (std::size_t i = 0; i < block_bytes; i += 16) {
    const std::uint64_t value[2] = {chain * 1000003 + number, i};
    std::memcpy(buffer + i, value, 16);
  }
}
bool stamped(const std::byte* buffer, std::size_t chain, std::size_t number) {
  for (std::size_t i = 0; i < block_bytes; i += 16) {
    const std::uint64_t value[2] = {chain * 1000003 + number, i};
    if (std::memcmp(buffer + i, value, 16) != 0) return false;
  }
  return true;
}

/// Fills `chains` chains with `blocks` blocks in random order and consumes them in order.
void fill_and_consume(TestEnvironment& test, std::size_t chains, std::size_t blocks) {
  core::BlockStore store(test.environment, block_bytes, 64 * block_bytes);
  store.insert_chains(0, chains);
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t chain = random() % chains;
    std::byte* const buffer = store.take();
    stamp(buffer, chain, store.chain(chain).blocks.size());
    store.put(chain, buffer, 7);
  }
  std::size_t seen = 0;
  store.start_reading(0, chains);
  for (std::size_t chain = 0; chain < chains; ++chain) {
    CHECK(store.chain(chain).records == 7 * store.chain(chain).blocks.size());
    for (std::size_t number = 0; number < store.chain(chain).blocks.size(); ++number, ++seen) {
      const std::byte* const buffer = store.load(chain, number);
      REQUIRE(stamped(buffer, chain, number));
      store.release(chain, number);
    }
  }
  REQUIRE(seen == blocks);
}

TEST_CASE("block store keeps the first chains in memory and the others on disk") {
  for (const std::size_t disks : {1, 2, 4}) {
    TestEnvironment test{.memory_bytes = 2 * core::MiB, .disks = disks};
    fill_and_consume(test, 10, 48);
    CHECK(test.statistics.snapshot().write_bytes == 0);
    fill_and_consume(test, 10, 2000);
    CHECK(test.statistics.snapshot().write_bytes >= 1900 * block_bytes);
    CHECK(test.statistics.snapshot().write_bytes <= 2000 * block_bytes);
    CHECK(test.statistics.snapshot().read_bytes == test.statistics.snapshot().write_bytes);
    CHECK(test.memory.used() == 0);
    CHECK(test.blocks.used_bytes() == 0);
  }
}

TEST_CASE("block store reads from several disks, wherever the blocks lie and whatever the pool") {
  for (const auto strategy : core::all_strategies) {
    for (const std::size_t disks : {2, 3, 4}) {
      for (const std::size_t blocks : {100, 3000}) {
        CAPTURE(core::name(strategy), disks, blocks);
        TestEnvironment test{.memory_bytes = 2 * core::MiB, .disks = disks, .strategy = strategy};
        const NothingLeft nothing_left(test);
        fill_and_consume(test, 7, blocks);
        CHECK(test.statistics.snapshot().read_bytes == test.statistics.snapshot().write_bytes);
      }
    }
  }
}

TEST_CASE("block store reads chains that several threads consume at a time") {
  for (const std::size_t disks : {1, 4}) {
    TestEnvironment test{.memory_bytes = 2 * core::MiB, .disks = disks, .threads = 3};
    const NothingLeft nothing_left(test);
    constexpr std::size_t chains = 30;
    core::BlockStore store(test.environment, block_bytes, 64 * block_bytes);
    store.insert_chains(0, chains);
    for (std::size_t i = 0; i < 2000; ++i) {
      std::byte* const buffer = store.take();
      stamp(buffer, i % chains, i / chains);
      store.put(i % chains, buffer, 1);
    }
    store.start_reading(0, chains);
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> good{0};
    core::run_on_threads(3, [&](unsigned) {
      for (std::size_t chain; (chain = next.fetch_add(1)) < chains;) {
        for (std::size_t number = 0; number < store.chain(chain).blocks.size(); ++number) {
          good += stamped(store.load(chain, number), chain, number) ? 1 : 0;
          store.release(chain, number);
        }
        store.drop_blocks(chain);
      }
    });
    CHECK(good == 2000);
  }
}

TEST_CASE("block store frees chains that are dropped, and everything on destruction") {
  TestEnvironment test{.memory_bytes = 2 * core::MiB};
  {
    core::BlockStore store(test.environment, block_bytes, 32 * block_bytes);
    store.insert_chains(0, 2);
    for (std::size_t i = 0; i < 300; ++i) store.put(i % 2, store.take(), 1);
    const std::uint64_t before = test.blocks.used_bytes();
    store.drop_blocks(1);
    CHECK(store.chain(1).records == 150);
    CHECK(store.chain(1).blocks.empty());
    CHECK(test.blocks.used_bytes() <= before / 2);
  }
  CHECK(test.memory.used() == 0);
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("block store gives the memory of lists back with their blocks") {
  TestEnvironment test{.memory_bytes = 2 * core::MiB};
  core::BlockStore store(test.environment, block_bytes, 32 * block_bytes);
  store.insert_chains(0, 2);
  const std::size_t empty = test.memory.used();
  for (std::size_t i = 0; i < 6000; ++i) store.put(i % 2, store.take(), 1);
  const std::size_t lists = test.memory.used() - empty;
  CHECK(lists >= 6000 * sizeof(core::BlockStore::Block));
  store.drop_blocks(1);
  CHECK(test.memory.used() - empty <= lists / 2 + 1024 * sizeof(core::BlockStore::Block));
  store.drop_blocks(0);
  CHECK(test.memory.used() == empty);
  store.put(0, store.take(), 1);
  CHECK(test.memory.used() > empty);
}

TEST_CASE("block store charges what lists take, while they grow too") {
  TestEnvironment test{.memory_bytes = 4 * core::MiB};
  core::BlockStore store(test.environment, block_bytes, 32 * block_bytes);
  store.insert_chains(0, 2);
  const std::size_t empty = test.memory.used();
  const auto& blocks = store.chain(0).blocks;
  std::size_t room = 0;
  std::size_t growths = 0;
  for (std::size_t i = 0; i < 12000; ++i) {
    store.put(0, store.take(), 1);
    if (blocks.capacity() == room) continue;
    ++growths;
    const std::size_t before = room;
    room = blocks.capacity();
    CAPTURE(i, before, room);
    REQUIRE(test.memory.used() >= empty + room * sizeof(core::BlockStore::Block));
    REQUIRE(test.memory.peak() >= empty + (before + room) * sizeof(core::BlockStore::Block));
  }
  CHECK(growths > 10);
  CHECK(test.memory.used() - empty <= 12000 * core::BlockStore::bookkeeping_bytes);
}

TEST_CASE("block store survives the failure of any transfer and reservation without a leak") {
  for (const Fault fault : all_faults) {
    const auto consume = [](TestEnvironment& test) { fill_and_consume(test, 4, 200); };
    CHECK(fail_each(fault, {2 * core::MiB}, consume) > 1);
    CHECK(fail_each(fault, {2 * core::MiB, 1, 4}, consume, 1) > 1);
    const auto drop = [](TestEnvironment& test) {
      core::BlockStore store(test.environment, block_bytes, 32 * block_bytes);
      store.insert_chains(0, 2);
      for (std::size_t i = 0; i < 300; ++i) store.put(i % 2, store.take(), 1);
      for (std::size_t chain = 0; chain < 2; ++chain) store.drop_blocks(chain);
    };
    CHECK(fail_each(fault, {2 * core::MiB}, drop) > 1);
  }
}

}  // namespace
}  // namespace emgraph::tests
