// SPDX-License-Identifier: MIT
// Landmarks: lower bounds of distances for point-to-point searches.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/memory/buffer.hpp"
#include "graph/sssp/distances.hpp"

namespace emgraph::graph::sssp {

/// Problem: a lower bound of the distance from v to t, in O(K).
///
/// Method: the distances from and to K landmarks, and the triangle inequality: d(v,t) >= d(L,t) - d(L,v) and
/// d(v,t) >= d(v,L) - d(t,L). Distances are rounded down to 32 bits; a bound allows for that. Source:
/// Goldberg, Harrelson 2005, "Computing the shortest path: A* search meets graph theory", SODA. Memory: 4
/// bytes per node, landmark and direction, charged. Threads: any number of readers; one writer per landmark.
/// Throws: MemoryLimitError.
template <class Distances>
class Landmarks {
 public:
  /// `both`: arcs have directions, so distances from and to landmarks differ.
  Landmarks(core::MemoryBudget& budget, std::uint64_t nodes, unsigned count, bool both)
      : count_(count),
        from_(budget, core::size_product(nodes, count), "distances from landmarks"),
        to_(budget, both ? core::size_product(nodes, count) : 0, "distances to landmarks"),
        units_(2 * std::size_t{count}),
        largest_(units_.size()) {}

  static std::uint64_t bytes_for(std::uint64_t nodes, unsigned count, bool both) {
    return core::size_product(core::size_product(nodes, count), both ? 8 : 4);
  }

  unsigned count() const { return count_; }
  bool both() const { return to_.size() > 0; }

  /// What a file of landmarks keeps: the rounded distances from landmarks and to them, `count` of each node,
  /// and the largest distance of each landmark and direction, which says how they were rounded.
  std::span<std::uint32_t> from() { return from_.span(); }
  std::span<std::uint32_t> to() { return to_.span(); }
  const std::vector<std::uint64_t>& largest() const { return largest_; }
  /// To be called when `from` and `to` were read.
  void set_largest(std::vector<std::uint64_t> largest) {
    largest_ = std::move(largest);
    for (std::size_t i = 0; i < units_.size(); ++i) units_[i] = Unit(largest_[i]);
  }

  /// Takes the distances from landmark `i`, or to it. `largest`: the largest finite one.
  void set(unsigned i, bool to, std::span<const std::uint64_t> distances, std::uint64_t largest) {
    const std::size_t number = 2 * std::size_t{i} + (to ? 1 : 0);
    largest_[number] = largest;
    const Unit unit = units_[number] = Unit(largest);
    core::Array<std::uint32_t>& values = to ? to_ : from_;
    for (std::size_t v = 0; v < distances.size(); ++v) {
      values[v * count_ + i] = distances[v] == Distances::unreached ? none : unit.round_down(distances[v]);
    }
  }

  /// A word at most d(v, t); 0 if no landmark tells, unreached if one tells that there is no way.
  std::uint64_t bound(std::uint64_t v, std::uint64_t t) const {
    const std::uint32_t* const from_v = from_.data() + v * count_;
    const std::uint32_t* const from_t = from_.data() + t * count_;
    const std::uint32_t* const to_v = to_.size() > 0 ? to_.data() + v * count_ : from_v;
    const std::uint32_t* const to_t = to_.size() > 0 ? to_.data() + t * count_ : from_t;
    const std::size_t to_unit = to_.size() > 0 ? 1 : 0;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      most = std::max(most, units_[2 * i].difference(from_t[i], from_v[i]));
      most = std::max(most, units_[2 * i + to_unit].difference(to_v[i], to_t[i]));
    }
    return most;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// The size of 1 in the rounded distances of a landmark.
  class Unit {
   public:
    Unit() = default;
    explicit Unit(std::uint64_t largest) {
      if constexpr (Distances::floating) {
        const auto distance = std::bit_cast<double>(largest);
        size_ = std::max(distance * 0x1.00001p-31, std::numeric_limits<double>::min());
        // Less is half of the last place of the largest double, so no sum became infinite.
        none_overflowed_ = distance < 0x1p970;
      } else {
        const auto bits = static_cast<int>(std::bit_width(largest));
        shift_ = bits > 31 ? static_cast<unsigned>(bits - 31) : 0;
        none_overflowed_ = bits < 64;  // a length is below 2^63
      }
    }
    std::uint32_t round_down(std::uint64_t distance) const {
      if constexpr (Distances::floating) {
        return static_cast<std::uint32_t>(std::bit_cast<double>(distance) / size_);
      } else {
        return static_cast<std::uint32_t>(distance >> shift_);
      }
    }
    // At most the difference of the distances, as a word. If one end of a way is reached from a landmark and
    // the other is not, or one reaches the landmark and the other does not, there is no way, or a distance
    // overflowed.
    std::uint64_t difference(std::uint32_t more, std::uint32_t less) const {
      if (less == none) return 0;
      if (more == none) return none_overflowed_ ? Distances::unreached : 0;
      if (more <= less) return 0;
      if constexpr (Distances::floating) {
        // Rounding down and the division are wrong by less than 2 units.
        return more - less <= 2 ? 0 : std::bit_cast<std::uint64_t>((more - less - 2) * size_);
      } else {
        return std::uint64_t{more - less - (shift_ == 0 ? 0 : 1)} << shift_;
      }
    }

   private:
    unsigned shift_ = 0;
    double size_ = 1;
    bool none_overflowed_ = true;
  };

  unsigned count_;
  core::Array<std::uint32_t> from_;
  core::Array<std::uint32_t> to_;
  std::vector<Unit> units_;  ///< of each landmark, from it and to it
  std::vector<std::uint64_t> largest_;
};

}  // namespace emgraph::graph::sssp
