// SPDX-License-Identifier: MIT
// Rows from one reading against sorted edges, and the inputs that they do not suit.
#include "graph/prepare/adjacency/build_rows.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "core/base/error.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests {
namespace {

using graph::adjacency::build_rows;
using graph::adjacency::RowsOf;
using graph::adjacency::RowsOptions;
using Plain = graph::Record<std::uint32_t, 0>;

VectorSourceOptions file_of(const EdgeList& edges, std::optional<std::uint64_t> nodes) {
  VectorSourceOptions options{.facts = facts_with(nodes), .quick_to_reread = true, .sampled = true};
  options.facts.edges = edges.size();
  return options;
}

using Rows = std::map<std::uint64_t, std::vector<std::uint64_t>>;

Rows rows_oracle(const EdgeList& edges, const RowsOptions& options) {
  Rows rows;
  for (const auto& [source, target] : edges) {
    if (source == target && !options.loops) continue;
    if (options.rows == RowsOf::sources) {
      rows[target].push_back(source);
      continue;
    }
    rows[source].push_back(target);
    if (options.rows == RowsOf::neighbours && source != target) rows[target].push_back(source);
  }
  for (auto& [node, row] : rows) {
    std::sort(row.begin(), row.end());
    if (options.simple) row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return rows;
}

template <class Offset>
void check_rows(const ZooGraph& graph, const Machine& machine, RowsOptions options, bool known,
                const Rows& right) {
  if (only_races && machine.threads == 1) return;
  CAPTURE(graph.name, static_cast<int>(options.rows), options.simple, options.loops, machine.threads, known);
  TestEnvironment test = environment_of(machine);
  const NothingLeft nothing_left(test);
  VectorSource<Plain> source(records_of<Plain>(graph.edges),
                             file_of(graph.edges, known ? std::optional(graph.nodes) : std::nullopt));
  const auto built = build_rows<Offset>(test.environment, source, options);
  REQUIRE(built);
  const auto& rows = *built->rows;
  REQUIRE(rows.nodes() == (known ? graph.nodes : nodes_of(graph.edges)));
  CHECK(built->read.edges == graph.edges.size());
  std::uint64_t entries = 0;
  std::uint64_t largest = 0;
  std::uint64_t largest_node = 0;
  for (std::uint64_t v = 0; v < rows.nodes(); ++v) {
    std::vector<std::uint64_t> row(rows.neighbours(v).begin(), rows.neighbours(v).end());
    if (!options.simple) std::sort(row.begin(), row.end());
    const auto expected = right.find(v);
    const bool same = expected == right.end() ? row.empty() : row == expected->second;
    if (!same) FAIL("row of " << v);
    entries += row.size();
    row.erase(std::unique(row.begin(), row.end()), row.end());
    if (row.size() > largest) {
      largest = row.size();
      largest_node = v;
    }
  }
  CHECK(rows.facts().entries == entries);
  CHECK(rows.facts().largest_degree == largest);
  CHECK(rows.facts().largest_degree_node == largest_node);
}

std::vector<ZooGraph> graphs() {
  std::vector<ZooGraph> graphs = graph_zoo();
  graphs.push_back({"skewed", 1U << 15, skewed_edges(15, sized(300000, 100000), 42)});
  EdgeList star;
  for (std::uint64_t v = 1; v < 100000; ++v) star.push_back({70000, v});
  for (std::uint64_t v = 1; v < 50000; ++v) star.push_back({v, 70000 + v % 3});
  graphs.push_back({"a bucket that is larger than its copy", 100000, std::move(star)});
  return graphs;
}

TEST_CASE("rows: those of every graph are the oracle's for any threads", "[rows]") {
  for (const ZooGraph& graph : graphs()) {
    for (const RowsOf rows : {RowsOf::neighbours, RowsOf::targets, RowsOf::sources}) {
      for (const bool simple : {true, false}) {
        const RowsOptions options{.rows = rows, .loops = !simple, .simple = simple};
        const Rows right = rows_oracle(graph.edges, options);
        check_rows<std::uint32_t>(graph, {64 * core::MiB, 1, 1}, options, true, right);
        check_rows<std::uint64_t>(graph, {64 * core::MiB, 3, 1}, options, false, right);
      }
    }
  }
}

TEST_CASE("rows: ids above all of the sample are taken if the rows fit", "[rows]") {
  EdgeList edges = random_edges(1000, 200001, 7);
  for (const auto& [outlier, fits] :
       {std::pair(1024ULL, true), {4000ULL, true}, {5000ULL, false}, {0xffffffffULL, false}}) {
    edges[100001].target = outlier;
    CAPTURE(outlier);
    TestEnvironment test{.memory_bytes = 16 * core::MiB, .threads = 2};
    const NothingLeft nothing_left(test);
    VectorSource<Plain> source(records_of<Plain>(edges), file_of(edges, std::nullopt));
    const auto built = build_rows<std::uint32_t>(test.environment, source, {});
    CHECK(built.has_value() == fits);
    if (built) CHECK(built->rows->nodes() == outlier + 1);
    if (!built) CHECK(source.lane().next().size() > 0);  // at its first edge
  }
}

TEST_CASE("rows: are not built of what may have to be read again at a cost, or does not fit", "[rows]") {
  const EdgeList edges = random_edges(30000, 100000, 8);
  const auto built = [&](const VectorSourceOptions& options, std::size_t memory, const RowsOptions& rows) {
    TestEnvironment test{.memory_bytes = memory};
    VectorSource<Plain> source(records_of<Plain>(edges), options);
    return build_rows<std::uint32_t>(test.environment, source, rows).has_value();
  };
  VectorSourceOptions file = file_of(edges, 30000);
  CHECK(built(file, 8 * core::MiB, {}));
  CHECK_FALSE(built(file, core::MiB, {}));
  CHECK_FALSE(built(file, 8 * core::MiB, {.beside_bytes_per_node = 400}));
  file.facts.edges.reset();
  CHECK_FALSE(built(file, 8 * core::MiB, {}));
  for (const bool rewindable : {true, false}) {
    file = file_of(edges, std::nullopt);
    file.quick_to_reread = false;
    file.rewindable = rewindable;
    CHECK_FALSE(built(file, 8 * core::MiB, {}));
    CHECK(built(file, 8 * core::MiB, {.nodes = 30000}));
  }
}

TEST_CASE("rows: are not built where most nodes have no neighbours", "[rows]") {
  EdgeList edges = random_edges(1000, 5000, 10);
  for (const std::uint64_t far : {std::uint64_t{1'000'000}, std::uint64_t{10'000'000}}) {
    edges[77].target = far;
    for (const std::optional<std::uint64_t> nodes :
         {std::optional(far + 1), std::optional<std::uint64_t>()}) {
      TestEnvironment test{.memory_bytes = 256 * core::MiB};
      VectorSourceOptions file = file_of(edges, nodes);
      VectorSource<Plain> source(records_of<Plain>(edges), file);
      CHECK(build_rows<std::uint32_t>(test.environment, source, {}).has_value() == (far < 2'000'000));
    }
  }
}

TEST_CASE("rows: an input with more edges than it declares is refused", "[rows]") {
  const EdgeList edges = random_edges(5000, 40000, 9);
  for (const unsigned threads : tried_threads({1U, 2U})) {
    TestEnvironment test{.memory_bytes = 8 * core::MiB, .threads = threads};
    const NothingLeft nothing_left(test);
    VectorSourceOptions file = file_of(edges, 5000);
    file.facts.edges = 1000;
    VectorSource<Plain> declared(records_of<Plain>(edges), file);
    CHECK_THROWS_WITH(build_rows<std::uint32_t>(test.environment, declared, {}),
                      Catch::Contains("more edges than the 1000 that it declares"));
    file.facts.nodes.reset();
    VectorSource<Plain> guessed(records_of<Plain>(edges), file);
    CHECK_FALSE(build_rows<std::uint32_t>(test.environment, guessed, {}));
    CHECK(guessed.lane().next().size() > 0);  // at its first edge
  }
}

}  // namespace
}  // namespace emgraph::tests
