// SPDX-License-Identifier: MIT
// Kruskal's algorithm when only a range of the nodes fits in memory.
//
// Problem: edges come in ascending order; 4 bytes per node do not fit. Method: nodes are cut into ranges, and
// an edge belongs to the range of its larger end. Ranges are reduced from the highest to the lowest, the
// edges of each in ascending order. When a range is reduced, all remaining edges at its nodes are there. So
// the first edge that leaves a set of its nodes is the lightest one that does, and belongs to the forest (cut
// property). An edge whose ends are both represented by nodes below the range moves to the range of the
// larger one. The edges that move are ascending: a range merges the sequences of the higher ranges, and
// nothing is sorted again. Invariants: see range_links.hpp; an edge moves with its code, which names its ends
// in the input. Of the edges that a range moves between the same two nodes the first is the lightest; a table
// drops most others. Source: node reduction of Dementiev, Sanders, Schultes, Sibeyn (2004), "Engineering an
// External Memory Minimum Spanning Tree Algorithm", doi 10.1007/1-4020-8141-3_17, which takes one node after
// the other from a priority queue; reducing a whole range at once needs none.
//
// I/O: an edge once out and in for each range that it reaches; with ends at random in k ranges, fewer than
// 2 ln k + 1. Memory: ReductionPlan. Threads: one. Throws: MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/random_word.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/sort/merge_plan.hpp"
#include "core/sort/merge_stream.hpp"
#include "graph/mst/choice.hpp"
#include "graph/mst/edge_code.hpp"
#include "graph/mst/range_links.hpp"
#include "graph/node_bits.hpp"
#include "graph/sample_facts.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::mst {

/// An edge between nodes of lower ranges, with its code.
template <class Code, class Node>
struct MovedEdge {
  std::array<std::uint64_t, sizeof(Code) / sizeof(std::uint64_t)> words;  // a Code with smaller alignment
  Node low;
  Node high;

  MovedEdge() = default;
  MovedEdge(const Code& code, Node low_end, Node high_end)
      : words(std::bit_cast<decltype(words)>(code)), low(low_end), high(high_end) {}
  Code code() const { return std::bit_cast<Code>(words); }
  bool operator<(const MovedEdge& other) const { return code() < other.code(); }
};

template <class Code, class Node>
class RangeReduction {
 public:
  using Moved = MovedEdge<Code, Node>;

  [[gnu::cold]] RangeReduction(core::Environment& environment, const EdgeCodes<Code>& codes,
                               std::uint64_t nodes, const ReductionPlan& plan)
      : environment_(environment),
        codes_(codes),
        nodes_(nodes),
        plan_(plan),
        ranges_(static_cast<std::size_t>(plan.ranges)),
        runs_(ranges_),
        writers_(ranges_),
        forest_(environment, plan.block_bytes, 2) {
    if (ranges_ == 1) {
      links_ = RangeLinks<Node>(environment.memory, nodes, "links of all nodes");
      links_.start(0, nodes);
    }
  }

  /// Goes on with what save() has written, after the same plan. resume() must follow when all space of the
  /// state is claimed.
  [[gnu::cold]] RangeReduction(core::Environment& environment, const EdgeCodes<Code>& codes,
                               std::uint64_t nodes, const ReductionPlan& plan, core::StateReader& state)
      : environment_(environment),
        codes_(codes),
        nodes_(nodes),
        plan_(plan),
        ranges_(static_cast<std::size_t>(plan.ranges)),
        runs_(ranges_),
        writers_(ranges_),
        forest_(environment, state) {
    const auto restored = [&](auto& runs) {
      runs.resize(static_cast<std::size_t>(state.value<std::uint64_t>()));
      for (auto& run : runs) run = std::decay_t<decltype(run)>::restored(environment, state);
    };
    large_set_ = state.value<Node>();
    next_range_ = static_cast<std::size_t>(state.value<std::uint64_t>());
    restored(kept_);
    for (std::size_t range = 0; range < ranges_; ++range) {
      restored(runs_[range]);
      if (state.value<bool>()) writers_[range].emplace(environment, state);
    }
    if (ranges_ > 1) return;
    links_ = RangeLinks<Node>(environment.memory, nodes, "links of all nodes");
    links_.start(0, nodes);
    state.array(links_.links());
  }
  void resume() { finish_writers(); }
  /// Between calls of take(), and from the function that reduce() calls.
  void save(core::StateWriter& state) {
    const auto put_runs = [&](const auto& runs) {
      state.value(static_cast<std::uint64_t>(runs.size()));
      for (const auto& run : runs) run.save(state);
    };
    forest_.save(state);
    state.value(large_set_);
    state.value(static_cast<std::uint64_t>(next_range_));
    put_runs(kept_);
    for (std::size_t range = 0; range < ranges_; ++range) {
      put_runs(runs_[range]);
      state.value(writers_[range].has_value());
      if (writers_[range]) writers_[range]->save(state);
    }
    if (ranges_ == 1) state.array(links_.links());
  }

  /// Takes edges in ascending order, all after those of earlier calls of reduce(). With one range they are
  /// united at once.
  void take(std::span<const Code> edges) {
    if (ranges_ == 1) return unite_in_order(edges);
    if (!writer_memory_.size()) open_writers();
    for (const Code& edge : edges) {
      move(edge, static_cast<Node>(codes_.low(edge)), static_cast<Node>(codes_.high(edge)));
    }
  }

  /// Unites the edges taken. `keep`: keeps the links, because heavier edges will follow. Calls
  /// between_ranges() after each range.
  template <class BetweenRanges>
  void reduce(bool keep, BetweenRanges&& between_ranges) {
    if (ranges_ == 1) return;
    finish_writers();
    core::Phase phase(environment_.progress, keep ? "reduce light edges" : "reduce", plan_.ranges, "ranges");
    links_ = RangeLinks<Node>(environment_.memory, plan_.range_nodes, "links of a range of nodes");
    seen_ = core::Array<Edge<Node>>(environment_.memory, plan_.seen_pairs, "pairs of nodes");
    open_writers();
    if (next_range_ == 0) next_range_ = ranges_;
    phase.advance(ranges_ - next_range_);
    while (next_range_ > 0) {
      reduce_range(--next_range_, keep);
      phase.advance(1);
      if (next_range_ > 0) between_ranges();
    }
    seen_ = {};
    links_ = {};
    finish_writers();
  }

  /// Prepares drop_connected() for the edges united so far. Requires: reduce(true).
  void label() {
    in_large_set_ = NodeBits(environment_.memory, nodes_, "one bit per node");
    if (ranges_ == 1) {
      links_.flatten();
      large_set_ = largest_set_of_sample();
      const std::span<const Node> links = links_.links();
      for (std::size_t node = 0; node < links.size(); ++node) {
        if (links[node] == large_set_) in_large_set_.set(node);
      }
      return;
    }
    for (std::size_t range = 0; range < ranges_; ++range) {
      const std::uint64_t begin = range * plan_.range_nodes;
      core::RunReader<Node> reader(environment_, kept_[range], 1);
      std::uint64_t node = begin;
      for (auto links = reader.next(); !links.empty(); links = reader.next()) {
        for (const Node link : links) {
          // Links lead to smaller nodes, whose bits are final already.
          if (link == node ? link == large_set_ : in_large_set_.test(link)) in_large_set_.set(node);
          ++node;
        }
      }
    }
  }
  /// Moves the edges whose ends may not be connected to the front, in any order; returns their number. Of
  /// connected ones it drops those in the set that a sample found to be the largest, and with one range all.
  std::size_t drop_connected(std::span<Code> edges) const {
    // The edges outside the largest set, from `outside` on, are looked up in the links afterwards.
    std::size_t kept = 0;
    std::size_t outside = edges.size();
    for (std::size_t i = 0; i < outside;) {
      const Code& next = edges[std::min(i + ahead, outside - 1)];
      in_large_set_.prefetch(codes_.low(next));
      in_large_set_.prefetch(codes_.high(next));
      const Code code = edges[i];
      const bool low_in = in_large_set_.test(codes_.low(code));
      const bool high_in = in_large_set_.test(codes_.high(code));
      if (ranges_ == 1 && !low_in && !high_in) {
        std::swap(edges[i], edges[--outside]);
        continue;
      }
      edges[kept] = code;
      kept += low_in && high_in ? 0 : 1;
      ++i;
    }
    for (std::size_t i = outside; i < edges.size(); ++i) {
      const Code& next = edges[std::min(i + ahead, edges.size() - 1)];
      links_.prefetch(low_of(next));
      links_.prefetch(high_of(next));
      const Code code = edges[i];
      edges[kept] = code;
      kept += links_.linked(low_of(code)) == links_.linked(high_of(code)) ? 0 : 1;
    }
    return kept;
  }
  void forget_labels() { in_large_set_ = {}; }

  /// The forest, in no particular order. Frees everything else.
  core::Run<Code> forest() {
    links_ = {};
    return forest_.finish();
  }

 private:
  using MergedRuns = core::MergeStream<Moved, std::less<Moved>>;
  static constexpr std::size_t ahead = 16;

  std::size_t range_of(Node node) const { return static_cast<std::size_t>(node / plan_.range_nodes); }

  Node low_of(const Code& edge) const { return static_cast<Node>(codes_.low(edge)); }
  Node high_of(const Code& edge) const { return static_cast<Node>(codes_.high(edge)); }

  void unite_in_order(std::span<const Code> edges) {
    unite_in_order(edges.size(), [&](std::size_t i) -> Moved {
      return {edges[i], low_of(edges[i]), high_of(edges[i])};
    });
  }
  /// Unites the edges edge(0) to edge(count - 1).
  template <class EdgeOf>
  void unite_in_order(std::size_t count, EdgeOf&& edge) {
    for (std::size_t i = 0; i < count; ++i) {
      const Moved next = edge(std::min(i + ahead, count - 1));
      links_.prefetch(next.low);
      links_.prefetch(next.high);
      const Moved now = edge(i);
      unite(now.code(), now.low, now.high);
    }
  }

  void unite(const Code& code, Node a, Node b) {
    a = links_.find(a);
    b = links_.find(b);
    if (a == b) return;
    if (a > b) std::swap(a, b);
    if (b >= links_.begin()) {
      links_.close(b, a);
      forest_.push(code);
    } else if (is_new(a, b)) {
      move(code, a, b);
    }
  }

  /// False if this range is known to have moved an edge between these nodes already.
  bool is_new(Node low, Node high) {
    const std::uint64_t hash =
        (std::uint64_t{low} * core::golden_increment) ^ (std::uint64_t{high} * 0xc2b2ae3d27d4eb4fU);
    auto& seen = seen_[static_cast<std::size_t>((hash >> 32) & (seen_.size() - 1))];
    if (seen == Edge<Node>{low, high}) return false;
    seen = {low, high};
    return true;
  }

  void move(const Code& code, Node low, Node high) { writers_[range_of(high)]->push({code, low, high}); }

  void open_writers() {
    writer_memory_ =
        core::Buffer(environment_.memory, 2 * plan_.block_bytes * ranges_, "edges between ranges of nodes");
    for (std::size_t range = 0; range < ranges_; ++range) {
      writers_[range].emplace(writer_to(range));
    }
  }
  void finish_writer(std::size_t range) {
    if (!writers_[range]) return;
    if (writers_[range]->records() > 0) runs_[range].push_back(writers_[range]->finish());
    writers_[range].reset();
  }
  void finish_writers() {
    for (std::size_t range = 0; range < ranges_; ++range) finish_writer(range);
    writer_memory_ = {};
  }

  /// The edges that this range has moved become a run for each lower range.
  void cut_runs(std::size_t below) {
    for (std::size_t range = 0; range < below; ++range) {
      if (writers_[range]->records() == 0) continue;
      finish_writer(range);
      writers_[range].emplace(writer_to(range));
    }
  }

  void reduce_range(std::size_t range, bool keep) {
    if (runs_[range].empty() && !keep) return;
    const std::uint64_t begin = range * plan_.range_nodes;
    const std::uint64_t size = begin < nodes_ ? std::min(plan_.range_nodes, nodes_ - begin) : 0;
    links_.start(std::min(begin, nodes_), size);
    if (!kept_.empty()) bring_back(range);
    if (!runs_[range].empty()) {
      clear_seen();
      merge_runs(range, std::exchange(runs_[range], {}));
      cut_runs(range);
    }
    if (keep) {
      if (kept_.empty()) kept_.resize(ranges_);
      core::RunWriter<Node> writer(environment_, plan_.block_bytes, 2);
      writer.append(links_.links());
      kept_[range] = writer.finish();
      if (range == 0) large_set_ = largest_set_of_sample();
    }
  }

  void clear_seen() {
    for (auto& seen : seen_.span()) seen = {0, 0};  // empty: the ends of an edge differ
  }

  void bring_back(std::size_t range) {
    core::RunReader<Node> reader(environment_, std::move(kept_[range]), 1);
    Node* to = links_.links().data();
    for (auto links = reader.next(); !links.empty(); links = reader.next()) {
      to = std::copy(links.begin(), links.end(), to);
    }
  }

  core::RunWriter<Moved> writer_to(std::size_t range) {
    const std::size_t each = 2 * plan_.block_bytes;
    return {environment_, plan_.block_bytes, 2, writer_memory_.bytes().subspan(range * each, each)};
  }

  /// Merges some of a range's runs into one. The plan has memory for a run from each other range, but a run
  /// of the program that goes on after a checkpoint adds one.
  void merge_some(std::size_t range, const core::MergePlan& plan, std::vector<core::Run<Moved>>& runs) {
    const auto end = runs.begin() + static_cast<std::ptrdiff_t>(plan.fan_in);
    std::vector<core::Run<Moved>> first(std::make_move_iterator(runs.begin()), std::make_move_iterator(end));
    runs.erase(runs.begin(), end);
    writers_[range].reset();  // edges move to lower ranges only
    core::RunWriter<Moved> merged = writer_to(range);
    MergedRuns edges = merge(plan, std::move(first));
    for (auto batch = edges.next(); !batch.empty(); batch = edges.next()) merged.append(batch);
    runs.push_back(merged.finish());
  }

  MergedRuns merge(const core::MergePlan& plan, std::vector<core::Run<Moved>> runs) {
    return {environment_,
            core::Buffer(environment_.memory, plan_.merge_bytes, "edges of a range of nodes"),
            plan,
            std::move(runs),
            {}};
  }

  void merge_runs(std::size_t range, std::vector<core::Run<Moved>> runs) {
    const core::MergePlan plan = core::plan_merge_sort(plan_.merge_bytes, plan_.block_bytes, sizeof(Moved));
    while (runs.size() > plan.fan_in) merge_some(range, plan, runs);
    MergedRuns edges = merge(plan, std::move(runs));
    for (auto batch = edges.next(); !batch.empty(); batch = edges.next()) {
      unite_in_order(batch.size(), [&](std::size_t i) -> const Moved& { return batch[i]; });
    }
  }

  /// The set with most of a sample of nodes of the lowest range. A wrong guess costs only time.
  Node largest_set_of_sample() {
    constexpr std::size_t wished = 2048;
    const std::size_t size = links_.links().size();
    std::vector<std::uint64_t> sets;
    for (std::size_t i = 0; i < size; i += size / wished + 1)
      sets.push_back(links_.find(static_cast<Node>(i)));
    return static_cast<Node>(most_frequent(sets).value);
  }

  core::Environment& environment_;
  const EdgeCodes<Code> codes_;
  const std::uint64_t nodes_;
  const ReductionPlan plan_;
  const std::size_t ranges_;
  core::Buffer writer_memory_;
  std::vector<std::vector<core::Run<Moved>>> runs_;  ///< by range
  std::vector<std::optional<core::RunWriter<Moved>>> writers_;
  core::RunWriter<Code> forest_;
  RangeLinks<Node> links_;
  core::Array<Edge<Node>> seen_;
  std::vector<core::Run<Node>> kept_;  ///< links, by range
  std::size_t next_range_ = 0;         ///< ranges from here on are reduced; 0: all or none
  Node large_set_ = 0;
  NodeBits in_large_set_;
};

}  // namespace emgraph::graph::mst
