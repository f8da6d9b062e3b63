// SPDX-License-Identifier: MIT
// The external model against the oracle: every way of reading lists, every machine, tiny memory.
#include "graph/bfs/external.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "core/base/error.hpp"
#include "graph/adjacency/build_pages.hpp"
#include "tests/oracle/bfs_oracle.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/tiny_environment.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests {
namespace {

using graph::Record;
using graph::bfs::Clusters;
using graph::bfs::ExternalOptions;
using graph::bfs::ExternalResult;

template <class T>
struct Collected final : graph::NodeSink<T> {
  std::vector<std::uint64_t> values;
  void append(std::span<const T> batch) override {
    for (const T value : batch) {
      values.push_back(value == static_cast<T>(~T{0}) ? ~std::uint64_t{0} : std::uint64_t{value});
    }
  }
};

struct Machine {
  std::size_t memory_bytes = core::MiB;
  unsigned threads = 1;
  std::size_t disks = 1;
};

struct Searched {
  ExternalResult result;
  std::vector<std::uint64_t> levels, parents;
};

template <class Id>
Searched search_in(TestEnvironment& test, const ZooGraph& graph, std::uint64_t root, bool directed,
                   const ExternalOptions& options, bool parents = true) {
  Searched searched;
  {
    using R = Record<Id, 0>;
    VectorSourceOptions source_options{.facts = facts_with(graph.nodes)};
    source_options.facts.edges = graph.edges.size();
    VectorSource<R> source(records_of<R>(graph.edges), source_options);
    const auto built = graph::adjacency::build_pages<R>(test.environment, source, {.directed = directed});
    Collected<std::uint32_t> levels;
    Collected<Id> parent_sink;
    searched.result =
        graph::bfs::search_external<Id>(test.environment, *built.adjacency, static_cast<Id>(root), options,
                                        &levels, parents ? &parent_sink : nullptr);
    searched.levels = std::move(levels.values);
    searched.parents = std::move(parent_sink.values);
  }
  return searched;
}

template <class Id>
Searched search(const ZooGraph& graph, std::uint64_t root, bool directed, const ExternalOptions& options,
                const Machine& machine) {
  TestEnvironment test{
      .memory_bytes = machine.memory_bytes, .disks = machine.disks, .threads = machine.threads};
  Searched searched = search_in<Id>(test, graph, root, directed, options);
  CHECK(test.memory.used() == 0);
  CHECK(test.memory.peak() <= test.memory_bytes);
  CHECK(test.blocks.used_bytes() == 0);
  return searched;
}

void check_answer(const Searched& searched, const BfsAnswer& right) {
  CHECK((searched.levels == right.levels));
  CHECK((searched.parents == right.parents));
  CHECK(searched.result.reached == right.reached);
  CHECK((searched.result.nodes_per_level == right.nodes_per_level));
}

const ExternalOptions all_options[] = {{Clusters::automatic, true},
                                       {Clusters::never, false},
                                       {Clusters::always, true},
                                       {Clusters::always, false}};

TEST_CASE("bfs external: every graph, every way, two widths") {
  for (const ZooGraph& graph : graph_zoo()) {
    if (graph.nodes == 0) continue;
    for (const bool directed : {false, true}) {
      const std::uint64_t root = default_root(graph.nodes, graph.edges, directed);
      const BfsAnswer right = breadth_first(graph.nodes, graph.edges, root, directed);
      for (const ExternalOptions& options : all_options) {
        CAPTURE(graph.name, directed, static_cast<int>(options.clusters), options.bits);
        check_answer(search<std::uint32_t>(graph, root, directed, options, {core::MiB, 2, 2}), right);
        check_answer(search<std::uint64_t>(graph, root, directed, options, {2 * core::MiB, 1, 1}), right);
      }
    }
  }
}

ZooGraph grid(std::uint64_t width, std::uint64_t height, bool scrambled) {
  ZooGraph graph{scrambled ? "scrambled grid" : "grid", width * height, {}};
  std::vector<std::uint64_t> ids(graph.nodes);
  std::iota(ids.begin(), ids.end(), std::uint64_t{0});
  if (scrambled) std::shuffle(ids.begin(), ids.end(), std::mt19937_64(41));
  for (std::uint64_t v = 0; v < graph.nodes; ++v) {
    if (v % width + 1 < width) graph.edges.push_back({ids[v], ids[v + 1]});
    if (v + width < graph.nodes) graph.edges.push_back({ids[v + width], ids[v]});
  }
  return graph;
}

TEST_CASE("bfs external: graphs that do not fit in memory") {
  EdgeList hub = random_edges(60000, 60000, 42);
  for (std::uint64_t v = 0; v < 60000; v += 2) hub.push_back({v, 30001});
  const ZooGraph graphs[] = {{"random", 50000, random_edges(50000, 160000, 43)},
                             {"skewed", 65536, skewed_edges(16, 160000, 44)},
                             {"hub", 60000, hub},
                             grid(150, 400, false),
                             grid(200, 200, true)};
  for (const ZooGraph& graph : graphs) {
    for (const bool directed : {false, true}) {
      const std::uint64_t root = default_root(graph.nodes, graph.edges, directed);
      const BfsAnswer right = breadth_first(graph.nodes, graph.edges, root, directed);
      for (const ExternalOptions& options : all_options) {
        for (const Machine& machine : {Machine{768 * core::KiB, 1, 1}, Machine{core::MiB, 2, 3}}) {
          if (directed && options.clusters == Clusters::always) continue;
          CAPTURE(graph.name, directed, static_cast<int>(options.clusters), options.bits,
                  machine.memory_bytes);
          UNSCOPED_INFO("x");
          const auto t0 = std::chrono::steady_clock::now();
          const Searched sss = search<std::uint32_t>(graph, root, directed, options, machine);
          check_answer(sss, right);
          printf("%s %d %d %d %zu: %s %.3f\n", graph.name.c_str(), directed, (int)options.clusters,
                 options.bits, machine.memory_bytes, sss.result.method.c_str(),
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count());
        }
      }
    }
  }
}

}  // namespace
}  // namespace emgraph::tests
