// SPDX-License-Identifier: MIT
// The way back from numbers to ids: maps in memory and maps that do not fit, wrong maps, faults.
#include <catch2/catch.hpp>

#include "core/base/error.hpp"
#include "graph/prepare/relabel/node_pairs.hpp"
#include "graph/prepare/relabel/original_ids.hpp"
#include "tests/graph/prepare/relabel/relabelling.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/vector_reader.hpp"

namespace emgraph::tests::relabel {
namespace {

using Catch::Matchers::Contains;
using graph::Record;
using graph::relabel::RestoreOptions;
using Ids = std::vector<std::uint64_t>;

graph::EdgeFacts numbered_facts(std::size_t id_bytes, std::uint64_t nodes) {
  graph::EdgeFacts facts;
  facts.name = "edges.test";
  facts.layout = {.id_bytes = id_bytes, .weight = graph::WeightType::u32};
  facts.nodes = nodes;
  return facts;
}

std::shared_ptr<graph::format::RecordSource> restored(TestEnvironment& test, const EdgeList& numbers,
                                                      const graph::EdgeFacts& facts, const Ids& map,
                                                      const RestoreOptions& options, bool rewindable = true) {
  return graph::relabel::restore(
      test.environment, std::make_shared<RowsSource>(numbers, facts, rewindable), facts,
      [&map] { return std::make_unique<VectorReader>(map); }, "map.test", options);
}

template <class R>
bool same_edges(const std::vector<R>& read, const EdgeList& edges) {
  bool same = read.size() == edges.size();
  for (std::size_t i = 0; same && i < read.size(); ++i) {
    same = read[i].source == edges[i].source && read[i].target == edges[i].target;
    if constexpr (R::attachment_bytes > 0) same = same && read[i].attachment[1] == RowsSource::attached(i, 1);
  }
  return same;
}

TEST_CASE("numbers become the ids that they were made of") {
  for (const unsigned bits : {64U, 30U}) {
    const EdgeList edges = sparse_edges(5000, 20000, bits, 1);
    const Expected oracle = expected(edges);
    for (const std::size_t table_bytes : {std::size_t{0}, std::size_t{8 * core::KiB}}) {
      for (const std::size_t id_bytes : {4U, 8U}) {
        for (const bool rewindable : {false, true}) {
          CAPTURE(bits, table_bytes, id_bytes, rewindable);
          TestEnvironment test = environment_of({4 * core::MiB, 2, 2});
          const NothingLeft nothing_left(test);
          const auto source = restored(test, oracle.edges, numbered_facts(id_bytes, oracle.ids.size()),
                                       oracle.ids, {.max_lanes = 2, .table_bytes = table_bytes}, rewindable);
          CHECK(source->facts().layout.id_bytes == (bits == 64 ? 8 : 4));
          CHECK_FALSE(source->facts().nodes);
          CHECK((test.blocks.peak_bytes() > 0) == (table_bytes > 0));
          CHECK(same_edges(read_all<Record<std::uint64_t, 4>>(*source, 2), edges));
          if (!source->rewindable()) continue;
          source->rewind();
          CHECK(same_edges(read_all<Record<std::uint64_t, 0>>(*source, 1), edges));
        }
      }
    }
  }
}

TEST_CASE("a lane that holds part of a batch starts again with its source") {
  const EdgeList edges = sparse_edges(5000, 20000, 30, 1);
  const Expected oracle = expected(edges);
  TestEnvironment test = environment_of({4 * core::MiB, 1, 1});
  const graph::EdgeFacts facts = numbered_facts(4, oracle.ids.size());
  const auto numbers = std::make_shared<RowsSource>(oracle.edges, facts, true);
  numbers->batch_edges = edges.size();
  const auto source =
      graph::relabel::restore(test.environment, numbers, facts,
                              [&] { return std::make_unique<VectorReader>(oracle.ids); }, "map.test", {});
  const auto lane = source->lane(graph::shape_of<Record<std::uint64_t, 4>>());
  REQUIRE(lane->next().count < edges.size());
  source->rewind();
  std::vector<Record<std::uint64_t, 4>> read;
  for (auto batch = lane->next(); batch.count > 0; batch = lane->next()) {
    CHECK(lane->first_edge() == read.size());
    const auto* const records = reinterpret_cast<const Record<std::uint64_t, 4>*>(batch.records);
    read.insert(read.end(), records, records + batch.count);
  }
  CHECK(same_edges(read, edges));
}

TEST_CASE("wrong maps are refused") {
  const EdgeList edges = sparse_edges(500, 3000, 40, 2);
  const Expected oracle = expected(edges);
  const graph::EdgeFacts facts = numbered_facts(4, oracle.ids.size());
  for (const std::size_t table_bytes : {std::size_t{0}, std::size_t{1024}}) {
    CAPTURE(table_bytes);
    const auto failure = [&](const Ids& map) -> std::string {
      TestEnvironment test = environment_of({4 * core::MiB, 1, 1});
      const NothingLeft nothing_left(test);
      try {
        const auto source = restored(test, oracle.edges, facts, map, {.table_bytes = table_bytes});
        read_all<Record<std::uint64_t, 0>>(*source, 1);
      } catch (const core::DataError& error) {
        return error.what();
      }
      return "no error";
    };
    Ids map = oracle.ids;
    std::swap(map[7], map[8]);
    CHECK_THAT(failure(map), Contains("map.test: found id " + std::to_string(map[8]) + " of node 8"));
    map = oracle.ids;
    map.resize(200);
    CHECK_THAT(failure(map), Contains("edges.test: node ") && Contains("map.test has ids of 200 nodes"));
    CHECK_THAT(failure({}), Contains("edges.test: node ") && Contains("map.test has ids of 0 nodes"));
  }
}

TEST_CASE("giving back ids survives every failed transfer and reservation") {
  const EdgeList edges = sparse_edges(3000, 9000, 50, 3);
  const Expected oracle = expected(edges);
  const graph::EdgeFacts facts = numbered_facts(4, oracle.ids.size());
  for (const Fault fault : all_faults) {
    for (const std::size_t table_bytes : {std::size_t{0}, std::size_t{8 * core::KiB}}) {
      if (fault == Fault::transfer && table_bytes == 0) continue;
      fail_each(fault, {core::MiB, 1, 2}, [&](TestEnvironment& test) {
        std::vector<Record<std::uint64_t, 4>> read;
        {
          const auto source = restored(test, oracle.edges, facts, oracle.ids,
                                       {.max_lanes = 1, .table_bytes = table_bytes}, false);
          read = read_all<Record<std::uint64_t, 4>>(*source, 1);
        }
        CHECK(same_edges(read, edges));
      });
    }
  }
}

TEST_CASE("a value per node is an edge to the value, where there is one") {
  TestEnvironment test;
  Ids values;
  EdgeList pairs;
  for (std::uint64_t node = 0; node < 50000; ++node) {
    values.push_back(node % 7 == 3 ? ~std::uint64_t{0} : node * node % 10007);
    if (node % 7 != 3) pairs.push_back({node, values.back()});
  }
  graph::relabel::NodePairs source(test.environment, std::make_unique<VectorReader>(values), "values.test",
                                   3);
  CHECK(same_edges(read_all<Record<std::uint64_t, 0>>(source, 3), pairs));
}

}  // namespace
}  // namespace emgraph::tests::relabel
