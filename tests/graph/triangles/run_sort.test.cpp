// SPDX-License-Identifier: MIT
// Sorting more records than planned: correct, in constant memory, from any threads, with any fault.
#include "graph/triangles/run_sort.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests::triangles {
namespace {

using Narrow = graph::triangles::RunSort<std::uint64_t, 0>;
using Attached = graph::triangles::RunSort<std::uint64_t, 8>;

std::vector<std::uint64_t> random_keys(std::size_t count, std::uint64_t below) {
  std::mt19937_64 random(71);
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t& key : keys) key = random() % below;
  return keys;
}

/// Each of `threads` threads pushes its share, a few records at a time.
template <class Sort, class Make>
void push_all(Sort& sort, unsigned threads, std::size_t count, const Make& make) {
  core::run_on_threads(threads, [&](unsigned thread) {
    for (std::size_t i = thread * 10; i < count; i += threads * 10) {
      auto lane = sort.lane(thread);
      for (std::size_t k = i; k < std::min(i + 10, count); ++k) lane.push(make(k));
    }
  });
}

template <class Sort>
std::vector<typename Sort::Record> read_all(Sort& sort) {
  std::vector<typename Sort::Record> all;
  for (auto batch = sort.next(); !batch.empty(); batch = sort.next()) {
    all.insert(all.end(), batch.begin(), batch.end());
  }
  return all;
}

void check_keys(TestEnvironment& test, std::size_t memory_bytes, const std::vector<std::uint64_t>& keys,
                std::uint64_t below, const std::optional<std::uint64_t>& records) {
  Narrow sort(
      test.environment,
      {.range = {0, below - 1}, .records = records, .memory_bytes = memory_bytes, .threads = test.threads});
  CHECK(test.memory.used() == memory_bytes);
  push_all(sort, test.threads, keys.size(), [&](std::size_t i) { return Narrow::Record{keys[i]}; });
  sort.finish();
  CHECK(sort.records() == keys.size());
  std::vector<std::uint64_t> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  const auto all = read_all(sort);
  CHECK(test.memory.peak() == memory_bytes);
  REQUIRE(all.size() == sorted.size());
  CHECK(std::equal(all.begin(), all.end(), sorted.begin(),
                   [](const auto& record, std::uint64_t key) { return record.key == key; }));
}

TEST_CASE("run sort: a few, some and many times what was planned for") {
  constexpr std::uint64_t below = std::uint64_t{1} << 45;
  Sample sample(2);
  for (const std::size_t count : {0, 1, 5000, 100000, 1500000}) {
    const std::vector<std::uint64_t> keys = random_keys(count, below);
    for (const unsigned threads : tried_threads({1U, 2U})) {
      CAPTURE(count, threads);
      TestEnvironment test{.memory_bytes = 8 * core::MiB, .disks = threads, .threads = threads};
      for (const std::optional<std::uint64_t>& declared :
           {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(count)}) {
        if (sample.takes(threads)) check_keys(test, 640 * core::KiB, keys, below, declared);
      }
      CHECK(test.memory.used() == 0);
      CHECK(test.blocks.used_bytes() == 0);
    }
  }
}

TEST_CASE("run sort: runs of runs, ascending and equal keys") {
  constexpr std::size_t count = 1500000;
  for (const std::uint64_t below : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{count}}) {
    CAPTURE(below);
    std::vector<std::uint64_t> keys(count);
    for (std::size_t i = 0; i < count; ++i) keys[i] = i * below / count;
    TestEnvironment test{.memory_bytes = 8 * core::MiB, .disks = 2, .threads = 2};
    // Few records are declared, so every sorter takes 1000.
    check_keys(test, 640 * core::KiB, std::vector<std::uint64_t>(keys.begin(), keys.begin() + 200000), below,
               1000);
    check_keys(test, 640 * core::KiB, keys, below, std::nullopt);
    CHECK(test.blocks.used_bytes() == 0);
  }
}

TEST_CASE("run sort: more threads than there is memory for share an end") {
  TestEnvironment test{.memory_bytes = 4 * core::MiB, .threads = 16};
  const std::vector<std::uint64_t> keys = random_keys(300000, 1000000);
  check_keys(test, core::MiB, keys, 1000000, std::nullopt);
}

TEST_CASE("run sort: records of one key come in the order of their attachments") {
  TestEnvironment test{.memory_bytes = 8 * core::MiB, .disks = 2, .threads = 2};
  const std::vector<std::uint64_t> keys = random_keys(400000, 100);
  Attached sort(test.environment, {.range = {0, 99}, .memory_bytes = 3 * core::MiB / 2, .threads = 2});
  push_all(sort, 2, keys.size(), [&](std::size_t i) {
    Attached::Record record;
    record.key = keys[i];
    const std::uint64_t attachment = keys[i] * 1000003 % 4096;
    const std::uint64_t number = i * 7919 % 1021;
    const std::uint64_t both = attachment << 32 | number;
    std::memcpy(record.attachment.data(), &both, sizeof both);
    return record;
  });
  sort.finish();
  const auto all = read_all(sort);
  CHECK(all.size() == keys.size());
  CHECK(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.key != b.key ? a.key < b.key : a.attachment < b.attachment;
  }));
}

TEST_CASE("run sort survives the failure of any transfer and reservation without a leak") {
  const std::vector<std::uint64_t> keys = random_keys(60000, 1 << 20);
  for (const Fault fault : all_faults) {
    const auto most = fail_each(fault, {core::MiB, 2, 2}, [&](TestEnvironment& test) {
      Narrow sort(
          test.environment,
          {.range = {0, (1 << 20) - 1}, .records = 2000, .memory_bytes = 640 * core::KiB, .threads = 2});
      push_all(sort, 2, keys.size(), [&](std::size_t i) { return Narrow::Record{keys[i]}; });
      sort.finish();
      const std::size_t count = read_all(sort).size();
      CHECK(count == keys.size());
    });
    if (fault == Fault::transfer) CHECK(most > 20);
  }
}

TEST_CASE("run sort: too little memory is refused") {
  TestEnvironment test{.memory_bytes = core::MiB};
  for (const std::size_t memory : {std::size_t{4096}, 100 * core::KiB}) {
    CHECK_THROWS_AS(Narrow(test.environment, {.range = {0, 99}, .memory_bytes = memory}),
                    core::MemoryLimitError);
  }
  CHECK(test.memory.used() == 0);
}

}  // namespace
}  // namespace emgraph::tests::triangles
