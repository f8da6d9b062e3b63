// SPDX-License-Identifier: MIT
// One run of the solver in a tiny environment, with the checks that hold for every run.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "graph/kcore/kcore.hpp"
#include "tests/oracle/kcore_oracle.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/solve_nodes.hpp"

namespace emgraph::tests::kcore {

using Cores = std::vector<std::uint64_t>;

struct Solved {
  graph::kcore::Result result;
  Cores cores;
  std::uint64_t write_bytes = 0;
};

/// Runs on an environment that the caller made; CHECKs that nothing is left of the run, failed or not.
template <class R>
Solved solve_in(TestEnvironment& test, const std::vector<R>& edges, const VectorSourceOptions& source_options,
                const graph::kcore::Options& options) {
  const auto run = [&](auto& source, auto& sink) {
    return graph::kcore::run<typename R::id_type>(test.environment, source, options, &sink);
  };
  Solved solved = solve_nodes<Solved, std::uint32_t>(test, edges, source_options, &Solved::cores, run);
  CHECK(solved.result.nodes == solved.cores.size());
  CHECK(solved.result.degeneracy ==
        (solved.cores.empty() ? 0 : *std::max_element(solved.cores.begin(), solved.cores.end())));
  return solved;
}

template <class R>
Solved solve(const std::vector<R>& edges, const Machine& machine, const VectorSourceOptions& source_options,
             const graph::kcore::Options& options) {
  TestEnvironment test = environment_of(machine);
  return solve_in<R>(test, edges, source_options, options);
}

}  // namespace emgraph::tests::kcore
