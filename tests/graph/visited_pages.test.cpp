// SPDX-License-Identifier: MIT
// Pages of bits on the disks remember what was visited.
#include "graph/visited_pages.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "core/base/bytes.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::tests {
namespace {

TEST_CASE("pages of bits on the disks remember what was visited") {
  constexpr std::uint64_t nodes = 40 * 32768 + 17;
  for (const std::size_t memory : {std::size_t{0}, 3 * core::page_bytes, 64 * core::page_bytes}) {
    TestEnvironment test{.memory_bytes = core::MiB};
    {
      graph::VisitedPages visited(test.environment, nodes, memory);
      std::vector<bool> oracle(nodes);
      std::mt19937_64 random(46);
      for (int i = 0; i < 20000; ++i) {
        const std::uint64_t node = i % 100 == 0 ? nodes - 1 : random() % (i % 2 == 0 ? nodes : 50000);
        CHECK(visited.visit(node) == !oracle[node]);
        oracle[node] = true;
      }
    }
    CHECK(test.memory.used() == 0);
    CHECK(test.blocks.used_bytes() == 0);
  }
}

}  // namespace
}  // namespace emgraph::tests
