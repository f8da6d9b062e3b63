// SPDX-License-Identifier: MIT
// Weighted ranks: the oracle, the same bits everywhere, and weights that are refused.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/base/error.hpp"
#include "graph/pagerank/check.hpp"
#include "tests/graph/pagerank/solve.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/vector_reader.hpp"

namespace emgraph::tests::pagerank {
namespace {

using Catch::Matchers::Contains;
using graph::MemoryModel;
using graph::Record;
using graph::WeightType;

template <class Id, class W>
std::vector<Record<Id, sizeof(W)>> weighted_records(const EdgeList& edges, const std::vector<W>& weights) {
  std::vector<Record<Id, sizeof(W)>> records;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    auto& record = records.emplace_back();
    record.source = static_cast<Id>(edges[i].source);
    record.target = static_cast<Id>(edges[i].target);
    std::memcpy(record.attachment.data(), &weights[i], sizeof(W));
  }
  return records;
}

VectorSourceOptions weighted_source(WeightType type, std::optional<std::uint64_t> nodes, bool known = true) {
  VectorSourceOptions source{.facts = facts_with(nodes), .rewindable = known, .sampled = known};
  source.facts.layout.weight = type;
  return source;
}

/// Weights of which some are 0, and some are far from each other.
std::vector<double> some_weights(std::size_t count) {
  std::mt19937_64 random(17);
  std::vector<double> weights(count);
  for (double& weight : weights) {
    weight = random() % 5 == 0
                 ? 0
                 : std::ldexp(static_cast<double>(random() % 1000), static_cast<int>(random() % 20));
  }
  return weights;
}

TEST_CASE("weighted pagerank is the oracle's, with the same bits from every model and machine") {
  Sample sample(4);
  for (const ZooGraph& graph : graph_zoo()) {
    if (graph.nodes == 0) continue;
    const std::vector<double> weights = some_weights(graph.edges.size());
    const auto edges = weighted_records<std::uint32_t>(graph.edges, weights);
    const auto long_edges = weighted_records<std::uint64_t>(graph.edges, weights);
    for (const bool undirected : {false, true}) {
      const std::vector<double> right =
          ranks_after(6, graph.nodes, graph.edges, undirected, 0.85, {}, weights);
      Ranks expected;
      const auto check = [&](const auto& records, const Machine& machine, MemoryModel model, bool known,
                             std::optional<std::uint64_t> range_nodes) {
        if (!sample.takes(machine.threads)) return;
        CAPTURE(graph.name, undirected, machine.threads, static_cast<int>(model), known);
        VectorSourceOptions source = weighted_source(WeightType::f64, graph.nodes, known);
        if (known) source.facts.edges = graph.edges.size();
        const Solved solved = solve(records, machine, source,
                                    {.model = model,
                                     .undirected = undirected,
                                     .weighted = true,
                                     .iterations = 6,
                                     .range_nodes = range_nodes});
        if (expected.empty()) {
          expected = solved.ranks;
          CHECK(largest_error(solved.ranks, right) < 1e-12);
        }
        CHECK((solved.ranks == expected));
      };
      for (const bool known : {true, false}) {
        for (const MemoryModel model : all_models) {
          check(edges, {8 * core::MiB, 1, 1}, model, known, std::nullopt);
          check(long_edges, {16 * core::MiB, 2, 2}, model, known, std::nullopt);
        }
        for (const std::uint64_t parts : {2, 7}) {
          const std::uint64_t range = std::max<std::uint64_t>(1, graph.nodes / parts);
          check(edges, {8 * core::MiB, 2, 2}, MemoryModel::external, known, range);
          check(long_edges, {8 * core::MiB, 1, 1}, MemoryModel::external, known, range);
        }
      }
    }
  }
}

TEST_CASE("weighted pagerank: all types of weights give the bits of doubles") {
  const EdgeList edges = random_edges(600, 5000, 3);
  std::vector<std::uint32_t> whole;
  for (const double weight : some_weights(edges.size()))
    whole.push_back(static_cast<std::uint32_t>(weight) % 999);
  const auto ranks = [&]<class W>(WeightType type, W) {
    const std::vector<W> weights(whole.begin(), whole.end());
    return solve(weighted_records<std::uint32_t>(edges, weights), {8 * core::MiB, 2, 1},
                 weighted_source(type, 600), {.weighted = true, .iterations = 9})
        .ranks;
  };
  const Ranks right = ranks(WeightType::f64, double{});
  CHECK((ranks(WeightType::f32, float{}) == right));
  CHECK((ranks(WeightType::u32, std::uint32_t{}) == right));
  CHECK((ranks(WeightType::i64, std::int64_t{}) == right));
}

TEST_CASE("weighted pagerank whose nodes do not fit in memory, and equal weights") {
  const EdgeList edges = skewed_edges(18, 600000, 5);
  const std::vector<double> weights = some_weights(edges.size());
  const auto records = weighted_records<std::uint32_t>(edges, weights);
  VectorSourceOptions source = weighted_source(WeightType::f64, std::uint64_t{1} << 18);
  source.facts.edges = edges.size();
  const graph::pagerank::Options options{.weighted = true, .iterations = 3};
  const Solved whole = solve(records, {96 * core::MiB, 2, 1}, source, options);
  CHECK(whole.result.choice.model == MemoryModel::internal);
  CHECK(whole.write_bytes == 0);
  for (const unsigned threads : tried_threads({1U, 3U})) {
    const Solved parts = solve(records, {3 * core::MiB, threads, threads}, source, options);
    CHECK(parts.result.choice.model == MemoryModel::external);
    CHECK((parts.ranks == whole.ranks));
    const Solved semi = solve(records, {7 * core::MiB, threads, 1}, source, options);
    CHECK(semi.result.choice.model == MemoryModel::semi_external);
    CHECK((semi.ranks == whole.ranks));
  }
  const std::vector<double> same(edges.size(), 0.3);
  const Solved even =
      solve(weighted_records<std::uint32_t>(edges, same), {96 * core::MiB, 2, 1}, source, options);
  CHECK(largest_error(even.ranks, ranks_after(3, std::uint64_t{1} << 18, edges, false, 0.85)) < 1e-12);
}

TEST_CASE("weighted pagerank: nodes whose weights are 0 count as nodes without arcs, and loops count") {
  const EdgeList edges = {{0, 1}, {0, 2}, {1, 1}, {1, 0}, {2, 0}};
  const std::vector<double> weights = {0, 1e-300, 3, 1, 2};
  const Solved solved = solve(weighted_records<std::uint32_t>(edges, weights), {8 * core::MiB, 1, 1},
                              weighted_source(WeightType::f64, 3), {.weighted = true, .iterations = 30});
  CHECK(largest_error(solved.ranks, ranks_after(30, 3, edges, false, 0.85, {}, {0, 0, 3, 1, 2})) < 1e-12);
}

TEST_CASE("weighted pagerank refuses weights that are no shares, with their edge, and so does its check") {
  const EdgeList edges = {{0, 1}, {1, 2}, {2, 2}};
  const auto refused = [&](double weight, const std::string& message) {
    const auto records = weighted_records<std::uint32_t>(edges, std::vector<double>{1, 2, weight});
    const VectorSourceOptions source = weighted_source(WeightType::f64, 3);
    for (const MemoryModel model : all_models) {
      CHECK_THROWS_MATCHES(solve(records, {8 * core::MiB, 2, 1}, source, {.model = model, .weighted = true}),
                           core::DataError, Catch::Message(message));
    }
    TestEnvironment test{.memory_bytes = 8 * core::MiB, .threads = 2};
    VectorSource<Record<std::uint32_t, 8>> again(records, source);
    VectorReader reader(Ranks(3, std::bit_cast<std::uint64_t>(1.0 / 3)), true, true);
    graph::pagerank::CheckOptions options;
    options.weighted = true;
    CHECK_THROWS_MATCHES(graph::pagerank::check<std::uint32_t>(test.environment, again, reader, options),
                         core::DataError, Catch::Message(message));
  };
  const std::string edge = "edges.test: edge 2 (2, 2): weight ";
  const std::string expected = " found, expected a number from 0 to 1e270";
  refused(-1, edge + "-1" + expected);
  refused(std::nan(""), edge + "NaN" + expected);
  refused(std::numeric_limits<double>::infinity(), edge + "inf" + expected);
  refused(1e271, edge + "1e+271" + expected);
}

TEST_CASE("weighted pagerank: the check accepts the ranks, and refuses those without weights") {
  const EdgeList edges = random_edges(400, 2600, 31);
  const std::vector<double> weights = some_weights(edges.size());
  const auto records = weighted_records<std::uint32_t>(edges, weights);
  const std::vector<std::uint64_t> sources = {3, 77};
  for (const bool undirected : {false, true}) {
    for (const bool weighted : {false, true}) {
      const Solved solved =
          solve(records, {8 * core::MiB, 1, 1}, weighted_source(WeightType::f64, 400),
                {.undirected = undirected, .weighted = weighted, .tolerance = 1e-9, .sources = sources});
      for (const bool rewindable : {true, false}) {
        TestEnvironment test{.memory_bytes = 8 * core::MiB, .threads = 2};
        VectorSource<Record<std::uint32_t, 8>> again(records,
                                                     weighted_source(WeightType::f64, 400, rewindable));
        VectorReader reader(solved.ranks, true, true);
        graph::pagerank::CheckOptions options;
        options.undirected = undirected;
        options.weighted = true;
        options.sources = sources;
        CHECK(graph::pagerank::check<std::uint32_t>(test.environment, again, reader, options).ok == weighted);
      }
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::pagerank
