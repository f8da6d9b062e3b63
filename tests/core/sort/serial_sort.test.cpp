// SPDX-License-Identifier: MIT
// Keys one by one through a sorter: as std::sort has them, with and without a sample, in memory and not.
#include "core/sort/serial_sort.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "core/base/integers.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests {
namespace {

template <class Key>
std::vector<Key> random_keys(std::size_t count, Key last) {
  std::mt19937_64 random(11);
  std::vector<Key> keys(count);
  for (Key& key : keys) key = static_cast<Key>(static_cast<Key>(random()) * random()) % last;
  return keys;
}

template <class Key>
std::vector<Key> sorted(TestEnvironment& test, const std::vector<Key>& keys, Key last,
                        std::size_t memory_bytes, std::vector<Key> sample = {}) {
  core::SerialSort<Key> sort(test.environment, last, keys.size(), memory_bytes, std::move(sample));
  for (const Key key : keys) sort.push(key);
  sort.start();
  std::vector<Key> all;
  for (; !sort.at_end(); sort.next()) all.push_back(sort.key());
  return all;
}

template <class Key>
void check_sort(Key last) {
  for (const std::size_t count : {0, 1, 1000, 300000}) {
    const std::vector<Key> keys = random_keys(count, last);
    std::vector<Key> right = keys;
    std::sort(right.begin(), right.end());
    for (const unsigned threads : tried_threads({1U, 2U})) {
      CAPTURE(count, threads, sizeof(Key));
      TestEnvironment test{.memory_bytes = 3 * core::MiB, .disks = 2, .threads = threads};
      const NothingLeft nothing_left(test);
      CHECK((sorted(test, keys, last, core::MiB) == right));
      CHECK((sorted(test, keys, last, 5 * core::MiB / 2) == right));
      const std::vector<Key> sample(keys.begin(),
                                    keys.begin() + std::min<std::ptrdiff_t>(500, std::ssize(keys)));
      CHECK((sorted(test, keys, last, core::MiB, sample) == right));
    }
  }
}

TEST_CASE("serial sort: keys of both widths as std::sort has them") {
  check_sort(std::uint64_t{1} << 41);
  check_sort(core::uint128{1} << 99);
}

TEST_CASE("serial sort survives the failure of any transfer and reservation without a leak") {
  const auto keys = random_keys(200000, std::uint64_t{1} << 50);
  for (const Fault fault : all_faults) {
    const auto most = fail_each(fault, {core::MiB, 1, 2}, [&](TestEnvironment& test) {
      const std::size_t count =
          sorted(test, keys, std::uint64_t{1} << 50, 3 * core::MiB / 4, {keys.begin(), keys.begin() + 100})
              .size();
      CHECK(count == keys.size());
    });
    CHECK(most > 3);
  }
}

}  // namespace
}  // namespace emgraph::tests
