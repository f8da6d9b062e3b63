// SPDX-License-Identifier: MIT
// One run of the checker in a tiny environment, with the checks that hold for every run.
#pragma once

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "graph/sssp/check.hpp"
#include "tests/graph/sssp/check_graph.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/vector_reader.hpp"

namespace emgraph::tests::sssp_check {

using graph::sssp::CheckOptions;
using graph::sssp::Verdict;
using Values = std::vector<std::uint64_t>;

/// With n known; with the number of values known; with neither: by sorting.
struct Way {
  const char* model;
  bool nodes_known;
  bool values_counted;
};
inline constexpr Way ways[] = {
    {"semi-external", true, true}, {"semi-external", false, true}, {"external", false, false}};

template <class R>
Verdict check_in(TestEnvironment& test, const WeightedGraph& graph, const Values& distances,
                 const Values* parents, const Way& way, const CheckOptions& check_options) {
  const VectorSourceOptions options{.facts = facts_of(graph, way.nodes_known, sizeof(typename R::id_type)),
                                    .rewindable = false};
  VectorSource<R> source(weighted_records<R>(graph), options);
  const bool floating = graph::sssp::is_floating(check_options.weighting.type(graph.type));
  VectorReader distance_reader(distances, way.values_counted, floating);
  std::optional<VectorReader> parent_reader;
  if (parents != nullptr) parent_reader.emplace(*parents, way.values_counted);
  return graph::sssp::check<typename R::id_type>(test.environment, source, distance_reader,
                                                 parents != nullptr ? &*parent_reader : nullptr,
                                                 check_options);
}

template <class R>
Verdict check(const WeightedGraph& graph, const Values& distances, const Values* parents, const Way& way,
              const CheckOptions& options, const Machine& machine = {3 * core::MiB, 2, 2}) {
  TestEnvironment test = environment_of(machine);
  const NothingLeft nothing_left(test);
  const Verdict verdict = check_in<R>(test, graph, distances, parents, way, options);
  CHECK(name(verdict.choice.model) == way.model);
  CHECK(verdict.ok == verdict.message.empty());
  return verdict;
}

/// The same with records for the type of the weights, 4-byte or 8-byte ids.
inline Verdict check_any(const WeightedGraph& graph, const Values& distances, const Values* parents,
                         const Way& way, const CheckOptions& options, bool wide = false,
                         const Machine& machine = {3 * core::MiB, 2, 2}) {
  using graph::Record;
  const bool eight = graph::weight_bytes(graph.type) == 8;
  if (wide && eight) return check<Record<std::uint64_t, 8>>(graph, distances, parents, way, options, machine);
  if (wide) return check<Record<std::uint64_t, 4>>(graph, distances, parents, way, options, machine);
  if (eight) return check<Record<std::uint32_t, 8>>(graph, distances, parents, way, options, machine);
  return check<Record<std::uint32_t, 4>>(graph, distances, parents, way, options, machine);
}

}  // namespace emgraph::tests::sssp_check
