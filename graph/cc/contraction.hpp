// SPDX-License-Identifier: MIT
// Connected components if an id per node does not fit into memory: contracts ranges of nodes one by one.
//
// Problem: there are n nodes, memory for n / k ids, and edges in any order, read once.
// Method: nodes are divided into k ranges whose ids fit. An edge belongs to the range of its larger end.
// Edges of the highest range are processed while they are read (range_sets.hpp); other edges are spilled to a
// chain per range (range_pairs.hpp). When all edges of a range are processed, its sets are final except for
// their outside neighbours. Edges that the range passes on go to chains of lower ranges, so the ranges are
// contracted from the highest to the lowest. Each edge causes at most one edge in a lower range. The result
// of a range is a parent per node, written in order, and for each set with an outside neighbour a request for
// the label of that neighbour; range_labels.hpp answers the requests. Sets of a range with the same outside
// neighbour share a request if RecentPairs still holds the first one. Measured, cold input, median of 3, n
// not declared: Kronecker scale 24 (268 M edges) with 16 MiB in 13 ranges: 7.5 s, of which 1.5 to find n, 2.2
// to distribute, 3.5 to contract, 3.2 GB written; with an id per node in memory 2.2 s. 131 M random edges
// with 21 MiB in 12 ranges 4.8 s, 2.2 GB written; in memory 1.4 s (2-core AMD EPYC). Source: see
// range_sets.hpp.
//
// I/O: writes and reads pair_bytes per edge each time it is passed on and does not fit into memory;
// sizeof(Id) per node. Memory: as planned (contraction_plan.hpp), all charged except 64 KiB per thread.
// Threads: all for edges, one for nodes. Throws: DataError, MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/random_word.hpp"
#include "core/block/run.hpp"
#include "graph/cc/kept.hpp"
#include "graph/cc/range_pairs.hpp"
#include "graph/cc/range_sets.hpp"
#include "graph/prepare/ingest.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::cc {

/// The last message about a node, so that it is not sent twice. One value per slot, slots chosen by a hash of
/// the node; 64 KiB for 4096 slots, not charged. Threads: one user.
template <std::size_t Slots = 4096>
class RecentPairs {
 public:
  struct Pair {
    std::uint64_t node = ~std::uint64_t{0};
    std::uint64_t value = 0;
  };

  /// The slot of `node`, which may hold another node of the same hash.
  Pair& slot(std::uint64_t node) {
    return slots_[static_cast<std::size_t>((node * core::golden_increment) >> 32) % Slots];
  }
  std::array<Pair, Slots>& all() { return slots_; }
  void clear() { slots_.fill({}); }

 private:
  std::array<Pair, Slots> slots_;
};

template <class Id>
class Contraction {
 public:
  /// `kept`: the state of an earlier run after its plan; without a reader: from the start.
  Contraction(core::Environment& environment, const ContractionPlan& plan, const KeptState& kept)
      : environment_(environment),
        pairs_(environment, plan, kept.reader.get()),
        sets_(environment.memory, plan.range_nodes),
        requests_(pairs_, PairKind::requests),
        parents_(plan.ranges),
        kept_parents_(environment.checkpoint != nullptr ? plan.ranges : 0),
        read_(kept.place.read()),
        ranges_left_(plan.ranges),
        reader_(kept.reader.get()) {
    if (reader_ != nullptr) reader_->array(std::span(kept_parents_));
    if (kept.in_ranges() && kept.place.stage != Stage::distribute) {
      distributed_ = true;
      ranges_left_ = kept.place.stage == Stage::contract ? static_cast<std::size_t>(kept.place.range) : 0;
    }
    for (unsigned thread = 0; thread < plan.threads; ++thread) {
      tellers_.push_back(std::make_unique<Teller>(pairs_));
    }
  }

  /// Reads all edges. Requires: at most plan.threads lanes.
  prepare::IngestFacts distribute(prepare::Lanes<Id> lanes, const EdgeFacts& facts) {
    if (distributed_) return read_;
    const ContractionPlan& plan = pairs_.plan();
    sets_.start(plan.begin(plan.ranges - 1), plan.nodes);
    if (reader_ != nullptr) reader_->array(sets_.parents());
    core::Checkpoint* const checkpoint = environment_.checkpoint;
    const auto seal = [&](const prepare::IngestFacts& read) {
      read_ = read;
      checkpoint->seal(prepare::edges_read("distribute", read.edges, facts.edges),
                       [&](core::StateWriter& to) {
                         save(to, Stage::distribute, 0);
                         to.array(sets_.parents());
                       });
    };
    core::Phase phase(environment_.progress, "distribute", facts.edges.value_or(0), "edges");
    read_ = prepare::ingest(
        lanes, facts.name, plan.nodes, phase,
        [&](unsigned thread, std::span<const Edge<Id>> batch) {
          Teller& teller = *tellers_[thread];
          std::array<Edge<Id>, step> here;
          std::array<Edge<Id>, step> below;
          for (std::size_t done = 0; done < batch.size(); done += step) {
            std::size_t inside = 0;
            std::size_t outside = 0;
            for (const Edge<Id>& edge : batch.subspan(done, std::min(step, batch.size() - done))) {
              const Edge<Id> ends = low_high(edge.source, edge.target);
              const bool apart = ends.source != ends.target;
              here[inside] = ends;
              inside += apart & sets_.inside(ends.target) ? 1 : 0;
              below[outside] = ends;
              outside += apart & !sets_.inside(ends.target) ? 1 : 0;
            }
            for (std::size_t i = 0; i < outside; ++i) teller.edges.push(below[i].target, below[i].source);
            join_all(teller, {here.data(), inside});
          }
        },
        {checkpoint, read_, seal});
    return read_;
  }

  /// Contracts all ranges; parents and requests remain.
  void contract() {
    const ContractionPlan& plan = pairs_.plan();
    core::Phase phase(environment_.progress, "contract", plan.nodes, "nodes");
    core::Checkpoint* const checkpoint = environment_.checkpoint;
    phase.advance(plan.nodes - (ranges_left_ == 0 ? 0 : plan.end(ranges_left_ - 1)));
    while (ranges_left_ > 0) {
      const std::size_t range = ranges_left_ - 1;
      if (range + 1 < plan.ranges) take_in(range);
      leave(range);
      phase.advance(plan.end(range) - plan.begin(range));
      ranges_left_ = range;
      if (checkpoint == nullptr || range == 0 || !checkpoint->due()) continue;
      checkpoint->seal("contract: " + core::format_count(plan.ranges - range) + " of " +
                           core::format_count(plan.ranges) + " node ranges are done",
                       [&](core::StateWriter& to) { save(to, Stage::contract, range); });
    }
    tellers_.clear();
    requests_.finish();
  }

  /// Writes the state between two ranges, or while edges are distributed.
  void save(core::StateWriter& to, Stage stage, std::size_t range) {
    for (const auto& teller : tellers_) teller->edges.finish();
    requests_.finish();
    Place place = Place::of(stage, read_, pairs_.plan().nodes);
    place.range = range;
    to.value(place);
    to.value(pairs_.plan());
    pairs_.save(to);
    to.array(std::span(kept_parents_));
  }

  RangePairs& pairs() { return pairs_; }
  /// Space for the ids of a range, free after contract().
  RangeSets<Id>& sets() { return sets_; }
  /// Writes the parents of the nodes of a range to `to`; can be called once for a range.
  void take_parents(std::size_t range, std::span<Id> to) {
    if (!kept_parents_.empty()) {
      environment_.checkpoint->read_state_file(kept_parents_[range])->array(to);
      return;
    }
    core::RunReader<Id> reader(environment_, std::move(*parents_[range]), 1);
    std::size_t filled = 0;
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      std::copy(batch.begin(), batch.end(), to.begin() + static_cast<std::ptrdiff_t>(filled));
      filled += batch.size();
    }
  }

 private:
  static constexpr std::size_t step = 512;
  static constexpr std::size_t ahead = 16;

  /// Passes edges of a thread on to lower ranges.
  struct Teller {
    explicit Teller(RangePairs& pairs) : edges(pairs, PairKind::edges) {}
    void operator()(Id high, Id low) {
      auto& recent = told.slot(high);
      if (recent.node == high && recent.value == low) return;
      recent = {high, low};
      edges.push(high, low);
    }
    RangePairs::Writer edges;
    RecentPairs<> told;
  };

  void join_all(Teller& teller, std::span<const Edge<Id>> edges) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const Edge<Id> later = edges[std::min(i + ahead, edges.size() - 1)];
      sets_.prefetch(later.target);
      sets_.prefetch(sets_.inside(later.source) ? later.source : later.target);
      const Edge<Id> edge = edges[i];
      if (!sets_.known(edge.target, edge.source)) sets_.join(edge.target, edge.source, teller);
    }
  }

  void take_in(std::size_t range) {
    const ContractionPlan& plan = pairs_.plan();
    for (const auto& teller : tellers_) teller->edges.finish(range);
    sets_.start(plan.begin(range), plan.end(range));
    pairs_.read(PairKind::edges, range, plan.threads, [&](unsigned thread, const RangePairs::Block& block) {
      std::array<Edge<Id>, step> edges;
      for (std::size_t done = 0; done < block.size(); done += step) {
        const std::size_t count = std::min(step, block.size() - done);
        for (std::size_t i = 0; i < count; ++i) {
          const auto [high, low] = block[done + i];
          edges[i] = {static_cast<Id>(low), static_cast<Id>(high)};
        }
        join_all(*tellers_[thread], {edges.data(), count});
      }
    });
  }

  /// The range is complete. The parent of every node becomes its root. The parent of a root is the root
  /// itself or its neighbour outside the range; a root with such a neighbour requests its label.
  void leave(std::size_t range) {
    const std::uint64_t begin = pairs_.plan().begin(range);
    const std::span<Id> parents = sets_.parents();
    const auto is_root = [&](std::size_t i) { return parents[i] == begin + i || parents[i] < begin; };
    askers_.clear();
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const Id parent = parents[i];
      if (parent >= begin) {
        const auto above = static_cast<std::size_t>(parent - begin);
        if (!is_root(above)) parents[i] = parents[above];
        continue;
      }
      auto& asker = askers_.slot(parent);
      if (asker.node == parent) {
        parents[i] = static_cast<Id>(asker.value);
      } else {
        asker = {parent, begin + i};
        requests_.push(parent, begin + i);
      }
    }
    if (!kept_parents_.empty()) {
      kept_parents_[range] =
          environment_.checkpoint->write_state_file([&](core::StateWriter& to) { to.array(parents); });
      return;
    }
    core::RunWriter<Id> writer(environment_, pairs_.plan().run_block_bytes, 2);
    writer.append(parents);
    parents_[range].emplace(writer.finish());
  }

  core::Environment& environment_;
  RangePairs pairs_;
  RangeSets<Id> sets_;
  RangePairs::Writer requests_;
  std::vector<std::unique_ptr<Teller>> tellers_;
  RecentPairs<> askers_;
  std::vector<std::optional<core::Run<Id>>> parents_;
  std::vector<core::StateFile> kept_parents_;  ///< with a checkpoint, in place of parents_
  prepare::IngestFacts read_;
  std::size_t ranges_left_;
  bool distributed_ = false;
  core::StateReader* reader_;  ///< of an earlier run
};

}  // namespace emgraph::graph::cc
