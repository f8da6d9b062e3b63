// SPDX-License-Identifier: MIT
// The merge sorter against std::sort: kinds of input, records, memory, threads, disks, and faults everywhere.
#include "core/sort/merge_sorter.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/stream/stream.hpp"
#include "tests/support/faults.hpp"

namespace {

using namespace emgraph;
using core::KiB;

struct Keyed {
  std::uint32_t key;
  std::uint64_t value;
  std::uint32_t more[5];
};
struct KeyedLess {
  bool operator()(const Keyed& a, const Keyed& b) const {
    return std::tie(a.key, a.value) < std::tie(b.key, b.value);
  }
};

struct KeyOnlyLess {
  bool operator()(const Keyed& a, const Keyed& b) const { return a.key < b.key; }
};

enum class Kind { random, ascending, descending, equal, sawtooth, few_values };
constexpr Kind all_kinds[] = {Kind::random, Kind::ascending, Kind::descending,
                              Kind::equal,  Kind::sawtooth,  Kind::few_values};

std::vector<std::uint64_t> make_keys(Kind kind, std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<std::uint64_t> keys(count);
  for (std::size_t i = 0; i < count; ++i) {
    switch (kind) {
      case Kind::random:
        keys[i] = random();
        break;
      case Kind::ascending:
        keys[i] = i;
        break;
      case Kind::descending:
        keys[i] = count - i;
        break;
      case Kind::equal:
        keys[i] = 42;
        break;
      case Kind::sawtooth:
        keys[i] = i % 1000;
        break;
      case Kind::few_values:
        keys[i] = random() % 3;
        break;
    }
  }
  return keys;
}

template <class T>
T make_record(std::uint64_t key, std::size_t i) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(key);
  } else {
    return T{static_cast<std::uint32_t>(key), i, {1, 2, 3, 4, static_cast<std::uint32_t>(i)}};
  }
}

template <class T, class Less>
bool same(const std::vector<T>& a, const std::vector<T>& b, Less less) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const T& x, const T& y) { return !less(x, y) && !less(y, x); });
}

template <class T, class Less>
std::vector<T> sorted_by_us(core::Environment& environment, const std::vector<T>& records,
                            core::MergeSorterOptions options) {
  core::MergeSorter<T, Less> sorter(environment, options);
  std::span<const T> left(records);
  for (std::size_t step = 1; !left.empty(); step = step * 2 + 1) {
    const std::size_t count = std::min(step, left.size());
    sorter.push(left.first(count));
    left = left.subspan(count);
  }
  CHECK(sorter.size() == records.size());
  auto stream = sorter.finish();
  static_assert(core::StreamOf<decltype(stream), T>);
  auto moved = std::move(stream);
  std::vector<T> result;
  for (auto batch = moved.next(); !batch.empty(); batch = moved.next()) {
    result.insert(result.end(), batch.begin(), batch.end());
  }
  CHECK(moved.next().empty());
  return result;
}

template <class T, class Less>
void check(Kind kind, std::size_t count, std::size_t disks, unsigned threads, std::size_t memory_bytes) {
  const std::vector<std::uint64_t> keys = make_keys(kind, count);
  std::vector<T> records(count);
  for (std::size_t i = 0; i < count; ++i) records[i] = make_record<T>(keys[i], i);
  tests::TestEnvironment test{.memory_bytes = memory_bytes + 64 * KiB, .disks = disks, .threads = threads};
  const auto result = sorted_by_us<T, Less>(test.environment, records,
                                            {.memory_bytes = memory_bytes, .block_bytes = 4 * KiB});
  std::sort(records.begin(), records.end(), Less());
  CHECK(same(result, records, Less()));
  CHECK(test.memory.used() == 0);
  CHECK(test.blocks.used_bytes() == 0);
}

}  // namespace

TEST_CASE("the merge sorter sorts", "[merge]") {
  for (const Kind kind : all_kinds) {
    for (const std::size_t count : {0, 1, 100, 20'000, tests::sized(150'000, 60'000)}) {
      check<std::uint32_t, std::less<>>(kind, count, 1, 1, 128 * KiB);
      check<std::uint64_t, std::less<std::uint64_t>>(kind, count, 4, 2, 128 * KiB);
      check<Keyed, KeyedLess>(kind, count, 2, 2, 256 * KiB);
    }
  }
}

TEST_CASE("a merge sorter takes no more shares of its memory than a batch can merge", "[merge]") {
  constexpr std::size_t memory_bytes = 128 * KiB;
  const core::MergePlan plan = core::plan_merge_sort(memory_bytes, 4 * KiB, sizeof(Keyed));
  // If all records are equal, a batch begins with one of each share. It was written beyond its end.
  check<Keyed, KeyOnlyLess>(Kind::equal, 3 * plan.run, 1, static_cast<unsigned>(plan.batch + 9),
                            memory_bytes);
}

TEST_CASE("the merge sorter takes several passes when runs are many", "[merge]") {
  constexpr std::size_t memory_bytes = 64 * KiB;
  const core::MergePlan plan = core::plan_merge_sort(memory_bytes, 4 * KiB, sizeof(std::uint64_t));
  const std::size_t count = plan.run * plan.fan_in * (plan.fan_in + 2);
  check<std::uint64_t, std::less<>>(Kind::random, count, 3, 2, memory_bytes);
  check<std::uint64_t, std::less<>>(Kind::sawtooth, count, 1, 1, memory_bytes);
}

TEST_CASE("a merge reads its runs in the order in which it needs them", "[merge]") {
  for (const Kind kind : all_kinds) {
    for (const auto strategy : core::all_strategies) {
      CAPTURE(static_cast<int>(kind), core::name(strategy));
      tests::TestEnvironment test{.memory_bytes = core::MiB, .disks = 4, .threads = 2, .strategy = strategy};
      const tests::NothingLeft nothing_left(test);
      std::vector<std::uint64_t> keys = make_keys(kind, tests::sized(200'000, 100'000));
      core::MergeSorter<std::uint64_t> sorter(test.environment,
                                              {.memory_bytes = 256 * KiB, .block_bytes = 4 * KiB});
      sorter.push(keys);
      auto stream = sorter.finish();
      REQUIRE(stream.prefetcher() != nullptr);
      CHECK(stream.prefetcher()->scheduled_buffers() > 8);
      std::sort(keys.begin(), keys.end());
      std::size_t seen = 0;
      for (auto batch = stream.next(); !batch.empty(); seen += batch.size(), batch = stream.next()) {
        REQUIRE(std::equal(batch.begin(), batch.end(), keys.begin() + static_cast<std::ptrdiff_t>(seen)));
      }
      CHECK(seen == keys.size());
      // Equal records over many blocks leave the order of their blocks open: a few may come unforeseen.
      const bool equal = kind == Kind::few_values || kind == Kind::sawtooth || kind == Kind::equal;
      CHECK(stream.prefetcher()->unforeseen() <= (equal ? 20 : 0));
    }
  }
}

TEST_CASE("a merge sorter without room for the ends of blocks reads each run ahead", "[merge]") {
  struct Wide {
    std::uint64_t key;
    std::uint64_t more[255];
    bool operator<(const Wide& other) const { return key < other.key; }
  };
  tests::TestEnvironment test{.memory_bytes = core::MiB, .disks = 3};
  const tests::NothingLeft nothing_left(test);
  core::MergeSorter<Wide> sorter(test.environment, {.memory_bytes = 256 * KiB, .block_bytes = 4 * KiB});
  std::vector<Wide> records(700);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].key = i * 389 % records.size();
  sorter.push(records);
  auto stream = sorter.finish();
  REQUIRE(stream.prefetcher() != nullptr);
  CHECK(stream.prefetcher()->scheduled_buffers() == 0);
  std::uint64_t next = 0;
  for (auto batch = stream.next(); !batch.empty(); batch = stream.next()) {
    for (const Wide& record : batch) REQUIRE(record.key == next++);
  }
  CHECK(next == records.size());
}

TEST_CASE("what fits into memory causes no I/O", "[merge]") {
  tests::TestEnvironment test{.memory_bytes = 256 * KiB, .threads = 2};
  std::vector<std::uint64_t> keys = make_keys(Kind::random, 20'000);
  sorted_by_us<std::uint64_t, std::less<>>(test.environment, keys, {.memory_bytes = 256 * KiB});
  CHECK(test.statistics.snapshot().writes == 0);
}

TEST_CASE("the error of a merge sorter names the memory that it needs", "[merge]") {
  tests::TestEnvironment test{.memory_bytes = core::MiB};
  using Sorter = core::MergeSorter<std::uint64_t>;
  CHECK_THROWS_AS(Sorter(test.environment, {.memory_bytes = 16 * KiB}), core::MemoryLimitError);
  CHECK_THROWS_AS(Sorter(test.environment, {.memory_bytes = core::MiB, .block_bytes = 5000}),
                  core::UsageError);
  CHECK_THROWS_AS(Sorter(test.environment, {.memory_bytes = 2 * core::MiB}), core::MemoryLimitError);
  CHECK(test.memory.used() == 0);
}

TEST_CASE("a merge sort survives the failure of any transfer and reservation without a leak", "[merge]") {
  const std::vector<std::uint64_t> keys = make_keys(Kind::random, 30'000);
  std::vector<std::uint64_t> expected = keys;
  std::sort(expected.begin(), expected.end());
  for (const std::size_t disks : {1, 2, 4}) {
    for (const tests::Fault fault : tests::all_faults) {
      const auto sort = [&](tests::TestEnvironment& test) {
        const auto result = sorted_by_us<std::uint64_t, std::less<>>(
            test.environment, keys, {.memory_bytes = 64 * KiB, .block_bytes = 4 * KiB});
        CHECK(result == expected);
      };
      const auto most = tests::fail_each(fault, {128 * KiB, 1, disks}, sort, disks);
      CHECK(most > (fault == tests::Fault::transfer ? 100U : 5U));
    }
  }
}
