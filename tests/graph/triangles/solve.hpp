// SPDX-License-Identifier: MIT
// One run of the solver in a tiny environment, with the checks that hold for every run.
#pragma once

#include <catch2/catch.hpp>
#include <vector>

#include "graph/triangles/triangles.hpp"
#include "tests/oracle/triangles_oracle.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/vector_sink.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests::triangles {

struct Wanted {
  bool per_node = false;
  bool list = false;
};

struct Solved {
  graph::triangles::Result result;
  std::vector<std::uint64_t> per_node;
  std::vector<std::uint64_t> list;
};

/// Runs on an environment that the caller made; CHECKs that nothing is left of the run, failed or not.
template <class R>
Solved solve_in(TestEnvironment& test, const std::vector<R>& edges, const VectorSourceOptions& source_options,
                const graph::triangles::Options& options, const Wanted& wanted) {
  const NothingLeft nothing_left(test);
  VectorSource<R> source(edges, source_options);
  VectorSink<std::uint64_t> per_node;
  VectorSink<typename R::id_type> list;
  Solved solved;
  solved.result = graph::triangles::run<typename R::id_type>(
      test.environment, source, options,
      {.per_node = wanted.per_node ? &per_node : nullptr, .list = wanted.list ? &list : nullptr});
  solved.per_node = std::move(per_node.values);
  solved.list = std::move(list.values);
  CHECK(solved.result.edges == edges.size());
  return solved;
}

template <class R>
Solved solve(const std::vector<R>& edges, const Machine& machine, const VectorSourceOptions& source_options,
             const graph::triangles::Options& options, const Wanted& wanted) {
  TestEnvironment test = environment_of(machine);
  return solve_in<R>(test, edges, source_options, options, wanted);
}

/// CHECKs that all requested results equal the oracle's.
inline void check_answers(const Solved& solved, const TriangleAnswers& right, const Wanted& wanted) {
  CHECK(solved.result.triangles == right.list.size());
  CHECK(solved.result.wedges == right.wedges);
  CHECK(solved.result.simple_edges == right.simple_edges);
  if (wanted.per_node) CHECK((solved.per_node == right.per_node));
  if (!wanted.list) return;
  std::vector<std::uint64_t> list;
  for (const auto& triple : right.list) list.insert(list.end(), triple.begin(), triple.end());
  CHECK((solved.list == list));
}

}  // namespace emgraph::tests::triangles
