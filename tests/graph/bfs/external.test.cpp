// SPDX-License-Identifier: MIT
// The external model against the oracle: every way of reading lists, every machine, tiny memory.
#include "graph/bfs/external.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "core/base/error.hpp"
#include "graph/adjacency/build_pages.hpp"
#include "graph/bfs/bfs.hpp"
#include "graph/bfs/external_visited.hpp"
#include "tests/oracle/bfs_oracle.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/tiny_environment.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests::bfs {
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
                   const ExternalOptions& options) {
  Searched searched;
  {
    using R = Record<Id, 0>;
    VectorSourceOptions source_options{.facts = facts_with(graph.nodes)};
    source_options.facts.edges = graph.edges.size();
    VectorSource<R> source(records_of<R>(graph.edges), source_options);
    const auto built = graph::adjacency::build_pages<R>(test.environment, source, {.directed = directed});
    Collected<std::uint32_t> levels;
    Collected<Id> parent_sink;
    searched.result = graph::bfs::search_external<Id>(test.environment, *built.adjacency,
                                                      static_cast<Id>(root), options, &levels, &parent_sink);
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
  CHECK(searched.result.levels == right.nodes_per_level.size());
  CHECK((searched.result.nodes_per_level == right.nodes_per_level));
}

const ExternalOptions all_options[] = {{Clusters::automatic, true},
                                       {Clusters::never, false},
                                       {Clusters::always, true},
                                       {Clusters::always, false}};

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

TEST_CASE("bfs external: every graph, every way of reading, two widths") {
  for (const ZooGraph& graph : graph_zoo()) {
    if (graph.nodes == 0) continue;
    for (const bool directed : {false, true}) {
      const std::uint64_t root = default_root(graph.nodes, graph.edges, directed);
      const BfsAnswer right = breadth_first(graph.nodes, graph.edges, root, directed);
      for (const ExternalOptions& options : all_options) {
        if (directed && options.clusters == Clusters::always) continue;
        CAPTURE(graph.name, directed, static_cast<int>(options.clusters), options.bits);
        const unsigned threads = graph.edges.size() > 10000 ? 1 : 2;
        check_answer(search<std::uint32_t>(graph, root, directed, options, {3 * core::MiB / 2, threads, 2}),
                     right);
        check_answer(search<std::uint64_t>(graph, root, directed, options, {2 * core::MiB, 1, 1}), right);
      }
    }
  }
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
        const bool always = options.clusters == Clusters::always;
        if (directed && always) continue;
        for (const Machine& machine :
             {Machine{(always ? 1536 : 768) * core::KiB, 1, 1}, Machine{2 * core::MiB, 2, 3}}) {
          CAPTURE(graph.name, directed, static_cast<int>(options.clusters), options.bits,
                  machine.memory_bytes);
          const Searched searched = search<std::uint32_t>(graph, root, directed, options, machine);
          check_answer(searched, right);
          CHECK((searched.result.method.find("regrouped") != std::string::npos) == always);
          CHECK((searched.result.method.find("one bit") == std::string::npos || options.bits));
        }
      }
    }
  }
}

TEST_CASE("bfs external: levels alone, parents alone, neither") {
  const ZooGraph graph = grid(60, 70, true);
  const BfsAnswer right = breadth_first(graph.nodes, graph.edges, 7, false);
  for (const ExternalOptions& options : all_options) {
    TestEnvironment test{.memory_bytes = 3 * core::MiB / 2};
    using R = Record<std::uint32_t, 0>;
    VectorSource<R> source(records_of<R>(graph.edges), {.facts = facts_with(graph.nodes)});
    const auto built = graph::adjacency::build_pages<R>(test.environment, source, {});
    const auto run = [&](graph::NodeSink<std::uint32_t>* levels, graph::NodeSink<std::uint32_t>* parents) {
      return graph::bfs::search_external<std::uint32_t>(test.environment, *built.adjacency, 7, options,
                                                        levels, parents);
    };
    Collected<std::uint32_t> levels, parents;
    CHECK(run(&levels, nullptr).levels == right.nodes_per_level.size());
    CHECK(run(nullptr, &parents).reached == right.reached);
    CHECK((run(nullptr, nullptr).nodes_per_level == right.nodes_per_level));
    CHECK((levels.values == right.levels));
    CHECK((parents.values == right.parents));
  }
}

// Random reads of a graph without any locality add up: the search gives up and regroups the lists.
TEST_CASE("bfs external: lists are regrouped when reading them costs too much") {
  const ZooGraph graph = grid(16, 12000, true);
  const BfsAnswer right = breadth_first(graph.nodes, graph.edges, 7, false);
  const Searched searched = search<std::uint32_t>(graph, 7, false, {}, {1300 * core::KiB, 1, 1});
  check_answer(searched, right);
  CHECK(searched.result.method.find("cost too much") != std::string::npos);
}

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

struct FaultCase {
  ZooGraph graph;
  ExternalOptions options;
  bool directed;
};

std::vector<FaultCase> fault_cases() {
  EdgeList wide = random_edges(40000, 50000, 45);
  for (std::uint64_t v = 0; v < 20000; v += 2) wide.push_back({v, 3});
  return {{{"bottom up", 40000, wide}, {Clusters::never, true}, false},
          {{"sorted", 40000, wide}, {Clusters::never, false}, false},
          {{"directed", 40000, wide}, {Clusters::never, false}, true},
          {grid(50, 60, true), {Clusters::always, true}, false}};
}

TEST_CASE("bfs external survives the failure of any transfer and reservation without a leak") {
  for (const FaultCase& one : fault_cases()) {
    const std::uint64_t root = default_root(one.graph.nodes, one.graph.edges, one.directed);
    const BfsAnswer right = breadth_first(one.graph.nodes, one.graph.edges, root, one.directed);
    for (const bool io : {true, false}) {
      std::uint64_t step = 1;
      for (std::uint64_t k = 0;; k += step) {
        if (k >= 60) step = 1 + k / 12;  // the first ones all, then ever fewer
        CAPTURE(one.graph.name, io, k);
        TestEnvironment test{.memory_bytes = 3 * core::MiB / 2, .disks = 2};
        if (io) {
          test.faults->fail_in(k);
        } else {
          test.memory.fail_reservation(k);
        }
        bool failed = false;
        try {
          check_answer(search_in<std::uint32_t>(test, one.graph, root, one.directed, one.options), right);
        } catch (const core::EnvironmentError& error) {
          failed = true;
          if (io) CHECK_THAT(error.what(), Catch::Contains("injected"));
        }
        CHECK(test.memory.used() == 0);
        CHECK(test.blocks.used_bytes() == 0);
        if (!failed) {
          CHECK(k > 10);
          break;
        }
      }
    }
  }
}

TEST_CASE("bfs external: pages of bits remember what was visited") {
  constexpr std::uint64_t nodes = 40 * 32768 + 17;
  for (const std::size_t memory : {std::size_t{0}, 3 * core::page_bytes, 64 * core::page_bytes}) {
    TestEnvironment test{.memory_bytes = core::MiB};
    {
      graph::bfs::VisitedPages visited(test.environment, nodes, memory);
      std::vector<bool> oracle(nodes);
      std::mt19937_64 random(46);
      for (int i = 0; i < 20000; ++i) {
        const std::uint64_t node = i % 100 == 0 ? nodes - 1 : random() % (i % 2 == 0 ? nodes : 50000);
        CHECK(visited.visit(node) == !oracle[node]);
        oracle[node] = true;
      }
    }
    CHECK(test.memory.used() == 0);
    CHECK(test.blocks.used_bytes() == 0);
  }
}

/// Keeps what every search of a run finds.
struct CollectedOutputs final : graph::bfs::Outputs<std::uint32_t> {
  std::vector<Collected<std::uint32_t>> levels, parents;
  bool wants_levels() const override { return true; }
  bool wants_parents() const override { return true; }
  graph::NodeSink<std::uint32_t>& open_levels(std::uint64_t, std::uint64_t) override {
    return levels.emplace_back();
  }
  graph::NodeSink<std::uint32_t>& open_parents(std::uint64_t, std::uint64_t) override {
    return parents.emplace_back();
  }
  void close() override {}
};

TEST_CASE("bfs external: the model is taken when asked for, and when three bits per node do not fit") {
  const ZooGraph graph{"far ids", 3000000, random_edges(3000, 5000, 47)};
  for (const bool asked : {true, false}) {
    for (const bool directed : {true, false}) {
      TestEnvironment test{.memory_bytes = asked ? 8 * core::MiB : core::MiB, .threads = 2};
      using R = Record<std::uint32_t, 0>;
      VectorSource<R> source(records_of<R>(graph.edges), {.facts = facts_with(graph.nodes)});
      graph::bfs::Options options;
      options.directed = directed;
      options.roots = {5, 2999999};
      if (asked) options.model = graph::MemoryModel::external;
      CollectedOutputs outputs;
      const auto result = graph::bfs::run<R>(test.environment, source, options, &outputs);
      CHECK(result.choice.model == graph::MemoryModel::external);
      REQUIRE(result.traversals.size() == 2);
      for (std::size_t i = 0; i < 2; ++i) {
        const BfsAnswer right = breadth_first(graph.nodes, graph.edges, options.roots[i], directed);
        CHECK((outputs.levels[i].values == right.levels));
        CHECK((outputs.parents[i].values == right.parents));
        CHECK(result.traversals[i].reached == right.reached);
        CHECK(result.traversals[i].levels == right.nodes_per_level.size());
        CHECK((result.traversals[i].nodes_per_level == right.nodes_per_level));
      }
      CHECK(test.memory.peak() <= test.memory_bytes);
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::bfs
