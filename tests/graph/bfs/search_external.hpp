// SPDX-License-Identifier: MIT
// Runs the external model on a graph and keeps what it finds.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "graph/bfs/external.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"
#include "tests/oracle/bfs_oracle.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests::bfs {

using graph::Record;
using graph::bfs::Clusters;
using graph::bfs::ExternalOptions;
using graph::bfs::ExternalResult;

template <class T>
struct Collected final : graph::NodeSink<T> {
  std::vector<std::uint64_t> values;
  void append(std::span<const T> batch) override {
    const std::size_t before = values.size();
    values.resize(before + batch.size());
    std::transform(
        batch.begin(), batch.end(), values.begin() + static_cast<std::ptrdiff_t>(before),
        [](T value) { return value == static_cast<T>(~T{0}) ? ~std::uint64_t{0} : std::uint64_t{value}; });
  }
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
    const auto built =
        graph::adjacency::build_pages<typename R::id_type>(test.environment, source, {.directed = directed});
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
  TestEnvironment test = environment_of(machine);
  const NothingLeft nothing_left(test);
  return search_in<Id>(test, graph, root, directed, options);
}

inline void check_answer(const Searched& searched, const BfsAnswer& right) {
  CHECK((searched.levels == right.levels));
  CHECK((searched.parents == right.parents));
  CHECK(searched.result.reached == right.reached);
  CHECK(searched.result.levels == right.nodes_per_level.size());
  CHECK((searched.result.nodes_per_level == right.nodes_per_level));
}

inline const ExternalOptions all_options[] = {{Clusters::automatic, true},
                                              {Clusters::never, false},
                                              {Clusters::always, true},
                                              {Clusters::always, false}};

inline ZooGraph grid(std::uint64_t width, std::uint64_t height, bool scrambled) {
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

}  // namespace emgraph::tests::bfs
