// SPDX-License-Identifier: MIT
// Counts made while edges are read, and facts of an input that need not be sorted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/stats/arc_scan.hpp"
#include "graph/stats/degree_tally.hpp"
#include "graph/stats/weight_facts.hpp"

namespace emgraph::graph::stats {

/// Counts of all edges, made while they are read. Threads: one object each, then merge.
struct Reading {
  explicit Reading(WeightType weight) : weights(weight) {}

  prepare::IngestFacts edges;  ///< not touched by take()
  std::uint64_t smallest_id = std::numeric_limits<std::uint64_t>::max();
  WeightFacts weights;

  template <class Id>
  void take(const EdgeBatch<Id>& batch) {
    auto smallest = std::numeric_limits<Id>::max();
    if (batch.plain()) {
      const std::span<const Edge<Id>> plain = batch.edges();
#pragma omp simd reduction(min : smallest)
      for (std::size_t i = 0; i < plain.size(); ++i) {
        smallest = std::min(smallest, std::min(plain[i].source, plain[i].target));
      }
    } else {
      for (const Edge<Id>& edge : batch) smallest = std::min({smallest, edge.source, edge.target});
    }
    smallest_id = std::min<std::uint64_t>(smallest_id, smallest);
    weights.add(batch);
  }
  void merge(const Reading& other) {
    edges.merge(other.edges);
    smallest_id = std::min(smallest_id, other.smallest_id);
    weights.merge(other.weights);
  }
};

// An input that declares an order by either end, and either the smaller end first or both directions, is
// scanned once and not sorted.
//
// Method: if the smaller end is first, pairs come in the order of the sort. If both directions are stored,
// the neighbours of a node are consecutive, so its degree is known when the next node begins, and needs no
// memory. Declared facts are checked as far as consecutive edges allow.
//
// I/O: reads the input once; with the smaller end first also that of a second sort. Memory: as CountedDegrees
// or SortedDegrees; with both directions none. Threads: one reads. Throws: DataError, MemoryLimitError,
// EnvironmentError.

/// True if the declared facts suffice for such a scan.
inline bool is_sorted_by_node(const EdgeFacts& facts) {
  return (facts.order == EdgeOrder::source_target || facts.order == EdgeOrder::target_source) &&
         (facts.oriented_low || facts.symmetric);
}

/// Computes the degrees of a graph that is stored in both directions.
class NeighbourDegrees {
 public:
  explicit NeighbourDegrees(DegreeTally& tally) : tally_(tally) {}
  void pair(std::uint64_t first, std::uint64_t, Directions) {
    if (first != node_) close_node();
    node_ = first;
    ++degree_;
  }
  void close_node() {
    if (degree_ > 0) tally_.add(node_, {degree_, degree_, degree_});
    degree_ = 0;
  }

 private:
  DegreeTally& tally_;
  std::uint64_t node_ = 0;
  std::uint64_t degree_ = 0;
};

/// Throws the DataError of an edge that is out of order, or has the larger id first.
[[noreturn]] inline void refuse_order(const std::string& name, std::uint64_t edge, std::uint64_t source,
                                      std::uint64_t target, bool out_of_order) {
  throw core::DataError(name + ": edge " + std::to_string(edge) + ": " + std::to_string(source) + " " +
                        std::to_string(target) + " found, expected edges " +
                        (out_of_order ? "in the order that the header declares"
                                      : "with the smaller id first, as the header declares"));
}

/// Sends all edges through an ArcScan, grouped by the end by which they are sorted.
template <class Id, class Degrees>
ArcCounts scan_in_order(core::Environment& environment, EdgeSource<Id>& source,
                        const std::optional<std::uint64_t>& nodes, Degrees& degrees, Reading& reading) {
  const EdgeFacts& facts = source.facts();
  const bool by_target = facts.order == EdgeOrder::target_source;
  const bool low_first = !facts.symmetric;
  const EdgeLane<Id> lane = source.lane();
  core::Phase phase(environment.progress, "scan", facts.edges.value_or(0), "edges");
  ArcScan<Degrees> scan(degrees);
  std::pair<std::uint64_t, std::uint64_t> last;
  for (EdgeBatch<Id> batch; !(batch = lane.next()).empty();) {
    reading.edges.merge({batch.size(), prepare::check_ids(batch, nodes, lane.place(facts.name))});
    reading.take(batch);
    std::uint64_t number = lane.first_edge();
    for (const Edge<Id>& edge : batch) {
      const std::pair<std::uint64_t, std::uint64_t> ends =
          by_target ? std::pair(edge.target, edge.source) : std::pair(edge.source, edge.target);
      if (ends < last || (low_first && edge.target < edge.source)) {
        refuse_order(facts.name, number, edge.source, edge.target, ends < last);
      }
      scan.arc(ends.first, ends.second, low_first && by_target && edge.source != edge.target);
      last = ends;
      ++number;
    }
    phase.advance(batch.size());
  }
  return scan.finish();
}

/// Facts of a graph that is declared to be stored in both directions.
template <class Id>
ArcCounts scan_symmetric(core::Environment& environment, EdgeSource<Id>& source,
                         const std::optional<std::uint64_t>& nodes, DegreeTally& tally, Reading& reading) {
  NeighbourDegrees degrees(tally);
  ArcCounts counts = scan_in_order(environment, source, nodes, degrees, reading);
  degrees.close_node();
  if (counts.simple_edges % 2 != 0) {
    throw core::DataError(
        source.facts().name + ": " + std::to_string(counts.simple_edges) +
        " different arcs between different nodes found, expected an even number: the header "
        "declares that every edge is stored in both directions");
  }
  counts.simple_edges /= 2;
  counts.mutual_pairs = counts.simple_edges;
  return counts;
}

}  // namespace emgraph::graph::stats
