// SPDX-License-Identifier: MIT
// One run of the solver in a tiny environment, with the checks that hold for every run.
#pragma once

#include <bit>
#include <catch2/catch.hpp>
#include <vector>

#include "graph/pagerank/pagerank.hpp"
#include "tests/oracle/pagerank_oracle.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/solve_nodes.hpp"

namespace emgraph::tests::pagerank {

/// The bits of doubles.
using Ranks = std::vector<std::uint64_t>;

struct Solved {
  graph::pagerank::Result result;
  Ranks ranks;
  std::uint64_t write_bytes = 0;
};

/// Runs on an environment that the caller made; CHECKs that nothing is left of the run, failed or not.
template <class R>
Solved solve_in(TestEnvironment& test, const std::vector<R>& edges, const VectorSourceOptions& source_options,
                const graph::pagerank::Options& options) {
  const auto run = [&](auto& source, auto& sink) {
    return graph::pagerank::run<typename R::id_type>(test.environment, source, options, &sink);
  };
  Solved solved = solve_nodes<Solved, std::uint64_t>(test, edges, source_options, &Solved::ranks, run);
  CHECK(solved.result.nodes == solved.ranks.size());
  return solved;
}

template <class R>
Solved solve(const std::vector<R>& edges, const Machine& machine, const VectorSourceOptions& source_options,
             const graph::pagerank::Options& options) {
  TestEnvironment test = environment_of(machine);
  return solve_in<R>(test, edges, source_options, options);
}

/// The node whose rank is farthest from the oracle's, and its distance relative to the rank.
inline double largest_error(const Ranks& ranks, const std::vector<double>& right) {
  REQUIRE(ranks.size() == right.size());
  double largest = 0;
  for (std::size_t v = 0; v < ranks.size(); ++v) {
    largest = std::max(largest, std::abs(std::bit_cast<double>(ranks[v]) - right[v]) / right[v]);
  }
  return largest;
}

}  // namespace emgraph::tests::pagerank
