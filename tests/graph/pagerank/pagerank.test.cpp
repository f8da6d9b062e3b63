// SPDX-License-Identifier: MIT
// The solver against the oracle, and the same bits from every model on every machine.
#include "graph/pagerank/pagerank.hpp"

#include "core/base/error.hpp"
#include "tests/graph/pagerank/solve.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::pagerank {
namespace {

using graph::MemoryModel;
using graph::Record;
using Edge = Record<std::uint32_t, 0>;
using LongEdge = Record<std::uint64_t, 0>;

constexpr double rounding = 1e-12;

TEST_CASE("pagerank of every graph is the oracle's, with the same bits from every model and machine") {
  Sample sample(5);
  for (const ZooGraph& graph : graph_zoo()) {
    for (const bool undirected : {false, true}) {
      const std::vector<double> right = ranks_after(7, graph.nodes, graph.edges, undirected, 0.85);
      Ranks expected;
      const auto check = [&]<class R>(const Machine& machine, MemoryModel model, bool known,
                                      std::optional<std::uint64_t> range_nodes) {
        if (!sample.takes(machine.threads)) return;
        CAPTURE(graph.name, undirected, sizeof(R), machine.threads, static_cast<int>(model), known);
        VectorSourceOptions source{.facts = facts_with(graph.nodes),
                                   .rewindable = known,
                                   .quick_to_reread = known && model == MemoryModel::automatic,
                                   .sampled = known};
        if (known) source.facts.edges = graph.edges.size();
        graph::pagerank::Options options{.model = model, .undirected = undirected, .iterations = 7};
        options.range_nodes = range_nodes;
        const Solved solved = solve<R>(records_of<R>(graph.edges), machine, source, options);
        CHECK(solved.result.iterations == (graph.nodes == 0 ? 0 : 7));
        if (expected.empty() && graph.nodes > 0) {
          expected = solved.ranks;
          CHECK(largest_error(solved.ranks, right) < rounding);
        }
        CHECK((solved.ranks == expected));
        if (model != MemoryModel::automatic && graph.nodes > 0) CHECK(solved.result.choice.model == model);
      };
      for (const bool known : {true, false}) {
        for (const MemoryModel model : all_models) {
          check.operator()<Edge>({8 * core::MiB, 1, 1}, model, known, std::nullopt);
          check.operator()<LongEdge>({16 * core::MiB, 2, 2}, model, known, std::nullopt);
        }
        for (const std::uint64_t parts : {2, 7, 40}) {
          const std::uint64_t range = std::max<std::uint64_t>(1, graph.nodes / parts);
          check.operator()<Edge>({8 * core::MiB, 2, 2}, MemoryModel::external, known, range);
          check.operator()<LongEdge>({8 * core::MiB, 1, 1}, MemoryModel::external, known, range);
        }
      }
    }
  }
}

TEST_CASE("personalised pagerank is the oracle's, with the same bits from every model and machine") {
  Sample sample(3);
  for (const ZooGraph& graph : graph_zoo()) {
    if (graph.nodes == 0) continue;
    for (const std::vector<std::uint64_t>& sources :
         {std::vector<std::uint64_t>{graph.nodes - 1}, std::vector<std::uint64_t>{0, graph.nodes / 2 + 1}}) {
      if (sources.back() >= graph.nodes) continue;
      const std::vector<double> right = ranks_after(6, graph.nodes, graph.edges, false, 0.85, sources);
      Ranks expected;
      for (const MemoryModel model : all_models) {
        for (const std::uint64_t parts : {1, 5}) {
          if (!sample.takes()) continue;
          CAPTURE(graph.name, sources, static_cast<int>(model), parts);
          graph::pagerank::Options options{.model = model, .iterations = 6, .sources = sources};
          if (parts > 1 && model == MemoryModel::external) {
            options.range_nodes = std::max<std::uint64_t>(1, graph.nodes / parts);
          }
          const Solved solved = solve(records_of<Edge>(graph.edges), {8 * core::MiB, 2, 2},
                                      {.facts = facts_with(graph.nodes)}, options);
          if (expected.empty()) expected = solved.ranks;
          CHECK((solved.ranks == expected));
          bool close = solved.ranks.size() == right.size();
          for (std::size_t v = 0; close && v < right.size(); ++v) {
            close = std::abs(std::bit_cast<double>(solved.ranks[v]) - right[v]) < rounding;
          }
          CHECK(close);
        }
      }
    }
  }
  CHECK_THROWS_AS(solve(records_of<Edge>({{0, 1}}), {8 * core::MiB, 1, 1}, {},
                        {.sources = std::vector<std::uint64_t>{2}}),
                  core::DataError);
}

TEST_CASE("pagerank with n unknown, or ids that a sample does not show") {
  EdgeList edges = random_edges(3000, 9000, 11);
  edges.push_back({2, 40000});
  const auto records = records_of<Edge>(edges);
  const std::vector<double> right = ranks_after(5, 40001, edges, false, 0.5);
  for (const bool rewindable : {true, false}) {
    for (const MemoryModel model : all_models) {
      CAPTURE(rewindable, static_cast<int>(model));
      const Solved solved =
          solve(records, {64 * core::MiB, 2, 1}, {.rewindable = rewindable, .sampled = rewindable},
                {.model = model, .damping = 0.5, .iterations = 5});
      CHECK(largest_error(solved.ranks, right) < rounding);
    }
  }
}

TEST_CASE("pagerank whose nodes do not fit in memory") {
  const EdgeList edges = skewed_edges(18, sized(600000, 300000), 5);
  const auto records = records_of<Edge>(edges);
  VectorSourceOptions source{.facts = facts_with(std::uint64_t{1} << 18)};
  source.facts.edges = edges.size();
  const graph::pagerank::Options options{.iterations = 4};
  const Solved whole = solve(records, {64 * core::MiB, 2, 1}, source, options);
  CHECK(whole.result.choice.model == MemoryModel::internal);
  CHECK(whole.write_bytes == 0);
  CHECK(largest_error(whole.ranks, ranks_after(4, std::uint64_t{1} << 18, edges, false, 0.85)) < rounding);
  for (const unsigned threads : tried_threads({1U, 2U, 4U})) {
    const Solved parts = solve(records, {3 * core::MiB, threads, threads}, source, options);
    CHECK(parts.result.choice.model == MemoryModel::external);
    CHECK(parts.result.ranges > 1);
    CHECK((parts.ranks == whole.ranks));
    const Solved semi = solve(records, {7 * core::MiB, threads, 1}, source, options);
    CHECK(semi.result.choice.model == MemoryModel::semi_external);
    CHECK((semi.ranks == whole.ranks));
  }
}

TEST_CASE("pagerank: a forced semi-external run needs no declared n") {
  const auto records = records_of<Edge>(skewed_edges(18, 300000, 5));
  VectorSourceOptions declared{.facts = facts_with(std::uint64_t{1} << 18)};
  const VectorSourceOptions unknown{.rewindable = false};
  const graph::pagerank::Options options{.model = MemoryModel::semi_external, .iterations = 2};
  // The shares, 2 MiB, take at most three eighths of the memory.
  const Machine enough{6 * core::MiB, 1, 1};
  const Machine little{5 * core::MiB, 1, 1};
  const Solved solved = solve(records, enough, unknown, options);
  CHECK(solved.result.choice.model == MemoryModel::semi_external);
  const VectorSourceOptions counted{.facts = facts_with(solved.ranks.size())};
  CHECK((solved.ranks == solve(records, {64 * core::MiB, 2, 1}, counted, options).ranks));
  CHECK_THROWS_AS(solve(records, little, unknown, options), core::MemoryLimitError);
  CHECK_THROWS_AS(solve(records, little, declared, options), core::MemoryLimitError);
}

TEST_CASE("pagerank: the lists are loaded if the arcs fit once they are sorted") {
  const auto records = records_of<Edge>(skewed_edges(12, 400000, 6));
  const VectorSourceOptions source{.facts = facts_with(4096), .rewindable = false};
  const Solved solved = solve(records, {8 * core::MiB, 2, 1}, source, {.iterations = 3});
  CHECK(solved.result.choice.model == MemoryModel::internal);
  CHECK(solved.write_bytes > 0);
  const Solved other = solve(records, {2 * core::MiB, 1, 1}, source, {.iterations = 3});
  CHECK((solved.ranks == other.ranks));
}

TEST_CASE("pagerank stops at the tolerance, at the latest where rounding takes over") {
  const auto records = records_of<Edge>(random_edges(500, 3000, 8));
  const VectorSourceOptions source{.facts = facts_with(500)};
  const auto rounds = [&](graph::pagerank::Options options) {
    return solve(records, {8 * core::MiB, 1, 1}, source, options).result;
  };
  const graph::pagerank::Result usual = rounds({});
  CHECK(usual.residual < 1e-6);
  CHECK(usual.iterations > 3);
  CHECK(rounds({.iterations = usual.iterations - 1}).residual >= 1e-6);
  CHECK(rounds({.tolerance = 1e-3}).iterations < usual.iterations);
  CHECK(rounds({.iterations = 2, .tolerance = 1e-9}).iterations == 2);
  CHECK(rounds({.tolerance = 1e-30}).iterations < 450);
  CHECK(rounds({.damping = 0}).iterations == 1);
  CHECK(rounds({.iterations = 0}).residual == 0);
  CHECK(std::abs(usual.sum - 1) < 1e-15 * 1000);
}

TEST_CASE("pagerank refuses a forced model that cannot fit, and ids beyond n") {
  const auto records = records_of<Edge>(random_edges(400000, 400000, 9));
  VectorSourceOptions source{.facts = facts_with(400000)};
  source.facts.edges = records.size();
  for (const MemoryModel model : {MemoryModel::internal, MemoryModel::semi_external}) {
    CHECK_THROWS_AS(solve(records, {4 * core::MiB, 1, 1}, source, {.model = model, .iterations = 1}),
                    core::MemoryLimitError);
  }
  CHECK_THROWS_AS(solve(records, {16 * core::MiB, 2, 1}, source, {.nodes = 300000}), core::DataError);
}

}  // namespace
}  // namespace emgraph::tests::pagerank
