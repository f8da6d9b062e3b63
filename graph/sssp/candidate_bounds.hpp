// SPDX-License-Identifier: MIT
// What the external search knows of the distances that nodes have been offered, in little memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::sssp {

/// An upper bound of the nearest candidate of each node: 32 bits, the upper half of a double, so that it is
/// too large by less than one part in 2^20, and exact for integers up to 2^21. Memory: 4 bytes a node.
template <class Distances>
class CandidateBounds {
 public:
  CandidateBounds(core::MemoryBudget& budget, std::uint64_t nodes)
      : bounds_(budget, static_cast<std::size_t>(nodes), "a bound of the distance per node") {
    std::fill_n(bounds_.data(), bounds_.size(), ~std::uint32_t{0});
  }
  static std::uint64_t bytes(std::uint64_t nodes) { return nodes * sizeof(std::uint32_t) + core::page_bytes; }

  /// False if a candidate of the node was pushed that is as near.
  bool push(std::uint64_t node, std::uint64_t distance) {
    const std::uint64_t bits = bits_of(distance);
    std::uint32_t& bound = bounds_[static_cast<std::size_t>(node)];
    if (bits >> 32 >= bound) return false;
    const bool exact = Distances::floating || distance >> exact_bits == 0;
    bound = static_cast<std::uint32_t>(exact ? (bits + 0xffffffff) >> 32 : (bits >> 32) + 1);
    return true;
  }
  /// False if a nearer candidate was pushed.
  bool nearest(std::uint64_t node, std::uint64_t distance) const {
    return bits_of(distance) >> 32 <= bounds_[static_cast<std::size_t>(node)];
  }

 private:
  static constexpr unsigned exact_bits = 53;  // of integers that doubles hold

  /// Of the distance as a double, rounded down.
  static std::uint64_t bits_of(std::uint64_t distance) {
    if constexpr (Distances::floating) return distance;
    const auto width = static_cast<unsigned>(std::bit_width(distance));
    const unsigned lost = width > exact_bits ? width - exact_bits : 0;
    return std::bit_cast<std::uint64_t>(static_cast<double>(distance >> lost << lost));
  }

  core::Array<std::uint32_t> bounds_;
};

/// The nearest candidates pushed of late, each in the only place its node can have.
template <class Id>
class RecentCandidates {
 public:
  RecentCandidates(core::MemoryBudget& budget, std::size_t bytes)
      : places_(budget, std::max<std::size_t>(64, std::bit_floor(bytes / sizeof(Place))),
                "recent candidates") {}

  /// False if a candidate of the node was pushed that is as near.
  bool push(Id node, std::uint64_t distance) {
    Place& place = places_[static_cast<std::size_t>(node) & (places_.size() - 1)];
    if (place.filled && place.node == node && place.distance <= distance) return false;
    place = {distance, node, true};
    return true;
  }

 private:
  struct Place {
    std::uint64_t distance;
    Id node;
    bool filled;
  };
  core::Array<Place> places_;
};

/// Keeps candidates from the queue that are no nearer than an earlier one of their node: all but for rounding
/// where 4 bytes a node are at most a third of the free memory, else most, by a table of a sixteenth of it.
template <class Id, class Distances>
class CandidateFilter {
 public:
  CandidateFilter(core::MemoryBudget& budget, std::uint64_t nodes, std::size_t free_bytes) {
    if (CandidateBounds<Distances>::bytes(nodes) <= free_bytes / 3) {
      bounds_.emplace(budget, nodes);
    } else {
      recent_.emplace(budget, free_bytes / 16);
    }
  }
  /// Whether it has a bound for each node.
  bool exact() const { return bounds_.has_value(); }
  /// Whether a candidate should go into the queue.
  bool push(Id node, std::uint64_t distance) {
    return bounds_ ? bounds_->push(node, distance) : recent_->push(node, distance);
  }
  /// Whether a candidate from the queue may be the nearest of its node.
  bool may_be_nearest(Id node, std::uint64_t distance) const {
    return !bounds_ || bounds_->nearest(node, distance);
  }

 private:
  std::optional<CandidateBounds<Distances>> bounds_;
  std::optional<RecentCandidates<Id>> recent_;
};

}  // namespace emgraph::graph::sssp
