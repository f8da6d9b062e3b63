// SPDX-License-Identifier: MIT
// Relabelled edges against a slow oracle: methods, widths, attachments, machines.
#include <array>
#include <optional>

#include "core/base/error.hpp"
#include "tests/graph/prepare/relabel/relabelling.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::relabel {
namespace {

using Catch::Matchers::Contains;
using graph::Record;
using graph::WeightType;
using graph::relabel::Method;

constexpr Method all_methods[] = {Method::marked, Method::sorted, Method::joined};

graph::EdgeFacts facts_of(std::size_t id_bytes, WeightType weight = WeightType::none,
                          std::size_t payload_bytes = 0) {
  graph::EdgeFacts facts;
  facts.name = "edges.test";
  facts.layout = {.id_bytes = id_bytes, .weight = weight, .payload_bytes = payload_bytes};
  return facts;
}

template <class R>
void check_edges(graph::format::RecordSource& source, unsigned lanes, const EdgeList& expected,
                 std::size_t attachment_bytes) {
  const std::vector<R> records = read_all<R>(source, lanes);
  REQUIRE(records.size() == expected.size());
  bool same = true;
  for (std::size_t i = 0; i < records.size(); ++i) {
    same = same && records[i].source == expected[i].source && records[i].target == expected[i].target;
    if constexpr (R::attachment_bytes > 0) {
      for (std::size_t byte = 0; byte < attachment_bytes; ++byte) {
        same = same && records[i].attachment[byte] == RowsSource::attached(i, byte);
      }
    }
  }
  CHECK(same);
}

TEST_CASE("relabelled edges and their map are those of the oracle, whatever the machine") {
  struct Case {
    const char* name;
    EdgeList edges;
    unsigned id_bits;
  };
  std::vector<Case> cases;
  cases.push_back({"64 bits", sparse_edges(9000, 20000, 64, 1), 64});
  cases.push_back({"20 bits", sparse_edges(9000, 20000, 20, 2), 20});
  cases.push_back({"31 bits, hubs", sparse_edges(30, 15000, 31, 3), 31});
  EdgeList crowd = random_edges(5000, 15000, 4);
  crowd[7777].target = ~std::uint64_t{0};
  cases.push_back({"dense, but for the largest id of all", std::move(crowd), 64});
  const std::array<Machine, 4> machines = {
      Machine{core::MiB, 1, 1}, {2 * core::MiB, 2, 2}, {16 * core::MiB, 3, 1}, {16 * core::MiB, 2, 4}};
  Sample sample(2);
  for (const Case& graph : cases) {
    const Expected oracle = expected(graph.edges);
    for (const Method method : all_methods) {
      // Marks of 64 bits do not fit anywhere, of 31 bits not here.
      if (method == Method::marked && graph.id_bits > 20) continue;
      for (std::size_t number = 0; number < machines.size(); ++number) {
        const Machine& machine = machines[number];
        if (!sample.takes(machine.threads)) continue;
        const bool rewindable = number % 2 == 0;
        graph::EdgeFacts facts = facts_of(graph.id_bits > 32 ? 8 : 4, WeightType::u32, number == 3 ? 5 : 0);
        if (number > 1) facts.edges = graph.edges.size();
        CAPTURE(graph.name, static_cast<int>(method), number);
        TestEnvironment test = environment_of(machine);
        const NothingLeft nothing_left(test);
        KeptIds map;
        const auto relabelled = graph::relabel::relabel(
            test.environment, std::make_shared<RowsSource>(graph.edges, facts, rewindable), facts,
            {.max_lanes = machine.threads,
             .method = method,
             .asked = {oracle.ids.back(), oracle.ids[7], oracle.ids[7] + 1}},
            &map);
        CHECK(relabelled.method == method);
        const bool next = oracle.ids[8] == oracle.ids[7] + 1;
        CHECK(
            (relabelled.numbers == std::vector<std::optional<std::uint64_t>>{
                                       oracle.ids.size() - 1, 7, next ? std::optional(8UL) : std::nullopt}));
        CHECK(map.ids == oracle.ids);
        const graph::EdgeFacts& result = relabelled.source->facts();
        CHECK(result.nodes == oracle.ids.size());
        CHECK(result.edges == graph.edges.size());
        CHECK(result.layout.id_bytes == 4);
        CHECK(result.layout.attachment_bytes() == facts.layout.attachment_bytes());
        const std::size_t attached = facts.layout.attachment_bytes();
        check_edges<Record<std::uint32_t, 16>>(*relabelled.source, machine.threads, oracle.edges, attached);
        relabelled.source->rewind();
        check_edges<Record<std::uint64_t, 4>>(*relabelled.source, 1, oracle.edges, 4);
        relabelled.source->rewind();
        check_edges<Record<std::uint32_t, 0>>(*relabelled.source, machine.threads, oracle.edges, 0);
        CHECK((test.blocks.used_bytes() > 0) == (method == Method::joined || !rewindable));
      }
    }
  }
}

TEST_CASE("small and odd graphs are relabelled") {
  for (const ZooGraph& graph : graph_zoo()) {
    const Expected oracle = expected(graph.edges);
    for (const Method method : all_methods) {
      for (const bool rewindable : {false, true}) {
        CAPTURE(graph.name, static_cast<int>(method), rewindable);
        TestEnvironment test = environment_of({4 * core::MiB, 2, 1});
        const NothingLeft nothing_left(test);
        KeptIds map;
        graph::EdgeFacts facts = facts_of(8);
        facts.nodes = graph.nodes;
        const auto relabelled = graph::relabel::relabel(
            test.environment, std::make_shared<RowsSource>(graph.edges, facts, rewindable), facts,
            {.max_lanes = 2, .method = method}, &map);
        CHECK(map.ids == oracle.ids);
        CHECK(relabelled.source->facts().nodes == oracle.ids.size());
        check_edges<Record<std::uint32_t, 0>>(*relabelled.source, 2, oracle.edges, 0);
      }
    }
  }
}

TEST_CASE("the method follows the ids and the memory, and a sample without help for it changes nothing") {
  struct Case {
    unsigned id_bits;
    std::size_t table_bytes;
    Method method;
  };
  for (const Case& wanted :
       {Case{17, 0, Method::marked}, Case{64, 0, Method::sorted}, Case{28, 0, Method::sorted},
        Case{64, 40 * core::KiB, Method::joined}, Case{28, 40 * core::KiB, Method::joined}}) {
    const EdgeList edges = sparse_edges(9000, 40000, wanted.id_bits, 5);
    const Expected oracle = expected(edges);
    for (const bool sampled : {false, true}) {
      CAPTURE(wanted.id_bits, wanted.table_bytes, sampled);
      TestEnvironment test = environment_of({4 * core::MiB, 2, 1});
      const NothingLeft nothing_left(test);
      const graph::EdgeFacts facts = facts_of(8);
      const auto relabelled =
          graph::relabel::relabel(test.environment, std::make_shared<RowsSource>(edges, facts, true, sampled),
                                  facts, {.max_lanes = 2, .table_bytes = wanted.table_bytes}, nullptr);
      CHECK(relabelled.method == wanted.method);
      CHECK_FALSE(relabelled.reason.empty());
      check_edges<Record<std::uint32_t, 0>>(*relabelled.source, 2, oracle.edges, 0);
    }
  }
}

TEST_CASE("what is declared of edges still holds when they are relabelled") {
  EdgeList edges = sparse_edges(3000, 9000, 50, 6);
  for (graph::Edge64& edge : edges) edge = graph::low_high(edge.source, edge.target);
  std::erase_if(edges, [](const graph::Edge64& edge) { return edge.source == edge.target; });
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  graph::EdgeFacts facts = facts_of(8);
  facts.order = graph::EdgeOrder::source_target;
  facts.unique = facts.no_loops = facts.oriented_low = true;
  for (const Method method : {Method::sorted, Method::joined}) {
    TestEnvironment test = environment_of({4 * core::MiB, 2, 1});
    const auto relabelled =
        graph::relabel::relabel(test.environment, std::make_shared<RowsSource>(edges, facts, true), facts,
                                {.max_lanes = 1, .method = method}, nullptr);
    const graph::EdgeFacts& result = relabelled.source->facts();
    CHECK(result.order == graph::EdgeOrder::source_target);
    CHECK((result.unique && result.no_loops && result.oriented_low));
    EdgeList read;
    for (const auto& edge : read_all<Record<std::uint64_t, 0>>(*relabelled.source, 1)) {
      CHECK(edge.source < edge.target);
      read.push_back({edge.source, edge.target});
    }
    CHECK(std::is_sorted(read.begin(), read.end()));
    CHECK(std::adjacent_find(read.begin(), read.end()) == read.end());
  }
}

TEST_CASE("a sample of relabelled edges is one of their numbers") {
  const EdgeList edges = sparse_edges(9000, 30000, 20, 7);
  EdgeList sorted = expected(edges).edges;
  std::sort(sorted.begin(), sorted.end());
  for (const Method method : all_methods) {
    for (const bool rewindable : {false, true}) {
      CAPTURE(static_cast<int>(method), rewindable);
      TestEnvironment test = environment_of({4 * core::MiB, 1, 1});
      const graph::EdgeFacts facts = facts_of(4);
      const auto relabelled =
          graph::relabel::relabel(test.environment, std::make_shared<RowsSource>(edges, facts, rewindable),
                                  facts, {.max_lanes = 1, .method = method}, nullptr);
      using Pair = Record<std::uint32_t, 0>;
      TypedSource<Pair> typed(relabelled.source, relabelled.source->facts());
      const std::vector<Pair> sample = typed.sample(1000);
      CHECK(sample.size() >= 900);
      CHECK(std::all_of(sample.begin(), sample.end(), [&](const Pair& edge) {
        return std::binary_search(sorted.begin(), sorted.end(), graph::Edge64{edge.source, edge.target});
      }));
    }
  }
}

TEST_CASE("relabelling refuses ids beyond the declared n, and input that changes between two readings") {
  EdgeList edges = sparse_edges(500, 3000, 16, 8);
  graph::EdgeFacts facts = facts_of(4, WeightType::u32);
  facts.nodes = 65536;
  for (const Method method : all_methods) {
    CAPTURE(static_cast<int>(method));
    const graph::relabel::Options options = {.max_lanes = 2, .method = method};
    EdgeList bad = edges;
    bad[1777].target = 65536;
    TestEnvironment test = environment_of({4 * core::MiB, 2, 1});
    const NothingLeft nothing_left(test);
    std::string what = "no error";
    try {
      graph::relabel::relabel(test.environment, std::make_shared<RowsSource>(bad, facts, true), facts,
                              options, nullptr);
    } catch (const core::DataError& error) {
      what = error.what();
    }
    CHECK_THAT(what, Contains("edges.test: edge 1777: id 65536 found"));

    const auto changing = std::make_shared<RowsSource>(edges, facts, true);
    changing->rewound = [](std::vector<std::byte>& rows) {
      if (rows.size() > 1200) rows.resize(1200);
      std::fill_n(rows.begin() + 600, 8, std::byte{0x7f});
    };
    what = "no error";
    try {
      const auto relabelled = graph::relabel::relabel(test.environment, changing, facts, options, nullptr);
      read_all<Record<std::uint32_t, 4>>(*relabelled.source, 2);
    } catch (const core::DataError& error) {
      what = error.what();
    }
    CHECK_THAT(what, Contains("edges.test: ") && Contains("the input has changed"));
  }
}

TEST_CASE("a forced method without memory for it says so") {
  const EdgeList edges = sparse_edges(9000, 20000, 64, 9);
  for (const Method method : {Method::marked, Method::sorted}) {
    TestEnvironment test = environment_of({4 * core::MiB, 1, 1});
    const graph::EdgeFacts facts = facts_of(8);
    CHECK_THROWS_AS(
        graph::relabel::relabel(test.environment, std::make_shared<RowsSource>(edges, facts, true), facts,
                                {.method = method, .table_bytes = 20 * core::KiB}, nullptr),
        core::MemoryLimitError);
  }
}

}  // namespace
}  // namespace emgraph::tests::relabel
