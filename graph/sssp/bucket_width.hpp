// SPDX-License-Identifier: MIT
// The width of the buckets of delta-stepping: its first value, and its adaptation to the graph.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "graph/adjacency/paged_adjacency.hpp"
#include "graph/sssp/distances.hpp"

namespace emgraph::graph::sssp {

/// Facts of a graph by which a queue and the width of a bucket are chosen.
struct LengthFacts {
  WeightType type = WeightType::none;
  std::uint64_t longest = 0;  ///< word of the longest arc
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;
};

/// Of a paged adjacency with weights.
inline LengthFacts length_facts(const adjacency::AdjacencyFacts& facts) {
  const std::uint64_t longest =
      facts.entries == 0 ? 0 : length_of(facts.weight, weight_of_rank(facts.weight, facts.weights.largest));
  return {facts.weight, longest, facts.nodes, facts.entries};
}

/// A bucket's width doubles while fewer than one of `few` nodes is relaxed again, and while it is at most
/// `most` times the largest weight.
struct BucketGrowth {
  unsigned few = 8;
  unsigned most = 1;
};

/// Problem: a bucket of distances begin … begin + width - 1 is relaxed in rounds. If it is narrow, there are
/// many buckets of few nodes; if it is wide, nodes are relaxed again and again.
///
/// Method: the width begins with the largest weight divided by the mean degree (Meyer, Sanders 2003,
/// "Delta-stepping: a parallelizable shortest path algorithm", doi 10.1016/S0196-6774(03)00076-2). Unless it
/// was given, it is halved when half of the nodes are relaxed again, and doubled when few are. So weights
/// with a few very large ones do no harm.
template <class Distances>
class BucketWidth {
 public:
  /// `given`: the width in units of the weights; it then stays.
  BucketWidth(const LengthFacts& facts, const std::optional<std::uint64_t>& given, BucketGrowth growth = {})
      : fixed_(given.has_value()), growth_(growth), largest_(facts.longest) {
    if (given) {
      width_ = Distances::floating ? std::bit_cast<std::uint64_t>(static_cast<double>(*given)) : *given;
      return;
    }
    const std::uint64_t degree =
        facts.nodes == 0 ? 1 : std::max<std::uint64_t>(1, facts.entries / facts.nodes);
    if constexpr (Distances::floating) {
      width_ = std::bit_cast<std::uint64_t>(std::bit_cast<double>(largest_) / static_cast<double>(degree));
    } else {
      width_ = largest_ / degree;
    }
  }

  /// The end of a bucket, larger than its begin. Requires: begin is below Distances::unreached.
  std::uint64_t end(std::uint64_t begin) const { return std::max(Distances::add(begin, width_), begin + 1); }

  /// Counts the nodes of a round: all, and those that had been relaxed in the same bucket before. True if the
  /// width was halved.
  bool count(std::uint64_t relaxed, std::uint64_t again) {
    relaxed_ += relaxed;
    again_ += again;
    if (fixed_ || relaxed_ < sample || again_ * 2 < relaxed_) return false;
    scale(false);
    return true;
  }
  /// Called at the end of a bucket.
  void end_bucket() {
    if (fixed_ || relaxed_ < sample || again_ * growth_.few > relaxed_) return;
    std::uint64_t most = largest_;
    for (unsigned i = 1; i < growth_.most; ++i) most = Distances::add(most, largest_);
    if (width_ <= most) scale(true);
  }

  std::string text() const {
    return Distances::floating ? std::to_string(std::bit_cast<double>(width_)) : std::to_string(width_);
  }

 private:
  // Nodes to judge a width by.
  static constexpr std::uint64_t sample = 512;

  void scale(bool up) {
    if constexpr (Distances::floating) {
      width_ = std::bit_cast<std::uint64_t>(std::bit_cast<double>(width_) * (up ? 2 : 0.5));
    } else {
      width_ = up ? Distances::add(width_, width_) : width_ / 2;
    }
    relaxed_ = again_ = 0;
  }

  const bool fixed_;
  const BucketGrowth growth_;
  const std::uint64_t largest_;
  std::uint64_t width_ = 0;
  std::uint64_t relaxed_ = 0;
  std::uint64_t again_ = 0;
};

}  // namespace emgraph::graph::sssp
