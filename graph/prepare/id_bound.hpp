// SPDX-License-Identifier: MIT
// An upper bound of ids: declared, or guessed from a sample, with a second try where the guess is wrong.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

#include "graph/edge_source.hpp"

namespace emgraph::graph::prepare {

/// No bound, a declared n (ids beyond it are bad data), or a guess.
struct IdBound {
  std::optional<std::uint64_t> below;
  bool guessed = false;

  IdBound() = default;
  // Implicit, because a declared n, or none, is the usual bound.
  IdBound(std::nullopt_t) {}
  IdBound(std::uint64_t declared) : below(declared) {}
  IdBound(const std::optional<std::uint64_t>& declared) : below(declared) {}
  static IdBound guess(std::uint64_t below) {
    IdBound bound(below);
    bound.guessed = true;
    return bound;
  }
};

/// An id is not below a guessed bound. Not an error: with_id_bound starts again without the guess.
class GuessFailed final : public std::exception {
 public:
  const char* what() const noexcept override { return "an id is above all that were seen in the sample"; }
};

/// Edges in the sample of a guess.
inline constexpr std::size_t bound_sample = 64 * 1024;

/// Calls `body(IdBound)`. Where n is not declared and the input can be read again, the bound is a guess: ids
/// need no more bits than those of a sample. Keys are then shorter and fewer bytes are spilled. If an id is
/// not below the guess, `body` throws GuessFailed and is called again after a rewind, without the guess.
/// Measured: sort -u --no-loops of kron24 (268 M raw u32 pairs) at -M 448M in a 512 MiB cgroup, two pairs of
/// runs: 1.0 GB spilled in 3.05 to 3.40 s with the guess, 1.27 GB in 3.17 to 3.67 s without.
template <class Id, class Body>
decltype(auto) with_id_bound(EdgeSource<Id>& source, const std::optional<std::uint64_t>& nodes, Body&& body) {
  constexpr unsigned all_bits = 8 * sizeof(Id);
  if (!nodes && source.rewindable()) {
    Id largest = 0;
    for (const Edge<Id>& edge : source.sample(bound_sample)) {
      largest = std::max({largest, edge.source, edge.target});
    }
    const auto bits = static_cast<unsigned>(std::bit_width(largest));
    if (bits > 0 && bits < all_bits) {
      try {
        return body(IdBound::guess(std::uint64_t{1} << bits));
      } catch (const GuessFailed&) {
        source.rewind();
      }
    }
  }
  return body(IdBound(nodes));
}

}  // namespace emgraph::graph::prepare
