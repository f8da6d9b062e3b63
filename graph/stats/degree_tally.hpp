// SPDX-License-Identifier: MIT
// What the degrees of all nodes come to: histograms, wedges, hubs, and the degrees themselves in node order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/integers.hpp"
#include "core/memory/budget.hpp"
#include "graph/stats/value_histogram.hpp"

namespace emgraph::graph::stats {

/// In the simple graph: neighbours; those it points to; those that point to it.
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

/// Memory: the histograms', 16 bytes per hub, 32 KiB for a batch (not charged). Throws: MemoryLimitError,
/// what the consumer throws.
class DegreeTally {
 public:
  /// `directed`: out- and in-degrees are of interest. `consume` may be empty.
  DegreeTally(core::MemoryBudget& budget, bool directed, std::size_t hubs, DegreeConsumer consume);

  /// Nodes with a neighbour, in ascending order.
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
  /// Every other node below `nodes` has none.
  void finish(std::uint64_t nodes);

  bool directed() const { return out_.has_value(); }
  std::uint64_t isolated_nodes() const { return isolated_nodes_; }
  core::uint128 wedges() const { return wedges_; }
  const ValueHistogram& degree() const { return degree_; }
  /// Of directed graphs.
  const ValueHistogram& out_degree() const { return *out_; }
  const ValueHistogram& in_degree() const { return *in_; }
  /// Nodes by descending degree, then ascending id; none that is isolated. After finish().
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
  std::vector<Hub> hubs_;  ///< a heap with the least on top, until finish()
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
