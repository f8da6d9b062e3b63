// SPDX-License-Identifier: MIT
// Level and component sizes from the files that bfs and cc write.
#include <string>

#include "core/base/error.hpp"
#include "graph/stats/node_results.hpp"
#include "tests/graph/stats/solve.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::tests::stats {
namespace {

using Catch::Matchers::Contains;
using graph::stats::read_component_sizes;
using graph::stats::read_level_sizes;

TEST_CASE("level sizes of a search") {
  TemporaryDirectory directory;
  TestEnvironment test{};
  const auto read = [&](const std::string& text, std::uint64_t nodes) {
    return read_level_sizes(test.environment, directory.write("levels.tsv", text), nodes);
  };
  const auto sizes = read("0\n1\n1\n4294967295\n2\n4294967295\n1\n", 7);
  CHECK((sizes.sizes == std::vector<std::uint64_t>{1, 3, 1}));
  CHECK(sizes.levels == 3);
  CHECK(sizes.reached == 5);
  CHECK(sizes.unreached == 2);
  CHECK(sizes.width == 1);
  CHECK(read("", 0).levels == 0);
  CHECK_THROWS_WITH(read("0\n1\n", 3),
                    Contains("levels.tsv: 2 values found, expected a level for each of 3"));
  CHECK_THROWS_WITH(read("0\n9\n1\n", 3), Contains("node 1: level 9 found"));
}

TEST_CASE("levels of a long path are counted in pairs") {
  TemporaryDirectory directory;
  TestEnvironment test{};
  std::string text;
  constexpr std::uint64_t nodes = 150001;
  for (std::uint64_t level = 0; level < nodes; ++level) text += std::to_string(level) + "\n";
  const auto sizes = read_level_sizes(test.environment, directory.write("levels.tsv", text), nodes);
  CHECK(sizes.levels == nodes);
  CHECK(sizes.width == 4);
  REQUIRE(sizes.sizes.size() == 37501);
  CHECK(sizes.sizes.front() == 4);
  CHECK(sizes.sizes.back() == 1);
}

TEST_CASE("component sizes from labels in any order") {
  TemporaryDirectory directory;
  const auto read = [&](const std::string& text, std::uint64_t nodes) {
    TestEnvironment test{};
    const std::string path = directory.write("labels.tsv", text);
    const Histogram sizes = entries_of(read_component_sizes(test.environment, path, nodes, 4));
    CHECK(test.memory.used() == 0);
    return sizes;
  };
  CHECK((read("0\n1\n0\n3\n1\n0\n3\n7\n", 8) == Histogram{{1, 1}, {2, 2}, {3, 1}}));
  CHECK(read("", 0).empty());
  CHECK_THROWS_WITH(read("0\n1\n2\n", 4),
                    Contains("labels.tsv: 3 values found, expected a label for each of 4"));
  CHECK_THROWS_WITH(read("0\n5\n", 2), Contains("node 1: label 5 found"));
  std::string text;
  for (std::uint64_t node = 0; node < 100000; ++node) text += std::to_string(node * 7919 % 331) + "\n";
  const Histogram sizes = read(text, 100000);
  CHECK((sizes == Histogram{{302, 293}, {303, 38}}));
}

}  // namespace
}  // namespace emgraph::tests::stats
