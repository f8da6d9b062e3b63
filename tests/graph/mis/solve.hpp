// SPDX-License-Identifier: MIT
// One run of the solver in a tiny environment, with the checks that hold for every run.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "graph/mis/mis.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/solve_nodes.hpp"

namespace emgraph::tests::mis {

using Nodes = std::vector<std::uint64_t>;

inline constexpr graph::mis::Queue all_queues[] = {graph::mis::Queue::automatic, graph::mis::Queue::bitmap,
                                                   graph::mis::Queue::ranges, graph::mis::Queue::heap};

inline graph::mis::Options with_queue(graph::mis::Queue queue, bool directed = false,
                                      graph::MemoryModel model = graph::MemoryModel::automatic) {
  graph::mis::Options options;
  options.model = model;
  options.queue = queue;
  options.directed_scan = directed;
  return options;
}

struct Solved {
  graph::mis::Result result;
  Nodes set;
  std::uint64_t write_bytes = 0;
};

/// Runs on an environment that the caller made; CHECKs that nothing is left of the run, failed or not.
template <class R>
Solved solve_in(TestEnvironment& test, const std::vector<R>& edges, const VectorSourceOptions& source_options,
                const graph::mis::Options& options) {
  const auto run = [&](auto& source, auto& sink) {
    return graph::mis::run<typename R::id_type>(test.environment, source, options, &sink);
  };
  Solved solved = solve_nodes<Solved, typename R::id_type>(test, edges, source_options, &Solved::set, run);
  CHECK(solved.result.mis_size == solved.set.size());
  return solved;
}

template <class R>
Solved solve(const std::vector<R>& edges, const Machine& machine, const VectorSourceOptions& source_options,
             const graph::mis::Options& options) {
  TestEnvironment test = environment_of(machine);
  return solve_in<R>(test, edges, source_options, options);
}

}  // namespace emgraph::tests::mis
