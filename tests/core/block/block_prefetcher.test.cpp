// SPDX-License-Identifier: MIT
// The prefetcher returns every block as written, for any prediction and any order of consumption.
#include "core/block/block_prefetcher.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "core/memory/buffer.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests {
namespace {

constexpr std::size_t block_bytes = 4096;
using Order = std::vector<std::size_t>;

std::vector<core::BlockList> write_lists(TestEnvironment& test, const Order& sizes) {
  std::vector<core::BlockList> lists;
  for (std::size_t list = 0; list < sizes.size(); ++list) {
    core::BlockWriter writer(test.environment, block_bytes, 2, {});
    for (std::size_t block = 0; block < sizes[list]; ++block) {
      const std::uint64_t stamp[2] = {list, block};
      std::memcpy(writer.buffer().data(), stamp, sizeof(stamp));
      writer.write(block_bytes);
    }
    lists.push_back(writer.finish());
  }
  return lists;
}

enum class Told { truth, lies, not_enough, too_much, nothing };

/// The lists in the order in which blocks are consumed, first blocks first.
Order random_order(const Order& sizes, std::mt19937& random) {
  Order order;
  for (std::size_t list = 0; list < sizes.size(); ++list) order.insert(order.end(), sizes[list] - 1, list);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

core::BlockPrefetcher::Prediction prediction(Order order, Told told, std::size_t lists,
                                             std::mt19937& random) {
  if (told == Told::nothing) return {};
  if (told == Told::lies) std::shuffle(order.begin(), order.end(), random);
  if (told == Told::not_enough) order.resize(order.size() / 2);
  if (told == Told::too_much) order.insert(order.end(), 5, lists - 1);
  return [order, next = std::size_t{0}]() mutable {
    return next < order.size() ? order[next++] : core::BlockPrefetcher::no_list;
  };
}

std::uint64_t consume(TestEnvironment& test, const Order& sizes, std::size_t blocks, Told told,
                      std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<core::BlockList> lists = write_lists(test, sizes);
  const Order order = random_order(sizes, random);
  core::Buffer memory(test.memory, blocks * block_bytes, "blocks");
  core::BlockPrefetcher prefetcher(test.environment, std::move(lists), block_bytes, memory.bytes(),
                                   prediction(order, told, sizes.size(), random));
  Order taken(sizes.size());
  const auto take = [&](std::size_t list) {
    const std::span<const std::byte> block = prefetcher.next(list);
    std::uint64_t stamp[2] = {};
    std::memcpy(stamp, block.data(), sizeof(stamp));
    REQUIRE(block.size() == block_bytes);
    REQUIRE(stamp[0] == list);
    REQUIRE(stamp[1] == taken[list]++);
  };
  for (std::size_t list = 0; list < sizes.size(); ++list) take(list);
  for (const std::size_t list : order) take(list);
  CHECK(test.blocks.used_bytes() == 0);
  return prefetcher.unforeseen();
}

TEST_CASE("a block prefetcher hands out all blocks of all lists in any order") {
  std::uint32_t seed = 0;
  for (const std::size_t disks : {1, 2, 3, 4}) {
    for (const Told told : {Told::truth, Told::lies, Told::not_enough, Told::too_much, Told::nothing}) {
      for (const Order& sizes : {Order{1}, Order{200}, Order{1, 1, 1}, Order{300, 1, 2},
                                 Order{40, 50, 60, 70}, Order{90, 3, 3, 3, 3, 3, 90, 90}}) {
        for (const std::size_t blocks : {2 * sizes.size(), 3 * sizes.size() + 1, std::size_t{40}}) {
          CAPTURE(disks, static_cast<int>(told), sizes, blocks);
          TestEnvironment test{.disks = disks, .strategy = core::AllocationStrategy::fully_random};
          const NothingLeft nothing_left(test);
          const std::uint64_t unforeseen = consume(test, sizes, blocks, told, ++seed);
          if (told == Told::truth || told == Told::too_much || told == Told::nothing) CHECK(unforeseen == 0);
        }
      }
    }
  }
}

TEST_CASE("a block prefetcher may be dropped at any block") {
  for (std::size_t consumed = 0; consumed < 20; ++consumed) {
    TestEnvironment test{.disks = 2};
    const NothingLeft nothing_left(test);
    const Order sizes = {30, 30};
    core::Buffer memory(test.memory, 12 * block_bytes, "blocks");
    std::size_t told = 0;
    core::BlockPrefetcher prefetcher(test.environment, write_lists(test, sizes), block_bytes, memory.bytes(),
                                     [&] { return told < 58 ? told++ % 2 : core::BlockPrefetcher::no_list; });
    for (std::size_t i = 0; i < consumed; ++i) prefetcher.next(i % 2);
    CHECK(prefetcher.scheduled_buffers() > 5);
  }
}

TEST_CASE("a block prefetcher reads nothing twice, and survives the failure of any transfer") {
  TestEnvironment test{.disks = 3};
  consume(test, {50, 60}, 10, Told::truth, 1);
  CHECK(test.statistics.snapshot().read_bytes == test.statistics.snapshot().write_bytes);
  for (const Told told : {Told::truth, Told::lies, Told::nothing}) {
    for (const Fault fault : all_faults) {
      fail_each(fault, {core::MiB, 1, 3}, [&](TestEnvironment& failing) {
        consume(failing, {30, 20, 1, 5}, 11, told, 7);
      });
    }
  }
}

}  // namespace
}  // namespace emgraph::tests
