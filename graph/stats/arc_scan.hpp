// SPDX-License-Identifier: MIT
// Converts sorted arcs to pairs of nodes, and counts loops and duplicates.
#pragma once

#include <cstdint>
#include <utility>

namespace emgraph::graph::stats {

struct ArcCounts {
  std::uint64_t edges = 0;
  std::uint64_t loops = 0;
  std::uint64_t duplicate_arcs = 0;  ///< arcs equal to an earlier one, loops included
  std::uint64_t simple_edges = 0;    ///< pairs of different nodes with an arc
  std::uint64_t mutual_pairs = 0;    ///< pairs with an arc in each direction
};

/// The directions of the arcs between two nodes.
struct Directions {
  bool forward = false;   ///< from the first to the second
  bool backward = false;  ///< from the second to the first
};

/// Calls Degrees::pair(first, second, Directions) once for every two different nodes with an arc, in the
/// order of (first, second).
template <class Degrees>
class ArcScan {
 public:
  explicit ArcScan(Degrees& degrees) : degrees_(degrees) {}

  /// Takes the next arc. Requires: all arcs between two nodes are consecutive; a loop is not backward.
  void arc(std::uint64_t first, std::uint64_t second, bool backward) {
    ++counts_.edges;
    if (first == first_ && second == second_ && known_) {
      bool& seen = backward ? seen_.backward : seen_.forward;
      counts_.duplicate_arcs += seen ? 1 : 0;
      seen = true;
    } else {
      close_pair();
      first_ = first;
      second_ = second;
      known_ = true;
      seen_ = {!backward, backward};
    }
    counts_.loops += first == second ? 1 : 0;
  }
  ArcCounts finish() {
    close_pair();
    known_ = false;
    return counts_;
  }

 private:
  void close_pair() {
    if (!known_ || first_ == second_) return;
    ++counts_.simple_edges;
    counts_.mutual_pairs += seen_.forward && seen_.backward ? 1 : 0;
    degrees_.pair(first_, second_, seen_);
  }

  Degrees& degrees_;
  ArcCounts counts_;
  std::uint64_t first_ = 0;
  std::uint64_t second_ = 0;
  bool known_ = false;
  Directions seen_;
};

}  // namespace emgraph::graph::stats
