// SPDX-License-Identifier: MIT
// Summarises the degrees of all nodes: histograms, wedges, hubs, and the degrees in node order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/integers.hpp"
#include "core/memory/budget.hpp"
#include "graph/stats/value_histogram.hpp"

namespace emgraph::graph::stats {

/// Degrees of a node in the simple graph: neighbours, out-neighbours, in-neighbours.
struct NodeDegrees {
  std::uint64_t degree = 0;
  std::uint64_t out = 0;
  std::uint64_t in = 0;
};

struct Hub {
  std::uint64_t node = 0;
  std::uint64_t degree = 0;
};

/// Receives the degrees of nodes 0, 1, … in batches.
using DegreeConsumer = std::function<void(std::span<const std::uint64_t>)>;

/// Memory: the histograms, 16 bytes per hub, 32 KiB for a batch (not charged). Throws: MemoryLimitError,
/// exceptions of the consumer.
class DegreeTally {
 public:
  /// `directed`: counts out- and in-degrees, too. `consume` may be empty.
  DegreeTally(core::MemoryBudget& budget, bool directed, std::size_t hubs, DegreeConsumer consume);

  /// Adds a node with a neighbour. Requires: nodes come in ascending order.
  void add(std::uint64_t node, const NodeDegrees& degrees) {
    if (consume_) {
      fill(node);
      append(degrees.degree);
    }
    ++nodes_seen_;
    degree_.add(degrees.degree);
    wedges_ += static_cast<core::uint128>(degrees.degree) * (degrees.degree - 1) / 2;
    if (directed()) {
      out_->add(degrees.out);
      in_->add(degrees.in);
    }
    if (hubs_.size() < most_hubs_ || (most_hubs_ > 0 && degrees.degree > hubs_.front().degree)) {
      add_hub({node, degrees.degree});
    }
  }
  /// Ends the input. All other nodes below `nodes` are isolated.
  void finish(std::uint64_t nodes);

  /// The most bytes that the degrees of so many nodes and edges take beyond those of the constructor.
  std::uint64_t growth_bytes(std::uint64_t nodes, std::uint64_t edges) const {
    return core::size_sum(ValueHistogram::growth_bytes(nodes, core::size_product(edges, 2)),
                          directed() ? 2 * ValueHistogram::growth_bytes(nodes, edges) : 0);
  }

  bool directed() const { return out_.has_value(); }
  std::uint64_t isolated_nodes() const { return isolated_nodes_; }
  core::uint128 wedges() const { return wedges_; }
  const ValueHistogram& degree() const { return degree_; }
  /// Requires: a directed graph.
  const ValueHistogram& out_degree() const { return *out_; }
  const ValueHistogram& in_degree() const { return *in_; }
  /// The hubs by descending degree, then ascending id, without isolated nodes. Requires: finish() was called.
  std::span<const Hub> hubs() const { return hubs_; }

 private:
  static constexpr std::size_t batch_values = 4096;

  static bool before(const Hub& a, const Hub& b) {
    return a.degree != b.degree ? a.degree > b.degree : a.node < b.node;
  }
  void add_hub(const Hub& hub);
  void fill(std::uint64_t node) {
    while (next_ < node) append(0);
  }
  void append(std::uint64_t degree) {
    batch_.push_back(degree);
    ++next_;
    if (batch_.size() == batch_values) hand_on();
  }
  void hand_on();

  const std::size_t most_hubs_;
  core::Reservation hub_memory_;
  DegreeConsumer consume_;
  std::vector<Hub> hubs_;  ///< until finish() a heap with the least hub at the top
  ValueHistogram degree_;
  std::optional<ValueHistogram> out_;
  std::optional<ValueHistogram> in_;
  core::uint128 wedges_ = 0;
  std::uint64_t nodes_seen_ = 0;
  std::uint64_t isolated_nodes_ = 0;
  std::vector<std::uint64_t> batch_;
  std::uint64_t next_ = 0;
};

}  // namespace emgraph::graph::stats
