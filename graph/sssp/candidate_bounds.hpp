// SPDX-License-Identifier: MIT
// What the external search knows of the distances that nodes have been offered, in little memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/sssp/bucket_width.hpp"

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
      : places_(budget, bytes_for(bytes) / sizeof(Place), "recent candidates") {}
  /// What it takes of `bytes`.
  static std::size_t bytes_for(std::size_t bytes) {
    return std::max<std::size_t>(64, std::bit_floor(bytes / sizeof(Place))) * sizeof(Place);
  }

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

/// Upper bounds of the nearest candidate of each node in one byte, for nodes that are not settled.
///
/// Method: distances are divided into cells so wide that the longest arc takes 64 to 127 of them (or fewer,
/// if integers). A byte is the number of a cell modulo 255. Candidates of a node that is not settled are
/// never nearer than the begin of the current bucket, so its byte means one of the next 255 cells. Farther
/// candidates have no bound. Memory: a byte a node.
template <class Distances>
class CandidateCells {
 public:
  /// `longest`: word of the longest arc.
  CandidateCells(core::MemoryBudget& budget, std::uint64_t nodes, std::uint64_t longest)
      : cells_(budget, static_cast<std::size_t>(nodes), "a cell of distances per node") {
    std::fill_n(cells_.data(), cells_.size(), none);
    if constexpr (Distances::floating) {
      int exponent = 0;
      std::frexp(std::bit_cast<double>(longest), &exponent);
      scale_ = std::ldexp(1.0, std::min(cell_bits - exponent, 1000));
    } else {
      const auto width = static_cast<int>(std::bit_width(longest));
      shift_ = static_cast<unsigned>(std::max(width - cell_bits, 0));
    }
  }
  static std::uint64_t bytes(std::uint64_t nodes) { return nodes + core::page_bytes; }

  /// Called before the first candidate, and when all nodes nearer than `begin` are settled.
  void advance(std::uint64_t begin) {
    first_ = cell_of(begin);
    first_byte_ = static_cast<unsigned>(first_ % none);
  }
  /// False if a candidate of the node was pushed that is as near.
  bool push(std::uint64_t node, std::uint64_t distance) {
    const std::uint64_t place = cell_of(distance) - first_;
    if (place >= none) return true;
    std::uint8_t& byte = cells_[static_cast<std::size_t>(node)];
    if (byte != none) {
      const unsigned bound = place_of(byte);
      if (place > bound || (place == bound && exact())) return false;
    }
    const unsigned cell = static_cast<unsigned>(place) + first_byte_;
    byte = static_cast<std::uint8_t>(cell < none ? cell : cell - none);
    return true;
  }
  /// False if a nearer candidate was pushed.
  bool nearest(std::uint64_t node, std::uint64_t distance) const {
    const std::uint8_t byte = cells_[static_cast<std::size_t>(node)];
    return byte == none || cell_of(distance) - first_ <= place_of(byte);
  }

 private:
  static constexpr std::uint8_t none = 255;
  // The longest arc takes fewer than 2^cell_bits cells.
  static constexpr int cell_bits = 7;

  bool exact() const { return !Distances::floating && shift_ == 0; }
  std::uint64_t cell_of(std::uint64_t distance) const {
    if constexpr (Distances::floating) {
      return static_cast<std::uint64_t>(std::bit_cast<double>(distance) * scale_);
    } else {
      return distance >> shift_;
    }
  }
  // The cell that the byte of an unsettled node names, counted from first_.
  unsigned place_of(std::uint8_t byte) const {
    return byte >= first_byte_ ? byte - first_byte_ : byte + none - first_byte_;
  }

  core::Array<std::uint8_t> cells_;
  unsigned shift_ = 0;
  double scale_ = 1;
  std::uint64_t first_ = 0;  ///< cell of the begin of the current bucket
  unsigned first_byte_ = 0;  ///< first_ modulo 255
};

/// Keeps candidates from the queue that are no nearer than an earlier one of their node: all but for rounding
/// where 4 bytes a node are at most a third of the free memory; most where a byte a node is at most half of
/// it, and nodes have many candidates; else those that follow soon, by a table of a sixteenth of it.
template <class Id, class Distances>
class CandidateFilter {
 public:
  CandidateFilter(core::MemoryBudget& budget, const LengthFacts& facts, std::size_t free_bytes) {
    switch (kind(facts.nodes, facts.entries, free_bytes)) {
      case Kind::bounds:
        bounds_.emplace(budget, facts.nodes);
        break;
      case Kind::cells:
        cells_.emplace(budget, facts.nodes, facts.longest);
        break;
      case Kind::recent:
        recent_.emplace(budget, free_bytes / 16);
        break;
    }
  }
  /// Whether it would have a bound for each node.
  static bool complete(std::uint64_t nodes, std::uint64_t entries, std::size_t free_bytes) {
    return kind(nodes, entries, free_bytes) != Kind::recent;
  }
  /// Its memory.
  static std::size_t bytes_for(std::uint64_t nodes, std::uint64_t entries, std::size_t free_bytes) {
    switch (kind(nodes, entries, free_bytes)) {
      case Kind::bounds:
        return static_cast<std::size_t>(CandidateBounds<Distances>::bytes(nodes));
      case Kind::cells:
        return static_cast<std::size_t>(CandidateCells<Distances>::bytes(nodes));
      case Kind::recent:
        break;
    }
    return RecentCandidates<Id>::bytes_for(free_bytes / 16);
  }
  /// Called before the first candidate, and when all nodes nearer than `begin` are settled.
  void advance(std::uint64_t begin) {
    if (cells_) cells_->advance(begin);
  }
  /// Whether a candidate of a node that is not settled should go into the queue.
  bool push(Id node, std::uint64_t distance) {
    if (bounds_) return bounds_->push(node, distance);
    return cells_ ? cells_->push(node, distance) : recent_->push(node, distance);
  }
  /// Whether a candidate from the queue may be the nearest of its node, which is not settled.
  bool may_be_nearest(Id node, std::uint64_t distance) const {
    if (bounds_) return bounds_->nearest(node, distance);
    return !cells_ || cells_->nearest(node, distance);
  }

 private:
  // A mean degree. Where nodes have fewer candidates, the memory serves better as a cache of pages.
  static constexpr std::uint64_t many_candidates = 8;

  enum class Kind { bounds, cells, recent };
  static Kind kind(std::uint64_t nodes, std::uint64_t entries, std::size_t free_bytes) {
    if (CandidateBounds<Distances>::bytes(nodes) <= free_bytes / 3) return Kind::bounds;
    const bool fits = CandidateCells<Distances>::bytes(nodes) <= free_bytes / 2;
    return fits && entries / nodes >= many_candidates ? Kind::cells : Kind::recent;
  }

  std::optional<CandidateBounds<Distances>> bounds_;
  std::optional<CandidateCells<Distances>> cells_;
  std::optional<RecentCandidates<Id>> recent_;
};

}  // namespace emgraph::graph::sssp
