// SPDX-License-Identifier: MIT
// What `prepare::sort` should give, by sorting all of it; and one run of it with the checks that hold for
// every run.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "graph/prepare/sort.hpp"
#include "tests/oracle/sorted_edges.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests {

using graph::WeightType;
using graph::prepare::Orientation;
using graph::prepare::SortOptions;
using graph::prepare::SortResult;

template <class R>
bool same_ends(const R& a, const R& b) {
  return a.source == b.source && a.target == b.target;
}

template <class R>
struct Sorted {
  std::vector<R> edges;
  SortResult result;
  std::uint64_t write_bytes = 0;
};

/// `nodes`: as the result should have it.
template <class R>
Sorted<R> sort_oracle(const std::vector<R>& input, const SortOptions& options, WeightType type,
                      std::uint64_t nodes) {
  Sorted<R> right;
  std::vector<std::uint64_t> degree;
  if (options.orientation == Orientation::degree) {
    degree.resize(nodes);
    for (const R& edge : input) {
      ++degree[edge.source];
      if (edge.source != edge.target) ++degree[edge.target];
    }
  }
  const auto swapped = [&](const R& e) {
    if (options.orientation == Orientation::low) return e.target < e.source;
    return options.orientation == Orientation::degree &&
           std::pair(degree[e.target], e.target) < std::pair(degree[e.source], e.source);
  };
  for (R edge : input) {
    if (options.no_loops && edge.source == edge.target) {
      ++right.result.loops_removed;
      continue;
    }
    if (swapped(edge)) std::swap(edge.source, edge.target);
    right.edges.push_back(edge);
    if (options.symmetrize && edge.source != edge.target) {
      std::swap(edge.source, edge.target);
      right.edges.push_back(edge);
    }
  }
  if (options.unique) {
    sort_records(right.edges, graph::EdgeOrder::source_target, type);
    const std::size_t all = right.edges.size();
    right.edges.erase(std::unique(right.edges.begin(), right.edges.end(), same_ends<R>), right.edges.end());
    right.result.duplicates_removed = all - right.edges.size();
  }
  sort_records(right.edges, options.order, type);
  right.result.nodes = nodes;
  right.result.edges = input.size();
  right.result.edges_out = right.edges.size();
  return right;
}

template <class R>
Sorted<R> sort_in(TestEnvironment& test, const std::vector<R>& input,
                  const VectorSourceOptions& source_options, const SortOptions& options) {
  const NothingLeft nothing_left(test);
  VectorSource<R> source(input, source_options);
  Sorted<R> sorted;
  const auto take = [&](const core::PairShape& shape, const graph::RecordBatch& batch) {
    CHECK(batch.count > 0);
    append_records(shape, batch, sorted.edges);
  };
  sorted.result = graph::prepare::sort(test.environment, source, options, take);
  sorted.write_bytes = test.statistics.snapshot().write_bytes;
  return sorted;
}

template <class R>
bool equal_edges(const std::vector<R>& a, const std::vector<R>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(R)) == 0);
}

template <class R>
void check_equal(const Sorted<R>& sorted, const Sorted<R>& right) {
  CHECK(equal_edges(sorted.edges, right.edges));
  CHECK(sorted.result.nodes == right.result.nodes);
  CHECK(sorted.result.edges == right.result.edges);
  CHECK(sorted.result.edges_out == right.result.edges_out);
  CHECK(sorted.result.duplicates_removed == right.result.duplicates_removed);
  CHECK(sorted.result.loops_removed == right.result.loops_removed);
}

/// Do the edges have every fact that is declared of them?
template <class R>
bool facts_hold(const graph::EdgeFacts& facts, const std::vector<R>& edges) {
  EdgeList ends;
  ends.reserve(edges.size());
  for (const R& edge : edges) ends.push_back({edge.source, edge.target});
  return facts_hold(facts, std::move(ends));
}

}  // namespace emgraph::tests
