// SPDX-License-Identifier: MIT
// The arithmetic of PageRank in integers: exact sums, so that no order of additions matters.
//
// Method: a rank is a multiple of 2^-63, and all ranks together are 1. In a round a node shares its rank
// evenly among its arcs; a share is rounded once, to the nearest multiple. Sums of shares are sums of
// integers. They do not overflow, because they are at most 1, and they are the same in any order. So the
// ranks do not depend on threads, memory or model.
// Error: a round moves at most m / 2 + 2 n units of 2^-63 by rounding, and a later round damps what earlier
// rounds have moved. The L1 distance from exact arithmetic is thus at most (m / 2 + 2 n) / (1 - d) · 2^-63
// after any number of rounds: 3e-11 for 67 million arcs, 4 million nodes and d = 0.85. Sums of doubles in a
// fixed order would have an error of the same size for such a graph.
// Weights: the weights of a node's arcs are added as doubles in the order of (target, weight), which the
// graph fixes. The share of an arc is (rank / sum) * weight, computed in doubles and rounded down: a function
// of three numbers that do not depend on threads, memory or model. A share has a relative error of at most
// 3 * 2^-53 besides, and the sum of k weights one of k * 2^-53.
// Source of the definition: Iosup et al., "The LDBC Graphalytics Benchmark", arXiv 2011.15028, section 2.3.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/integers.hpp"
#include "graph/pagerank/sources.hpp"

namespace emgraph::graph::pagerank {

/// The sum of all ranks, and its logarithm.
inline constexpr int unit_bits = 63;
inline constexpr std::uint64_t whole = std::uint64_t{1} << unit_bits;

/// A multiple of 2^-63 as a double.
inline double real_of(core::uint128 units) {
  return std::ldexp(static_cast<double>(units), -unit_bits);
}
/// The bits of a rank as a double.
inline std::uint64_t double_bits(std::uint64_t rank) {
  return std::bit_cast<std::uint64_t>(real_of(rank));
}

/// The part of its rank that a node sends along each of its arcs. Requires: arcs > 0.
inline std::uint64_t share_of(std::uint64_t rank, std::uint64_t arcs) {
  return (rank + arcs / 2) / arcs;
}

/// What share_of is for arcs with weights that add up to `weights`: the number from which weighted_share
/// makes the part of each arc. Requires: weights > 0, as arc_weights.hpp bounds them.
inline double share_per_weight(std::uint64_t rank, double weights) {
  return static_cast<double>(rank) / weights;
}
inline std::uint64_t weighted_share(double per_weight, double weight) {
  return static_cast<std::uint64_t>(per_weight * weight);
}

/// What a node with the `rank` sends along its arcs: the share, or with weights the bits of
/// share_per_weight. `out`: the number of its arcs, or the bits of the sum of their weights. Requires:
/// out != 0.
inline std::uint64_t sent_along(bool weighted, std::uint64_t rank, std::uint64_t out) {
  if (!weighted) return share_of(rank, out);
  return std::bit_cast<std::uint64_t>(share_per_weight(rank, std::bit_cast<double>(out)));
}
/// `out` with an arc more. 0 stands for no arcs, and for a sum of 0.
inline std::uint64_t with_arc(bool weighted, std::uint64_t out, double weight) {
  return weighted ? std::bit_cast<std::uint64_t>(std::bit_cast<double>(out) + weight) : out + 1;
}

inline std::uint64_t distance(std::uint64_t a, std::uint64_t b) {
  return a < b ? b - a : a - b;
}

/// PR_i(v) = (1-d)/n + d · (sum of shares + dangling/n), where `dangling` is the rank of all nodes without
/// arcs. If there are k sources, they have 1/k in place of 1/n, and other nodes 0.
/// Requires: 0 <= d < 1, n > 0.
class RankRule {
 public:
  /// `sources`: ascending, without duplicates, below `nodes`; they outlive this. None: all nodes.
  RankRule(double damping, std::uint64_t nodes, std::span<const std::uint64_t> sources = {})
      : damping_(static_cast<std::uint64_t>(std::ldexp(damping, 64))),
        count_(sources.empty() ? nodes : sources.size()),
        sources_(sources) {}

  SourceCursor sources(std::uint64_t from) const { return {sources_, from}; }
  /// The rank of a source at the start: 1/n, or 1/k.
  std::uint64_t first() const {
    return static_cast<std::uint64_t>((core::uint128{whole} + count_ / 2) / count_);
  }
  /// The part of the rank that all sources get.
  std::uint64_t base(std::uint64_t dangling) const {
    const core::uint128 jumps = ((core::uint128{1} << 64) - damping_) << unit_bits;
    const core::uint128 all = jumps + core::uint128{damping_} * dangling;
    return rounded(all / count_);
  }
  /// `base`: 0 for nodes that are no sources.
  std::uint64_t next(std::uint64_t base, std::uint64_t sum) const {
    return base + rounded(core::uint128{damping_} * sum);
  }

 private:
  static std::uint64_t rounded(core::uint128 value) {
    return static_cast<std::uint64_t>((value + (core::uint128{1} << 63)) >> 64);
  }
  std::uint64_t damping_;  ///< in multiples of 2^-64
  std::uint64_t count_;    ///< of the sources
  std::span<const std::uint64_t> sources_;
};

/// The most rounds to a tolerance. In exact arithmetic the change of round k is at most 2 d^k, so with a
/// tolerance below the rounding errors the rounds end where this bound is below it.
inline std::uint64_t most_rounds(double damping, double tolerance) {
  const double bound = damping == 0 ? 1 : std::ceil(std::log(tolerance / 2) / std::log(damping));
  return bound < 1e18 ? static_cast<std::uint64_t>(std::max(bound, 1.0)) : ~std::uint64_t{0};
}

/// Counts the rounds and says when to stop: after so many, or when the ranks change by less than the
/// tolerance.
class Rounds {
 public:
  /// `tolerance`: of the L1 change of a round; above 0.
  Rounds(double damping, const std::optional<std::uint64_t>& iterations,
         const std::optional<double>& tolerance)
      : tolerance_(tolerance) {
    if (iterations) most_ = *iterations;
    if (tolerance) most_ = std::min(most_, most_rounds(damping, *tolerance));
  }
  bool done() const { return count_ >= most_ || (count_ > 0 && tolerance_ && change_ < *tolerance_); }
  /// `change`: the L1 distance of the ranks before and after the round, in units.
  void finish_round(core::uint128 change) {
    ++count_;
    change_ = real_of(change);
  }
  /// Goes on after so many rounds, of which the last has changed so much.
  void restore(std::uint64_t count, double change) {
    count_ = count;
    change_ = change;
  }
  std::uint64_t count() const { return count_; }
  /// The L1 change of the last round.
  double change() const { return change_; }

 private:
  std::optional<double> tolerance_;
  std::uint64_t most_ = ~std::uint64_t{0};
  std::uint64_t count_ = 0;
  double change_ = 0;
};

}  // namespace emgraph::graph::pagerank
