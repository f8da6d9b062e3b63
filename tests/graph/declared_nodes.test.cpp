// SPDX-License-Identifier: MIT
// The number of nodes that all solvers start from.
#include "graph/edge_facts.hpp"

#include <catch2/catch.hpp>

#include "core/base/error.hpp"

namespace emgraph::tests {
namespace {

TEST_CASE("declared nodes: the option precedes the declaration of the input") {
  graph::EdgeFacts facts;
  CHECK(!graph::declared_nodes<std::uint32_t>(std::nullopt, facts));
  CHECK(graph::declared_nodes<std::uint32_t>(7, facts) == 7);
  facts.nodes = 9;
  CHECK(graph::declared_nodes<std::uint32_t>(std::nullopt, facts) == 9);
  CHECK(graph::declared_nodes<std::uint64_t>(7, facts) == 7);
}

TEST_CASE("declared nodes: ids of 4 bytes cannot name more than 2^32") {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  graph::EdgeFacts facts;
  facts.name = "graph.u32";
  CHECK(graph::declared_nodes<std::uint32_t>(most, facts) == most);
  CHECK(graph::declared_nodes<std::uint64_t>(most + 1, facts) == most + 1);
  CHECK_THROWS_WITH(graph::declared_nodes<std::uint32_t>(most + 1, facts),
                    "graph.u32: ids of 4 bytes cannot name 4294967297 nodes");
  facts.nodes = most + 1;
  CHECK_THROWS_AS(graph::declared_nodes<std::uint32_t>(std::nullopt, facts), core::UsageError);
  CHECK(graph::declared_nodes<std::uint32_t>(5, facts) == 5);
}

}  // namespace
}  // namespace emgraph::tests
