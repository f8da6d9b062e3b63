// SPDX-License-Identifier: MIT
// A page that was pinned stays what it is, whatever is read along with it.
#include "graph/adjacency/page_cache.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "tests/graph/adjacency/numbered_pages.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::tests {
namespace {

using graph::adjacency::PageCache;
using graph::adjacency::PageStore;

// Requests of 64 pages end in the midst of groups of 8, because chunks are no multiple of those.
TEST_CASE("page cache: a page whose request is full before its neighbours are read along keeps its frame") {
  constexpr std::size_t page_bytes = 4096;
  constexpr std::uint64_t pages = 6000;
  TestEnvironment test{.memory_bytes = 16 * core::MiB};
  PageStore store(test.environment, page_bytes, 117 * page_bytes, 0);
  write_numbered_pages(store, pages, page_bytes);
  PageCache cache(test.environment, store, 2200 * page_bytes);
  std::mt19937_64 random(5);
  std::uint64_t wrong = 0;
  for (int round = 0; round < 500; ++round) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> pinned;
    const std::uint64_t begin = random() % (pages - 2000);
    // Most pages that are read along are used, or the cache stops reading along.
    for (std::uint64_t number = begin; number < begin + 2000 && pinned.size() < 1000;
         number += 1 + std::uint64_t{random() % 8 == 0}) {
      pinned.emplace_back(number, cache.pin(number));
    }
    cache.flush();
    for (const auto& [number, frame] : pinned) {
      bool fresh = false;
      std::uint64_t found = 0;
      std::memcpy(&found, cache.wait(frame, fresh), sizeof(found));
      wrong += found != number;
    }
    for (const auto& [number, frame] : pinned) cache.unpin(frame);
  }
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace emgraph::tests
