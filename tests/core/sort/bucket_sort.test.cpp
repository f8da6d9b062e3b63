// SPDX-License-Identifier: MIT
// A bucket comes back in order whatever the spread of its keys.
#include "core/sort/bucket_sort.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "tests/core/sort/keyed_record.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {
namespace {

constexpr std::size_t record_count = 60'000;  // enough for eight parts
constexpr std::size_t block_bytes = 16 * core::KiB;

/// The key of record `i` of a bucket whose last key is `last`.
using Spread = core::uint128 (*)(std::size_t i, std::uint64_t random, core::uint128 last);

struct NamedSpread {
  const char* name;
  Spread spread;
};
const NamedSpread spreads[] = {
    {"even", [](std::size_t, std::uint64_t random, core::uint128 last) { return random % (last + 1); }},
    {"even, with many equal keys",
     [](std::size_t, std::uint64_t random, core::uint128 last) { return random % 5'000 * (last / 5'000); }},
    {"even at first",
     [](std::size_t i, std::uint64_t random, core::uint128 last) {
       return random % (i < record_count / 2 ? last + 1 : last / 100);
     }},
    {"the largest", [](std::size_t, std::uint64_t, core::uint128 last) { return last; }},
};

template <class Key, std::size_t A>
using Records = std::vector<KeyedRecord<Key, A>>;

template <class Key, std::size_t A>
Records<Key, A> make_records(Spread spread, Key first, Key last) {
  std::mt19937_64 random(A);
  Records<Key, A> records(record_count);
  for (std::size_t i = 0; i < record_count; ++i) {
    records[i].key = first + static_cast<Key>(spread(i, random(), last - first));
    for (std::byte& byte : records[i].attachment) byte = static_cast<std::byte>(random() % 3);
  }
  return records;
}

/// Fills the last chain.
template <class Key, std::size_t A>
void fill(core::BlockStore& store, const core::Bucket<Key>& bucket, const Records<Key, A>& records) {
  constexpr std::size_t group = core::Packing<Key>::group_records;
  for (std::size_t sent = 0; sent < records.size();) {
    std::byte* const block = store.writer.take();
    std::size_t filled = 0;
    while (filled < bucket.packing.capacity(block_bytes) && sent < records.size()) {
      const std::size_t here = std::min(group, records.size() - sent);
      pack(bucket.packing, records.data() + sent, here, block, filled / group);
      filled += here;
      sent += here;
    }
    store.writer.put(store.chains.size() - 1, block, static_cast<std::uint32_t>(filled));
  }
}

template <class Key, std::size_t A>
auto as_pair(const KeyedRecord<Key, A>& record) {
  return std::pair(record.key, record.attachment);
}

/// The records of the next chain, as they come back.
template <class Key, std::size_t A>
std::vector<std::pair<Key, std::array<std::byte, A>>> take_all(core::BucketSort<Key>& sort) {
  std::vector<std::pair<Key, std::array<std::byte, A>>> found;
  for (auto keys = sort.next(); !keys.empty(); keys = sort.next()) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto& record = found.emplace_back(keys[i], std::array<std::byte, A>());
      std::memcpy(record.second.data(), sort.attachments() + i * A, A);
    }
  }
  CHECK(sort.next().empty());
  return found;
}

/// Sorts a bucket of each spread, one after the other, with the same space.
template <class Key, std::size_t A>
void check_spreads(Key first, Key last) {
  TestEnvironment test{.memory_bytes = 16 * core::MiB};
  const NothingLeft nothing_left(test);
  core::BlockStore store(test.environment, block_bytes, 64 * block_bytes);
  core::BucketSort<Key> sort(test.environment.memory, record_count, A);
  const core::Bucket<Key> bucket{{first, last}, {first, core::Packing<Key>::key_bytes_for(last - first), A}};
  for (const bool unique : {false, true}) {
    // An uneven bucket changes what is done with the next ones; each spread comes several times. One thread
    // sorts: ThreadSanitizer looks for races with the reader only.
    for (int round = 0; round < (only_races ? 1 : sized(3, 2)); ++round) {
      for (const NamedSpread& spread : spreads) {
        CAPTURE(A, unique, round, spread.name);
        const std::size_t chain = store.chains.size();
        store.chains.insert(chain, 1);
        const Records<Key, A> records = make_records<Key, A>(spread.spread, first, last);
        fill(store, bucket, records);
        store.reader.start_reading(chain, chain + 1);
        sort.load(store, chain, bucket, unique, core::compare_bytes, nullptr);
        std::vector<std::pair<Key, std::array<std::byte, A>>> expected;
        for (const auto& record : records) expected.push_back(as_pair(record));
        std::sort(expected.begin(), expected.end());
        if (unique) {
          const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
          expected.erase(std::unique(expected.begin(), expected.end(), same), expected.end());
        }
        REQUIRE(take_all<Key, A>(sort) == expected);
        store.reader.clear(chain);
      }
    }
  }
}

TEST_CASE("a bucket of 64-bit keys with attachments comes back in order, even or not") {
  const std::uint64_t first = 1'000'000'007;
  check_spreads<std::uint64_t, 1>(first, first + (std::uint64_t{1} << 40));
  check_spreads<std::uint64_t, 4>(first, first + 999'999);
  check_spreads<std::uint64_t, 8>(first, first + (std::uint64_t{1} << 47));
  check_spreads<std::uint64_t, 20>(first, first + (std::uint64_t{1} << 40));
  check_spreads<std::uint64_t, 8>(0, first);
}

/// The size of the first batch of a bucket of this spread.
std::size_t first_batch(const NamedSpread& spread) {
  constexpr std::uint64_t last = std::uint64_t{1} << 40;
  TestEnvironment test{.memory_bytes = 16 * core::MiB};
  core::BlockStore store(test.environment, block_bytes, 64 * block_bytes);
  core::BucketSort<std::uint64_t> sort(test.environment.memory, record_count, 8);
  const core::Bucket<std::uint64_t> bucket{{0, last},
                                           {0, core::Packing<std::uint64_t>::key_bytes_for(last), 8}};
  store.chains.insert(0, 1);
  fill(store, bucket, make_records<std::uint64_t, 8>(spread.spread, 0, last));
  store.reader.start_reading(0, 1);
  sort.load(store, 0, bucket, false, core::compare_bytes, nullptr);
  return sort.next().size();
}

TEST_CASE("a bucket of even keys is sorted in parts, another one whole") {
  const std::size_t even = first_batch(spreads[0]);
  CHECK(even > record_count / 10);
  CHECK(even < record_count / 6);
  CHECK(first_batch(spreads[2]) < record_count / 10);
}

TEST_CASE("keys that leave no bits for the room to spare are sorted in one part") {
  check_spreads<std::uint64_t, 8>(0, (std::uint64_t{1} << 48) - 1);  // 48 bits and 16 for places
  check_spreads<std::uint64_t, 8>(0, ~std::uint64_t{0});
}

TEST_CASE("a bucket of 128-bit keys with attachments comes back in order, even or not") {
  const core::uint128 first = core::uint128{1} << 80;
  check_spreads<core::uint128, 8>(first, first + (std::uint64_t{1} << 40));
  check_spreads<core::uint128, 8>(first, first + (core::uint128{1} << 90));
  check_spreads<core::uint128, 4>(first, first + (core::uint128{1} << 120));
}

}  // namespace
}  // namespace emgraph::tests
