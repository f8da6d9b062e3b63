// SPDX-License-Identifier: MIT
// Graph500's kernels against plain searches: the same parents and distances for every model and thread count.
#include "graph/graph500/kernels.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <queue>
#include <vector>

#include "tests/support/sample.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::graph::graph500 {
namespace {

constexpr std::uint32_t no_one = ~std::uint32_t{0};
constexpr double infinite = std::numeric_limits<double>::infinity();

struct Neighbour {
  std::uint32_t node;
  float weight;
};

/// Plain searches; do not benchmark.
struct Plain {
  explicit Plain(const EdgeList& list) : rows(list.edges.nodes()) {
    std::vector<Edge64> edges(list.count);
    std::vector<float> weights(list.count);
    list.edges.fill(0, edges, weights);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const auto a = static_cast<std::uint32_t>(edges[i].source);
      const auto b = static_cast<std::uint32_t>(edges[i].target);
      if (a == b) continue;
      rows[a].push_back({b, weights[i]});
      rows[b].push_back({a, weights[i]});
    }
  }

  std::vector<double> distances(std::uint32_t root, bool levels) const {
    std::vector<double> known(rows.size(), infinite);
    known[root] = 0;
    std::priority_queue<std::pair<double, std::uint32_t>> queue;
    queue.push({0, root});
    while (!queue.empty()) {
      const auto [negative, node] = queue.top();
      queue.pop();
      if (-negative != known[node]) continue;
      for (const auto& [target, weight] : rows[node]) {
        const double sum = known[node] + (levels ? 1 : double{weight});
        if (sum < known[target]) known[target] = sum, queue.push({-sum, target});
      }
    }
    return known;
  }

  /// The smallest neighbour that is exactly an edge nearer.
  std::vector<std::uint32_t> parents(std::uint32_t root, const std::vector<double>& known,
                                     bool levels) const {
    std::vector<std::uint32_t> result(rows.size(), no_one);
    for (std::uint32_t node = 0; node < rows.size(); ++node) {
      if (known[node] == infinite) continue;
      for (const auto& [target, weight] : rows[node]) {
        if (known[target] + (levels ? 1 : double{weight}) == known[node] && known[target] < known[node]) {
          result[node] = std::min(result[node], target);
        }
      }
    }
    result[root] = root;
    return result;
  }

  std::vector<std::vector<Neighbour>> rows;
};

template <class T>
std::vector<T> copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

TEST_CASE("graph500 kernels: plain searches' parents and distances, whatever the threads and the model") {
  const unsigned threads = GENERATE(1u, 2u, 5u);
  const bool in_memory = GENERATE(true, false);
  const auto [scale, factor] =
      GENERATE(std::pair{1u, 1u}, std::pair{4u, 2u}, std::pair{9u, 1u}, std::pair{11u, 3u},
               std::pair{10u, 16u}, std::pair{tests::sized(13u, 11u), 16u});
  if (tests::only_races && threads == 1) return;
  CAPTURE(threads, in_memory, scale, factor);
  tests::TestEnvironment test{.memory_bytes = 64 * core::MiB, .threads = threads};
  const std::uint64_t seed = 1;
  const EdgeList list{generate::Graph500Edges(scale), std::uint64_t{factor} << scale};
  const Plain plain(list);
  const GraphParts parts{.neighbours = true, .arcs = true};
  const auto kernels = in_memory ? internal_kernels(test.environment, list, parts)
                                 : semi_external_kernels(test.environment, list, factor, seed, parts);
  unsigned searches = 0;
  for (std::uint32_t root = 0; root < plain.rows.size() && searches < tests::sized(4u, 2u); ++root) {
    if (plain.rows[root].empty()) continue;
    ++searches;
    const auto levels = plain.distances(root, true);
    kernels->breadth_first(root);
    REQUIRE((copy(kernels->parents()) == plain.parents(root, levels, true)));
    const auto distances = plain.distances(root, false);
    kernels->shortest_paths(root);
    REQUIRE((copy(kernels->distances()) == distances));
    REQUIRE((copy(kernels->parents()) == plain.parents(root, distances, false)));
  }
}

TEST_CASE("graph500 kernels: a stored edge list, and roots with one neighbour") {
  const unsigned threads = GENERATE(1u, 3u);
  tests::TestEnvironment test{.memory_bytes = 64 * core::MiB, .threads = threads};
  EdgeList list{generate::Graph500Edges(12), std::uint64_t{8} << 12};
  const Plain plain(list);
  std::vector<Edge32> edges(list.count);
  std::vector<float> weights(list.count);
  list.edges.fill<std::uint32_t>(0, edges, weights);
  list.stored = edges;
  list.stored_weights = weights;
  const auto kernels = internal_kernels(test.environment, list, {.neighbours = true, .arcs = true});
  unsigned searches = 0;
  for (std::uint32_t root = 0; root < plain.rows.size() && searches < 8; ++root) {
    if (plain.rows[root].size() != 1) continue;
    ++searches;
    const auto distances = plain.distances(root, false);
    kernels->shortest_paths(root);
    REQUIRE((copy(kernels->distances()) == distances));
    REQUIRE((copy(kernels->parents()) == plain.parents(root, distances, false)));
  }
  CHECK(searches == 8);
}

TEST_CASE("graph500 kernels: a graph for one kernel, and the memory that was foretold") {
  const GraphParts parts = GENERATE(GraphParts{true, false}, GraphParts{false, true}, GraphParts{true, true});
  const unsigned scale = tests::sized(14u, 12u);
  const EdgeList list{generate::Graph500Edges(scale), std::uint64_t{16} << scale};
  const std::uint64_t bytes = internal_bytes(list, parts, 2);
  tests::TestEnvironment test{.memory_bytes = static_cast<std::size_t>(bytes) + 300'000, .threads = 2};
  const Plain plain(list);
  const auto kernels = internal_kernels(test.environment, list, parts);
  std::uint32_t root = 0;
  while (plain.rows[root].empty()) ++root;
  if (parts.neighbours) {
    kernels->breadth_first(root);
    REQUIRE((copy(kernels->parents()) == plain.parents(root, plain.distances(root, true), true)));
  }
  if (parts.arcs) {
    kernels->shortest_paths(root);
    REQUIRE((copy(kernels->distances()) == plain.distances(root, false)));
  }
}

}  // namespace
}  // namespace emgraph::graph::graph500
