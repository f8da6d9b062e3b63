// SPDX-License-Identifier: MIT
// PageRank with the arcs and the ranks on the temporary disks.
//
// Problem: only the shares of one range of nodes fit in memory.
// Method: the arcs are sorted by (range of the source, target). A round visits the ranges in order. It
// computes the shares of the range from the ranks and degrees, reads the arcs of the range, and adds up the
// shares for each target. The sums of earlier ranges are a sequence on the disks, one per node; each range
// reads it and writes the next one. The last range turns sums into ranks. With one range (semi-external)
// there are no sequences of sums. Integer sums are exact, so the number of ranges does not matter.
// Source: node ranges as in Chen, Gan, Suel, "I/O-Efficient Techniques for Computing PageRank" (2002),
// doi 10.1145/584792.584882 (split-accumulate).
//
// With weights, a second sequence for each range has the weights of the arcs, in the order of the lists.
//
// I/O per round: the lists once, and 8 bytes per weight; ranks and degrees, 32 bytes per node; 16 bytes per
// node for every range but the first. Memory: 8 bytes per node of a range, and the blocks of the plan.
// Threads: one. Throws: EnvironmentError, MemoryLimitError.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/prefetch.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/kept_values.hpp"
#include "graph/pagerank/fixed_point.hpp"
#include "graph/pagerank/in_lists.hpp"
#include "graph/pagerank/kept.hpp"
#include "graph/pagerank/range_plan.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::pagerank {

class RangedRanks {
 public:
  RangedRanks(core::Environment& environment, const RangePlan& plan, std::uint64_t nodes, bool weighted);
  /// Goes on with the lists that save_lists() has described.
  RangedRanks(core::Environment& environment, const RangePlan& plan, std::uint64_t nodes, bool weighted,
              core::StateReader& state);
  /// Describes the lists, complete or not.
  void save_lists(core::StateWriter& state);

  /// Adds arcs, given by their keys (arc_keys.hpp) in ascending order over all calls. `weight_of(i)`: of arc
  /// i, called if weighted.
  template <class Keys, class Key, class WeightOf>
  void append(const Keys& keys, std::span<const Key> arcs, WeightOf&& weight_of) {
    for (std::size_t begin = 0; begin < arcs.size();) {
      const std::uint64_t range = keys.range_of(arcs[begin]);
      while (built_ < range) end_range();
      const auto in_range = [&](const Key& key) { return keys.range_of(key) == range; };
      const auto rest = arcs.subspan(begin);
      const auto end = begin + static_cast<std::size_t>(
                                   std::partition_point(rest.begin(), rest.end(), in_range) - rest.begin());
      for (std::size_t i = begin; i < end; ++i) {
        list_->push(keys.target(arcs[i]), static_cast<std::uint32_t>(keys.offset(arcs[i])));
        if (weighted_) weight_writer_->push(weight_of(i));
      }
      // A loop of its own, for the counters are in random order. Measured, 33.5 M arcs of 2 M nodes on one
      // thread of an EPYC 7003: lists alone 1.05 s, with this loop 1.5 to 1.9 s, with one loop for both 3.3
      // s.
      constexpr std::size_t distance = 32;
      for (std::size_t i = begin; i < end; ++i) {
        core::prefetch(shares_.data() + keys.offset(arcs[std::min(i + distance, end - 1)]));
        std::uint64_t& out = shares_[static_cast<std::size_t>(keys.offset(arcs[i]))];
        out = with_arc(weighted_, out, weighted_ ? weight_of(i) : 0);
      }
      begin = end;
    }
  }
  void end_lists();

  /// Sends all arcs as take(target, source, weight); the weight is 1 unless weighted. Requires: end_lists()
  /// was called; one range.
  template <class Take>
  void for_each(Take&& take) {
    std::optional<core::RunCursor<double>> weight;
    if (weighted_) weight.emplace(environment_, std::as_const(weights_.front()));
    read_lists(
        environment_, lists_.front(),
        [&](std::uint64_t target, std::span<const std::uint32_t> sources) {
          for (const std::uint32_t source : sources) {
            take(target, source, weight ? **weight : 1.0);
            if (weight) weight->next();
          }
        },
        [](std::uint64_t) {});
  }

  /// Ranks to go on with.
  void restore(KeptValues<std::uint64_t>& ranks) {
    ranks_ = ranks.take_run(environment_, nodes_, plan_.block_bytes);
  }
  /// Iterates from the restored ranks if there are any, else from the first ranks of the rule.
  void iterate(const RankRule& rule, Rounds& rounds, RoundKeeper& keeper);
  /// Sends the bits of the ranks as doubles; returns their sum. `sink` may be null.
  core::uint128 send(NodeSink<std::uint64_t>* sink);

 private:
  using Values = core::Run<std::uint64_t>;

  std::size_t nodes_of(std::uint64_t range) const;
  void end_range();
  void begin_range();
  core::uint128 round(const RankRule& rule);
  template <class Take>
  void for_each_sum(std::uint64_t range, Values earlier, Take&& take);

  core::Environment& environment_;
  const RangePlan plan_;
  const std::uint64_t nodes_;
  const bool weighted_;
  core::Array<std::uint64_t> shares_;  ///< sent_along() of a range; while lists are built, with_arc()
  std::vector<InLists> lists_;
  std::vector<core::Run<double>> weights_;  ///< of the arcs of each range, if weighted
  Values degrees_;
  RoundValues ranks_;
  std::uint64_t built_ = 0;  ///< the range whose list is being built
  std::optional<InListWriter> list_;
  std::optional<core::RunWriter<double>> weight_writer_;  ///< beside list_, if weighted
  std::optional<core::RunWriter<std::uint64_t>> degree_writer_;
};

}  // namespace emgraph::graph::pagerank
