// SPDX-License-Identifier: MIT
// A scan of pages gives all chunks, and never takes a want of buffers for the end.
#include "graph/adjacency/page_scan.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "graph/adjacency/list_access.hpp"
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

TEST_CASE("page scan: all pages stay in memory wherever there is the memory to load them") {
  constexpr std::size_t page_bytes = 4096;
  constexpr std::size_t chunk_bytes = 4 * page_bytes;
  constexpr std::uint64_t pages = 402;
  for (unsigned lanes : {1U, 2U, 5U}) {
    for (std::size_t more = 0; more < 12; ++more) {
      CAPTURE(lanes, more);
      TestEnvironment test{.memory_bytes = 16 * core::MiB};
      core::MemoryBudget& memory = test.environment.memory;
      PageStore store(test.environment, page_bytes, chunk_bytes, 0);
      write_numbered_pages(store, pages, page_bytes);
      const std::uint64_t need = graph::adjacency::bytes_to_load(pages * page_bytes, chunk_bytes, lanes);
      const core::Reservation others =
          memory.reserve(memory.available() - static_cast<std::size_t>(need) - more * chunk_bytes, "others");
      PageScan scan(test.environment, store, lanes, memory.available());
      while (const auto chunk = scan.next()) scan.release(*chunk);
      CHECK(store.all_resident());
    }
  }
}

}  // namespace emgraph::tests
