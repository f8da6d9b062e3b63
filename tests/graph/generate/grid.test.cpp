// SPDX-License-Identifier: MIT
// Grids and tori against a brute-force listing of neighbours.
#include "graph/generate/grid.hpp"

#include <set>
#include <stdexcept>

#include "tests/graph/generate/checks.hpp"

namespace emgraph::graph::generate {
namespace {

using Dims = std::vector<std::uint64_t>;

/// Plain oracle: every point, every dimension, the next point along it; do not benchmark.
std::vector<Edge32> oracle(const Dims& dims, bool torus) {
  std::uint64_t nodes = 1;
  for (const auto dim : dims) nodes *= dim;
  std::set<Edge32> edges;
  for (std::uint64_t u = 0; u < nodes; ++u) {
    std::uint64_t stride = 1;
    for (std::size_t j = dims.size(); j-- > 0; stride *= dims[j]) {
      const std::uint64_t coordinate = u / stride % dims[j];
      if (coordinate + 1 == dims[j] && !torus) continue;
      const std::uint64_t v = u - coordinate * stride + (coordinate + 1) % dims[j] * stride;
      if (u != v)
        edges.insert(
            {static_cast<std::uint32_t>(std::min(u, v)), static_cast<std::uint32_t>(std::max(u, v))});
    }
  }
  return {edges.begin(), edges.end()};
}

TEST_CASE("grid: the oracle's edges, in order") {
  const Dims dims = GENERATE(Dims{1}, Dims{2}, Dims{3}, Dims{17}, Dims{1, 1}, Dims{1, 5}, Dims{5, 1},
                             Dims{2, 2}, Dims{2, 3}, Dims{3, 2}, Dims{3, 3}, Dims{3, 1, 3}, Dims{7, 11},
                             Dims{1, 2, 3, 4}, Dims{4, 3, 2, 1}, Dims{5, 4, 6}, Dims{2, 2, 2, 2, 2, 2, 2, 2},
                             Dims{3, 1, 2, 3, 1, 2, 3, 2}, Dims{3, 3, 3, 3, 3}, Dims{100, 2}, Dims{2, 100});
  const bool torus = GENERATE(false, true);
  const GridModel model(dims, torus);
  const auto expected = oracle(dims, torus);
  CAPTURE(dims, torus);
  REQUIRE(model.edges() == expected.size());
  REQUIRE((all_edges<std::uint32_t>(model) == expected));
  check_ranges_and_widths(model, 0, expected.size());
  for (std::uint64_t u = 0; u <= model.nodes(); ++u) {
    const auto before =
        std::lower_bound(expected.begin(), expected.end(), Edge32{static_cast<std::uint32_t>(u), 0});
    REQUIRE(model.edges_before(u) == static_cast<std::uint64_t>(before - expected.begin()));
  }
}

TEST_CASE("grid: the well-known one") {
  const GridModel model(Dims{4096, 4096}, false);
  REQUIRE(model.nodes() == 16'777'216);
  REQUIRE(model.edges() == 33'546'240);
  check_ranges_and_widths(model, 20'000'000, 30'000);
  REQUIRE(GridModel(Dims{4096, 4096}, true).edges() == 2 * 16'777'216);
}

TEST_CASE("grid: edges of a huge one are found") {
  const GridModel model(Dims{std::uint64_t{1} << 31, 1u << 31}, true);
  const std::uint64_t node = (std::uint64_t{1} << 61) + 5;
  const std::uint64_t first = model.edges_before(node);
  const auto edges = edges_of<std::uint64_t>(model, first, 4);
  REQUIRE((edges[0] == Edge64{node, node + 1}));
  REQUIRE((edges[1] == Edge64{node, node + (std::uint64_t{1} << 31)}));
  REQUIRE((edges[2] == Edge64{node + 1, node + 2}));
  const auto last = edges_of<std::uint64_t>(model, model.edges() - 1, 1);
  REQUIRE((last[0] == Edge64{model.nodes() - 2, model.nodes() - 1}));
}

TEST_CASE("grid: what cannot be is refused") {
  REQUIRE_THROWS_AS(GridModel(Dims{}, false), std::invalid_argument);
  REQUIRE_THROWS_AS(GridModel(Dims(9, 2), false), std::invalid_argument);
  REQUIRE_THROWS_AS(GridModel(Dims{4, 0}, false), std::invalid_argument);
  REQUIRE_THROWS_AS(GridModel(Dims{std::uint64_t{1} << 32, std::uint64_t{1} << 32}, false),
                    std::invalid_argument);
  REQUIRE_THROWS_AS(GridModel(Dims{std::uint64_t{1} << 31, std::uint64_t{1} << 32}, false),
                    std::invalid_argument);
  REQUIRE_NOTHROW(GridModel(Dims{std::uint64_t{1} << 63}, true));
  REQUIRE_THROWS_AS(edges_of<std::uint32_t>(GridModel(Dims{2, 2}, false), 3, 2), std::out_of_range);
  REQUIRE_THROWS_AS(edges_of<std::uint32_t>(GridModel(Dims{3, 1u << 31}, false), 0, 1),
                    std::invalid_argument);
}

}  // namespace
}  // namespace emgraph::graph::generate
