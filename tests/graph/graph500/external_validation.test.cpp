// SPDX-License-Identifier: MIT
// External validation gives the verdicts of validation in memory, on right results and on damaged ones.
#include "graph/graph500/external_validation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <vector>

#include "graph/graph500/kernels.hpp"
#include "tests/graph/graph500/disk_verdict.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::graph::graph500 {
namespace {

struct SearchResults {
  explicit SearchResults(const EdgeList& list) {
    tests::TestEnvironment test{.memory_bytes = 64 * core::MiB};
    const auto kernels = internal_kernels(test.environment, list, {.neighbours = true, .arcs = true});
    std::vector<Edge64> edges(1);
    list.edges.fill(0, edges, {});
    root = static_cast<std::uint32_t>(edges[0].source);
    kernels->breadth_first(root);
    tree.assign(kernels->parents().begin(), kernels->parents().end());
    kernels->shortest_paths(root);
    shortest.assign(kernels->parents().begin(), kernels->parents().end());
    distances.assign(kernels->distances().begin(), kernels->distances().end());
  }
  std::uint32_t root = 0;
  std::vector<std::uint32_t> tree;
  std::vector<std::uint32_t> shortest;
  std::vector<double> distances;
};

void require_same(const Verdict& found, const Verdict& expected) {
  REQUIRE(found.violated_rule == expected.violated_rule);
  REQUIRE(found.message == expected.message);
  if (expected.violated_rule != 0) return;
  REQUIRE(found.reached == expected.reached);
  REQUIRE(found.edges == expected.edges);
  REQUIRE(found.loops == expected.loops);
  REQUIRE(found.levels == expected.levels);
  REQUIRE(found.max_distance == expected.max_distance);
  REQUIRE(found.checksum == expected.checksum);
}

TEST_CASE("graph500 external validation: the counts and checksums of validation in memory") {
  const unsigned scale = GENERATE(1u, 7u, 11u);
  const unsigned fewer = GENERATE(0u, 1u, 4u);
  const bool keep = GENERATE(false, true);
  const unsigned threads = GENERATE(1u, 3u);
  if (tests::only_races && threads == 1) return;
  CAPTURE(scale, fewer, keep, threads);
  const EdgeList list{generate::Graph500Edges(scale), std::uint64_t{6} << scale};
  const ValidationPlan plan{.grid = {.scale = scale, .piece_bits = scale - std::min(scale, fewer)},
                            .keep = keep};
  const SearchResults right(list);
  tests::TestEnvironment test{.memory_bytes = 8 * core::MiB, .disks = threads, .threads = threads};
  core::Environment& environment = test.environment;
  require_same(disk_verdict(environment, list, plan, right.root, right.tree, {}),
               Validator(environment, list).check_levels(right.root, right.tree));
  require_same(disk_verdict(environment, list, plan, right.root, right.shortest, right.distances),
               Validator(environment, list).check_distances(right.root, right.shortest, right.distances));
}

TEST_CASE("graph500 external validation: the rule and the message for any damage") {
  const bool keep = GENERATE(false, true);
  constexpr unsigned scale = 7;
  const EdgeList list{generate::Graph500Edges(scale), std::uint64_t{3} << scale};
  const SearchResults right(list);
  const ValidationPlan plan{.grid = {.scale = scale, .piece_bits = 5}, .keep = keep};
  std::mt19937 random(keep ? 1 : 2);
  std::vector<unsigned> found(6);
  tests::TestEnvironment test{.memory_bytes = 8 * core::MiB, .threads = 2};
  for (unsigned round = 0; round < tests::sized(150u, 60u); ++round) {
    CAPTURE(keep, round);
    SearchResults damaged = right;
    for (unsigned damages = 1 + random() % 3; damages > 0; --damages) {
      const std::uint32_t node = random() % 128;
      const std::uint32_t other = random() % 128;
      switch (random() % 5) {
        case 0:
          damaged.tree[node] = damaged.shortest[node] = other;
          break;
        case 1:
          damaged.tree[node] = damaged.shortest[node] = no_parent_claim;
          if (random() % 2 == 0) damaged.distances[node] = std::numeric_limits<double>::infinity();
          break;
        case 2:
          damaged.distances[node] += random() % 2 == 0 ? 1e-9 : -1e-9;
          break;
        case 3:
          damaged.distances[node] = damaged.distances[other];
          break;
        default:
          damaged.tree[node] = damaged.tree[other];
          damaged.shortest[node] = random() % 4 == 0 ? 128 + other : damaged.shortest[other];
      }
    }
    Validator in_memory(test.environment, list);
    const Verdict levels = in_memory.check_levels(damaged.root, damaged.tree);
    require_same(disk_verdict(test.environment, list, plan, damaged.root, damaged.tree, {}), levels);
    const Verdict distances = in_memory.check_distances(damaged.root, damaged.shortest, damaged.distances);
    require_same(
        disk_verdict(test.environment, list, plan, damaged.root, damaged.shortest, damaged.distances),
        distances);
    ++found[levels.violated_rule];
    ++found[distances.violated_rule];
  }
  for (unsigned rule = 1; rule <= 5; ++rule) CHECK(found[rule] > 0);
}

TEST_CASE("graph500 external validation: failures leave nothing behind") {
  const auto fault = GENERATE(tests::Fault::transfer, tests::Fault::reservation);
  constexpr unsigned scale = 8;
  const EdgeList list{generate::Graph500Edges(scale), std::uint64_t{4} << scale};
  const SearchResults right(list);
  const ValidationPlan plan{.grid = {.scale = scale, .piece_bits = 7}, .keep = true};
  tests::fail_each(fault, {.memory_bytes = 6 * core::MiB, .threads = 2}, [&](tests::TestEnvironment& test) {
    const Verdict verdict =
        disk_verdict(test.environment, list, plan, right.root, right.shortest, right.distances);
    CHECK(verdict.violated_rule == 0);
  });
}

TEST_CASE("graph500 external validation: the plan follows the memory and the number of validations") {
  const ValidationPlan ample = plan_validation(20, true, 1, 64 * core::MiB);
  CHECK(ample.grid.cells() == 1);
  CHECK_FALSE(ample.keep);
  CHECK(plan_validation(20, true, 128, 64 * core::MiB).keep);
  const ValidationPlan tight = plan_validation(24, true, 2, 64 * core::MiB);
  CHECK(tight.grid.pieces() == 16);
  CHECK(tight.keep);
  CHECK(plan_validation(24, false, 2, 64 * core::MiB).grid.pieces() == 8);
  CHECK_THROWS_AS(plan_validation(32, true, 1, 16 * core::MiB), core::MemoryLimitError);
}

}  // namespace
}  // namespace emgraph::graph::graph500
