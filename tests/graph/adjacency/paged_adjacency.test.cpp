// SPDX-License-Identifier: MIT
// Paged adjacencies and rows in memory against lists by their definition, on disks, in memory, in tiny
// caches.
#include "graph/adjacency/paged_adjacency.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>

#include "core/base/error.hpp"
#include "core/base/thread_team.hpp"
#include "tests/graph/adjacency/adjacency_oracle.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/state_bytes.hpp"

namespace emgraph::tests {
namespace {

using Catch::Contains;
using core::KiB;
using core::MiB;
using graph::Record;
using graph::adjacency::build_pages;
using graph::adjacency::BuildOptions;
using graph::adjacency::Csr;
using graph::adjacency::PagedAdjacency;

/// Graphs whose lists span pages, besides the zoo.
std::vector<ZooGraph> graphs() {
  std::vector<ZooGraph> all = graph_zoo();
  EdgeList hubs;
  for (std::uint64_t i = 0; i < 30000; ++i)
    hubs.push_back({i % 3 == 0 ? 700U : i % 3 == 1 ? 701U : 20000U, i});
  all.push_back({"three hubs", 30000, hubs});
  EdgeList dense;
  for (std::uint64_t i = 0; i < 300 * 300; ++i) dense.push_back({i / 300, i % 300});
  all.push_back({"complete 300", 300, dense});
  EdgeList sparse;
  for (std::uint64_t i = 0; i < 2000; ++i) sparse.push_back({i * 2000003, i * 1999});
  all.push_back({"sparse ids", std::uint64_t{1} << 32, sparse});
  return all;
}

template <class Id>
void check_selects(PagedAdjacency<Id>& adjacency, const Lists& right, std::uint64_t nodes,
                   std::uint64_t seed) {
  std::mt19937_64 random(seed);
  core::ThreadTeam team(3);
  for (const std::uint64_t share : {1, 3, 50, 1000}) {
    std::vector<Id> wanted;
    Lists expected;
    // Nodes with lists, and their neighbours in number, which may have none.
    std::set<std::uint64_t> chosen;
    for (const auto& [node, list] : right) {
      if (random() % share == 0) chosen.insert(node);
      if (random() % (5 * share) == 0) chosen.insert(std::min(node + 1, nodes - 1));
    }
    if (nodes > 0) chosen.insert(random() % nodes);
    for (const std::uint64_t node : chosen) {
      wanted.push_back(static_cast<Id>(node));
      if (const auto found = right.find(node); found != right.end()) expected.insert(*found);
    }
    CAPTURE(share, wanted.size());
    CHECK((selected(adjacency, wanted) == expected));
    CHECK((selected_by_team(adjacency, wanted, team) == expected));
  }
}

template <class Id>
void check_graph(Sample& sample, const ZooGraph& graph, const Machine& like, bool directed,
                 std::size_t resident_bytes, std::size_t cache_bytes) {
  if (!sample.takes(like.threads)) return;
  TestEnvironment test = environment_of(like);
  const Lists right = neighbour_lists(graph.edges, directed);
  VectorSource<Record<Id, 0>> source(records_of<Record<Id, 0>>(graph.edges),
                                     {.facts = facts_with(graph.nodes)});
  CAPTURE(graph.name, sizeof(Id), directed, resident_bytes, cache_bytes, like.threads, like.disks);
  {
    const auto built = build_pages(test.environment, source,
                                   {.directed = directed, .nodes = {}, .resident_bytes = resident_bytes});
    PagedAdjacency<Id>& adjacency = *built.adjacency;
    CHECK(built.edges == graph.edges.size());
    CHECK(adjacency.facts().nodes == graph.nodes);
    CHECK(adjacency.facts().entries == entries_of(right));
    CHECK(adjacency.facts().largest_degree_node == largest_degree_node(right));
    CHECK((scanned(adjacency, 1, 0) == right));
    CHECK((scanned(adjacency, like.threads, 0) == right));
    adjacency.open_cache(cache_bytes);
    check_selects(adjacency, right, graph.nodes, 1);
    adjacency.close_cache();
    // Half of it stays in memory, then all.
    CHECK((scanned(adjacency, 2, adjacency.store().chunks() / 2 * adjacency.store().chunk_bytes()) == right));
    adjacency.open_cache(cache_bytes);
    check_selects(adjacency, right, graph.nodes, 2);
    adjacency.close_cache();
    CHECK((scanned(adjacency, 1, 64 * MiB) == right));
    CHECK((scanned(adjacency, 2, 0) == right));
    check_selects(adjacency, right, graph.nodes, 3);
    if (graph.nodes > 100000) return;
    const auto csr = graph::adjacency::unpack<Id, std::uint64_t>(test.environment, adjacency);
    Lists rows;
    std::size_t wrong = 0;
    for (std::uint64_t v = 0; v < graph.nodes; ++v) {
      const auto list = csr->neighbours(v);
      wrong += csr->degree(v) != list.size();
      if (!list.empty()) rows[v] = {list.begin(), list.end()};
    }
    CHECK((rows == right));
    CHECK(wrong == 0);
  }
  CHECK(test.memory.used() == 0);
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("paged adjacency: every list of every graph, from disk and memory, with large and tiny caches") {
  Sample sample(3);
  for (const ZooGraph& graph : graphs()) {
    check_graph<std::uint32_t>(sample, graph, {4 * MiB, 1, 1}, false, 0, 16 * KiB);
    check_graph<std::uint32_t>(sample, graph, {4 * MiB, 2, 3}, true, 64 * KiB, 256 * KiB);
    check_graph<std::uint64_t>(sample, graph, {4 * MiB, 2, 2}, false, 2 * MiB, 16 * KiB);
  }
}

/// Sets of a few nodes that move through all nodes, as the levels of a search of a grid do.
template <class Id>
void check_moving_selects(PagedAdjacency<Id>& adjacency, const Lists& right, std::uint64_t nodes) {
  const auto list_of = [&](std::uint64_t node) {
    const auto found = right.find(node);
    return found == right.end() ? std::vector<std::uint64_t>{} : found->second;
  };
  const std::uint64_t apart = nodes / 4 + 1;
  const std::uint64_t step = nodes / 3000 + 1;
  const auto check = [&](std::uint64_t at) {
    std::vector<Id> wanted;
    for (std::uint64_t node = at; node < nodes; node += apart) wanted.push_back(static_cast<Id>(node));
    Lists lists = selected(adjacency, wanted);
    for (const Id node : wanted) {
      if (lists[node] != list_of(node)) FAIL("lists differ at node " << node);
    }
  };
  for (std::uint64_t at = 0; at < apart; at += step) check(at);  // forwards
  for (std::uint64_t at = 0; at < apart; at += step) check(apart - 1 - at);
  for (std::uint64_t at = 0; at < apart; at += 5 * step) {  // the same nodes again, and those behind them
    check(at);
    check(at);
    check(std::min(at + 1, apart - 1));
  }
}

TEST_CASE("paged adjacency: places that earlier selects have marked change no list") {
  EdgeList grid;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    if (i % 50 != 49) grid.push_back({i, i + 1});
    if (i + 50 < 4000) grid.push_back({i, i + 50});
  }
  std::vector<ZooGraph> all = graphs();
  all.push_back({"grid", 4000, grid});
  Sample sample(3);
  for (const ZooGraph& graph : all) {
    CAPTURE(graph.name);
    const Lists right = neighbour_lists(graph.edges, false);
    const auto check = [&]<class Id>(Id, std::size_t resident_bytes) {
      if (!sample.takes(1)) return;
      TestEnvironment test{.memory_bytes = 4 * MiB};
      VectorSource<Record<Id, 0>> source(records_of<Record<Id, 0>>(graph.edges),
                                         {.facts = facts_with(graph.nodes)});
      const auto built = build_pages(test.environment, source,
                                     {.directed = false, .nodes = {}, .resident_bytes = resident_bytes});
      built.adjacency->open_marks();
      built.adjacency->open_cache(32 * KiB);
      check_moving_selects(*built.adjacency, right, graph.nodes);
      check_selects(*built.adjacency, right, graph.nodes, 5);
      check_moving_selects(*built.adjacency, right, graph.nodes);
    };
    check(std::uint32_t{}, 0);
    check(std::uint64_t{}, 2 * MiB);
  }
}

TEST_CASE("paged adjacency: ids of 8 bytes far apart") {
  constexpr std::uint64_t nodes = ~std::uint64_t{0};
  EdgeList edges;
  for (std::uint64_t i = 0; i < 40; ++i) {
    edges.push_back({nodes - 1 - i, i});
    edges.push_back({(std::uint64_t{1} << i) - 1, nodes / 3 * 2 + i});
  }
  TestEnvironment test{.memory_bytes = 4 * MiB};
  VectorSource<Record<std::uint64_t, 0>> source(records_of<Record<std::uint64_t, 0>>(edges),
                                                {.facts = facts_with(nodes)});
  const auto built = build_pages(test.environment, source, {});
  const Lists right = neighbour_lists(edges, false);
  CHECK((scanned(*built.adjacency, 1, 0) == right));
  built.adjacency->open_cache(16 * KiB);
  check_selects(*built.adjacency, right, nodes, 4);
}

TEST_CASE("paged adjacency: declared sorted input is not sorted again") {
  EdgeList edges = random_edges(3000, 40000, 31);
  const std::size_t count = edges.size();
  for (std::size_t i = 0; i < count; ++i) edges.push_back({edges[i].target, edges[i].source});
  std::sort(edges.begin(), edges.end());
  for (const bool symmetric : {true, false}) {
    TestEnvironment test{.memory_bytes = 4 * MiB};
    VectorSourceOptions options{.facts = facts_with(std::nullopt, graph::EdgeOrder::source_target)};
    options.facts.symmetric = symmetric;
    VectorSource<Record<std::uint32_t, 0>> source(records_of<Record<std::uint32_t, 0>>(edges), options);
    const auto built = build_pages(test.environment, source, {.directed = !symmetric, .resident_bytes = MiB});
    CHECK(built.adjacency->facts().nodes == 3000);
    CHECK((scanned(*built.adjacency, 1, 0) == neighbour_lists(edges, true)));
    CHECK(test.statistics.snapshot().write_bytes == 0);
  }
}

// The header of a file can claim any count; in 64 bits the double of these is little.
TEST_CASE("paged adjacency: a source with far fewer edges than it claims") {
  const EdgeList edges = random_edges(3000, 40000, 34);
  for (const std::uint64_t claimed : {~std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0} / 3 + 1}) {
    CAPTURE(claimed);
    TestEnvironment test{.memory_bytes = 4 * MiB};
    VectorSourceOptions options{.facts = facts_with(3000)};
    options.facts.edges = claimed;
    VectorSource<Record<std::uint32_t, 0>> source(records_of<Record<std::uint32_t, 0>>(edges), options);
    const auto built = build_pages(test.environment, source, {.resident_bytes = MiB});
    CHECK((scanned(*built.adjacency, 1, 0) == neighbour_lists(edges, false)));
  }
}

TEST_CASE("paged adjacency: ids beyond n are refused") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  VectorSource<Record<std::uint32_t, 0>> source({{1, 2}, {3, 10}}, {.facts = facts_with(10)});
  CHECK_THROWS_AS(build_pages(test.environment, source, {}), core::DataError);
}

TEST_CASE("paged adjacency: a page is read once while the cache holds it") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const EdgeList edges = random_edges(20000, 60000, 32);
  VectorSource<Record<std::uint32_t, 0>> source(records_of<Record<std::uint32_t, 0>>(edges),
                                                {.facts = facts_with(20000)});
  const auto built = build_pages(test.environment, source, {});
  PagedAdjacency<std::uint32_t>& adjacency = *built.adjacency;
  adjacency.open_cache(2 * MiB);
  const std::uint64_t before = test.statistics.snapshot().read_bytes;
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t v = 0; v < 20000; v += 7) nodes.push_back(v);
  CHECK(adjacency.pages_to_read(nodes) == adjacency.pages());
  for (int again = 0; again < 3; ++again) selected(adjacency, nodes);
  CHECK(adjacency.pages_to_read(nodes) == 0);
  CHECK(test.statistics.snapshot().read_bytes - before == adjacency.pages() * 4096);
}

// 16 threads once waited for ever for a part of 32 to 63 pages.
TEST_CASE("paged adjacency: many threads visit few pages") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const EdgeList edges = random_edges(20000, 40000, 33);
  VectorSource<Record<std::uint32_t, 0>> source(records_of<Record<std::uint32_t, 0>>(edges),
                                                {.facts = facts_with(20000)});
  const auto built = build_pages(test.environment, source, {});
  PagedAdjacency<std::uint32_t>& adjacency = *built.adjacency;
  REQUIRE(adjacency.pages() >= 32);
  REQUIRE(adjacency.pages() < 64);
  adjacency.open_cache(2 * MiB);
  std::vector<std::uint32_t> nodes(20000);
  std::iota(nodes.begin(), nodes.end(), 0);
  std::atomic<std::uint64_t> entries{0};
  core::ThreadTeam team(16);
  adjacency.select_pages(team, nodes, [&](unsigned, auto& cursor, std::span<const std::uint32_t> here) {
    PagedAdjacency<std::uint32_t>::visit_lists(
        cursor, here, [&](std::uint32_t, std::span<const std::uint32_t> list) { entries += list.size(); });
  });
  CHECK(entries == adjacency.facts().entries);
}

TEST_CASE("paged adjacency: a team reads many absent pages, whatever else is in memory") {
  constexpr std::uint64_t sources = 520;
  constexpr std::uint64_t targets = 2000;
  EdgeList edges;
  for (std::uint64_t i = 0; i < sources * targets; ++i) {
    edges.push_back({i / targets, sources + (i % targets) * 300 + i / targets % 300});
  }
  TestEnvironment test{.memory_bytes = 8 * MiB};
  VectorSource<Record<std::uint32_t, 0>> source(records_of<Record<std::uint32_t, 0>>(edges),
                                                {.facts = facts_with(sources + targets * 300)});
  const auto built = build_pages(test.environment, source, {.directed = true});
  PagedAdjacency<std::uint32_t>& adjacency = *built.adjacency;
  REQUIRE(adjacency.pages() > sources);
  const Lists right = neighbour_lists(edges, true);
  std::vector<std::uint32_t> nodes(sources);
  std::iota(nodes.begin(), nodes.end(), 0);
  adjacency.open_cache(2 * MiB);
  core::ThreadTeam team(2);
  // The second time the cache holds the pages that were read last.
  for (int again = 0; again < 2; ++again) CHECK((selected_by_team(adjacency, nodes, team) == right));
}

TEST_CASE("paged adjacency survives the failure of any transfer and any reservation") {
  const ZooGraph graph{"random", 30000, random_edges(30000, 12000, 33)};
  const Lists right = neighbour_lists(graph.edges, false);
  const std::vector<std::uint32_t> nodes{1, 500, 900, 901, 902, 15000, 29999};
  for (const Fault fault : all_faults) {
    const auto most = fail_each(fault, {600 * KiB, 2, 1}, [&](TestEnvironment& test) {
      VectorSource<Record<std::uint32_t, 0>> source(records_of<Record<std::uint32_t, 0>>(graph.edges),
                                                    {.facts = facts_with(graph.nodes)});
      const auto built = build_pages(test.environment, source, {.resident_bytes = 64 * KiB});
      built.adjacency->open_cache(64 * KiB);
      selected(*built.adjacency, nodes);
      built.adjacency->close_cache();
      const bool same = scanned(*built.adjacency, 2, 64 * KiB) == right;
      CHECK(same);
    });
    CHECK(most > 5);
  }
}

}  // namespace

TEST_CASE("pages that are described and given up are continued by another appender") {
  for (const graph::WeightType weight : {graph::WeightType::none, graph::WeightType::u32}) {
    for (const std::uint64_t cut : {0, 1, 4000, 60000}) {
      TestEnvironment test{.memory_bytes = 4 * MiB};
      tests::StateBytes bytes;
      Lists right;
      std::unique_ptr<PagedAdjacency<std::uint32_t>> adjacency;
      {
        std::optional<graph::adjacency::PageAppender<std::uint32_t>> pages;
        const auto open = [&] {
          pages.emplace(test.environment, graph::adjacency::default_page_bytes, 0, 0, weight);
        };
        open();
        for (std::uint64_t i = 0; i < 90000; ++i) {
          if (i == cut) {
            pages->save(bytes);
            open();
            pages->restore(bytes);
          }
          // One long list and many short ones.
          const auto node = static_cast<std::uint32_t>(i < 30000 ? 7 : i / 3);
          const auto target = static_cast<std::uint32_t>(i * 5);
          right[node].push_back(target);
          weight == graph::WeightType::none ? pages->push(node, target) : pages->push(node, target, i % 1000);
        }
        adjacency = pages->finish(500000, true);
      }
      CHECK((scanned(*adjacency, 1, 0) == right));
      adjacency->save(bytes);
      adjacency.reset();
      adjacency = PagedAdjacency<std::uint32_t>::restored(test.environment, bytes);
      CHECK(bytes.at_end());
      CHECK(adjacency->facts().entries == 90000);
      CHECK(adjacency->facts().largest_degree_node == 7);
      CHECK((scanned(*adjacency, 2, 0) == right));
    }
  }
}

}  // namespace emgraph::tests
