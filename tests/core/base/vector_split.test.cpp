// SPDX-License-Identifier: MIT
// The split at a pivot, on every instruction set of this machine.
#include "core/base/vector_split.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "tests/support/vector_targets.hpp"

namespace emgraph::tests {
namespace {

TEST_CASE("vector_split splits keys within the span") {
  for_every_target([] {
    std::mt19937_64 random(53);
    for (std::size_t size = 0; size < 300; ++size) {
      for (const std::uint64_t most : {1ULL, 2ULL, 100ULL, ~0ULL}) {
        CAPTURE(size, most);
        constexpr std::size_t margin = 16;
        std::vector<std::uint64_t> keys(size + 2 * margin);
        for (std::uint64_t& key : keys) key = random() % most;
        std::vector<std::uint64_t> expected = keys;
        const std::uint64_t pivot = size == 0 ? 5 : keys[margin + random() % size];
        const auto part = std::span(keys).subspan(margin, size);
        const std::size_t below = core::vector_split(part, pivot);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < size; ++i) wrong += (part[i] < pivot) != (i < below);
        CHECK(wrong == 0);
        const auto begin = static_cast<std::ptrdiff_t>(margin);
        const auto end = static_cast<std::ptrdiff_t>(margin + size);
        std::sort(keys.begin() + begin, keys.begin() + end);
        std::sort(expected.begin() + begin, expected.begin() + end);
        CHECK(keys == expected);
      }
    }
  });
}

}  // namespace
}  // namespace emgraph::tests
