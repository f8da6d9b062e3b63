// SPDX-License-Identifier: MIT
// Checks that a list of edges is the minimum spanning forest of a graph.
//
// Property: a set F of edges of G is its minimum spanning forest, by the total order (weight, low id, high
// id), iff F has no cycle and every edge e of G has its ends connected in F by a path none of whose edges is
// above e. There is exactly one such F. The path's largest edge is found in a tree of nodes, united by rank
// in ascending order of F's edges and never compressed: it is the last link on the way from the ends of e to
// where they meet. No code of the solver is used.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/base/error.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_source.hpp"
#include "graph/memory_model.hpp"
#include "graph/weighting.hpp"

namespace emgraph::graph::mst {

/// A weight as a number to compare: integers exact, floating-point numbers as double.
struct WeightNumber {
  bool is_integer = true;
  std::int64_t integer = 0;
  double number = 0;

  /// `bytes`: a stored weight.
  static WeightNumber load(WeightType type, const std::byte* bytes) {
    const auto value = [bytes]<class T>(T of_type) {
      std::memcpy(&of_type, bytes, sizeof of_type);
      return of_type;
    };
    if (type == WeightType::f32) return {false, 0, value(float{})};
    if (type == WeightType::f64) return {false, 0, value(double{})};
    if (type == WeightType::i64) return {true, value(std::int64_t{}), 0};
    return {true, static_cast<std::int64_t>(value(std::uint32_t{})), 0};
  }
};

/// The edges of the forest to check, in the order of the file. Memory: 24 bytes per edge.
struct ClaimedForest {
  struct Edge {
    std::uint64_t low;
    std::uint64_t high;
    union {
      std::int64_t integer;
      double number;
    };
  };
  core::Array<Edge> edges;
  std::size_t count = 0;
  bool integers = true;
  std::string name;
};

/// Reads the forest to check. Throws UsageError (no weights), DataError (unreadable, weight NaN),
/// MemoryLimitError, EnvironmentError.
template <class Id>
ClaimedForest load_forest(core::Environment& environment, EdgeSource<Id>& source) {
  const EdgeFacts& facts = source.facts();
  if (facts.layout.weight == WeightType::none) {
    throw core::UsageError(facts.name + " has no weights; a forest to check has the weights of its edges");
  }
  constexpr const char* what = "edges of the forest to check";
  ClaimedForest forest;
  forest.name = facts.name;
  const EdgeLane<Id> lane = source.lane();
  forest.edges = {environment.memory, static_cast<std::size_t>(facts.edges.value_or(1024)), what};
  core::Phase phase(environment.progress, "read forest", facts.edges.value_or(0), "edges");
  for (EdgeBatch<Id> batch; !(batch = lane.next()).empty();) {
    if (forest.count + batch.size() > forest.edges.size()) {
      core::Array<ClaimedForest::Edge> larger(environment.memory, 2 * (forest.count + batch.size()), what);
      std::copy_n(forest.edges.data(), forest.count, larger.data());
      forest.edges = std::move(larger);
    }
    for (const Edge<Id>& record : batch) {
      const WeightNumber weight = WeightNumber::load(facts.layout.weight, attachment_of(record));
      if (std::isnan(weight.number)) {
        throw core::DataError(facts.name + ": edge " + std::to_string(forest.count) +
                              ": weight NaN found, expected a number");
      }
      ClaimedForest::Edge& edge = forest.edges[forest.count++];
      edge.low = record.source;
      edge.high = record.target;
      forest.integers = weight.is_integer;
      if (weight.is_integer) {
        edge.integer = weight.integer;
      } else {
        edge.number = weight.number;
      }
    }
    phase.advance(batch.size());
  }
  forest.integers = facts.layout.weight == WeightType::u32 || facts.layout.weight == WeightType::i64;
  return forest;
}

struct Verdict {
  bool ok = false;
  std::string message;  ///< when not ok: an edge that is wrong, and why
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t forest_edges = 0;
  ModelChoice choice{.model = MemoryModel::semi_external, .reason = "sets of nodes in memory"};
};

struct CheckOptions {
  std::optional<std::uint64_t> nodes;  ///< n; default: the graph's, else the largest id of both + 1
  Weighting weighting;                 ///< of the graph's edges
  bool maximum = false;                ///< a maximum spanning forest: the order of weights is reversed
};

/// Throws UsageError if the graph has no weights, or others than a forest with `integers` weights. `forest`:
/// its name.
void require_comparable(const EdgeFacts& graph, const Weighting& weighting, bool integers,
                        const std::string& forest);
/// Bytes that check() reserves while it reads the edges. Throws MemoryLimitError if they are not free.
std::uint64_t check_bytes(const core::MemoryBudget& memory, std::uint64_t nodes, std::uint64_t forest_edges);

/// I/O: the graph's edges once. Memory: 9 bytes per node (17 above 2^32), 24 per edge of the forest. Threads:
/// reading on all. Throws: UsageError (weights that cannot be compared), DataError (unreadable input, weight
/// NaN, id not below n), MemoryLimitError with what would do, EnvironmentError.
template <class Id>
Verdict check(core::Environment& environment, EdgeSource<Id>& graph, ClaimedForest forest,
              const CheckOptions& options);

}  // namespace emgraph::graph::mst
