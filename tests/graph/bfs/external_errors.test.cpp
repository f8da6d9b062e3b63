// SPDX-License-Identifier: MIT
// The external model with too little memory, and with faults at every transfer and reservation.
#include <catch2/catch.hpp>

#include "core/base/error.hpp"
#include "tests/graph/bfs/search_external.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests::bfs {
namespace {

TEST_CASE("bfs external: too little memory is an error that says what would do, and more is never worse") {
  const ZooGraph graph = grid(100, 100, true);
  const BfsAnswer right = breadth_first(graph.nodes, graph.edges, 7, false);
  for (const ExternalOptions& options : all_options) {
    std::size_t least = 0;
    for (std::size_t memory = 64 * core::KiB; memory <= 2 * core::MiB; memory += memory / 3) {
      CAPTURE(memory, least, static_cast<int>(options.clusters));
      try {
        check_answer(search<std::uint32_t>(graph, 7, false, options, {memory, 2, 1}), right);
        if (least == 0) least = memory;
      } catch (const core::MemoryLimitError& error) {
        CHECK(least == 0);
        CHECK_THAT(error.what(), Catch::Contains("needs") && Catch::Contains("iB"));
      }
    }
    CHECK(least > 0);
    CHECK(least <= 768 * core::KiB);
  }
}

struct ExternalFault {
  ZooGraph graph;
  ExternalOptions options;
  bool directed;
};

std::vector<ExternalFault> external_faults() {
  EdgeList wide = random_edges(40000, 50000, 45);
  for (std::uint64_t v = 0; v < 20000; v += 2) wide.push_back({v, 3});
  return {{{"bottom up", 40000, wide}, {Clusters::never, true}, false},
          {{"sorted", 40000, wide}, {Clusters::never, false}, false},
          {{"directed", 40000, wide}, {Clusters::never, false}, true},
          {grid(50, 60, true), {Clusters::always, true}, false}};
}

TEST_CASE("bfs external survives the failure of any transfer and reservation without a leak") {
  std::uint64_t seed = 0;
  for (const ExternalFault& one : external_faults()) {
    const std::uint64_t root = default_root(one.graph.nodes, one.graph.edges, one.directed);
    const BfsAnswer right = breadth_first(one.graph.nodes, one.graph.edges, root, one.directed);
    for (const Fault fault : all_faults) {
      CAPTURE(one.graph.name);
      const auto most = fail_each(
          fault, {3 * core::MiB / 2, 1, 2},
          [&](TestEnvironment& test) {
            check_answer(search_in<std::uint32_t>(test, one.graph, root, one.directed, one.options), right);
          },
          seed++);
      CHECK(most > 10);
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::bfs
