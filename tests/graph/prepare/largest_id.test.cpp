// SPDX-License-Identifier: MIT
// The largest id of a batch, at every place and on every instruction set.
#include "graph/prepare/largest_id.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/support/vector_targets.hpp"

namespace emgraph::tests {
namespace {

TEST_CASE("largest id: wherever it stands") {
  for_every_target([] {
    using R = graph::Record<std::uint32_t, 0>;
    REQUIRE(graph::prepare::largest_id(std::span<const R>()) == 0);
    for (const std::size_t count : {1u, 2u, 15u, 16u, 33u, 100u}) {
      std::vector<R> edges(count, R{3, 2});
      REQUIRE(graph::prepare::largest_id(std::span<const R>(edges)) == 3);
      for (std::size_t i = 0; i < count; ++i) {
        edges[i].target = 0xffff'ffff;
        REQUIRE(graph::prepare::largest_id(std::span<const R>(edges)) == 0xffff'ffff);
        edges[i] = {0x8000'0000, 2};
        REQUIRE(graph::prepare::largest_id(std::span<const R>(edges)) == 0x8000'0000);
        edges[i] = {3, 2};
      }
    }
  });
}

}  // namespace
}  // namespace emgraph::tests
