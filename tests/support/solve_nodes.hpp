// SPDX-License-Identifier: MIT
// One run of a solver whose answer is a list of nodes, or a value for each.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/machine.hpp"
#include "tests/support/vector_sink.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests {

/// Calls run(source, sink) on an environment that the caller made; its result, the values that the sink got
/// and what was written become a Solved. CHECKs that nothing is left of the run, failed or not.
template <class Solved, class Value, class R, class Run>
Solved solve_nodes(TestEnvironment& test, const std::vector<R>& edges, const VectorSourceOptions& options,
                   std::vector<std::uint64_t> Solved::*values, const Run& run) {
  const NothingLeft nothing_left(test);
  VectorSource<R> source(edges, options);
  VectorSink<Value> sink;
  Solved solved;
  solved.result = run(source, sink);
  solved.*values = std::move(sink.values);
  solved.write_bytes = test.statistics.snapshot().write_bytes;
  CHECK(solved.result.edges == edges.size());
  return solved;
}

}  // namespace emgraph::tests
