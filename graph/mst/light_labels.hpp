// SPDX-License-Identifier: MIT
// Drops edges whose ends are connected by lighter edges, with two look-ups and no branch.
//
// Problem: the forest F of the edges so far is known. Most further edges are heavier than F's path between
// their ends and are irrelevant. Method: for each of a few bounds b, an array (a level) holds the set of
// every node in the forest of the edges of F below b. An edge is looked up in the level of the largest bound
// that is not greater than the edge. A dropped edge closes a cycle on which it is the heaviest. Not every
// irrelevant edge is dropped. Invariant: the labels of a level depend only on edges below its bound. Most
// edges join two nodes of one large set: a bit per node says which nodes are in it, and only edges with both
// ends outside are looked up among the labels. Measured: kron22, hash weights, 32 MiB of labels, 1 MiB of
// bits: 1.3 CPU s in all instead of 2.0 (EPYC). Source: sampling and filtering as Karger, Klein, Tarjan
// (1995), doi 10.1145/201019.201022; labels for a few bounds in place of looking for the heaviest edge of a
// path.
//
// I/O: none. Memory: 4 bytes and a bit per node and level. Threads: any number may call filter at once; other
// functions one. Throws: MemoryLimitError.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/prefetch.hpp"
#include "core/base/thread_team.hpp"
#include "core/environment.hpp"
#include "graph/mst/edge_code.hpp"
#include "graph/mst/step_kernel.hpp"
#include "graph/node_bits.hpp"
#include "graph/sample_facts.hpp"
#include "graph/union_find.hpp"

namespace emgraph::graph::mst {

template <class Code>
class LightLabels {
 public:
  using Node = std::uint32_t;
  static constexpr std::size_t most_levels = 3;
  using StepCodes = std::array<Code, FeedStep::most_edges>;

  /// Of one level.
  static std::size_t bytes_for(std::uint64_t nodes) {
    return static_cast<std::size_t>(nodes) * sizeof(Node) + NodeBits::bytes_for(nodes) + 2 * core::page_bytes;
  }

  /// Sets the wanted bounds: fractions of a sample of the future edges. At most `levels`.
  void aim(std::vector<Code> sample, std::size_t levels) {
    constexpr std::array<std::size_t, most_levels> shares = {4, 16, 2};  // the most useful first
    if (sample.empty()) return;
    sort_codes(std::span(sample));
    for (std::size_t i = 0; i < std::min(levels, shares.size()); ++i) {
      aims_.push_back(sample[sample.size() / shares[i]]);
    }
    sort_codes(std::span(aims_));
    aimed_ = true;
  }
  bool aimed() const { return aimed_; }
  /// The wanted bounds, ascending, for a later process that continues with them.
  const std::vector<Code>& aims() const { return aims_; }
  void aim_at(std::vector<Code> bounds) {
    aims_ = std::move(bounds);
    aimed_ = true;
  }

  /// Starts again for `nodes` nodes, which may be more than before. Drops levels that would take more than
  /// three quarters of the free memory.
  void start(core::MemoryBudget& budget, std::uint64_t nodes) {
    bounds_.clear();
    if (nodes == nodes_) return;
    release();
    nodes_ = nodes;
    const std::size_t most = budget.available() / 4 * 3 / bytes_for(nodes);
    aims_.resize(std::min(aims_.size(), most));
    for (std::size_t level = 0; level < aims_.size(); ++level) {
      levels_.emplace_back(budget, static_cast<std::size_t>(nodes), "labels of light forests");
    }
    large_ = {budget, aims_.size() * NodeBits::words_for(nodes), "one bit per node of a large set"};
  }
  /// Frees the memory. No edge is dropped until the next start.
  void release() {
    bounds_.clear();
    levels_.clear();
    large_ = {};
    nodes_ = 0;
  }
  /// Builds the levels whose wanted bound is less than `next`. Requires: `sets` is the forest of all edges
  /// below `next`.
  void reached(const Code& next, UnionFind<Node>& sets, core::ThreadTeam& team) {
    while (bounds_.size() < aims_.size() && aims_[bounds_.size()] < next) build(next, sets, team);
  }
  /// Builds the remaining level. Requires: `sets` is the forest of all edges, `last` its heaviest edge.
  void finish(const Code& last, UnionFind<Node>& sets, core::ThreadTeam& team) {
    if (bounds_.size() < aims_.size()) build(last, sets, team);
  }

  /// Keeps the edges of a step that may be relevant: writes their codes to the front of `codes`. Returns
  /// their number.
  std::size_t filter(const FeedStep& step, StepCodes& codes) const {
    if (bounds_.empty()) return step.count;
    const LevelBits<Code> bits{bounds_, large_.data(), NodeBits::words_for(nodes_), nodes_ - 1};
    UndecidedEdges<Code> undecided;
    std::size_t kept = 0;
    if constexpr (std::is_same_v<Code, std::uint64_t>) {
      kept = keep_by_bits_in_vectors(step, bits, codes.data(), undecided);
    } else {
      kept = keep_by_bits(step, bits, codes.data(), undecided);
    }
    const auto prefetch = [&](std::size_t k) {
      const Node* const labels = labels_of(undecided.code[k]);
      core::prefetch(labels + step.low[undecided.place[k]]);
      core::prefetch(labels + step.high[undecided.place[k]]);
    };
    constexpr std::size_t ahead = 24;
    for (std::size_t k = 0; k < std::min(ahead, undecided.count); ++k) prefetch(k);
    for (std::size_t k = 0; k < undecided.count; ++k) {
      if (k + ahead < undecided.count) prefetch(k + ahead);
      const Code& code = undecided.code[k];
      const Node* const labels = labels_of(code);
      codes[kept] = code;
      kept += labels[step.low[undecided.place[k]]] != labels[step.high[undecided.place[k]]] ? 1 : 0;
    }
    return kept;
  }

 private:
  /// The labels of the level of an edge, which has one.
  const Node* labels_of(const Code& code) const {
    std::size_t level = 0;
    for (std::size_t i = 1; i < bounds_.size(); ++i) level += code < bounds_[i] ? 0 : 1;
    return levels_[level].data();
  }

  void build(const Code& bound, UnionFind<Node>& sets, core::ThreadTeam& team) {
    const std::span<Node> labels = levels_[bounds_.size()].span();
    const Node large = label_of_large_set(labels.size(), sets);
    const std::size_t words = NodeBits::words_for(nodes_);
    std::uint64_t* const bits_of_level = large_.data() + bounds_.size() * words;
    team.all([&](unsigned thread) {
      const std::size_t end = words * (thread + 1) / team.size();
      for (std::size_t word = words * thread / team.size(); word < end; ++word) {
        std::uint64_t bits = 0;
        const std::size_t first = word * 64;
        for (std::size_t node = first; node < std::min(first + 64, labels.size()); ++node) {
          labels[node] = sets.find(static_cast<Node>(node));
          bits |= std::uint64_t{labels[node] == large} << (node - first);
        }
        bits_of_level[word] = bits;
      }
    });
    bounds_.push_back(bound);
  }

  /// The label that a sample of nodes has most often. Any label would give the same answer.
  static Node label_of_large_set(std::size_t nodes, UnionFind<Node>& sets) {
    std::vector<std::uint64_t> sample;
    constexpr std::size_t wished = 4096;
    for (std::size_t node = 0; node < nodes; node += nodes / wished + 1) {
      sample.push_back(sets.find(static_cast<Node>(node)));
    }
    return static_cast<Node>(most_frequent(sample).value);
  }

  std::vector<Code> aims_;                 ///< ascending
  std::vector<Code> bounds_;               ///< bounds of the levels that are built
  std::vector<core::Array<Node>> levels_;  ///< labels
  core::Array<std::uint64_t> large_;       ///< bits of all levels: the node is in the large set
  std::uint64_t nodes_ = 0;
  bool aimed_ = false;
};

}  // namespace emgraph::graph::mst
