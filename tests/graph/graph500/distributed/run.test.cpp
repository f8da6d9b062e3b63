// SPDX-License-Identifier: MIT
// The same levels, distances and parents for every number of ranks and threads, and those of a plain search.
#include "graph/graph500/distributed/run.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <queue>
#include <random>

#include "graph/graph500/answer_checksum.hpp"
#include "tests/graph/graph500/distributed/weighted_list.hpp"
#include "tests/graph/mpi/thread_ranks.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::tests {
namespace {

namespace distributed = graph::graph500::distributed;
/// Random edges whose weights are multiples of 1/4, 0 often: many equal distances, long chains without gain.
WeightedList coarse_list(std::uint64_t nodes, std::uint64_t edges) {
  std::mt19937_64 random(7);
  WeightedList list{nodes, {}, {}};
  for (std::uint64_t i = 0; i < edges; ++i) {
    list.edges.push_back({random() % nodes, random() % nodes});
    list.weights.push_back(i % 3 == 0 ? 0.25f * static_cast<float>(random() % 5) : 0.0f);
  }
  return list;
}

/// A path through all nodes: as many levels as nodes.
WeightedList path_list(std::uint64_t nodes) {
  WeightedList list{nodes, {}, {}};
  for (std::uint64_t i = 0; i + 1 < nodes; ++i) {
    list.edges.push_back({i, i + 1});
    list.weights.push_back(i % 7 == 0 ? 0.0f : 0.5f);
  }
  return list;
}

/// Checksums by the rules of the contract, from edges alone.
struct Plain {
  std::uint64_t bfs = 0;
  std::uint64_t sssp = 0;
  std::uint64_t reached = 0;
};

Plain plain_search(const WeightedList& list, std::uint64_t root) {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  std::vector<std::uint64_t> levels(list.nodes, none);
  std::vector<std::uint64_t> parents(list.nodes, none);
  levels[root] = 0;
  parents[root] = root;
  const auto for_arcs = [&](auto&& visit) {
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
      const auto [u, v] = list.edges[i];
      if (u == v) continue;
      visit(u, v, static_cast<double>(list.weights[i]));
      visit(v, u, static_cast<double>(list.weights[i]));
    }
  };
  for (std::uint64_t level = 0; level < list.nodes; ++level) {
    for_arcs([&](std::uint64_t u, std::uint64_t v, double) {
      if (levels[u] != level) return;
      if (levels[v] == none) levels[v] = level + 1;
      if (levels[v] == level + 1) parents[v] = std::min(parents[v], u);
    });
    if (std::find(levels.begin(), levels.end(), level + 1) == levels.end()) break;
  }
  Plain plain;
  for (std::uint64_t v = 0; v < list.nodes; ++v) {
    if (levels[v] == none) continue;
    plain.bfs += graph::graph500::node_hash(v, levels[v], parents[v]);
    ++plain.reached;
  }
  std::vector<double> distances(list.nodes, HUGE_VAL);
  distances[root] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for_arcs([&](std::uint64_t u, std::uint64_t v, double weight) {
      if (distances[u] + weight >= distances[v]) return;
      distances[v] = distances[u] + weight;
      changed = true;
    });
  }
  std::fill(parents.begin(), parents.end(), none);
  parents[root] = root;
  for_arcs([&](std::uint64_t u, std::uint64_t v, double weight) {
    if (distances[u] < distances[v] && distances[u] + weight == distances[v]) {
      parents[v] = std::min(parents[v], u);
    }
  });
  for (bool changed = true; changed;) {
    changed = false;
    std::map<std::uint64_t, std::uint64_t> found;
    for_arcs([&](std::uint64_t u, std::uint64_t v, double weight) {
      if (distances[v] == HUGE_VAL || parents[v] != none || parents[u] == none) return;
      if (distances[u] != distances[v] || distances[u] + weight != distances[v]) return;
      const auto [place, fresh] = found.try_emplace(v, u);
      if (!fresh) place->second = std::min(place->second, u);
    });
    for (const auto& [v, u] : found) parents[v] = u;
    changed = !found.empty();
  }
  for (std::uint64_t v = 0; v < list.nodes; ++v) {
    if (distances[v] == HUGE_VAL) continue;
    plain.sssp += graph::graph500::node_hash(v, std::bit_cast<std::uint64_t>(distances[v]), parents[v]);
  }
  return plain;
}

distributed::Result run_distributed(const WeightedList& list, unsigned ranks, unsigned threads, bool wide_ids,
                                    std::uint64_t roots) {
  std::vector<distributed::Result> results(ranks);
  run_ranks(ranks, [&](graph::mpi::Communicator& communicator) {
    TestEnvironment test{.memory_bytes = 256 * core::MiB, .threads = threads};
    std::uint64_t candidate = 0;
    const distributed::Options options{.list = list_of(list),
                                       .next_root = [&] { return candidate++ * 37 % list.nodes; },
                                       .roots = roots,
                                       .wide_ids = wide_ids};
    results[communicator.rank()] = distributed::run(test.environment, communicator, options);
  });
  for (const distributed::Result& result : results) {
    CHECK_FALSE(result.violation);
    CHECK(result.bfs.size() == results[0].bfs.size());
    CHECK(result.sssp.back().checksum == results[0].sssp.back().checksum);
  }
  return results[0];
}

void compare(const WeightedList& list, std::initializer_list<unsigned> ranks, std::uint64_t roots) {
  std::map<std::uint64_t, Plain> plain;
  for (const unsigned count : ranks) {
    for (const bool wide_ids : {false, true}) {
      const unsigned threads = 1 + count % 2;
      const distributed::Result result = run_distributed(list, count, threads, wide_ids, roots);
      CAPTURE(list.nodes, count, wide_ids, threads);
      REQUIRE(result.bfs.size() == result.sssp.size());
      REQUIRE(!result.bfs.empty());
      for (std::size_t i = 0; i < result.bfs.size(); ++i) {
        const std::uint64_t root = result.bfs[i].root;
        if (!plain.contains(root)) plain[root] = plain_search(list, root);
        CHECK(result.bfs[i].reached == plain[root].reached);
        CHECK(result.bfs[i].checksum == plain[root].bfs);
        CHECK(result.sssp[i].root == root);
        CHECK(result.sssp[i].reached == plain[root].reached);
        CHECK(result.sssp[i].checksum == plain[root].sssp);
        CHECK(result.sssp[i].edges == result.bfs[i].edges);
      }
    }
  }
}

TEST_CASE("graph500 over ranks gives the parents, levels and distances of a plain search") {
  compare(graph500_list(9), {1, 2, 3, 4, 7}, 6);
}

TEST_CASE("graph500 over ranks: more ranks than words of nodes") {
  compare(graph500_list(5), {2, 5}, 4);
  compare(graph500_list(7), {4, 6}, 4);
}

TEST_CASE("graph500 over ranks: weights of 0 and equal distances") {
  compare(coarse_list(256, 400), {1, 2, 3}, 5);
  compare(coarse_list(1024, 6000), {2, 3}, 3);
  compare(coarse_list(512, 20000), {3, 5}, 3);
}

/// Collective operations are what a search over many hosts waits for.
TEST_CASE("graph500 over ranks: a search for shortest paths takes few rounds") {
  const distributed::Result result = run_distributed(graph500_list(12), 2, 1, false, 8);
  REQUIRE(result.sssp.size() == 8);
  CHECK(result.sssp_traffic.rounds < 50 * result.sssp.size());
}

TEST_CASE("graph500 over ranks: as many levels as nodes") {
  compare(path_list(256), {1, 3}, 2);
}

}  // namespace
}  // namespace emgraph::tests
