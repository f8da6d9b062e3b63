// SPDX-License-Identifier: MIT
// Loser tree, pairwise merging and the branch-free quicksort against std::stable_sort.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "core/sort/merge_pairwise.hpp"
#include "core/sort/run_formation.hpp"

namespace {

using namespace emgraph::core;

/// Compared by key only; `origin` shows the order among equals.
template <std::size_t padding>
struct Tagged {
  std::uint32_t key;
  std::uint32_t origin;
  std::uint64_t more[padding];
  friend bool operator==(const Tagged& a, const Tagged& b) { return a.key == b.key && a.origin == b.origin; }
};
template <>
struct Tagged<0> {
  std::uint32_t key;
  std::uint32_t origin;
  friend bool operator==(const Tagged& a, const Tagged& b) { return a.key == b.key && a.origin == b.origin; }
};
struct ByKey {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return a.key < b.key;
  }
};

template <class T>
std::vector<std::vector<T>> make_inputs(std::size_t inputs, std::size_t longest, std::uint32_t keys,
                                        std::mt19937& random) {
  std::vector<std::vector<T>> result(inputs);
  for (auto& input : result) {
    input.resize(random() % (longest + 1));
    for (T& record : input) record.key = static_cast<std::uint32_t>(random()) % keys;
    std::sort(input.begin(), input.end(), ByKey());
  }
  std::uint32_t origin = 0;
  for (auto& input : result) {
    for (T& record : input) record.origin = origin++;
  }
  return result;
}

template <class T>
std::vector<T> oracle(const std::vector<std::vector<T>>& inputs) {
  std::vector<T> all;
  for (const auto& input : inputs) all.insert(all.end(), input.begin(), input.end());
  std::stable_sort(all.begin(), all.end(), ByKey());
  return all;
}

template <class T>
void check_merges() {
  std::mt19937 random(5);
  for (const std::size_t k : {0, 1, 2, 3, 4, 5, 7, 8, 16, 33, 64}) {
    for (const std::uint32_t keys : {1u, 3u, 1'000'000u}) {
      const auto inputs = make_inputs<T>(k, 100, keys, random);
      const std::vector<T> expected = oracle(inputs);

      std::vector<std::span<const T>> whole(inputs.begin(), inputs.end());
      std::erase_if(whole, [](const auto& piece) { return piece.empty(); });
      std::vector<T> out(expected.size());
      std::vector<T> spare(expected.size());
      PairwiseMerger<T, ByKey> pairwise{ByKey()};
      CHECK(pairwise.merge(whole, out, spare) == expected.size());
      CHECK(out == expected);
    }
  }
}

template <class T, class Less>
void check_sort(std::vector<T> records, Less less) {
  std::vector<T> expected = records;
  std::sort(expected.begin(), expected.end(), less);
  sort_records(std::span<T>(records), less);
  CHECK(std::is_sorted(records.begin(), records.end(), less));
  std::vector<T> a = records;
  std::vector<T> b = expected;
  const auto whole = [&](const T& x, const T& y) { return std::memcmp(&x, &y, sizeof(T)) < 0; };
  std::sort(a.begin(), a.end(), whole);
  std::sort(b.begin(), b.end(), whole);
  CHECK((a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0));
}

}  // namespace

TEST_CASE("merging is stable by input number, for all batches", "[merge]") {
  check_merges<Tagged<0>>();
  check_merges<Tagged<1>>();
  check_merges<Tagged<3>>();
}

TEST_CASE("sort_records sorts every kind of record and input", "[merge]") {
  std::mt19937 random(9);
  for (const std::size_t count : {0, 1, 2, 19, 20, 21, 47, 48, 127, 129, 1000, 30'000}) {
    for (int kind = 0; kind < 6; ++kind) {
      std::vector<std::uint32_t> keys(count);
      for (std::size_t i = 0; i < count; ++i) {
        const auto up = static_cast<std::uint32_t>(i);
        const std::uint32_t choices[] = {static_cast<std::uint32_t>(random()),
                                         up,
                                         static_cast<std::uint32_t>(count) - up,
                                         7,
                                         up % 50,
                                         std::min(up, static_cast<std::uint32_t>(count) - up)};
        keys[i] = choices[kind];
      }
      check_sort(keys, std::less<>());
      check_sort(keys, std::greater<>());
      check_sort(std::vector<std::uint64_t>(keys.begin(), keys.end()), std::less<std::uint64_t>());
      check_sort(std::vector<std::uint16_t>(keys.begin(), keys.end()), std::less<>());
      check_sort(std::vector<uint128>(keys.begin(), keys.end()), std::less<uint128>());
      std::vector<Tagged<1>> small(count);
      std::vector<Tagged<5>> large(count);
      for (std::size_t i = 0; i < count; ++i) {
        small[i] = {.key = keys[i], .origin = static_cast<std::uint32_t>(i), .more = {i}};
        large[i] = {.key = keys[i], .origin = static_cast<std::uint32_t>(i), .more = {i}};
      }
      check_sort(small, ByKey());
      check_sort(large, ByKey());
    }
  }
}
