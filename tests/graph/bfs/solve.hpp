// SPDX-License-Identifier: MIT
// One run of the search in a tiny environment, on a source or a built adjacency, with what holds for every
// run.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "graph/bfs/bfs.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"
#include "tests/oracle/ascending.hpp"
#include "tests/oracle/bfs_oracle.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/vector_source.hpp"

// A namespace of its own: other solvers' tests have a Machine and a Solved, too.
namespace emgraph::tests::bfs {

/// Values in 64 bits, all ones for what was not reached.
using NodeAnswers = std::vector<std::uint64_t>;

template <class T>
class CollectedValues final : public graph::NodeSink<T> {
 public:
  void append(std::span<const T> values) override {
    const std::size_t before = all.size();
    all.resize(before + values.size());
    std::transform(
        values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(before),
        [](T value) { return value == static_cast<T>(~T{0}) ? ~std::uint64_t{0} : std::uint64_t{value}; });
  }
  NodeAnswers all;
};

template <class Id>
class CollectedOutputs final : public graph::bfs::Outputs<Id> {
 public:
  CollectedOutputs(bool wants_levels, bool wants_parents)
      : wants_levels_(wants_levels), wants_parents_(wants_parents) {}
  bool wants_levels() const override { return wants_levels_; }
  bool wants_parents() const override { return wants_parents_; }
  graph::NodeSink<std::uint32_t>& open_levels(std::uint64_t root, std::uint64_t) override {
    return levels[root];
  }
  graph::NodeSink<Id>& open_parents(std::uint64_t root, std::uint64_t) override { return parents[root]; }
  void close() override { ++closed; }

  std::map<std::uint64_t, CollectedValues<std::uint32_t>> levels;
  std::map<std::uint64_t, CollectedValues<Id>> parents;
  int closed = 0;

 private:
  const bool wants_levels_;
  const bool wants_parents_;
};

/// How the adjacency gets to the solver.
enum class Way { source, file, sorted_source, adjacency };

struct Solved {
  graph::bfs::Result result;
  std::vector<NodeAnswers> levels, parents;  ///< by traversal
  std::uint64_t write_bytes = 0;
  std::uint64_t read_bytes = 0;
};

inline EdgeList both_ways_sorted(EdgeList edges, bool directed) {
  const std::size_t count = edges.size();
  for (std::size_t i = 0; i < count && !directed; ++i) edges.push_back({edges[i].target, edges[i].source});
  sort_edges(edges);
  return edges;
}

template <class Id>
Solved solve_in(TestEnvironment& test, const ZooGraph& graph, const graph::bfs::Options& options, Way way,
                bool known, bool levels = true, bool parents = true) {
  using R = graph::Record<Id, 0>;
  VectorSourceOptions source_options{.rewindable = false, .sampled = test.threads == 2};
  if (known) source_options.facts.nodes = graph.nodes;
  if (way == Way::file) {
    source_options.rewindable = source_options.quick_to_reread = source_options.sampled = true;
    source_options.facts.edges = graph.edges.size();
  }
  EdgeList edges = graph.edges;
  if (way == Way::sorted_source) {
    edges = both_ways_sorted(edges, options.directed);
    source_options.facts.order = graph::EdgeOrder::source_target;
    source_options.facts.symmetric = !options.directed;
  }
  if (known) source_options.facts.edges = edges.size();
  source_options.facts.name = "edges.test";
  VectorSource<R> source(records_of<R>(edges), source_options);
  CollectedOutputs<Id> outputs(levels, parents);
  Solved solved;
  if (way == Way::adjacency) {
    const auto built = graph::adjacency::build_pages(test.environment, source,
                                                     {.directed = options.directed, .nodes = options.nodes});
    solved.result = graph::bfs::run<Id>(test.environment, *built.adjacency, options, &outputs);
  } else {
    solved.result = graph::bfs::run<typename R::id_type>(test.environment, source, options, &outputs);
    CHECK(solved.result.edges == edges.size());
  }
  for (const graph::bfs::Traversal& traversal : solved.result.traversals) {
    if (levels) solved.levels.push_back(outputs.levels.at(traversal.root).all);
    if (parents) solved.parents.push_back(outputs.parents.at(traversal.root).all);
  }
  CHECK(outputs.closed == (levels || parents ? static_cast<int>(solved.result.traversals.size()) : 0));
  const core::IoSnapshot io = test.statistics.snapshot();
  solved.write_bytes = io.write_bytes;
  solved.read_bytes = io.read_bytes;
  return solved;
}

template <class Id>
Solved solve(const ZooGraph& graph, const Machine& machine, const graph::bfs::Options& options, Way way,
             bool known, bool levels = true, bool parents = true) {
  TestEnvironment test = environment_of(machine);
  const NothingLeft nothing_left(test);
  return solve_in<Id>(test, graph, options, way, known, levels, parents);
}

/// One traversal against the oracle.
inline void check_traversal(const Solved& solved, std::size_t i, const BfsAnswer& right) {
  const graph::bfs::Traversal& traversal = solved.result.traversals.at(i);
  CHECK(traversal.reached == right.reached);
  CHECK(traversal.levels == right.nodes_per_level.size());
  CHECK((traversal.nodes_per_level == right.nodes_per_level));
  if (!solved.levels.empty()) CHECK((solved.levels.at(i) == right.levels));
  if (!solved.parents.empty()) CHECK((solved.parents.at(i) == right.parents));
}

}  // namespace emgraph::tests::bfs
