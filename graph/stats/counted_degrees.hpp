// SPDX-License-Identifier: MIT
// Degrees of all nodes as counters in memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/bytes.hpp"
#include "core/base/prefetch.hpp"
#include "core/memory/buffer.hpp"
#include "graph/stats/arc_scan.hpp"
#include "graph/stats/degree_tally.hpp"

namespace emgraph::graph::stats {

/// Pairs come in the order of their first nodes; their second nodes are in any order. A queue of 64 holds
/// second nodes while their counters are prefetched. Memory: 4 bytes per node, 12 if directed. Requires: at
/// most 2^32 nodes, so that no degree of the simple graph overflows its counter.
class CountedDegrees {
 public:
  static constexpr std::uint64_t most_nodes = std::uint64_t{1} << 32;
  static constexpr std::uint64_t node_bytes(bool directed) { return directed ? 12 : 4; }
  static std::uint64_t bytes_for(std::uint64_t nodes, bool directed) {
    return core::round_up(core::size_product(nodes, node_bytes(directed)), core::page_bytes);
  }

  CountedDegrees(core::MemoryBudget& budget, std::uint64_t nodes, bool directed)
      : directed_(directed),
        counters_(budget, static_cast<std::size_t>(nodes * node_bytes(directed) / 4),
                  directed ? "12 bytes per node for degrees" : "4 bytes per node for degrees") {}

  void pair(std::uint64_t first, std::uint64_t second, Directions arcs) {
    count(first, arcs.forward, arcs.backward);
    core::prefetch(counters_.data() + place(second));
    Waiting& slot = waiting_[pairs_ % waiting_.size()];
    if (pairs_ >= waiting_.size()) count(slot.node, slot.out, slot.in);
    slot = {second, arcs.backward, arcs.forward};
    ++pairs_;
  }
  void finish(DegreeTally& tally) {
    const std::uint64_t waiting = std::min<std::uint64_t>(pairs_, waiting_.size());
    for (std::size_t i = 0; i < waiting; ++i) count(waiting_[i].node, waiting_[i].out, waiting_[i].in);
    const std::size_t stride = directed_ ? 3 : 1;
    for (std::size_t at = 0; at < counters_.size(); at += stride) {
      if (counters_[at] == 0) continue;
      NodeDegrees degrees{.degree = counters_[at]};
      if (directed_) {
        degrees.out = counters_[at + 1];
        degrees.in = counters_[at + 2];
      }
      tally.add(at / stride, degrees);
    }
  }

 private:
  struct Waiting {
    std::uint64_t node = 0;
    bool out = false;
    bool in = false;
  };

  std::size_t place(std::uint64_t node) const {
    return static_cast<std::size_t>(directed_ ? 3 * node : node);
  }
  void count(std::uint64_t node, bool out, bool in) {
    std::uint32_t* const counter = counters_.data() + place(node);
    ++counter[0];
    if (!directed_) return;
    counter[1] += out ? 1 : 0;
    counter[2] += in ? 1 : 0;
  }

  const bool directed_;
  core::Array<std::uint32_t> counters_;
  std::array<Waiting, 64> waiting_;
  std::uint64_t pairs_ = 0;
};

}  // namespace emgraph::graph::stats
