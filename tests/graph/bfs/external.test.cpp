// SPDX-License-Identifier: MIT
// The external model against the oracle: every way of reading lists, every machine, tiny memory.
#include <catch2/catch.hpp>
#include <string>

#include "graph/bfs/bfs.hpp"
#include "tests/graph/bfs/search_external.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::bfs {
namespace {

TEST_CASE("bfs external: every graph, every way of reading, two widths") {
  Sample sample(4);
  for (const ZooGraph& graph : graph_zoo()) {
    if (graph.nodes == 0) continue;
    for (const bool directed : {false, true}) {
      const std::uint64_t root = default_root(graph.nodes, graph.edges, directed);
      const BfsAnswer right = breadth_first(graph.nodes, graph.edges, root, directed);
      for (const ExternalOptions& options : all_options) {
        if (directed && options.clusters == Clusters::always) continue;
        CAPTURE(graph.name, directed, static_cast<int>(options.clusters), options.bits);
        const unsigned threads = graph.edges.size() > 10000 ? 1 : 2;
        if (sample.takes(threads)) {
          const Machine machine{3 * core::MiB / 2, threads, 2};
          check_answer(search<std::uint32_t>(graph, root, directed, options, machine), right);
        }
        if (sample.takes(1)) {
          check_answer(search<std::uint64_t>(graph, root, directed, options, {2 * core::MiB, 1, 1}), right);
        }
      }
    }
  }
}

TEST_CASE("bfs external: graphs that do not fit in memory") {
  Sample sample(4);
  const std::uint64_t share = sized(1, 2);
  EdgeList hub = random_edges(60000, 60000 / share, 42);
  for (std::uint64_t v = 0; v < 60000; v += 2) hub.push_back({v, 30001});
  const ZooGraph graphs[] = {{"random", 50000, random_edges(50000, 160000 / share, 43)},
                             {"skewed", 65536, skewed_edges(16, 160000 / share, 44)},
                             {"hub", 60000, hub},
                             grid(150, 400 / share, false),
                             grid(200, 200 / share, true)};
  for (const ZooGraph& graph : graphs) {
    for (const bool directed : {false, true}) {
      const std::uint64_t root = default_root(graph.nodes, graph.edges, directed);
      const BfsAnswer right = breadth_first(graph.nodes, graph.edges, root, directed);
      for (const ExternalOptions& options : all_options) {
        const bool always = options.clusters == Clusters::always;
        if (directed && always) continue;
        for (const Machine& machine :
             {Machine{(always ? 1536 : 768) * core::KiB, 1, 1}, Machine{2 * core::MiB, 2, 3}}) {
          if (!sample.takes(machine.threads)) continue;
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

// A hub that is found from below has a visited neighbour in each of its pages, which two threads may see in
// any order.
TEST_CASE("bfs external: the parent of a long list found from below is the smallest") {
  ZooGraph graph{"hub below", 60002, {}};
  for (std::uint64_t v = 1; v <= 20000; ++v) graph.edges.push_back({0, v});
  for (std::uint64_t v = 100; v < 60000; ++v) graph.edges.push_back({60000, v});
  const BfsAnswer right = breadth_first(graph.nodes, graph.edges, 0, false);
  REQUIRE(right.parents[60000] == 100);
  for (int run = 0; run < sized(5, 2); ++run) {
    const Searched searched =
        search<std::uint32_t>(graph, 0, false, {Clusters::never, true}, {768 * core::KiB, 2, 1});
    check_answer(searched, right);
    CHECK(searched.result.method.find("0 levels by page, 4 by scans (one bit") != std::string::npos);
  }
  const Searched alone = search<std::uint32_t>(graph, 60001, false, {}, {768 * core::KiB, 2, 1});
  CHECK(alone.result.method == "1 level by page, 0 by scans");
}

TEST_CASE("bfs external: levels alone, parents alone, neither") {
  const ZooGraph graph = grid(60, sized(70, 20), true);
  const BfsAnswer right = breadth_first(graph.nodes, graph.edges, 7, false);
  for (const ExternalOptions& options : all_options) {
    TestEnvironment test{.memory_bytes = 3 * core::MiB / 2};
    using R = Record<std::uint32_t, 0>;
    VectorSource<R> source(records_of<R>(graph.edges), {.facts = facts_with(graph.nodes)});
    const auto built = graph::adjacency::build_pages<typename R::id_type>(test.environment, source, {});
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
  if (only_races) return;  // one thread
  const ZooGraph graph = grid(16, 12000, true);
  const BfsAnswer right = breadth_first(graph.nodes, graph.edges, 7, false);
  const Searched searched = search<std::uint32_t>(graph, 7, false, {}, {1300 * core::KiB, 1, 1});
  check_answer(searched, right);
  CHECK(searched.result.method.find("cost too much") != std::string::npos);
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
      if (sized(false, asked == directed)) continue;
      TestEnvironment test{.memory_bytes = asked ? 8 * core::MiB : core::MiB, .threads = 2};
      using R = Record<std::uint32_t, 0>;
      VectorSource<R> source(records_of<R>(graph.edges), {.facts = facts_with(graph.nodes)});
      graph::bfs::Options options;
      options.directed = directed;
      options.roots = {5, 2999999};
      if (asked) options.model = graph::MemoryModel::external;
      CollectedOutputs outputs;
      const auto result = graph::bfs::run<typename R::id_type>(test.environment, source, options, &outputs);
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
