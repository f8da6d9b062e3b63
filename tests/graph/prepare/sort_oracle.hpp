// SPDX-License-Identifier: MIT
// What `prepare::sort` should give, by std::sort; and one run of it with the checks that hold for every run.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <compare>
#include <cstring>
#include <limits>
#include <map>
#include <vector>

#include "graph/prepare/sort.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests {

using graph::WeightType;
using graph::prepare::Orientation;
using graph::prepare::SortOptions;
using graph::prepare::SortResult;

/// Floating weights in the total order of IEEE 754: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.
template <class T>
int compare_weights(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto order = std::strong_order(a, b);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  }
  return a < b ? -1 : b < a ? 1 : 0;
}

// Not inlined: gcc 12 warns of loads that the weight's type rules out.
template <class T>
[[gnu::noinline]] int compare_loaded(const std::byte* a, const std::byte* b) {
  T left, right;
  std::memcpy(&left, a, sizeof left);
  std::memcpy(&right, b, sizeof right);
  return compare_weights(left, right);
}

inline int compare_weight_bytes(WeightType type, const std::byte* a, const std::byte* b) {
  switch (type) {
    case WeightType::none:
      return 0;
    case WeightType::u32:
      return compare_loaded<std::uint32_t>(a, b);
    case WeightType::i64:
      return compare_loaded<std::int64_t>(a, b);
    case WeightType::f32:
      return compare_loaded<float>(a, b);
    case WeightType::f64:
      return compare_loaded<double>(a, b);
  }
  return 0;
}

template <class R>
int compare_attached(WeightType type, const R& a, const R& b) {
  if constexpr (R::attachment_bytes > 0) {
    const int by_weight = compare_weight_bytes(type, a.attachment.data(), b.attachment.data());
    if (by_weight != 0) return by_weight;
    return std::memcmp(a.attachment.data(), b.attachment.data(), R::attachment_bytes);
  }
  return 0;
}

template <class R>
bool same_ends(const R& a, const R& b) {
  return a.source == b.source && a.target == b.target;
}

template <class R>
bool before(const R& a, const R& b, graph::EdgeOrder order, WeightType type) {
  if constexpr (R::attachment_bytes > 0) {
    if (order == graph::EdgeOrder::weight) {
      const int by_weight = compare_weight_bytes(type, a.attachment.data(), b.attachment.data());
      if (by_weight != 0) return by_weight < 0;
    }
  }
  const bool by_target = order == graph::EdgeOrder::target_source;
  const auto ends = [&](const R& e) {
    return by_target ? std::pair(e.target, e.source) : std::pair(e.source, e.target);
  };
  if (ends(a) != ends(b)) return ends(a) < ends(b);
  return compare_attached(type, a, b) < 0;
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
  std::map<std::uint64_t, std::uint64_t> degree;
  if (options.orientation == Orientation::degree) {
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
  const auto sort_by = [&](graph::EdgeOrder order) {
    std::sort(right.edges.begin(), right.edges.end(),
              [&](const R& a, const R& b) { return before(a, b, order, type); });
  };
  if (options.unique) {
    sort_by(graph::EdgeOrder::source_target);
    const std::size_t all = right.edges.size();
    right.edges.erase(std::unique(right.edges.begin(), right.edges.end(), same_ends<R>), right.edges.end());
    right.result.duplicates_removed = all - right.edges.size();
  }
  sort_by(options.order);
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
  using Ends = std::pair<std::uint64_t, std::uint64_t>;
  std::vector<Ends> all;
  for (const R& edge : edges) all.emplace_back(edge.source, edge.target);
  std::sort(all.begin(), all.end());
  bool hold = !facts.edges || *facts.edges == edges.size();
  if (facts.unique && std::adjacent_find(all.begin(), all.end()) != all.end()) hold = false;
  for (const auto& [source, target] : all) {
    if (facts.no_loops && source == target) hold = false;
    if (facts.oriented_low && target < source) hold = false;
    if (facts.symmetric && !std::binary_search(all.begin(), all.end(), Ends(target, source))) hold = false;
    if (facts.nodes && std::max(source, target) >= *facts.nodes) hold = false;
  }
  return hold;
}

}  // namespace emgraph::tests
