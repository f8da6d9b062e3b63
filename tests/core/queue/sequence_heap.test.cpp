// SPDX-License-Identifier: MIT
// The sequence heap against std::priority_queue: sequences of operations, records, disks, and faults
// everywhere.
#include "core/queue/sequence_heap.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "tests/support/faults.hpp"

namespace {

using namespace emgraph;
using core::KiB;

struct Message {
  std::uint64_t key;
  std::uint64_t payload;
  std::uint32_t more;
};
struct EarlierMessage {
  bool operator()(const Message& a, const Message& b) const { return a.key < b.key; }
};
struct Parcel {  // 64 bytes, the largest record for which the contract promises to work in 256 KiB
  std::uint64_t key;
  std::uint64_t payload[7];
};

template <class T>
T make_record(std::uint64_t key) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(key);
  } else if constexpr (std::is_same_v<T, Message>) {
    return {key, key * 3, 9};
  } else {
    return {key, {key * 3}};
  }
}
template <class T>
std::uint64_t key_of(const T& record) {
  if constexpr (std::is_integral_v<T>) {
    return record;
  } else if constexpr (std::is_same_v<T, Message>) {
    if (record.payload != record.key * 3 || record.more != 9) FAIL_CHECK("message " << record.key);
    return record.key;
  } else {
    if (record.payload[0] != record.key * 3) FAIL_CHECK("parcel " << record.key);
    return record.key;
  }
}
struct ByKey {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return a.key < b.key;
  }
};

/// The queue and its oracle side by side.
template <class T, class Less>
struct Pair {
  explicit Pair(core::Environment& environment, core::SequenceHeapOptions options)
      : ours(environment, options) {}

  void push(std::uint64_t key) {
    ours.push(make_record<T>(key));
    oracle.push(key);
  }
  void pop() {
    wrong += key_of(ours.top()) != oracle.top();
    ours.pop();
    oracle.pop();
    wrong += ours.size() != oracle.size();
  }
  void pop_below(std::uint64_t bound) {
    ours.pop_below(make_record<T>(bound), [&](std::span<const T> batch) {
      wrong += batch.empty();
      for (const T& record : batch) {
        wrong += oracle.empty() || key_of(record) != oracle.top();
        if (!oracle.empty()) oracle.pop();
      }
    });
    wrong += !oracle.empty() && oracle.top() < bound;
    wrong += ours.size() != oracle.size();
  }
  void drain() {
    while (!oracle.empty()) pop();
    wrong += !ours.empty();
  }

  core::SequenceHeap<T, Less> ours;
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> oracle;
  std::uint64_t wrong = 0;
};

constexpr int patterns = 8;

template <class T, class Less>
void exercise(Pair<T, Less>& pair, int pattern, std::uint64_t count) {
  std::mt19937_64 random(count);
  constexpr std::uint64_t range = std::uint64_t{1} << 31;
  const auto fill = [&](auto key) {
    for (std::uint64_t i = 0; i < count; ++i) pair.push(key(i));
  };
  switch (pattern) {
    case 0:
      fill([&](std::uint64_t) { return random() % range; });
      break;
    case 1:
      fill([&](std::uint64_t i) { return i; });
      break;
    case 2:
      fill([&](std::uint64_t i) { return count - i; });
      break;
    case 3:
      fill([&](std::uint64_t) { return std::uint64_t{42}; });
      break;
    case 4:
      fill([&](std::uint64_t i) { return i % 777; });
      break;
    case 5:  // intermixed: twice as many pushes, then twice as many pops, with keys before and after the top
      for (std::uint64_t i = 0; i < 3 * count; ++i) {
        if ((i < 2 * count) == (random() % 3 != 0) || pair.oracle.empty()) {
          pair.push(random() % (random() % 2 == 0 ? range : 1000 + i));
        } else {
          pair.pop();
        }
      }
      break;
    case 6:  // time-forward processing
      for (std::uint64_t node = 0; node < count / 5; ++node) {
        pair.pop_below(node + 1);
        for (int i = 0; i < 5; ++i) pair.push(node + 1 + random() % (count / 5 - node));
      }
      break;
    case 7:  // a monotone queue with a short horizon, as in shortest paths; rises and falls
      pair.push(0);
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t now = pair.oracle.top();
        pair.pop();
        for (std::uint64_t j = 0; j < (i % 20'000 < 10'000 ? 2 : 1) || pair.oracle.empty(); ++j) {
          pair.push(now + random() % 5000);
        }
        if (i % 20'000 >= 15'000 && pair.oracle.size() > 1) pair.pop();
      }
      break;
  }
  pair.drain();
}

template <class T, class Less>
void check_patterns(std::size_t memory_bytes, std::uint64_t count, std::size_t disks, tests::Sample& sample) {
  for (int pattern = 0; pattern < patterns; ++pattern) {
    if (!sample.takes()) continue;
    tests::TestEnvironment test{.memory_bytes = memory_bytes + 64 * KiB, .disks = disks};
    {
      Pair<T, Less> pair(test.environment, {.memory_bytes = memory_bytes, .block_bytes = 4 * KiB});
      exercise(pair, pattern, count);
      exercise(pair, pattern, count / 3);  // the emptied queue works again
      INFO("pattern " << pattern << ", record of " << sizeof(T));
      CHECK(pair.wrong == 0);
    }
    CHECK(test.memory.used() == 0);
    CHECK(test.blocks.used_bytes() == 0);
  }
}

}  // namespace

TEST_CASE("the sequence heap pops what a binary heap pops", "[queue]") {
  tests::Sample sample(3);
  check_patterns<std::uint32_t, std::less<>>(256 * KiB, 200'000, 1, sample);
  check_patterns<std::uint64_t, std::less<std::uint64_t>>(256 * KiB, 200'000, 4, sample);
  check_patterns<Message, EarlierMessage>(256 * KiB, 60'000, 2, sample);
  check_patterns<Parcel, ByKey>(256 * KiB, 30'000, 3, sample);
}

TEST_CASE("a sequence heap merges runs into runs of higher levels", "[queue]") {
  // Some 500 times what lies in memory, in runs of which 12 can be open.
  tests::TestEnvironment test{.memory_bytes = 512 * KiB, .disks = 2};
  core::SequenceHeap<std::uint64_t> heap(test.environment,
                                         {.memory_bytes = 256 * KiB, .block_bytes = 4 * KiB});
  constexpr std::uint64_t count = 3'000'000;
  std::mt19937_64 random(1);
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> batch(1000);
  for (std::uint64_t i = 0; i < count; i += batch.size()) {
    for (std::uint64_t& key : batch) sum += key = random();
    heap.push_batch(batch);
  }
  CHECK(heap.external_runs() > 0);
  CHECK(test.statistics.snapshot().write_bytes > 3 * count * sizeof(std::uint64_t) / 2);
  CHECK(test.statistics.snapshot().write_bytes < 4 * count * sizeof(std::uint64_t));
  std::uint64_t last = 0;
  bool sorted = true;
  for (std::uint64_t i = 0; i < count; ++i) {
    sorted &= last <= heap.top();
    last = heap.top();
    sum -= last;
    heap.pop();
  }
  CHECK(sorted);
  CHECK(sum == 0);
  CHECK(heap.empty());
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("a queue that fits into memory causes no I/O", "[queue]") {
  tests::TestEnvironment test{.memory_bytes = core::MiB};
  core::SequenceHeap<std::uint32_t> heap(test.environment, {.memory_bytes = core::MiB});
  std::mt19937 random(1);
  for (int i = 0; i < 90'000; ++i) heap.push(static_cast<std::uint32_t>(random()));
  for (int i = 0; i < 1'000'000; ++i) {  // a steady state: push a key after the top, pop
    heap.push(heap.top() + static_cast<std::uint32_t>(random() % 100'000'000));
    heap.pop();
  }
  CHECK(heap.size() == 90'000);
  CHECK(test.statistics.snapshot().writes == 0);
}

TEST_CASE("a sequence heap works in any memory from its least amount on", "[queue]") {
  for (const std::size_t memory_bytes :
       {256 * KiB, 300 * KiB + 17, 777 * KiB, 3 * core::MiB, 40 * core::MiB}) {
    tests::TestEnvironment test{.memory_bytes = memory_bytes + 64 * KiB};
    Pair<std::uint64_t, std::less<>> pair(test.environment, {.memory_bytes = memory_bytes});
    CHECK(test.memory.used() <= memory_bytes);
    exercise(pair, 5, 50'000);
    CHECK(pair.wrong == 0);
  }
}

TEST_CASE("the error of a sequence heap names the memory that it needs", "[queue]") {
  tests::TestEnvironment test{.memory_bytes = core::MiB};
  using Heap = core::SequenceHeap<std::uint64_t>;
  CHECK_THROWS_AS(Heap(test.environment, {.memory_bytes = 16 * KiB}), core::MemoryLimitError);
  CHECK_THROWS_AS(Heap(test.environment, {.memory_bytes = core::MiB, .block_bytes = 5000}), core::UsageError);
  CHECK_THROWS_AS(Heap(test.environment, {.memory_bytes = 2 * core::MiB}), core::MemoryLimitError);
  CHECK(test.memory.used() == 0);
}

TEST_CASE("a sequence heap survives the failure of any transfer without a leak", "[queue]") {
  for (const int pattern : {0, 5, 6}) {
    CAPTURE(pattern);
    const auto attempt = [&](tests::TestEnvironment& test) {
      Pair<std::uint64_t, std::less<>> pair(test.environment,
                                            {.memory_bytes = 256 * KiB, .block_bytes = 4 * KiB});
      exercise(pair, pattern, 60'000);
      CHECK(pair.wrong == 0);
    };
    const auto seed = static_cast<std::uint64_t>(pattern);
    CHECK(tests::fail_each(tests::Fault::transfer, {512 * KiB, 1, 2}, attempt, seed) > 50);
  }
}

TEST_CASE("a sequence heap survives the failure of any reservation without a leak", "[queue]") {
  const auto attempt = [&](tests::TestEnvironment& test) {
    Pair<std::uint64_t, std::less<>> pair(test.environment,
                                          {.memory_bytes = 256 * KiB, .block_bytes = 4 * KiB});
    exercise(pair, 0, 150'000);
    CHECK(pair.wrong == 0);
  };
  CHECK(tests::fail_each(tests::Fault::reservation, {512 * KiB, 1, 2}, attempt) > 5);
}
