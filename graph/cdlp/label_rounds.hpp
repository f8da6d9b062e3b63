// SPDX-License-Identifier: MIT
// Rounds of label propagation with the labels in memory.
//
// I/O: none if the lists are in memory, else the lists once per round. Memory: two ids per node, a tally
// (of each thread if the lists are in memory); with lists 8 bytes per node and an id per neighbour.
// Threads: all if the lists are in memory, else one. Throws: as NeighbourLists.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/thread_team.hpp"
#include "core/base/vector_sort.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/cdlp/kept.hpp"
#include "graph/cdlp/neighbour_lists.hpp"
#include "graph/cdlp/tally.hpp"
#include "graph/prepare/adjacency/csr.hpp"

namespace emgraph::graph::cdlp {

/// Lists in memory.
template <class Id>
using Rows = adjacency::Csr<Id, std::uint64_t>;

template <class Id>
class LabelRounds {
 public:
  LabelRounds(core::Environment& environment, std::size_t nodes, std::uint64_t longest_list, Start<Id>& start,
              RoundKeeper& keeper)
      : environment_(environment),
        longest_list_(longest_list),
        keeper_(keeper),
        labels_(environment.memory, nodes, "a label per node"),
        next_(environment.memory, nodes, "a label per node"),
        rounds_(start.rounds),
        changed_(start.changed) {
    if (start.labels.missing()) {
      for (std::size_t v = 0; v < nodes; ++v) labels_[v] = static_cast<Id>(v);
    } else {
      Id* to = labels_.data();
      start.labels.for_each(environment, nodes, [&](std::uint64_t label) { *to++ = static_cast<Id>(label); });
    }
  }
  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint64_t longest_list) {
    return core::size_sum(core::size_product(nodes, 2 * sizeof(Id)), 2 * core::page_bytes,
                          Tally<Id>::bytes_for(longest_list));
  }

  std::span<const Id> labels() const { return labels_.span(); }
  std::uint64_t rounds() const { return rounds_; }
  std::uint64_t changed() const { return rounds_ == 0 ? 0 : changed_; }

  /// Rounds until one changes nothing, at most `iterations`.
  void run(const Rows<Id>& rows, std::uint64_t iterations) {
    const std::size_t nodes = labels_.size();
    const std::uint64_t affordable =
        environment_.memory.available() / 2 / Tally<Id>::bytes_for(longest_list_);
    core::ThreadTeam team(static_cast<unsigned>(std::clamp<std::uint64_t>(
        std::min<std::uint64_t>(affordable, nodes / piece_nodes), 1, environment_.threads)));
    std::vector<std::unique_ptr<Tally<Id>>> tallies(team.size());
    for (auto& tally : tallies) tally = std::make_unique<Tally<Id>>(environment_.memory, longest_list_);
    repeat(iterations, [&](core::Phase& phase) {
      std::atomic<std::size_t> cursor{0};
      std::atomic<std::uint64_t> changed{0};
      team.all([&](unsigned thread) {
        std::uint64_t here = 0;
        for (std::size_t begin; (begin = cursor.fetch_add(piece_nodes)) < nodes;) {
          const std::size_t end = std::min(nodes, begin + piece_nodes);
          for (std::size_t v = begin; v < end; ++v) {
            here += set(v, winner(rows.neighbours(v), v, *tallies[thread]));
          }
        }
        changed += here;
      });
      phase.advance(nodes);
      return changed.load();
    });
  }
  void run(const NeighbourLists<Id>& lists, std::uint64_t iterations) {
    const std::size_t nodes = labels_.size();
    Tally<Id> tally(environment_.memory, longest_list_);
    repeat(iterations, [&](core::Phase& phase) {
      std::uint64_t changed = 0;
      std::size_t node = 0;  // the first node without a new label
      bool counting = false;
      const auto go_to = [&](std::size_t next) {
        if (counting) changed += set(node++, tally.winner());
        for (; node < next; ++node) set(node, labels_[node]);
        counting = false;
      };
      read_lists(environment_, lists, [&](Id of, std::span<const Id> neighbours, std::size_t length) {
        if (!counting || of != node) {
          go_to(static_cast<std::size_t>(of));
          tally.begin(length < most_in_fragment ? length : longest_list_);
          counting = true;
        }
        count_labels(neighbours, tally);
      });
      go_to(nodes);
      phase.advance(nodes);
      return changed;
    });
  }

  /// The number of different labels. Afterwards only labels() is allowed.
  std::uint64_t count_communities() {
    std::fill_n(next_.data(), next_.size(), Id{0});
    std::uint64_t count = 0;
    for (const Id label : labels_.span()) {
      count += std::exchange(next_[static_cast<std::size_t>(label)], Id{1}) == 0;
    }
    return count;
  }

 private:
  static constexpr std::size_t piece_nodes = 1024;
  static constexpr std::size_t most_sorted = 128;  ///< labels, which take less time to sort than to count

  bool set(std::size_t node, Id label) {
    next_[node] = label;
    return label != labels_[node];
  }
  Id winner(std::span<const Id> neighbours, std::size_t node, Tally<Id>& tally) const {
    if (neighbours.empty()) return labels_[node];
    if (neighbours.size() > 2) return winner_of_many(neighbours, tally);
    return std::min(labels_[static_cast<std::size_t>(neighbours.front())],
                    labels_[static_cast<std::size_t>(neighbours.back())]);
  }
  // A function of its own: its array makes each call of it expensive.
  [[gnu::noinline]] Id winner_of_many(std::span<const Id> neighbours, Tally<Id>& tally) const {
    if (neighbours.size() <= most_sorted) {
      std::array<Id, most_sorted> few;
      const std::span<Id> labels = std::span(few).first(neighbours.size());
      read_labels(neighbours, labels);
      core::vector_sort(labels);
      return most_frequent_of_sorted<Id>(labels);
    }
    tally.begin(neighbours.size());
    count_labels(neighbours, tally);
    return tally.winner();
  }
  void count_labels(std::span<const Id> neighbours, Tally<Id>& tally) const {
    std::array<Id, 128> few;
    while (!neighbours.empty()) {
      const std::span<Id> labels = std::span(few).first(std::min(neighbours.size(), few.size()));
      read_labels(neighbours, labels);
      tally.add(labels);
      neighbours = neighbours.subspan(labels.size());
    }
  }
  /// The labels of the first neighbours. They are read before any is counted, so that cache misses overlap.
  void read_labels(std::span<const Id> neighbours, std::span<Id> labels) const {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      labels[i] = labels_[static_cast<std::size_t>(neighbours[i])];
    }
  }
  template <class Round>
  void repeat(std::uint64_t iterations, Round&& round) {
    core::Phase phase(environment_.progress, "propagate", 0, "labels");
    while (rounds_ < iterations && changed_ > 0) {
      changed_ = round(phase);
      std::swap(labels_, next_);
      ++rounds_;
      if (!keeper_.due()) continue;
      keeper_.seal(rounds_, changed_, ValuesAre::an_array,
                   [&](core::StateWriter& to) { to.array(labels()); });
    }
  }

  core::Environment& environment_;
  const std::uint64_t longest_list_;
  RoundKeeper& keeper_;
  core::Array<Id> labels_;
  core::Array<Id> next_;
  std::uint64_t rounds_;
  std::uint64_t changed_;
};

}  // namespace emgraph::graph::cdlp
