// SPDX-License-Identifier: MIT
// One run of stats in a tiny environment, with the checks that hold for every run.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <utility>
#include <vector>

#include "graph/stats/stats.hpp"
#include "tests/oracle/stats_oracle.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/vector_sink.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests::stats {

using Histogram = std::map<std::uint64_t, std::uint64_t>;

/// Everything of a Result that outlives its budget.
struct Solved {
  std::uint64_t nodes = 0;
  StatsAnswers answers;  ///< hubs as many as asked for
  Histogram degree;
  Histogram out;
  Histogram in;
  graph::MemoryModel model = graph::MemoryModel::automatic;
  bool sorted_input = false;
};

inline Histogram entries_of(const graph::stats::ValueHistogram& histogram) {
  Histogram entries;
  histogram.for_each([&](const graph::stats::ValueCount& entry) { entries[entry.value] = entry.count; });
  return entries;
}

/// Runs on an environment that the caller made; CHECKs that nothing is left of the run, failed or not.
template <class R>
Solved solve_in(TestEnvironment& test, const std::vector<R>& edges, const VectorSourceOptions& source_options,
                const graph::stats::Options& options) {
  const NothingLeft nothing_left(test);
  VectorSource<R> source(edges, source_options);
  VectorSink<typename R::id_type> sink;
  const graph::stats::Result result =
      graph::stats::run<typename R::id_type>(test.environment, source, options, &sink);
  CHECK(result.arcs.edges == edges.size());
  Solved solved;
  solved.nodes = result.nodes;
  solved.model = result.choice.model;
  solved.sorted_input = result.sorted_input;
  solved.answers.loops = result.arcs.loops;
  solved.answers.duplicate_arcs = result.arcs.duplicate_arcs;
  solved.answers.undirected_duplicates = result.undirected_duplicates();
  solved.answers.simple_edges = result.arcs.simple_edges;
  solved.answers.mutual_pairs = result.arcs.mutual_pairs;
  solved.answers.smallest_id = result.smallest_id;
  solved.answers.largest_id = result.largest_id;
  solved.answers.isolated_nodes = result.degrees.isolated_nodes();
  solved.answers.wedges = static_cast<std::uint64_t>(result.degrees.wedges());
  solved.answers.degree = std::move(sink.values);
  for (const auto& hub : result.degrees.hubs()) solved.answers.hubs.emplace_back(hub.node, hub.degree);
  solved.degree = entries_of(result.degrees.degree());
  CHECK(result.degrees.directed() == options.directed);
  if (options.directed) {
    solved.out = entries_of(result.degrees.out_degree());
    solved.in = entries_of(result.degrees.in_degree());
  }
  return solved;
}

template <class R>
Solved solve(const std::vector<R>& edges, const Machine& machine, const VectorSourceOptions& source_options,
             const graph::stats::Options& options) {
  TestEnvironment test = environment_of(machine);
  return solve_in<R>(test, edges, source_options, options);
}

/// CHECKs that all facts equal the oracle's.
inline void check_answers(const Solved& solved, const StatsAnswers& right,
                          const graph::stats::Options& options) {
  const StatsAnswers& found = solved.answers;
  CHECK(solved.nodes == right.degree.size());
  CHECK(found.loops == right.loops);
  CHECK(found.duplicate_arcs == right.duplicate_arcs);
  CHECK(found.undirected_duplicates == right.undirected_duplicates);
  CHECK(found.simple_edges == right.simple_edges);
  CHECK(found.mutual_pairs == right.mutual_pairs);
  CHECK(found.isolated_nodes == right.isolated_nodes);
  CHECK(found.wedges == right.wedges);
  CHECK(found.smallest_id == right.smallest_id);
  CHECK(found.largest_id == right.largest_id);
  CHECK((found.degree == right.degree));
  CHECK((solved.degree == histogram_of(right.degree)));
  auto hubs = right.hubs;
  hubs.resize(std::min(hubs.size(), options.hubs));
  CHECK((found.hubs == hubs));
  if (!options.directed) return;
  CHECK((solved.out == histogram_of(right.out)));
  CHECK((solved.in == histogram_of(right.in)));
}

}  // namespace emgraph::tests::stats
