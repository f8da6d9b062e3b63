// SPDX-License-Identifier: MIT
// The largest id of a batch, at every place and on every instruction set.
#include "graph/prepare/largest_id.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/support/vector_targets.hpp"

namespace emgraph::tests {
namespace {

template <class Id>
void check_largest(Id most) {
  using R = graph::Edge<Id>;
  REQUIRE(graph::prepare::largest_id(std::span<const R>()) == 0);
  for (const std::size_t count : {1u, 2u, 15u, 16u, 33u, 100u}) {
    std::vector<R> edges(count, R{3, 2});
    REQUIRE(graph::prepare::largest_id(std::span<const R>(edges)) == 3);
    for (std::size_t i = 0; i < count; ++i) {
      edges[i].target = most;
      REQUIRE(graph::prepare::largest_id(std::span<const R>(edges)) == most);
      edges[i] = {most / 2 + 1, 2};
      REQUIRE(graph::prepare::largest_id(std::span<const R>(edges)) == most / 2 + 1);
      edges[i] = {3, 2};
    }
  }
}

TEST_CASE("largest id: of edges with attachments") {
  std::vector<std::uint32_t> rows = {1, 2, 900, 7, 3, 901, 4, 5, 902};
  const graph::RecordBatch batch = {std::as_bytes(std::span(rows)).data(), 3};
  REQUIRE(graph::prepare::largest_id(graph::record_shape(4, 4), batch) == 7);
  REQUIRE(graph::prepare::largest_id(graph::record_shape(4, 4), {}) == 0);
}

TEST_CASE("largest id: at every position") {
  for_every_target([] {
    check_largest<std::uint32_t>(0xffff'ffff);
    check_largest<std::uint64_t>(~std::uint64_t{0});
  });
}

}  // namespace
}  // namespace emgraph::tests
