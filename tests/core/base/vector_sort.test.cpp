// SPDX-License-Identifier: MIT
// Sorts of few and many integers against std::sort, on every instruction set of this machine.
#include "core/base/vector_sort.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/base/sorting_network.hpp"
#include "core/base/vector_quicksort.hpp"
#include "tests/support/vector_targets.hpp"

namespace emgraph::tests {
namespace {

/// Keys of several kinds, among them many equal ones and the largest, which fills vectors up.
template <class Key>
std::vector<Key> keys_of_kind(unsigned kind, std::size_t count, std::mt19937_64& random) {
  constexpr Key largest = static_cast<Key>(~Key{0});
  std::vector<Key> keys(count);
  const auto key = [&](std::size_t i) -> std::uint64_t {
    switch (kind) {
      case 0:
        return random();
      case 1:
        return random() % 3;
      case 2:
        return largest - random() % 2;
      case 3:
        return i;
      default:
        return count - i;
    }
  };
  for (std::size_t i = 0; i < count; ++i) keys[i] = static_cast<Key>(key(i));
  return keys;
}

bool has_avx512() {
  return (hwy::SupportedTargets() & HWY_AVX3) != 0;
}

/// Calls sort(keys) for spans that begin anywhere and are parts of larger arrays.
template <class Key, class Sort>
void check_sort(std::size_t most, const Sort& sort) {
  std::mt19937_64 random(7);
  for (std::size_t count = 0; count <= most; ++count) {
    for (unsigned kind = 0; kind < 5; ++kind) {
      CAPTURE(count, kind);
      std::vector<Key> keys = keys_of_kind<Key>(kind, count + 3, random);
      std::vector<Key> right = keys;
      if (!sort(std::span(keys).subspan(1, count))) continue;
      std::sort(right.begin() + 1, right.begin() + 1 + static_cast<std::ptrdiff_t>(count));
      CHECK((keys == right));
    }
  }
}

template <class Key>
void check_network() {
  for_every_target([] {
    check_sort<Key>(core::most_network_keys, [](std::span<Key> keys) {
      const std::vector<Key> before(keys.begin(), keys.end());
      if (core::network_sort(keys)) return true;
      CHECK(std::ranges::equal(keys, before));
      return false;
    });
  });
}

TEST_CASE("network_sort sorts few keys, and leaves others as they are") {
  std::vector<std::uint32_t> few(32, 1);
  CHECK(core::network_sort(few));  // with SSE4 and better
  std::vector<std::uint64_t> wide(64, 1);
  CHECK(core::network_sort(std::span(wide)) == has_avx512());
  CHECK(core::network_sort(std::span(wide).first(32)) == ((hwy::SupportedTargets() & HWY_AVX2) != 0));
  check_network<std::uint32_t>();
  check_network<std::uint64_t>();
}

/// Keys that lie together in different ways, so that parts of equal width are uneven.
template <class Key>
std::vector<Key> uneven_keys(unsigned kind, std::size_t count, std::mt19937_64& random) {
  std::vector<Key> keys(count);
  const auto key = [&](std::size_t i) -> std::uint64_t {
    switch (kind) {
      case 0:
        return i % std::max<std::size_t>(1, count / 32) == 0 ? 0 : 1 + random() % 1000;
      case 1:
        return std::min(i, count - i);
      case 2:
        return random() & random();  // one bit in four is set
      case 3:
        return random() >> random() % 64;
      default:
        return random() % 1000 == 0 ? random() : random() % 100000;
    }
  };
  for (std::size_t i = 0; i < count; ++i) keys[i] = static_cast<Key>(key(i));
  return keys;
}

template <class Key>
void check_quicksort() {
  std::vector<Key> any(1000, 1);
  CHECK(core::vector_quicksort(any) == has_avx512());
  for_every_target([&] {
    if (!core::vector_quicksort(any)) return;
    check_sort<Key>(700, [](std::span<Key> keys) { return core::vector_quicksort(keys); });
    std::mt19937_64 random(9);
    for (const std::size_t count : {4096U, 4099U, 20000U, 262144U}) {
      for (unsigned kind = 0; kind < 10; ++kind) {
        CAPTURE(count, kind);
        std::vector<Key> keys =
            kind < 5 ? keys_of_kind<Key>(kind, count, random) : uneven_keys<Key>(kind - 5, count, random);
        std::vector<Key> right = keys;
        // With few levels heapsort takes over.
        const int levels = count < 10000 ? static_cast<int>(random() % 8) : 64;
        CHECK(core::vector_quicksort(std::span(keys), levels));
        std::sort(right.begin(), right.end());
        CHECK((keys == right));
      }
    }
  });
}

TEST_CASE("vector_quicksort sorts any number of keys, whatever their order") {
  check_quicksort<std::uint32_t>();
  check_quicksort<std::uint64_t>();
}

TEST_CASE("vector_sort sorts any number of keys") {
  const auto sort = [](auto keys) {
    core::vector_sort(keys);
    return true;
  };
  for_every_target([&] {
    check_sort<std::uint32_t>(300, sort);
    check_sort<std::uint64_t>(300, sort);
  });
}

}  // namespace
}  // namespace emgraph::tests
