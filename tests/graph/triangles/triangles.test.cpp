// SPDX-License-Identifier: MIT
// The solver against the oracle: the same answer from every model on every machine.
#include "graph/triangles/triangles.hpp"

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "graph/triangles/lists.hpp"
#include "tests/graph/triangles/solve.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::triangles {
namespace {

using graph::MemoryModel;
using graph::Record;

constexpr Wanted everything{.per_node = true, .list = true};

EdgeList clique(std::uint64_t first, std::uint64_t size) {
  EdgeList edges;
  for (std::uint64_t a = 0; a < size; ++a) {
    for (std::uint64_t b = 0; b < a; ++b) edges.push_back({first + a, first + b});
  }
  return edges;
}

void append(EdgeList& edges, const EdgeList& more) {
  edges.insert(edges.end(), more.begin(), more.end());
}

/// The zoo, and graphs where triangles are.
std::vector<ZooGraph> triangle_zoo() {
  std::vector<ZooGraph> zoo = graph_zoo();
  zoo.push_back({"one triangle", 3, {{2, 0}, {1, 2}, {0, 1}}});
  zoo.push_back({"triangle with loops and duplicates", 4, {{2, 0}, {1, 1}, {1, 2}, {2, 1}, {0, 1}, {0, 2}}});
  zoo.push_back({"clique of 90", 90, clique(0, 90)});
  EdgeList cliques = clique(10, 30);
  append(cliques, clique(39, 20));
  append(cliques, clique(100, 5));
  zoo.push_back({"cliques that share a node", 200, std::move(cliques)});
  zoo.push_back({"very dense", 150, random_edges(150, 12000, 41)});
  zoo.push_back({"half dense", 700, random_edges(700, 25000, 42)});
  EdgeList hub = random_edges(1500, 1200, 43);
  for (std::uint64_t v = 1; v < 1500; ++v) hub.push_back({v, 0});
  zoo.push_back({"hub and random edges", 1500, std::move(hub)});
  EdgeList wheel;
  for (std::uint64_t v = 1; v <= 300; ++v) append(wheel, {{v, 0}, {v, v % 300 + 1}});
  zoo.push_back({"wheel", 301, std::move(wheel)});
  return zoo;
}

/// The right answers for one graph, n given and not given.
struct Answers {
  explicit Answers(const ZooGraph& graph)
      : declared(all_triangles(graph.nodes, graph.edges)),
        largest_id(all_triangles(nodes_of(graph.edges), graph.edges)) {}
  TriangleAnswers declared, largest_id;
};

template <class R>
void check_graph(Sample& sample, const ZooGraph& graph, const Answers& right, const Machine& machine,
                 MemoryModel model, const Wanted& wanted) {
  const std::vector<R> edges = records_of<R>(graph.edges);
  for (const bool known : {true, false}) {
    if (!sample.takes(machine.threads)) continue;
    CAPTURE(graph.name, sizeof(R), name(model), known, wanted.per_node, wanted.list);
    CAPTURE(machine.memory_bytes, machine.threads, machine.disks);
    VectorSourceOptions source{.rewindable = machine.disks % 2 == 1};
    source.sampled = machine.threads == 2;
    const std::uint64_t nodes = known ? graph.nodes : nodes_of(graph.edges);
    if (known) source.facts.nodes = graph.nodes;
    if (machine.disks == 2) source.facts.edges = edges.size();
    const Solved solved = solve<R>(edges, machine, source, {.model = model}, wanted);
    check_answers(solved, known ? right.declared : right.largest_id, wanted);
    CHECK(solved.result.nodes == nodes);
    if (model != MemoryModel::automatic) CHECK(solved.result.choice.model == model);
    CHECK(!solved.result.choice.reason.empty());
  }
}

TEST_CASE("triangles of every graph are the oracle's in every model, id width and machine") {
  Sample sample(4);
  for (const ZooGraph& graph : triangle_zoo()) {
    const Answers right(graph);
    for (const MemoryModel model : all_models) {
      const Wanted per_node{.per_node = true};
      check_graph<Record<std::uint32_t, 0>>(sample, graph, right, {3 * core::MiB, 1, 1}, model, {});
      check_graph<Record<std::uint64_t, 0>>(sample, graph, right, {4 * core::MiB, 2, 2}, model, per_node);
      check_graph<Record<std::uint32_t, 0>>(sample, graph, right, {12 * core::MiB, 2, 3}, model, everything);
    }
  }
}

TEST_CASE("triangles of graphs that do not fit in memory take several chunks") {
  unsigned turn = 0;  // sanitizers: every other check, so each of one of the graphs
  for (const ZooGraph& graph : {ZooGraph{"skewed", 65536, skewed_edges(16, 350000, 44)},
                                ZooGraph{"random", 30000, random_edges(30000, 330000, 45)}}) {
    const TriangleAnswers right = all_triangles(graph.nodes, graph.edges);
    const auto check = [&]<class R>(const Machine& machine, MemoryModel model, const Wanted& wanted) {
      if (sized(false, turn++ % 2 == 1)) return;
      CAPTURE(graph.name, sizeof(R), machine.memory_bytes, machine.threads, name(model));
      const Solved solved =
          solve<R>(records_of<R>(graph.edges), machine,
                   {.facts = facts_with(graph.nodes), .rewindable = true}, {.model = model}, wanted);
      check_answers(solved, right, wanted);
      CHECK(solved.result.chunks > 1);
    };
    using R32 = Record<std::uint32_t, 0>;
    using R64 = Record<std::uint64_t, 0>;
    check.operator()<R32>({core::MiB, 2, 1}, MemoryModel::semi_external, {});
    check.operator()<R64>({core::MiB, 1, 2}, MemoryModel::semi_external, {});
    check.operator()<R32>({core::MiB, 1, 4}, MemoryModel::external, {});
    check.operator()<R64>({core::MiB, 1, 2}, MemoryModel::external, {});
    check.operator()<R32>({core::MiB * 3 / 2, 2, 1}, MemoryModel::external, {.per_node = true});
  }
}

TEST_CASE("triangles of sparse ids are counted externally") {
  constexpr std::uint64_t far = std::uint64_t{1} << 60;
  EdgeList edges;
  for (const graph::Edge64& edge : random_edges(300, 6000, 46)) {
    edges.push_back({far + edge.source * 1000003, far + edge.target * 1000003});
  }
  const ZooGraph compact{"compact", 300, random_edges(300, 6000, 46)};
  const TriangleAnswers right = all_triangles(compact.nodes, compact.edges);
  for (const bool rewindable : {true, false}) {
    const Solved solved = solve(records_of<Record<std::uint64_t, 0>>(edges), {8 * core::MiB, 2, 2},
                                {.rewindable = rewindable}, {}, {.list = true});
    CHECK(solved.result.choice.model == MemoryModel::external);
    CHECK(solved.result.wedges == right.wedges);
    std::vector<std::uint64_t> list;
    for (const auto& triple : right.list) {
      for (const std::uint64_t id : triple) list.push_back(far + id * 1000003);
    }
    CHECK((solved.list == list));
  }
}

TEST_CASE("triangles: what does not fit by node is external by choice") {
  const EdgeList list = random_edges(2000000, 20000, 47);
  const auto edges = records_of<Record<std::uint32_t, 0>>(list);
  const TriangleAnswers right = all_triangles(2000000, list);
  for (const bool known : {true, false}) {
    for (const bool rewindable : {true, false}) {
      VectorSourceOptions source{.rewindable = rewindable};
      if (known) source.facts.nodes = 2000000;
      const Solved solved = solve(edges, {4 * core::MiB, 1, 1}, source, {}, {});
      CHECK(solved.result.choice.model == MemoryModel::external);
      CHECK(solved.result.triangles == right.list.size());
      CHECK(solved.result.wedges == right.wedges);
    }
  }
}

TEST_CASE("wedges are counted beyond 64 bits") {
  constexpr std::uint32_t most = ~std::uint32_t{0};
  constexpr std::array<std::uint32_t, 6> degrees = {0, 1, most, most, most, most};
  const core::uint128 each = core::uint128{most} * (most - 1) / 2;
  CHECK((graph::triangles::count_wedges(degrees) == 4 * each));
  CHECK((graph::triangles::count_wedges(degrees) >> 64) > 0);
}

TEST_CASE("a hub of many wedges and no triangle costs no more than its edges") {
  EdgeList star;
  for (std::uint64_t v = 1; v < 200000; ++v) star.push_back({v, 0});
  append(star, {{1, 2}, {3, 4}});
  const auto edges = records_of<Record<std::uint32_t, 0>>(star);
  for (const MemoryModel model : all_models) {
    const Solved solved =
        solve(edges, {8 * core::MiB, 2, 1}, {.facts = facts_with(200000)}, {.model = model}, {});
    CHECK(solved.result.triangles == 2);
    CHECK(solved.result.wedges == std::uint64_t{199999} * 199998 / 2 + 4);
  }
}

}  // namespace
}  // namespace emgraph::tests::triangles
