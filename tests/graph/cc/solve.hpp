// SPDX-License-Identifier: MIT
// One run of the solver in a tiny environment, with the checks that hold for every run.
#pragma once

#include <catch2/catch.hpp>
#include <vector>

#include "graph/cc/cc.hpp"
#include "tests/oracle/cc_oracle.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/solve_nodes.hpp"

namespace emgraph::tests::cc {

using Labels = std::vector<std::uint64_t>;

struct Solved {
  graph::cc::Result result;
  Labels labels;
  std::uint64_t write_bytes = 0;
};

inline graph::cc::Options with_model(graph::MemoryModel model,
                                     std::optional<std::uint64_t> range_nodes = std::nullopt) {
  graph::cc::Options options;
  options.model = model;
  options.range_nodes = range_nodes;
  return options;
}

/// Runs on an environment that the caller made; CHECKs that nothing is left of the run, failed or not.
template <class R>
Solved solve_in(TestEnvironment& test, const std::vector<R>& edges, const VectorSourceOptions& source_options,
                const graph::cc::Options& options) {
  const auto run = [&](auto& source, auto& sink) {
    return graph::cc::run<typename R::id_type>(test.environment, source, options, &sink);
  };
  Solved solved = solve_nodes<Solved, typename R::id_type>(test, edges, source_options, &Solved::labels, run);
  const ComponentSizes sizes = component_sizes(solved.labels);
  CHECK(solved.result.nodes == solved.labels.size());
  CHECK(solved.result.count.components == sizes.components);
  CHECK(solved.result.count.isolated_nodes == sizes.isolated);
  CHECK(solved.result.count.largest_component == sizes.largest);
  return solved;
}

template <class R>
Solved solve(const std::vector<R>& edges, const Machine& machine, const VectorSourceOptions& source_options,
             const graph::cc::Options& options) {
  TestEnvironment test = environment_of(machine);
  return solve_in<R>(test, edges, source_options, options);
}

}  // namespace emgraph::tests::cc
