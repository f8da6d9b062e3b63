// SPDX-License-Identifier: MIT
// Sorts of few and many integers against std::sort, on every instruction set of this machine.
#include "core/base/vector_sort.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/base/sorting_network.hpp"
#include "tests/support/vector_targets.hpp"

namespace emgraph::tests {
namespace {

/// Keys of several kinds, among them many equal ones and the largest, which fills vectors up.
template <class Key>
std::vector<Key> keys_of_kind(unsigned kind, std::size_t count, std::mt19937_64& random) {
  constexpr Key largest = static_cast<Key>(~Key{0});
  std::vector<Key> keys(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<Key, 5> kinds{static_cast<Key>(random()), static_cast<Key>(random() % 3),
                                   static_cast<Key>(largest - random() % 2), static_cast<Key>(i),
                                   static_cast<Key>(count - i)};
    keys[i] = kinds[kind];
  }
  return keys;
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

TEST_CASE("network_sort sorts few keys, and leaves others as they are") {
  std::vector<std::uint32_t> few(32, 1);
  CHECK(core::network_sort(few));  // with SSE4 and better
  for_every_target([] {
    check_sort<std::uint32_t>(core::most_network_keys, [](std::span<std::uint32_t> keys) {
      const std::vector<std::uint32_t> before(keys.begin(), keys.end());
      if (core::network_sort(keys)) return true;
      CHECK(std::ranges::equal(keys, before));
      return false;
    });
  });
}

TEST_CASE("network_quicksort sorts any number of keys, whatever their order") {
  std::vector<std::uint32_t> any(1000, 1);
  CHECK(core::network_quicksort(any) == ((hwy::SupportedTargets() & HWY_AVX3) != 0));
  for_every_target([] {
    check_sort<std::uint32_t>(700, core::network_quicksort);
    // Larger, among them orders in which the sample misses most keys.
    std::mt19937_64 random(9);
    for (const std::size_t count : {4096U, 4099U, 100000U, 262144U}) {
      for (unsigned kind = 0; kind < 7; ++kind) {
        CAPTURE(count, kind);
        std::vector<std::uint32_t> keys = keys_of_kind<std::uint32_t>(std::min(kind, 4U), count, random);
        if (kind == 5) {
          for (std::size_t i = 0; i < count; ++i)
            keys[i] = i % (count / 32) == 0 ? 0 : 1 + static_cast<std::uint32_t>(random() % 1000);
        }
        if (kind == 6) {
          for (std::size_t i = 0; i < count; ++i)
            keys[i] = static_cast<std::uint32_t>(std::min(i, count - i));
        }
        std::vector<std::uint32_t> right = keys;
        if (!core::network_quicksort(keys)) continue;
        std::sort(right.begin(), right.end());
        CHECK((keys == right));
      }
    }
  });
}

TEST_CASE("vector_sort sorts any number of keys") {
  const auto sort = [](auto keys) {
    core::vector_sort(keys);
    return true;
  };
  for_every_target([&] { check_sort<std::uint32_t>(300, sort); });
  check_sort<std::uint64_t>(300, sort);
}

}  // namespace
}  // namespace emgraph::tests
