// SPDX-License-Identifier: MIT
// Degrees of all nodes by sorting, if a counter per node does not fit into memory.
//
// Method: pairs come in the order of their first nodes, so the degrees of first nodes are counted node by
// node and written to a run. Second nodes are sorted, with their directions in the lowest two bits. A merge
// of both, by node, gives every degree. Invariant: the run is ascending by node, with a record per node: the
// distance from the node before, the degree and, if directed, the out- and the in-degree. Each number takes 7
// bits per byte; the highest bit of a byte says that a further one follows.
//
// I/O: a sort of one key per pair; the run is written and read once. Memory: `memory_bytes` for the sort,
// five blocks; not charged: the sample. Threads: one user; the sort uses all threads. Throws:
// MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/block/manager.hpp"
#include "core/block/run.hpp"
#include "core/sort/serial_sort.hpp"
#include "graph/stats/arc_scan.hpp"
#include "graph/stats/degree_tally.hpp"
#include "graph/stats/second_nodes.hpp"

namespace emgraph::graph::stats {

/// Key: node · 4 + arcs; 128 bits if nodes need more than 62 bits.
template <core::IntegerKey Key>
class SortedDegrees {
 public:
  SortedDegrees(core::Environment& environment, SecondNodes second)
      : environment_(environment),
        writer_(environment, second.block_bytes, 2),
        block_bytes_(second.block_bytes),
        largest_(second.largest),
        directed_(second.directed),
        seconds_(environment, key(second.largest, {true, true}), second.records, second.memory_bytes,
                 keys_of(std::move(second.sample)), second.rehearse) {}

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
    Cursor firsts(environment_, writer_.finish());
    std::optional<Counts> first = read(firsts, 0);
    while (first || !seconds_.at_end()) {
      Counts counts;
      counts.node = first ? first->node : node_of(seconds_.key());
      if (!seconds_.at_end()) counts.node = std::min(counts.node, node_of(seconds_.key()));
      if (first && first->node == counts.node) {
        counts = *first;
        first = read(firsts, counts.node);
      }
      const std::uint64_t before = counts.degree;
      for (; !seconds_.at_end() && node_of(seconds_.key()) == counts.node; seconds_.next()) {
        counts.add((seconds_.key() & 1) != 0, (seconds_.key() & 2) != 0);
      }
      phase.advance(counts.degree - before);
      tally.add(counts.node, {counts.degree, counts.out, counts.in});
    }
  }
  /// For a forecast, in place of pair(): reserves the memory for so many pairs and first nodes, and returns
  /// the space of the sort of second nodes. Requires: SecondNodes::rehearse, as for rehearse_finish().
  core::SpillForecast rehearse_pairs(std::uint64_t pairs, std::uint64_t firsts) {
    // The lists of a run double: 12 bytes per block, up to twice as many.
    const std::uint64_t lists = core::size_product(run_bytes(firsts, pairs) / block_bytes_, 24);
    rehearsed_lists_ = environment_.memory.reserve_up_to(lists);
    return seconds_.rehearse_distribution(pairs);
  }
  /// In place of finish().
  void rehearse_finish(std::uint64_t pairs) {
    const core::Reservation reader = environment_.memory.reserve_up_to(
        core::RunReader<std::uint8_t>::memory_bytes(block_bytes_, Cursor::depth));
    seconds_.rehearse_sorting(pairs);
  }
  /// The most bytes on disk of the run of so many first nodes. A number x takes 1 + x / 128 bytes at most;
  /// distances add up to the largest node, degrees to the pairs.
  std::uint64_t run_bytes(std::uint64_t firsts, std::uint64_t pairs) const {
    const std::uint64_t numbers = directed_ ? 4 : 2;
    const std::uint64_t sum = core::size_sum(largest_, core::size_product(pairs, numbers - 1));
    return core::round_up(core::size_sum(core::size_product(firsts, numbers), sum / 128),
                          core::BlockManager::granularity_bytes);
  }

 private:
  using Cursor = core::RunCursor<std::uint8_t>;
  static constexpr std::uint8_t more = 128;

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
    if (current_.degree == 0) return;
    write(current_.node - std::exchange(written_, current_.node));
    write(current_.degree);
    if (!directed_) return;
    write(current_.out);
    write(current_.in);
  }
  void write(std::uint64_t number) {
    for (; number >= more; number >>= 7) writer_.push(static_cast<std::uint8_t>(number | more));
    writer_.push(static_cast<std::uint8_t>(number));
  }
  static std::uint64_t number(Cursor& run) {
    std::uint64_t number = 0;
    unsigned shift = 0;
    for (; *run >= more; run.next()) {
      number |= std::uint64_t{*run & (more - 1U)} << shift;
      shift += 7;
    }
    number |= std::uint64_t{*run} << shift;
    run.next();
    return number;
  }
  /// The next record of the run, whose last record had `node`; nullopt at its end.
  std::optional<Counts> read(Cursor& run, std::uint64_t node) const {
    if (run.at_end()) return std::nullopt;
    Counts counts;
    counts.node = node + number(run);
    counts.degree = number(run);
    if (directed_) {
      counts.out = number(run);
      counts.in = number(run);
    }
    return counts;
  }

  core::Environment& environment_;
  core::RunWriter<std::uint8_t> writer_;
  const std::size_t block_bytes_;
  const std::uint64_t largest_;
  const bool directed_;
  core::Reservation rehearsed_lists_;
  core::SerialSort<Key> seconds_;
  Counts current_;
  std::uint64_t written_ = 0;  ///< the last node in the run
};

/// Calls `body(Key{})` with the narrowest key for nodes up to `largest`, which is an Id.
template <class Id, class Body>
void with_second_key(std::uint64_t largest, Body&& body) {
  if constexpr (sizeof(Id) == 8) {
    if (largest >= std::uint64_t{1} << 62) return body(core::uint128{0});
  }
  body(std::uint64_t{0});
}

}  // namespace emgraph::graph::stats
