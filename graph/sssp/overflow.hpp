// SPDX-License-Identifier: MIT
// Refuses graphs with distances that do not fit.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/sssp/distances.hpp"

namespace emgraph::graph::sssp {

/// What distances fit, for messages.
template <class Distances>
constexpr const char* expected_distances() {
  return Distances::floating ? "expected distances that fit a double"
                             : "expected distances below 18446744073709551615, which fit 64 bits";
}

/// False if no path of this many nodes is too long for a distance.
template <class Distances>
bool may_overflow(std::uint64_t nodes, std::uint64_t longest_arc) {
  if constexpr (Distances::floating) {
    // Half: sums are rounded.
    return std::bit_cast<double>(longest_arc) * static_cast<double>(nodes) >
           std::numeric_limits<double>::max() / 2;
  } else {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(nodes, longest_arc, &product);
  }
}

/// An arc on which a distance overflows: its source is reached, its target is not.
struct OverflowingArc {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::uint64_t length = 0;    ///< as a word (distances.hpp)
  std::uint64_t distance = 0;  ///< of the source
  auto operator<=>(const OverflowingArc&) const = default;
};

/// Throws DataError if a sum left its node unreached because it does not fit, for the least arc that leads
/// from a reached node to an unreached one. Such a sum is at most the largest distance and the longest arc
/// together; if these fit, nothing is read. Requires: `distances` are those of a complete search. `arcs`,
/// I/O, memory, threads: as of find_parents (parents.hpp), one pass. `input`, `name`: what the error calls
/// the graph and a node.
template <class Distances, class Arcs, class Name = std::identity>
[[gnu::cold]] void refuse_overflow(const std::string& input, Arcs&& arcs,
                                   std::span<const std::uint64_t> distances, std::uint64_t max_distance,
                                   std::uint64_t longest_arc, Name name = {}) {
  constexpr std::uint64_t unreached = Distances::unreached;
  if (Distances::add(max_distance, longest_arc) != unreached) return;
  std::optional<OverflowingArc> least;
  std::mutex mutex;
  arcs.all([&](std::uint64_t source, std::uint64_t target, std::uint64_t length) {
    const std::uint64_t distance = distances[static_cast<std::size_t>(source)];
    if (distance == unreached || distances[static_cast<std::size_t>(target)] != unreached) return;
    const OverflowingArc arc{name(source), name(target), length, distance};
    const std::lock_guard lock(mutex);
    if (!least || arc < *least) least = arc;
  });
  if (!least) return;
  const auto text = [](std::uint64_t word) {
    return Distances::floating ? core::format_real(std::bit_cast<double>(word)) : std::to_string(word);
  };
  throw core::DataError::in_file(input, "edge (" + std::to_string(least->source) + ", " +
                                            std::to_string(least->target) + ") of weight " +
                                            text(least->length) + " leads on from distance " +
                                            text(least->distance) + ": " + expected_distances<Distances>());
}

}  // namespace emgraph::graph::sssp
