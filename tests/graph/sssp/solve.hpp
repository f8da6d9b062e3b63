// SPDX-License-Identifier: MIT
// One run of shortest paths in a tiny environment, on a source or a built adjacency, with what holds for
// every run.
#pragma once

#include <bit>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/sssp.hpp"
#include "tests/oracle/shortest_paths.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/vector_source.hpp"

// A namespace of its own: other solvers' tests have a Solved, too.
namespace emgraph::tests::sssp {

using graph::MemoryModel;
using graph::WeightType;
using graph::sssp::Queue;

inline constexpr Queue all_queues[] = {Queue::automatic,         Queue::heap,  Queue::dial,
                                       Queue::multilevel_bucket, Queue::radix, Queue::delta_stepping};

inline constexpr WeightType all_types[] = {WeightType::u32, WeightType::i64, WeightType::f32,
                                           WeightType::f64};

/// A graph whose edges have stored weights.
struct WeightedGraph {
  ZooGraph graph;
  WeightType type = WeightType::u32;
  std::vector<std::uint64_t> weights;  ///< stored bits

  std::vector<LengthArc> arcs() const {
    std::vector<LengthArc> arcs;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      arcs.push_back(
          {graph.edges[i].source, graph.edges[i].target, graph::sssp::length_of(type, weights[i])});
    }
    return arcs;
  }
  bool floating() const { return graph::sssp::is_floating(type); }
};

/// The bits of a random weight below `most`; often 0 or a tie.
inline std::uint64_t random_weight(WeightType type, std::uint64_t most, std::mt19937_64& random) {
  const std::uint64_t whole = random() % 4 == 0 ? random() % 2 : random() % (most + 1);
  switch (type) {
    case WeightType::f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(whole) / 8);
    case WeightType::f64:
      // Some are so small that a sum absorbs them.
      return std::bit_cast<std::uint64_t>(random() % 8 == 0 ? static_cast<double>(whole) * 1e-17
                                                            : static_cast<double>(whole) / 3);
    default:
      return whole;
  }
}

inline WeightedGraph with_weights(ZooGraph graph, WeightType type, std::uint64_t most, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  WeightedGraph weighted{std::move(graph), type, {}};
  for (std::size_t i = 0; i < weighted.graph.edges.size(); ++i) {
    weighted.weights.push_back(random_weight(type, most, random));
  }
  return weighted;
}

template <class T>
class Collected final : public graph::NodeSink<T> {
 public:
  void append(std::span<const T> values) override {
    for (const T value : values) {
      all.push_back(value == static_cast<T>(~T{0}) ? ~std::uint64_t{0} : std::uint64_t{value});
    }
  }
  std::vector<std::uint64_t> all;
};

template <class Id>
class CollectedOutputs final : public graph::sssp::Outputs<Id> {
 public:
  bool wants_distances() const override { return true; }
  bool wants_parents() const override { return true; }
  graph::NodeSink<std::uint64_t>& open_distances(std::uint64_t root, std::uint64_t, bool floating) override {
    CHECK(floating == is_floating);
    return distances[root];
  }
  graph::NodeSink<Id>& open_parents(std::uint64_t root, std::uint64_t) override { return parents[root]; }
  void close() override { ++closed; }

  bool is_floating = false;
  std::map<std::uint64_t, Collected<std::uint64_t>> distances;
  std::map<std::uint64_t, Collected<Id>> parents;
  int closed = 0;
};

struct Solved {
  graph::sssp::Result result;
  std::vector<std::vector<std::uint64_t>> distances, parents;  ///< by search
  std::vector<std::vector<std::uint64_t>> paths;               ///< by query, if they are wanted
};

class CollectedPaths final : public graph::sssp::PathSink {
 public:
  explicit CollectedPaths(std::vector<std::vector<std::uint64_t>>& paths) : paths_(paths) {}
  void append(std::span<const std::uint64_t> nodes) override {
    path_.insert(path_.end(), nodes.begin(), nodes.end());
  }
  void end_path() override { paths_.push_back(std::exchange(path_, {})); }

 private:
  std::vector<std::vector<std::uint64_t>>& paths_;
  std::vector<std::uint64_t> path_;
};

/// How the edges get to the solver. `file`: from one that can be read twice at little cost.
enum class Way { known, unknown, file, adjacency };

template <class R>
std::vector<R> weighted_records(const WeightedGraph& graph) {
  using Id = typename R::id_type;
  std::vector<R> records;
  for (std::size_t i = 0; i < graph.weights.size(); ++i) {
    R record{};
    record.source = static_cast<Id>(graph.graph.edges[i].source);
    record.target = static_cast<Id>(graph.graph.edges[i].target);
    std::memcpy(record.attachment.data(), &graph.weights[i], R::attachment_bytes);
    records.push_back(record);
  }
  return records;
}

template <class Id>
VectorSourceOptions weighted_source_options(const WeightedGraph& graph, Way way, bool sampled) {
  VectorSourceOptions options{
      .rewindable = way == Way::file, .quick_to_reread = way == Way::file, .sampled = sampled};
  options.facts.nodes = graph.graph.nodes;
  if (way == Way::known || way == Way::file) options.facts.edges = graph.graph.edges.size();
  options.facts.layout.weight = graph.type;
  options.facts.layout.id_bytes = sizeof(Id);
  return options;
}

template <class R>
Solved solve_records(TestEnvironment& test, const WeightedGraph& graph, graph::sssp::Options options,
                     Way way) {
  using Id = typename R::id_type;
  const NothingLeft nothing_left(test);
  const std::vector<R> records = weighted_records<R>(graph);
  VectorSource<R> source(records, weighted_source_options<Id>(graph, way, test.threads == 2));
  CollectedOutputs<Id> outputs;
  outputs.is_floating = graph.floating();
  Solved solved;
  CollectedPaths paths(solved.paths);
  if (options.paths) options.path_sink = &paths;
  if (way == Way::adjacency) {
    const auto built = graph::adjacency::build_pages<Id>(
        test.environment, source,
        {.directed = options.directed, .nodes = options.nodes, .weighting = options.weighting});
    solved.result = graph::sssp::run<Id>(test.environment, *built.adjacency, options, &outputs);
  } else {
    solved.result = graph::sssp::run<Id>(test.environment, source, options, &outputs);
    CHECK(solved.result.edges == records.size());
  }
  CHECK(solved.result.nodes == graph.graph.nodes);
  for (const graph::sssp::Search& search : solved.result.searches) {
    solved.distances.push_back(outputs.distances.at(search.root).all);
    solved.parents.push_back(outputs.parents.at(search.root).all);
  }
  CHECK(outputs.closed == static_cast<int>(solved.result.searches.size()));
  return solved;
}

template <class Id>
Solved solve(const WeightedGraph& graph, const Machine& machine, const graph::sssp::Options& options,
             Way way) {
  TestEnvironment test = environment_of(machine);
  if (graph::weight_bytes(graph.type) == 4) {
    return solve_records<graph::Record<Id, 4>>(test, graph, options, way);
  }
  return solve_records<graph::Record<Id, 8>>(test, graph, options, way);
}

inline std::vector<std::uint64_t> some_roots(std::uint64_t nodes) {
  std::vector<std::uint64_t> roots{0};
  if (nodes > 2) roots.push_back(nodes / 2);
  return roots;
}

/// All searches of a run against the oracle.
inline void check_searches(const Solved& solved, const WeightedGraph& graph, bool directed) {
  for (std::size_t i = 0; i < solved.result.searches.size(); ++i) {
    const graph::sssp::Search& search = solved.result.searches[i];
    const ShortestPaths right =
        shortest_paths(graph.graph.nodes, graph.arcs(), search.root, directed, graph.floating());
    CHECK((solved.distances.at(i) == right.distances));
    CHECK((solved.parents.at(i) == right.parents));
    CHECK(search.reached == right.reached);
    CHECK(search.max_distance == right.max_distance);
  }
}

}  // namespace emgraph::tests::sssp
