// SPDX-License-Identifier: MIT
// A scan of pages gives all chunks, and never takes a want of buffers for the end.
#include "graph/adjacency/page_scan.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "tests/graph/adjacency/numbered_pages.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::tests {

using graph::adjacency::PageScan;
using graph::adjacency::PageStore;

TEST_CASE("page scan: lanes that hold more chunks than they have said are an error, not the end") {
  constexpr std::size_t page_bytes = 4096;
  constexpr std::uint64_t pages = 400;
  TestEnvironment test{.memory_bytes = 16 * core::MiB};
  PageStore store(test.environment, page_bytes, 4 * page_bytes, 0);
  write_numbered_pages(store, pages, page_bytes);
  PageScan scan(test.environment, store, 1, 0);
  std::uint64_t seen = 0;
  while (const auto chunk = scan.next()) {
    CHECK(chunk->first_page == seen);
    seen += chunk->pages;
    scan.release(*chunk);
  }
  CHECK(seen == pages);
  scan.rewind();
  const auto hold_all = [&] {
    std::uint64_t held = 0;
    while (const auto chunk = scan.next()) held += chunk->pages;
    return held;
  };
  CHECK_THROWS_AS(hold_all(), std::logic_error);
}

}  // namespace emgraph::tests
