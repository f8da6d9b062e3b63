// SPDX-License-Identifier: MIT
// Degrees of all nodes by sorting, if a counter per node does not fit into memory.
//
// Method: pairs come in the order of their first nodes, so the degrees of first nodes are counted node by
// node and written to a run. Second nodes are sorted, with their directions in the lowest two bits. A merge
// of both, by node, gives every degree. Invariant: run_ is ascending by node, with one record per node.
//
// I/O: a sort of one key per pair; the run is written and read once. Memory: `memory_bytes` for the sort,
// five blocks; not charged: the sample. Threads: one user; the sort uses all threads. Throws:
// MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/block/run.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/stats/arc_scan.hpp"
#include "graph/stats/degree_tally.hpp"

namespace emgraph::graph::stats {

/// The parameters of the sort of second nodes.
struct SecondNodes {
  std::uint64_t largest = 0;
  std::uint64_t records = 0;          ///< their number, approximately
  std::vector<std::uint64_t> sample;  ///< a sample of up to prepare::splitter_sample, not just the first ones
  std::size_t memory_bytes = 0;
  std::size_t block_bytes = 0;
};

/// Key: node · 4 + arcs; 128 bits if nodes need more than 62 bits.
template <core::IntegerKey Key>
class SortedDegrees {
 public:
  SortedDegrees(core::Environment& environment, SecondNodes second)
      : environment_(environment),
        writer_(environment, second.block_bytes, 2),
        seconds_(environment, key(second.largest, {true, true}), second.records, second.memory_bytes,
                 keys_of(std::move(second.sample))) {}

  void pair(std::uint64_t first, std::uint64_t second, Directions arcs) {
    if (first != current_.node) {
      close_node();
      current_ = {.node = first};
    }
    current_.add(arcs.forward, arcs.backward);
    seconds_.push(key(second, {arcs.backward, arcs.forward}));
  }
  /// Sends all degrees to `tally`. Requires: all pairs were added, and their source has freed its memory.
  void finish(DegreeTally& tally, core::Phase& phase) {
    close_node();
    seconds_.start();
    core::RunCursor<Counts> firsts(environment_, writer_.finish());
    while (!firsts.at_end() || !seconds_.at_end()) {
      Counts counts;
      counts.node = ~std::uint64_t{0};
      if (!firsts.at_end()) counts.node = firsts->node;
      if (!seconds_.at_end()) counts.node = std::min(counts.node, node_of(seconds_.key()));
      if (!firsts.at_end() && firsts->node == counts.node) {
        counts = *firsts;
        firsts.next();
      }
      const std::uint64_t before = counts.degree;
      for (; !seconds_.at_end() && node_of(seconds_.key()) == counts.node; seconds_.next()) {
        counts.add((seconds_.key() & 1) != 0, (seconds_.key() & 2) != 0);
      }
      phase.advance(counts.degree - before);
      tally.add(counts.node, {counts.degree, counts.out, counts.in});
    }
  }

 private:
  struct Counts {
    std::uint64_t node = 0;
    std::uint64_t degree = 0;
    std::uint64_t out = 0;
    std::uint64_t in = 0;
    void add(bool leaves, bool arrives) {
      ++degree;
      out += leaves ? 1 : 0;
      in += arrives ? 1 : 0;
    }
  };

  /// `arcs`: directions from the point of view of the node.
  static Key key(std::uint64_t node, Directions arcs) {
    return static_cast<Key>(static_cast<Key>(node) << 2 | (arcs.forward ? 1U : 0U) |
                            (arcs.backward ? 2U : 0U));
  }
  static std::uint64_t node_of(Key key) { return static_cast<std::uint64_t>(key >> 2); }
  static std::vector<Key> keys_of(std::vector<std::uint64_t> nodes) {
    std::vector<Key> keys;
    keys.reserve(nodes.size());
    for (const std::uint64_t node : nodes) keys.push_back(key(node, {}));
    return keys;
  }
  void close_node() {
    if (current_.degree > 0) writer_.push(current_);
  }

  core::Environment& environment_;
  core::RunWriter<Counts> writer_;
  core::SerialSort<Key> seconds_;
  Counts current_;
};

}  // namespace emgraph::graph::stats
