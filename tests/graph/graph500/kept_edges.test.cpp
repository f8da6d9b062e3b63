// SPDX-License-Identifier: MIT
// Kept edges: every edge of the list with its weight, in its cell; results on disk come back.
#include "graph/graph500/kept_edges.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <mutex>
#include <tuple>
#include <vector>

#include "graph/graph500/disk_values.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::graph::graph500 {
namespace {

TEST_CASE("graph500 kept edges: each edge is in its cell, with its weight") {
  const unsigned scale = tests::sized(13u, 12u);
  const unsigned piece_bits = scale - GENERATE(0u, 2u, 3u);
  const bool weights = GENERATE(true, false);
  const unsigned threads = GENERATE(1u, 3u);
  if (tests::only_races && threads == 1) return;
  CAPTURE(piece_bits, weights, threads);
  const EdgeList list{generate::Graph500Edges(scale), std::uint64_t{16} << scale};
  const Grid grid{.scale = scale, .piece_bits = piece_bits};
  using Item = std::tuple<std::uint64_t, std::uint64_t, float>;
  std::vector<Item> expected;
  {
    std::vector<Edge64> edges(list.count);
    std::vector<float> of_edges(list.count);
    list.edges.fill(0, edges, of_edges);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      expected.emplace_back(std::min(edges[i].source, edges[i].target),
                            std::max(edges[i].source, edges[i].target), weights ? of_edges[i] : 0);
    }
    std::sort(expected.begin(), expected.end());
  }
  tests::TestEnvironment test{.memory_bytes = 3 * core::MiB, .disks = 2, .threads = threads};
  const KeptEdges kept(test.environment, list, grid, weights);
  CHECK(test.statistics.snapshot().write_bytes > 0);
  for (unsigned round = 0; round < 2; ++round) {
    std::vector<Item> found;
    KeptEdges::Pass pass(test.environment, kept, weights);
    for (std::uint64_t i = 0; i < grid.pieces(); ++i) {
      for (std::uint64_t j = i; j < grid.pieces(); ++j) {
        pass.next_cell();
        bool in_cell = true;
        for (unsigned thread = 0; thread < pass_threads(test.environment); ++thread) {
          pass.run(thread, [&](std::span<const Edge32> edges, std::span<const float> of_edges) {
            for (std::size_t k = 0; k < edges.size(); ++k) {
              in_cell &= edges[k].source >> piece_bits == i && edges[k].target >> piece_bits == j;
              found.emplace_back(edges[k].source, edges[k].target, weights ? of_edges[k] : 0);
            }
          });
        }
        REQUIRE(in_cell);
      }
    }
    std::sort(found.begin(), found.end());
    REQUIRE((found == expected));
  }
}

TEST_CASE("graph500 values on disk: in pieces and in order") {
  const unsigned piece_bits = GENERATE(3u, 11u, 20u);
  tests::TestEnvironment test{.memory_bytes = core::MiB};
  std::vector<std::uint32_t> values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i * i);
  DiskValuesWriter<std::uint32_t> writer(test.environment, piece_bits);
  writer.append(values);
  const DiskValues<std::uint32_t> there = writer.finish();
  DiskValuesReader<std::uint32_t> reader(test.environment, there);
  std::vector<std::uint32_t> found;
  while (found.size() < values.size()) found.push_back(reader.take());
  CHECK((found == values));
  std::vector<std::uint32_t> piece(std::size_t{1} << piece_bits);
  const std::size_t last = there.pieces.size() - 1;
  const std::size_t count = there.load(test.environment, last, piece);
  CHECK(count == values.size() - (last << piece_bits));
  CHECK(piece[count - 1] == values.back());
}

}  // namespace
}  // namespace emgraph::graph::graph500
