// SPDX-License-Identifier: MIT
// Values per node: as an array and sorted externally, the smallest of several counts.
#include "graph/node_values.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "tests/support/tiny_environment.hpp"

namespace emgraph::tests {
namespace {

template <class T>
struct Collected final : graph::NodeSink<T> {
  void append(std::span<const T> values) override { all.insert(all.end(), values.begin(), values.end()); }
  std::vector<T> all;
};

template <class T>
void check_values(std::uint64_t nodes, bool in_memory, unsigned threads) {
  CAPTURE(sizeof(T), nodes, in_memory, threads);
  TestEnvironment test{.memory_bytes = 8 * core::MiB, .disks = 2, .threads = threads};
  std::map<std::uint64_t, T> right;
  std::mt19937_64 random(nodes);
  {
    graph::NodeValues<T> values(test.environment, nodes, threads, in_memory,
                                graph::NodeValues<T>::least_sort_bytes(threads), "test");
    for (std::uint64_t i = 0; i < nodes / 2; ++i) {
      const std::uint64_t node = random() % nodes;
      const T value = static_cast<T>(random()) >> random() % (8 * sizeof(T));
      values.put(static_cast<unsigned>(i % threads), node, value);
      const auto [at, first] = right.emplace(node, value);
      if (!first) at->second = std::min(at->second, value);
    }
    Collected<T> sink;
    values.finish(sink);
    REQUIRE(sink.all.size() == nodes);
    std::size_t wrong = 0;
    for (std::uint64_t node = 0; node < nodes; ++node) {
      const auto found = right.find(node);
      wrong += sink.all[node] != (found == right.end() ? static_cast<T>(~T{0}) : found->second);
    }
    CHECK(wrong == 0);
  }
  CHECK(test.memory.used() == 0);
}

TEST_CASE("node values come in order, whatever the order they were found in") {
  for (const std::uint64_t nodes : {0, 1, 1000, 400000}) {
    for (const bool in_memory : {true, false}) {
      check_values<std::uint32_t>(nodes, in_memory, 1);
      check_values<std::uint64_t>(nodes, in_memory, 2);
    }
  }
}

}  // namespace
}  // namespace emgraph::tests
