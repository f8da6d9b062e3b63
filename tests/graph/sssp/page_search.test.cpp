// SPDX-License-Identifier: MIT
// The search with distances in memory finds what the definition says, whatever memory, threads and widths.
#include "graph/sssp/page_search.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/sssp/overflow.hpp"
#include "graph/sssp/parents.hpp"
#include "tests/graph/sssp/sssp_oracle.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::sssp {
namespace {

namespace paths = graph::sssp;
using graph::WeightType;

struct Searched {
  paths::Reach reach;
  std::vector<std::uint64_t> distances, parents;
  std::string method;
};

struct Case {
  std::uint64_t nodes = 0;
  std::vector<WeightedEdge> edges;
  WeightType type = WeightType::u32;
  bool directed = false;
  std::optional<std::uint64_t> delta = std::nullopt;
  std::optional<std::uint64_t> target = std::nullopt;
};

template <class Id>
Searched search_in(TestEnvironment& test, const Case& one, std::uint64_t root) {
  Searched searched;
  with_source<Id>(one.edges, one.type, one.nodes, [&](auto& source) {
    const auto built = graph::adjacency::build_pages<Id>(
        test.environment, source, {.directed = one.directed, .weighting = graph::Weighting{}});
    const auto nodes = static_cast<std::size_t>(one.nodes);
    core::Array<std::uint64_t> distances(test.memory, nodes, "distances");
    core::Array<Id> parents(test.memory, nodes, "parents");
    paths::with_distances(one.type, [&]<class Distances>(Distances) {
      paths::PageSearch<Id, Distances> search(test.environment, *built.adjacency, one.delta);
      std::optional<Id> target;
      if (one.target) target = static_cast<Id>(*one.target);
      searched.reach = search.run(static_cast<Id>(root), distances.span(), target);
      searched.method = search.method();
      if (!target) {
        paths::PageArcs<Id> arcs(test.environment, search.access());
        paths::find_parents<Distances>(test.environment, distances.span(), static_cast<Id>(root),
                                       parents.span(), arcs);
      }
    });
    searched.distances.assign(distances.span().begin(), distances.span().end());
    for (const Id parent : parents.span()) {
      searched.parents.push_back(parent == static_cast<Id>(~Id{0}) ? no_parent : std::uint64_t{parent});
    }
  });
  return searched;
}

template <class Id>
Searched search(const Case& one, std::uint64_t root, const Machine& machine) {
  TestEnvironment test = environment_of(machine);
  const NothingLeft nothing_left(test);
  return search_in<Id>(test, one, root);
}

PathAnswer answer_of(const Case& one, std::uint64_t root) {
  const WeightedLists lists = weighted_lists(one.edges, one.type, graph::Weighting{}, one.directed);
  return paths::with_distances(one.type, [&]<class Distances>(Distances) {
    return shortest_paths<Distances>(lists, one.type, one.nodes, root);
  });
}

void check_answer(const Searched& searched, const PathAnswer& right) {
  CHECK((searched.distances == right.distances));
  CHECK((searched.parents == right.parents));
  CHECK(searched.reach.nodes == right.reached);
  CHECK(searched.reach.max_distance == right.max_distance);
}

TEST_CASE("sssp on pages: small graphs, all weights, directions, memory and threads") {
  Sample sample(3);
  std::uint64_t seed = 100;
  for (const ZooGraph& graph : graph_zoo()) {
    if (graph.nodes == 0) continue;
    for (const Weights weights : all_weights) {
      const Case one{.nodes = graph.nodes,
                     .edges = weigh(graph.edges, weights, ++seed),
                     .type = type_of(weights),
                     .directed = seed % 2 == 0};
      const std::uint64_t root = graph.edges.empty() ? 0 : graph.edges[seed % graph.edges.size()].source;
      CAPTURE(graph.name, static_cast<int>(weights), one.directed, root);
      const PathAnswer right = answer_of(one, root);
      if (sample.takes(1)) check_answer(search<std::uint32_t>(one, root, {4 * core::MiB, 1, 1}), right);
      if (sample.takes(2)) check_answer(search<std::uint64_t>(one, root, {3 * core::MiB, 2, 2}), right);
    }
  }
}

Case large(bool directed, Weights weights) {
  EdgeList edges = skewed_edges(16, 60000, 31);
  // A long tail, so that there are many rounds, and a hub whose list extends over many pages.
  for (std::uint64_t v = 0; v < 600; ++v) edges.push_back({65536 + v, 65537 + v});
  edges.push_back({0, 65536});
  for (std::uint64_t v = 0; v < 15000; ++v) edges.push_back({7, 2 * v + 1});
  return {.nodes = 70000, .edges = weigh(edges, weights, 32), .type = type_of(weights), .directed = directed};
}

TEST_CASE("sssp on pages: single pages, scans and resident pages give the same bits") {
  Sample sample(6);
  std::uint64_t runs = 0;
  std::uint64_t scans = 0;
  for (const bool directed : {false, true}) {
    for (const Weights weights : {Weights::few, Weights::many, Weights::huge, Weights::f64}) {
      Case one = large(directed, weights);
      const PathAnswer right = answer_of(one, 0);
      CHECK(right.reached > 10000);
      for (const std::size_t memory : {1700 * core::KiB, 2400 * core::KiB, 16 * core::MiB}) {
        for (const unsigned threads : tried_threads({1U, 3U})) {
          for (const std::optional<std::uint64_t> delta : {std::optional<std::uint64_t>{}, {1}, {100000}}) {
            if (delta == std::uint64_t{1} && (weights != Weights::few || threads == 1)) continue;
            if (!sample.takes(threads)) continue;
            CAPTURE(directed, static_cast<int>(weights), memory, threads, delta.value_or(0));
            one.delta = delta;
            const Searched searched = search<std::uint32_t>(one, 0, {memory, threads, 1});
            check_answer(searched, right);
            ++runs;
            scans += searched.method.find(" 0 by scans") == std::string::npos;
          }
        }
      }
    }
  }
  CHECK(scans > runs / 10);
}

TEST_CASE("sssp on pages: a search to a target ends early with the right distance") {
  Case one = large(false, Weights::many);
  const PathAnswer right = answer_of(one, 0);
  for (const std::uint64_t target :
       {std::uint64_t{1}, std::uint64_t{65536}, std::uint64_t{66000}, std::uint64_t{66136}}) {
    one.target = target;
    const Searched searched = search<std::uint32_t>(one, 0, {2 * core::MiB, 2, 1});
    CHECK(searched.distances[target] == right.distances[target]);
  }
  one.target = 1;
  CHECK(search<std::uint32_t>(one, 0, {2 * core::MiB, 2, 1}).distances[66100] ==
        paths::IntegerDistances::unreached);
}

TEST_CASE("sssp on pages: distances that do not fit are refused with their edge") {
  constexpr std::uint64_t most = ~std::uint64_t{0} >> 1;
  Case one{.nodes = 6, .edges = {}, .type = WeightType::i64, .directed = true};
  one.edges = {{0, 1, most}, {1, 2, most - 1}, {2, 3, 1}, {2, 4, 2}};
  const auto refusal = [&](const Case& graph) -> std::string {
    TestEnvironment test{.memory_bytes = 2 * core::MiB, .threads = 2};
    std::string text;
    with_source<std::uint32_t>(graph.edges, graph.type, graph.nodes, [&](auto& source) {
      const auto built = graph::adjacency::build_pages<std::uint32_t>(
          test.environment, source, {.directed = graph.directed, .weighting = graph::Weighting{}});
      core::Array<std::uint64_t> distances(test.memory, graph.nodes, "distances");
      paths::PageSearch<std::uint32_t, paths::IntegerDistances> search(test.environment, *built.adjacency,
                                                                       {});
      const paths::Reach reach = search.run(0, distances.span());
      paths::PageArcs<std::uint32_t> arcs(test.environment, search.access());
      try {
        paths::refuse_overflow<paths::IntegerDistances>(
            "graph", arcs, distances.span(), reach.max_distance,
            paths::length_facts(built.adjacency->facts()).longest);
      } catch (const core::DataError& error) {
        text = error.what();
      }
    });
    return text;
  };
  CHECK_THAT(refusal(one),
             Catch::Contains("edge (2, 4) of weight 2") && Catch::Contains("18446744073709551613"));
  one.edges.pop_back();  // the largest distance is 2^64 - 2
  CHECK(refusal(one).empty());
}

}  // namespace
}  // namespace emgraph::tests::sssp
