// SPDX-License-Identifier: MIT
// A filter before any reader of edges: by weight, by the nodes at both ends, and by chance.
//
// Method: every lane filters the batches of an inner lane while they are in the cache; nothing is stored.
// Invariant: the edges that pass are numbered 0, 1, 2, … in the order of the input, as if the others did not
// exist. For that a lane counts the edges of a batch that pass, and the lanes take turns in the order of the
// batches to add up the counts.
//
// I/O, memory, errors: changed_source.hpp. Threads: any number of lanes; one of them returns all edges if
// lanes of the inner source hold edges (RecordSource::in_pieces).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/sequencer.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_facts.hpp"
#include "graph/node_bits.hpp"
#include "graph/prepare/changed_source.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::prepare {

/// An interval of weights, in the kind of numbers that the weights are.
struct WeightInterval {
  std::int64_t least_integer = std::numeric_limits<std::int64_t>::min();
  std::int64_t largest_integer = std::numeric_limits<std::int64_t>::max();
  double least = -std::numeric_limits<double>::infinity();
  double largest = std::numeric_limits<double>::infinity();
};

/// A set of nodes: a bit per possible node, or, where that takes more memory, the nodes in ascending order.
struct ListedNodes {
  NodeBits bits = {};  ///< nodes at or above its size are not in the set
  core::Array<std::uint64_t> sorted = {};

  bool has(std::uint64_t node) const;
};

/// A part of all edges, chosen by a hash of seed and ends: parallel edges and both directions of an edge pass
/// together, whatever their order in the input.
struct EdgeSample {
  std::uint64_t seed = 0;
  std::uint64_t below = 0;  ///< bound of the hashes that pass: the part, times 2^64

  bool has(std::uint64_t source, std::uint64_t target) const;
};

/// An edge passes if its weight lies in the interval, bounds included, both ends are in the set, and the
/// sample has it. NaN lies in no interval.
struct EdgeFilter {
  bool by_weight = false;
  WeightInterval weights = {};
  bool by_nodes = false;
  ListedNodes nodes = {};
  bool by_chance = false;
  EdgeSample sample = {};
  bool any_ids = false;  ///< ids are numbered anew afterwards: they need not leave room for n
};

/// What the latest reading of the edges has left out. Thread-safe, except `all_edges`.
struct FilterCounts {
  std::optional<std::uint64_t> all_edges;  ///< before any is read: those of the input, if it declares them
  std::atomic<std::uint64_t> left_out{0};  ///< edges that did not pass
  /// The largest id + 1 of all edges, also of those that did not pass; counted if the source declares no n.
  std::atomic<std::uint64_t> nodes{0};
};

class FilteredSource final : public ChangedSource {
 public:
  /// `facts`: of `inner`, which is at its first edge. Its number of nodes stays that of the result; so do
  /// order, uniqueness, orientation, and the absence of loops. Edges that are stored in both directions stay
  /// so with a filter by nodes; the two directions may have different weights. `counts`: receives the edges
  /// that did not pass. Requires: the edges have weights if the filter is by weight.
  FilteredSource(core::Environment& environment, std::shared_ptr<format::RecordSource> inner,
                 const EdgeFacts& facts, std::shared_ptr<const EdgeFilter> filter,
                 std::shared_ptr<FilterCounts> counts, unsigned max_lanes);

  void rewind() override;
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  std::unique_ptr<format::WorkingLane> make_lane(const core::PairShape& shape) override;
  core::PairShape inner_shape(const core::PairShape& shape) const override;

  std::shared_ptr<const EdgeFilter> filter_;
  std::shared_ptr<FilterCounts> counts_;
  const WeightType weight_;
  core::Sequencer turn_;      ///< positions are numbers of the inner source's edges
  std::uint64_t passed_ = 0;  ///< edges that passed before the batch whose turn it is
};

/// The edges and the largest id of a source that does not declare n. Reads all edges and starts again.
/// Requires: the source can be rewound and is at its first edge; there are no lanes.
IngestFacts count_nodes(core::Environment& environment, format::RecordSource& source, unsigned max_lanes);

}  // namespace emgraph::graph::prepare
