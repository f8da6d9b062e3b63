// SPDX-License-Identifier: MIT
// The block store gives every block back as it was, from memory or from disk.
#include "core/spill/block_store.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <stdexcept>
#include <thread>

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

/// Puts a block that is stamped as `number` of its chain.
void put_block(core::BlockStore& store, std::size_t chain, std::size_t number, std::uint32_t records) {
  std::byte* const buffer = store.writer.take();
  stamp(buffer, chain, number);
  store.writer.put(chain, buffer, records);
}

/// Fills `chains` chains with `blocks` blocks in random order and consumes them in order.
void fill_and_consume(TestEnvironment& test, std::size_t chains, std::size_t blocks) {
  core::BlockStore store(test.environment, block_bytes, 64 * block_bytes);
  store.chains.insert(0, chains);
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t chain = random() % chains;
    put_block(store, chain, store.chains.view(chain).blocks, 7);
  }
  std::size_t seen = 0;
  store.reader.start_reading(0, chains);
  for (std::size_t chain = 0; chain < chains; ++chain) {
    CHECK(store.chains.view(chain).records == 7 * store.chains.view(chain).blocks);
    for (std::size_t number = 0; number < store.chains.view(chain).blocks; ++number, ++seen) {
      const core::LoadedBlock block = store.reader.load(chain, number);
      REQUIRE(stamped(block.data, chain, number));
      REQUIRE(block.records == 7);
      store.reader.release(chain, number);
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

TEST_CASE("block store reads from several disks, for all places of blocks and sizes of the pool") {
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

TEST_CASE("block store reads ahead as far as the pool allows, and frees the space of what it has read") {
  for (const std::size_t disks : {1, 3}) {
    TestEnvironment test{.memory_bytes = 2 * core::MiB, .disks = disks};
    core::BlockStore store(test.environment, block_bytes, 64 * block_bytes);
    store.chains.insert(0, 1);
    for (std::size_t number = 0; number < 50; ++number) {
      put_block(store, 0, number, 7);
    }
    store.writer.write_all();
    CHECK(test.blocks.used_bytes() == 50 * block_bytes);
    store.reader.start_reading_alone(0, 1, 2);
    while (test.blocks.used_bytes() > 0) std::this_thread::yield();  // before any block is loaded
    CHECK(test.statistics.snapshot().read_bytes == 50 * block_bytes);
    for (std::size_t number = 0; number < 50; ++number) {
      REQUIRE(stamped(store.reader.load(0, number).data, 0, number));
      store.reader.release(0, number);
    }
  }
}

TEST_CASE("block store writes from the beginning what it expects not to keep") {
  for (const double expected : {20.0, 200.0, 2000.0}) {
    CAPTURE(expected);
    TestEnvironment test{.memory_bytes = 2 * core::MiB};
    core::BlockStore store(test.environment, block_bytes, 64 * block_bytes);
    store.chains.insert(0, 2);
    store.writer.expect(expected);
    const auto written = [&](std::size_t from, std::size_t to) {
      for (std::size_t number = from; number < to; ++number) {
        put_block(store, number % 2, number / 2, 7);
      }
      return test.statistics.snapshot().write_bytes / block_bytes;
    };
    const std::uint64_t first = written(0, 30);  // there is room for all of them
    const std::uint64_t all = written(30, 200);
    CHECK((expected < 64 ? first == 0 : first >= (expected < 1000 ? 10 : 18)));
    CHECK(first <= 30);
    CHECK(all >= 200 - 64);
    CHECK((expected > 200 || all <= 200 - 32));
    store.reader.start_reading(0, 2);
    for (std::size_t number = 0; number < 200; ++number) {
      REQUIRE(stamped(store.reader.load(number % 2, number / 2).data, number % 2, number / 2));
      store.reader.release(number % 2, number / 2);
    }
  }
}

TEST_CASE("block store reads chains that several threads consume at a time") {
  for (const std::size_t disks : {1, 4}) {
    TestEnvironment test{.memory_bytes = 2 * core::MiB, .disks = disks, .threads = 3};
    const NothingLeft nothing_left(test);
    constexpr std::size_t chains = 30;
    core::BlockStore store(test.environment, block_bytes, 64 * block_bytes);
    store.chains.insert(0, chains);
    for (std::size_t i = 0; i < 2000; ++i) {
      put_block(store, i % chains, i / chains, 1);
    }
    store.reader.start_reading(0, chains);
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> good{0};
    core::run_on_threads(3, [&](unsigned) {
      for (std::size_t chain; (chain = next.fetch_add(1)) < chains;) {
        for (std::size_t number = 0; number < store.chains.view(chain).blocks; ++number) {
          good += stamped(store.reader.load(chain, number).data, chain, number) ? 1 : 0;
          store.reader.release(chain, number);
        }
        store.reader.drop_blocks(chain);
      }
    });
    CHECK(good == 2000);
  }
}

TEST_CASE("block store frees chains that are dropped, and everything on destruction") {
  TestEnvironment test{.memory_bytes = 2 * core::MiB};
  {
    core::BlockStore store(test.environment, block_bytes, 32 * block_bytes);
    store.chains.insert(0, 2);
    for (std::size_t i = 0; i < 300; ++i) store.writer.put(i % 2, store.writer.take(), 1);
    const std::uint64_t before = test.blocks.used_bytes();
    store.reader.drop_blocks(1);
    CHECK(store.chains.view(1).records == 150);
    CHECK(store.chains.view(1).blocks == 0);
    CHECK(test.blocks.used_bytes() <= before / 2);
  }
  CHECK(test.memory.used() == 0);
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("block store gives the memory of lists back with their blocks") {
  TestEnvironment test{.memory_bytes = 2 * core::MiB};
  core::BlockStore store(test.environment, block_bytes, 32 * block_bytes);
  store.chains.insert(0, 2);
  const std::size_t empty = test.memory.used();
  for (std::size_t i = 0; i < 6000; ++i) store.writer.put(i % 2, store.writer.take(), 1);
  const std::size_t lists = test.memory.used() - empty;
  CHECK(lists >= 6000 * sizeof(core::ChainBlock));
  store.reader.drop_blocks(1);
  CHECK(test.memory.used() - empty <= lists / 2 + 1024 * sizeof(core::ChainBlock));
  store.reader.drop_blocks(0);
  CHECK(test.memory.used() == empty);
  store.writer.put(0, store.writer.take(), 1);
  CHECK(test.memory.used() > empty);
}

TEST_CASE("block store charges what lists take, while they grow too") {
  TestEnvironment test{.memory_bytes = 4 * core::MiB};
  core::BlockStore store(test.environment, block_bytes, 32 * block_bytes);
  store.chains.insert(0, 2);
  const std::size_t empty = test.memory.used();
  constexpr std::size_t step = core::ChainStore::bookkeeping_step_blocks * sizeof(core::ChainBlock);
  std::size_t charged = 0;
  std::size_t growths = 0;
  for (std::size_t i = 0; i < 12000; ++i) {
    store.writer.put(0, store.writer.take(), 1);
    const std::size_t now = test.memory.used() - empty;
    REQUIRE(now >= (i + 1) * sizeof(core::ChainBlock));
    if (now == charged) continue;
    ++growths;
    CAPTURE(i, charged, now);
    REQUIRE(test.memory.peak() + 2 * step >= empty + charged + now);
    charged = now;
  }
  CHECK(growths > 10);
  CHECK(test.memory.used() - empty <= 12000 * core::ChainStore::bookkeeping_bytes);
}

TEST_CASE("block store drops chains whose blocks are on their way back, while others are read") {
  for (const std::size_t disks : {1, 4}) {
    TestEnvironment test{.memory_bytes = 2 * core::MiB, .disks = disks};
    const NothingLeft nothing_left(test);
    constexpr std::size_t chains = 10;
    core::BlockStore store(test.environment, block_bytes, 64 * block_bytes);
    store.chains.insert(0, chains);
    for (std::size_t i = 0; i < 2000; ++i) {
      put_block(store, i % chains, i / chains, 1);
    }
    store.reader.start_reading(1, chains);  // the window reaches into chain 1 and, once that is gone, beyond
    for (std::size_t chain = 1; chain < chains; chain += 2) store.reader.drop_blocks(chain);
    for (std::size_t chain = 0; chain < chains; chain += 2) {
      std::size_t number = 0;
      store.reader.consume(
          chain, [&](const std::byte* data, std::size_t) { REQUIRE(stamped(data, chain, number++)); });
      CHECK(number == 2000 / chains);
      store.reader.clear(chain);
      CHECK(store.chains.view(chain).records == 0);
    }
    CHECK(test.blocks.used_bytes() == 0);
  }
}

TEST_CASE("block store refuses to drop a block that is in use") {
  TestEnvironment test{.memory_bytes = 2 * core::MiB};
  const NothingLeft nothing_left(test);
  core::BlockStore store(test.environment, block_bytes, 16 * block_bytes);
  store.chains.insert(0, 1);
  for (std::size_t i = 0; i < 100; ++i) {
    put_block(store, 0, i, 1);
  }
  store.reader.start_reading(0, 1);
  const core::LoadedBlock block = store.reader.load(0, 50);
  CHECK_THROWS_AS(store.reader.drop_blocks(0), std::logic_error);
  CHECK(stamped(block.data, 0, 50));
  store.reader.release(0, 50);
  store.reader.drop_blocks(0);
}

/// Chains filled by all threads at once, then consumed by all.
void fill_and_consume_on_threads(core::Environment& environment, unsigned threads) {
  constexpr std::size_t chains = 6;
  constexpr std::size_t blocks_each = 400;
  core::BlockStore store(environment, block_bytes, 64 * block_bytes);
  store.chains.insert(0, chains);
  core::run_on_threads(threads, [&](unsigned thread) {
    for (std::size_t i = 0; i < blocks_each; ++i) {
      put_block(store, i % chains, thread, thread);
    }
  });
  std::atomic<std::size_t> good{0};
  for (std::size_t chain = 0; chain < chains; ++chain) {
    store.reader.start_reading(chain, chain + 1);
    store.reader.consume_on_threads(chain, threads, [&](unsigned, const std::byte* data, std::size_t thread) {
      good += stamped(data, chain, thread) ? 1 : 0;
    });
    store.reader.drop_blocks(chain);
  }
  if (good != threads * blocks_each) throw std::runtime_error("a block has come back wrong or not at all");
}

TEST_CASE("block store is filled and consumed by several threads at once") {
  for (const std::size_t disks : {1, 3}) {
    TestEnvironment test{.memory_bytes = 2 * core::MiB, .disks = disks, .threads = 4};
    const NothingLeft nothing_left(test);
    fill_and_consume_on_threads(test.environment, 4);
  }
}

TEST_CASE("block store waits for writes in flight before it reads, peeks at or frees their blocks") {
  TestEnvironment test{.memory_bytes = 4 * core::MiB, .threads = 4};
  // Disks that complete a transfer some time after it was submitted, unlike those of the test environment.
  const core::DiskSpec slow{
      .path = {}, .backend = core::DiskBackend::memory, .limit_bytes_per_second = 64 * core::MiB};
  core::BlockManager blocks({slow, slow}, test.strategy, 1, test.statistics);
  core::Environment environment = test.on(blocks);
  fill_and_consume_on_threads(environment, 4);
  {
    core::BlockStore store(environment, block_bytes, 64 * block_bytes);
    const core::Buffer page(test.memory, block_bytes, "a page");
    store.chains.insert(0, 3);
    for (std::size_t i = 0; i < 600; ++i) {
      put_block(store, i % 3, i / 3, 1);
      if (i % 50 > 0) continue;
      for (std::size_t number = 0; number < store.chains.view(2).blocks; ++number) {
        const core::PeekedBlock peeked = store.reader.peek(
            2, number, page.bytes().first(number % 2 == 0 ? core::page_bytes : block_bytes));
        if (peeked.request != nullptr) peeked.request->wait();
        REQUIRE(stamped(page.data(), 2, number));
      }
    }
    store.reader.drop_blocks(2);  // its last blocks are being written
    store.reader.start_reading(0, 2);
    store.reader.drop_blocks(1);  // its first blocks are being read
    std::size_t number = 0;
    store.reader.consume(0, [&](const std::byte* data, std::size_t) { REQUIRE(stamped(data, 0, number++)); });
    CHECK(number == 200);
    for (std::size_t i = 0; i < 200; ++i) {
      put_block(store, 1, i, 1);
    }
    store.writer.write_all();
    store.reader.start_reading(1, 2);
  }  // with reads in flight
  CHECK(test.memory.used() == 0);
  CHECK(blocks.used_bytes() == 0);
}

TEST_CASE("block store survives the failure of any transfer and reservation without a leak") {
  for (const Fault fault : all_faults) {
    const auto consume = [](TestEnvironment& test) { fill_and_consume(test, 4, 200); };
    CHECK(fail_each(fault, {2 * core::MiB}, consume) > 1);
    CHECK(fail_each(fault, {2 * core::MiB, 1, 4}, consume, 1) > 1);
    const auto drop = [](TestEnvironment& test) {
      core::BlockStore store(test.environment, block_bytes, 32 * block_bytes);
      store.chains.insert(0, 2);
      for (std::size_t i = 0; i < 300; ++i) store.writer.put(i % 2, store.writer.take(), 1);
      for (std::size_t chain = 0; chain < 2; ++chain) store.reader.drop_blocks(chain);
    };
    CHECK(fail_each(fault, {2 * core::MiB}, drop) > 1);
    const auto on_threads = [](TestEnvironment& test) { fill_and_consume_on_threads(test.environment, 3); };
    CHECK(fail_each(fault, {2 * core::MiB, 3, 2}, on_threads, 2) > 1);
  }
}

}  // namespace
}  // namespace emgraph::tests
