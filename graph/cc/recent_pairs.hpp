// SPDX-License-Identifier: MIT
// A small memory of what was said last about a node: saves saying it again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace emgraph::graph::cc {

/// One value per slot, slots chosen by a hash of the node; 64 KiB for 4096 slots. Threads: one user. Not
/// charged.
template <std::size_t Slots = 4096>
class RecentPairs {
 public:
  struct Pair {
    std::uint64_t node = ~std::uint64_t{0};
    std::uint64_t value = 0;
  };

  /// Where `node` is kept, or another one of the same hash.
  Pair& slot(std::uint64_t node) {
    return slots_[static_cast<std::size_t>((node * 0x9e3779b97f4a7c15U) >> 32) % Slots];
  }
  std::array<Pair, Slots>& all() { return slots_; }
  void clear() { slots_.fill({}); }

 private:
  std::array<Pair, Slots> slots_;
};

}  // namespace emgraph::graph::cc
