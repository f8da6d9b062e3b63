// SPDX-License-Identifier: MIT
// External kernels: the results of the kernels in memory; roots whatever the memory.
#include "graph/graph500/external_kernels.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "graph/graph500/kernels.hpp"
#include "graph/graph500/roots.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::graph::graph500 {
namespace {

template <class T>
std::vector<T> read_all(core::Environment& environment, const DiskValues<T>& values, std::uint64_t nodes) {
  DiskValuesReader<T> reader(environment, values);
  std::vector<T> all(nodes);
  for (T& value : all) value = reader.take();
  return all;
}

template <class T>
std::vector<T> copy_of(std::span<const T> values) {
  return {values.begin(), values.end()};
}

TEST_CASE("graph500 external kernels: parents and distances of the kernels in memory") {
  const unsigned threads = GENERATE(1u, 3u);
  const MemoryModel model = GENERATE(MemoryModel::external, MemoryModel::automatic);
  const auto [scale, factor] = GENERATE(std::pair{2u, 1u}, std::pair{9u, 1u}, std::pair{11u, 12u});
  CAPTURE(threads, name(model), scale, factor);
  const GraphParts parts{.neighbours = true, .arcs = true};
  const EdgeList list{generate::Graph500Edges(scale), std::uint64_t{factor} << scale};
  const std::uint64_t nodes = list.edges.nodes();
  tests::TestEnvironment large{.memory_bytes = 64 * core::MiB};
  tests::TestEnvironment test{.memory_bytes = 8 * core::MiB, .disks = threads, .threads = threads};
  const auto plain = internal_kernels(large.environment, list, parts);
  ExternalKernels kernels(test.environment, list, factor, 1, parts, model);
  for (const std::uint32_t root : draw_roots(large.environment, list, 1, 3)) {
    plain->breadth_first(root);
    kernels.breadth_first(root, scale - 1);
    CHECK(kernels.answer().root == root);
    CHECK(kernels.answer().distances == nullptr);
    REQUIRE((read_all(test.environment, kernels.answer().parents, nodes) == copy_of(plain->parents())));
    plain->shortest_paths(root);
    kernels.shortest_paths(root, scale);
    REQUIRE((read_all(test.environment, kernels.answer().parents, nodes) == copy_of(plain->parents())));
    REQUIRE((read_all(test.environment, *kernels.answer().distances, nodes) == copy_of(plain->distances())));
  }
}

TEST_CASE("graph500 roots: the same with a bit per node and without") {
  // A bit per node takes 256 KiB, a quarter of the memory is less.
  constexpr unsigned scale = 21;
  const EdgeList list{generate::Graph500Edges(scale), std::uint64_t{1} << (scale - 2)};
  tests::TestEnvironment large{.memory_bytes = 8 * core::MiB, .threads = 2};
  tests::TestEnvironment small{.memory_bytes = 512 * core::KiB};
  const std::uint64_t wanted = GENERATE(1u, 64u, 1500u);
  const auto roots = draw_roots(large.environment, list, 1, wanted);
  CHECK(roots.size() == wanted);
  CHECK((draw_roots(small.environment, list, 1, wanted) == roots));
}

}  // namespace
}  // namespace emgraph::graph::graph500
