// SPDX-License-Identifier: MIT
// One run of the solver in a tiny environment, with the checks that hold for every run.
#pragma once

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "graph/mst/mst.hpp"
#include "tests/oracle/mst_oracle.hpp"
#include "tests/support/graph_zoo.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/vector_source.hpp"

namespace emgraph::tests::mst {

using graph::MemoryModel;
using graph::WeightRule;
using graph::WeightType;
using WeightedList = std::vector<WeightedEdge>;

inline long double weight_from_bits(WeightType type, std::uint64_t bits) {
  switch (type) {
    case WeightType::i64:
      return static_cast<long double>(static_cast<std::int64_t>(bits));
    case WeightType::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case WeightType::f64:
      return std::bit_cast<double>(bits);
    default:
      return static_cast<long double>(bits);
  }
}
inline std::uint64_t bits_from_weight(WeightType type, long double weight) {
  switch (type) {
    case WeightType::i64:
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(weight));
    case WeightType::f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(weight));
    case WeightType::f64:
      return std::bit_cast<std::uint64_t>(static_cast<double>(weight));
    default:
      return static_cast<std::uint64_t>(weight);
  }
}

/// A few awkward values of the type, among few others: many ties.
inline long double random_weight(WeightType type, std::mt19937_64& random) {
  const auto small = static_cast<long double>(random() % 7);
  const std::uint64_t dice = random() % 16;
  switch (type) {
    case WeightType::i64:
      if (dice == 0) return std::numeric_limits<std::int64_t>::min();
      if (dice == 1) return static_cast<long double>(std::numeric_limits<std::int64_t>::max());
      return small - 3;
    case WeightType::f32:
    case WeightType::f64:
      if (dice == 0) return -0.0L;
      if (dice == 1) return std::numeric_limits<long double>::infinity();
      if (dice == 2) return -std::numeric_limits<long double>::infinity();
      if (dice == 3)
        return type == WeightType::f32 ? std::numeric_limits<float>::denorm_min()
                                       : -std::numeric_limits<double>::denorm_min();
      return (small - 3) / 4;
    default:
      if (dice == 0) return 4294967295.0L;
      return small;
  }
}

inline WeightedList with_random_weights(const EdgeList& edges, WeightType type, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  WeightedList list;
  for (const graph::Edge64& edge : edges)
    list.push_back({edge.source, edge.target, random_weight(type, random)});
  return list;
}

template <class R>
std::vector<R> weighted_records(const WeightedList& list, WeightType type) {
  std::vector<R> records;
  for (const WeightedEdge& edge : list) {
    R record{};
    record.source = static_cast<typename R::id_type>(edge.source);
    record.target = static_cast<typename R::id_type>(edge.target);
    const std::uint64_t bits = bits_from_weight(type, edge.weight);
    if constexpr (R::attachment_bytes > 0) {
      for (std::byte& byte : record.attachment) byte = std::byte{0x5a};  // payload that does not matter
      std::memcpy(record.attachment.data(), &bits, graph::weight_bytes(type));
    }
    records.push_back(record);
  }
  return records;
}

struct CollectingForest final : graph::ForestSink {
  std::vector<graph::ForestEdge> edges;
  void append(std::span<const graph::ForestEdge> batch) override {
    edges.insert(edges.end(), batch.begin(), batch.end());
  }
};

struct Solved {
  graph::mst::Result result;
  WeightedList forest;
  std::uint64_t write_bytes = 0;
};

/// Runs on an environment that the caller made; CHECKs that nothing is left of the run, failed or not.
template <class R>
Solved solve_in(TestEnvironment& test, const std::vector<R>& edges, const VectorSourceOptions& source_options,
                const graph::mst::Options& options) {
  const NothingLeft nothing_left(test);
  VectorSource<R> source(edges, source_options);
  CollectingForest sink;
  Solved solved;
  solved.result = graph::mst::run<typename R::id_type>(test.environment, source, options, &sink);
  bool negative_zero = false;
  for (const graph::ForestEdge& edge : sink.edges) {
    const long double weight = weight_from_bits(solved.result.weight_type, edge.weight);
    negative_zero = negative_zero || (weight == 0 && std::signbit(weight));
    solved.forest.push_back({edge.low, edge.high, weight});
  }
  CHECK(!negative_zero);
  solved.write_bytes = test.statistics.snapshot().write_bytes;
  CHECK(solved.result.forest_edges == solved.forest.size());
  CHECK(solved.result.edges == edges.size());
  CHECK(solved.result.trees + solved.result.forest_edges == solved.result.nodes);
  return solved;
}

template <class R>
Solved solve(const std::vector<R>& edges, const Machine& machine, const VectorSourceOptions& source_options,
             const graph::mst::Options& options) {
  TestEnvironment test = environment_of(machine);
  return solve_in<R>(test, edges, source_options, options);
}

inline graph::mst::Options with_model(MemoryModel model, WeightRule rule = WeightRule::stored) {
  graph::mst::Options options;
  options.model = model;
  options.weighting.rule = rule;
  return options;
}

/// What a source of these edges declares.
inline graph::EdgeFacts weighted_facts(std::optional<std::uint64_t> nodes, WeightType type,
                                       std::size_t id_bytes = 4) {
  graph::EdgeFacts facts = facts_with(nodes);
  facts.layout.weight = type;
  facts.layout.id_bytes = id_bytes;
  return facts;
}

}  // namespace emgraph::tests::mst
