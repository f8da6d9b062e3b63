// SPDX-License-Identifier: MIT
// The state of delta-stepping: tentative distances, and the pending nodes in two sets.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/prefetch.hpp"
#include "core/base/thread_team.hpp"
#include "core/environment.hpp"
#include "graph/adjacency/page.hpp"
#include "graph/sssp/bucket_width.hpp"
#include "graph/sssp/distances.hpp"
#include "graph/sssp/node_set.hpp"

namespace emgraph::graph::sssp {

/// What a search over all nodes found.
struct Reach {
  std::uint64_t nodes = 0;         ///< reached nodes, including the root
  std::uint64_t max_distance = 0;  ///< largest finite distance, as a word (distances.hpp)
};

/// A node is pending if its distance fell since its list was read. Pending nodes in the current bucket, with
/// distances below end(), are near, the others far.
///
/// Invariant: between rounds, a node of far() with a distance below end() is not pending. Memory: two
/// NodeSets, and the distances of the caller. Threads: relax, take, near() and far() with Sharing::shared:
/// any number; other functions one. Throws: MemoryLimitError.
template <class Id, class Distances>
class BucketState {
 public:
  static constexpr std::uint64_t none = Distances::unreached;
  static constexpr std::uint64_t no_node = ~std::uint64_t{0};
  // A visit of a page costs more than some relaxations, and wide buckets take fewer visits. Measured: grid of
  // 4096 x 4096, lengths to 1000, 256 MiB, CPU seconds by width: 250 11.6, 1000 8.6, 2000 7.9, 4000 6.6, 8000
  // 7.2 (EPYC, 2 cores, loaded machine).
  static constexpr BucketGrowth page_growth{.few = 4, .most = 4};

  /// What one thread counts in a round.
  struct alignas(64) Tally {
    std::uint64_t reached = 0;
    std::uint64_t relaxed = 0;  ///< counted by the caller
    std::uint64_t again = 0;    ///< nodes that became near after they had been relaxed in this bucket
    std::uint64_t least_far = none;
  };

  /// `facts`: of the arcs; their type is that of the weights which relax() gets.
  BucketState(core::Environment& environment, const LengthFacts& facts,
              const std::optional<std::uint64_t>& delta)
      : weight_(facts.type),
        width_(facts, delta, page_growth),
        near_(environment.memory, facts.nodes, "one bit per pending node"),
        far_(environment.memory, facts.nodes, "one bit per pending node"),
        tallies_(environment.threads) {}

  static std::uint64_t bytes_for(std::uint64_t nodes) { return 2 * NodeSet::bytes_for(nodes); }

  /// Starts a search in these distances, one per node.
  void start(core::ThreadTeam& team, Id root, std::span<std::uint64_t> distances) {
    distances_ = distances;
    team.all([&](unsigned thread) { std::ranges::fill(share_of(thread, team.size()), none); });
    near_.clear();
    far_.clear();
    distances[static_cast<std::size_t>(root)] = 0;
    near_.template insert<Sharing::alone>(root);
    end_ = width_.end(0);
    least_far_ = none;
    reached_ = 1;
  }
  /// Between two rounds: the distances and the pending nodes.
  void save(core::StateWriter& state) {
    state.value(reached_);
    state.array(distances_);
    for (NodeSet* const set : {&near_, &far_}) {
      set->walk([&](std::uint64_t node) {
        if (set == &near_ || distance(node) >= end_) state.value(node);
        return NodeSet::Visit::keep;
      });
    }
    state.value(no_node);
  }
  /// In place of start(): all pending nodes are far, and next_bucket() must follow.
  void restore(std::span<std::uint64_t> distances, core::StateReader& state) {
    distances_ = distances;
    near_.clear();
    far_.clear();
    end_ = 0;
    least_far_ = none;
    reached_ = state.value<std::uint64_t>();
    state.array(distances);
    for (auto node = state.value<std::uint64_t>(); node != no_node; node = state.value<std::uint64_t>()) {
      far_.template insert<Sharing::alone>(node);
      least_far_ = std::min(least_far_, distance(node));
    }
  }
  /// The result so far.
  Reach reach(core::ThreadTeam& team) const {
    std::vector<std::uint64_t> most(team.size());
    team.all([&](unsigned thread) {
      std::uint64_t largest = 0;
      for (const std::uint64_t word : share_of(thread, team.size())) {
        largest = std::max(largest, word == none ? 0 : word);
      }
      most[thread] = largest;
    });
    return {reached_, *std::ranges::max_element(most)};
  }

  NodeSet& near() { return near_; }
  NodeSet& far() { return far_; }
  Tally& tally(unsigned thread) { return tallies_[thread]; }
  const BucketWidth<Distances>& width() const { return width_; }
  std::uint64_t reached() const { return reached_; }
  /// No far node has a smaller distance.
  std::uint64_t least_far() const { return least_far_; }
  std::uint64_t distance(std::uint64_t node) const { return distances_[static_cast<std::size_t>(node)]; }
  void prefetch(std::uint64_t node) const { core::prefetch(distances_.data() + node); }

  /// Removes a node from both sets; true if it was in one.
  template <Sharing sharing>
  bool take(std::uint64_t node) {
    const bool near = near_.remove<sharing>(node);
    return far_.remove<sharing>(node) || near;
  }

  /// The distance of a node, which other threads may change.
  template <Sharing sharing>
  std::uint64_t load(Id node) const {
    std::uint64_t& place = distances_[static_cast<std::size_t>(node)];
    return sharing == Sharing::shared ? std::atomic_ref(place).load() : place;
  }

  /// Relaxes at most fragment_neighbours arcs of a node.
  template <Sharing sharing>
  void relax(Id node, std::span<const Id> neighbours, std::span<const std::uint64_t> weights, Tally& tally) {
    const std::uint64_t distance = load<sharing>(node);
    // In two loops, because the first one is without branches: its loads from all over the memory overlap.
    std::array<std::uint64_t, adjacency::fragment_neighbours> sums;
    std::array<std::uint16_t, adjacency::fragment_neighbours> nearer;
    std::size_t count = 0;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint64_t length = Distances::floating ? length_of(weight_, weights[i]) : weights[i];
      sums[i] = Distances::add(distance, length);
      nearer[count] = static_cast<std::uint16_t>(i);
      count += sums[i] < load<sharing>(neighbours[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      lower<sharing>(neighbours[nearer[i]], sums[nearer[i]], tally);
    }
  }

  /// Ends a round: adds up the tallies. `judge`: the width adapts to what they say about nodes that were
  /// relaxed again.
  void end_round(bool judge) {
    std::uint64_t relaxed = 0;
    std::uint64_t again = 0;
    for (Tally& tally : tallies_) {
      reached_ += tally.reached;
      relaxed += tally.relaxed;
      again += tally.again;
      least_far_ = std::min(least_far_, tally.least_far);
      tally = {};
    }
    if (judge && width_.count(relaxed, again)) shorten_bucket();
  }

  /// Begins the next bucket at the least pending distance. False if no node is pending. Requires: no node is
  /// near.
  bool next_bucket() {
    width_.end_bucket();
    bool any = false;
    // The least distance may be that of a node that came nearer since, so that the bucket is empty.
    while (!any && least_far_ != none && end_ != none) {
      const std::uint64_t settled = end_;
      end_ = width_.end(std::max(settled, std::exchange(least_far_, none)));
      far_.walk([&](std::uint64_t node) {
        const std::uint64_t here = distance(node);
        if (here >= end_) {
          least_far_ = std::min(least_far_, here);
          return NodeSet::Visit::keep;
        }
        if (here >= settled) {
          near_.insert<Sharing::alone>(node);
          any = true;
        }
        return NodeSet::Visit::remove;
      });
    }
    return any;
  }

 private:
  std::span<std::uint64_t> share_of(unsigned thread, unsigned threads) const {
    const std::size_t first = distances_.size() * thread / threads;
    return distances_.subspan(first, distances_.size() * (thread + 1) / threads - first);
  }

  template <Sharing sharing>
  void lower(Id node, std::uint64_t distance, Tally& tally) {
    std::uint64_t& place = distances_[static_cast<std::size_t>(node)];
    std::uint64_t known = 0;
    if constexpr (sharing == Sharing::shared) {
      const std::atomic_ref<std::uint64_t> shared(place);
      known = shared.load();
      do {
        if (distance >= known) return;
      } while (!shared.compare_exchange_weak(known, distance));
    } else {
      known = std::exchange(place, distance);
    }
    tally.reached += known == none;
    if (distance < end_) {
      tally.again += near_.insert<sharing>(node) && known < end_;
    } else {
      far_.insert<sharing>(node);
      tally.least_far = std::min(tally.least_far, distance);
    }
  }

  /// Moves the end of the bucket to its new width from the least near distance.
  void shorten_bucket() {
    std::uint64_t begin = none;
    near_.walk([&](std::uint64_t node) {
      begin = std::min(begin, distance(node));
      return NodeSet::Visit::keep;
    });
    if (begin == none) return;
    end_ = std::min(end_, width_.end(begin));
    near_.walk([&](std::uint64_t node) {
      if (distance(node) < end_) return NodeSet::Visit::keep;
      far_.insert<Sharing::alone>(node);
      least_far_ = std::min(least_far_, distance(node));
      return NodeSet::Visit::remove;
    });
  }

  const WeightType weight_;
  BucketWidth<Distances> width_;
  NodeSet near_;
  NodeSet far_;
  std::vector<Tally> tallies_;
  std::span<std::uint64_t> distances_;
  std::uint64_t end_ = 0;           ///< end of the current bucket
  std::uint64_t least_far_ = none;  ///< no far node is nearer
  std::uint64_t reached_ = 0;
};

}  // namespace emgraph::graph::sssp
