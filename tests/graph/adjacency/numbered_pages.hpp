// SPDX-License-Identifier: MIT
// Pages that are known again by their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "graph/adjacency/page_store.hpp"

namespace emgraph::tests {

/// Fills the store with pages that begin with their number.
inline void write_numbered_pages(graph::adjacency::PageStore& store, std::uint64_t pages,
                                 std::size_t page_bytes) {
  std::vector<std::byte> page(page_bytes);
  for (std::uint64_t number = 0; number < pages; ++number) {
    std::memcpy(page.data(), &number, sizeof(number));
    store.append(page);
  }
  store.finish();
}

}  // namespace emgraph::tests
