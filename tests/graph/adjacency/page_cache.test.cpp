// SPDX-License-Identifier: MIT
// A page that was pinned stays what it is, whatever is read along with it.
#include "graph/adjacency/page_cache.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <optional>
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

/// A store of numbered pages and a cache with as many frames as are given, which is large enough to read
/// along.
struct CachedPages {
  static constexpr std::size_t page_bytes = 4096;

  CachedPages(std::uint64_t pages, std::size_t frames)
      : store(test.environment, page_bytes, 64 * page_bytes, 0) {
    write_numbered_pages(store, pages, page_bytes);
    cache.emplace(test.environment, store, frames * page_bytes + pages * sizeof(std::uint32_t) + page_bytes);
  }
  std::uint64_t reads() const { return test.statistics.snapshot().reads; }
  /// The number that the page begins with. Reads it if it is not in memory.
  std::uint64_t use(std::uint64_t page) {
    std::uint64_t found = 0;
    if (const std::byte* const bytes = cache->find(page); bytes != nullptr) {
      std::memcpy(&found, bytes, sizeof(found));
      return found;
    }
    const std::uint32_t frame = cache->pin(page);
    bool fresh = false;
    std::memcpy(&found, cache->wait(frame, fresh), sizeof(found));
    CHECK(fresh);
    cache->unpin(frame);
    return found;
  }

  TestEnvironment test{.memory_bytes = 32 * core::MiB};
  PageStore store;
  std::optional<PageCache> cache;
};

TEST_CASE("page cache: a page is found when it was waited for") {
  CachedPages pages(3000, 2200);
  CHECK(pages.cache->find(7) == nullptr);
  const std::uint32_t frame = pages.cache->pin(7);
  CHECK(pages.cache->find(7) == nullptr);
  bool fresh = false;
  const std::byte* const page = pages.cache->wait(frame, fresh);
  pages.cache->unpin(frame);
  CHECK(pages.cache->find(7) == page);
  CHECK(pages.cache->find(6) == nullptr);  // read along
  CHECK(pages.use(6) == 6);
}

// As a search of a grid: it moves on in many rows at the same time, and uses each page several times.
TEST_CASE("page cache: pages of many rows are read together and ahead, in both directions") {
  constexpr std::uint64_t row_pages = 64;
  constexpr std::uint64_t rows = 128;
  for (const bool descends : {false, true}) {
    CAPTURE(descends);
    CachedPages pages(rows * row_pages, 3200);
    const std::uint64_t before = pages.reads();
    std::uint64_t wrong = 0;
    for (std::uint64_t step = 0; step < 3 * row_pages; ++step) {
      for (std::uint64_t row = 0; row < rows; ++row) {
        const std::uint64_t place = descends ? row_pages - 1 - step / 3 : step / 3;
        wrong += pages.use(row * row_pages + place) != row * row_pages + place ? 1 : 0;
      }
    }
    CHECK(wrong == 0);
    // Groups of 8 pages, hardly any of which are read twice.
    CHECK(pages.reads() - before <= rows * row_pages / 6);
  }
}

}  // namespace
}  // namespace emgraph::tests
