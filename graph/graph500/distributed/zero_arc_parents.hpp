// SPDX-License-Identifier: MIT
// Parents of nodes that only arcs lead to which add nothing to the distance.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/memory/growing_array.hpp"
#include "graph/graph500/distributed/local_graph.hpp"

namespace emgraph::graph::graph500::distributed {

/// Rule: where only tight arcs from nodes at the same distance lead to a node (weight 0, or absorbed by
/// rounding), its parent is the smallest source among those with the fewest such arcs behind them.
///
/// Method: rounds. A node without a parent asks the other ends of its arcs of this kind; one that has a
/// parent since an earlier round answers. Weights are random 32-bit floats, so that there are a handful of
/// such nodes in a graph. Memory: 8 bytes (16 for long ids) per such node. Throws: as mpi::Communicator,
/// MemoryLimitError.
template <class Id>
class ZeroArcParents {
 public:
  static constexpr Id no_parent = static_cast<Id>(~Id{0});

  ZeroArcParents(Room& room, const LocalGraph<Id>& graph)
      : memory_(room.memory),
        communicator_(room.communicator),
        graph_(graph),
        questions_(room.communicator, room.pools),
        answers_(room.communicator, room.pools) {}

  /// Completes `parents`. All ranks call it together.
  void find(std::span<const double> distances, std::span<Id> parents) {
    std::uint64_t orphans = count(distances, parents);
    if (communicator_.reduce(orphans, mpi::Reduction::sum) == 0) return;
    core::GrowingArray<Orphan> found(memory_, parents.size(), "nodes at the end of arcs of weight 0");
    core::GrowingArray<Answer> answers(memory_, ~std::uint64_t{0} / sizeof(Answer), "answers");
    found.reach(orphans);
    for (bool any = true; any;) {
      const std::uint64_t answered = ask(distances, parents, answers);
      const std::uint64_t size = receive(distances, parents, answers, answered, found);
      for (std::uint64_t i = 0; i < size; ++i) parents[found[i].local] = found[i].parent;
      any = communicator_.reduce(size, mpi::Reduction::sum) > 0;
    }
  }

 private:
  using Words = std::array<std::uint32_t, sizeof(Id) / 4>;
  struct Question {
    std::uint32_t local;
    Words asking;
    std::array<std::uint32_t, 2> distance;
  };
  struct Answer {
    std::uint32_t local;
    Words parent;
    std::uint32_t to;
  };
  struct Orphan {
    std::uint32_t local;
    Id parent;
  };

  static bool is_orphan(double distance, Id parent) {
    return parent == no_parent && distance < std::numeric_limits<double>::infinity();
  }

  static std::uint64_t count(std::span<const double> distances, std::span<const Id> parents) {
    std::uint64_t orphans = 0;
    for (std::size_t local = 0; local < parents.size(); ++local) {
      orphans += is_orphan(distances[local], parents[local]) ? 1 : 0;
    }
    return orphans;
  }

  /// Questions go to the owners; returns the number of answers that this rank has to give.
  std::uint64_t ask(std::span<const double> distances, std::span<const Id> parents,
                    core::GrowingArray<Answer>& answers) {
    const Partition& partition = graph_.partition();
    std::uint64_t answered = 0;
    const auto answer = [&](const Question& question) {
      if (std::bit_cast<double>(question.distance) != distances[question.local]) return;
      if (parents[question.local] == no_parent) return;
      const std::uint64_t asking = std::bit_cast<Id>(question.asking);
      const unsigned to = partition.owner(asking);
      answers.reach(answered + 1);
      answers[answered++] = {partition.local(asking, to),
                             std::bit_cast<Words>(static_cast<Id>(partition.own_first() + question.local)),
                             to};
    };
    std::size_t local = 0;
    std::size_t at = 0;
    const auto produce = [&] {
      for (; local < parents.size(); ++local, at = 0) {
        if (!is_orphan(distances[local], parents[local])) continue;
        const auto row = graph_.arcs(local);
        for (; at < row.size() && distances[local] + Arc<Id>::weight(row[at]) == distances[local]; ++at) {
          const std::uint64_t neighbour = Arc<Id>::other(row[at]);
          const unsigned to = partition.owner(neighbour);
          const Question question{partition.local(neighbour, to),
                                  std::bit_cast<Words>(static_cast<Id>(partition.own_first() + local)),
                                  std::bit_cast<std::array<std::uint32_t, 2>>(distances[local])};
          if (to == partition.rank()) {
            answer(question);
          } else if (questions_.full(to)) {
            return true;
          } else {
            questions_.push(to, question);
          }
        }
      }
      return false;
    };
    questions_.rounds(MessagePool<Question>::Until::all_sent, produce,
                      [&](std::span<const Question> received) { std::ranges::for_each(received, answer); });
    return answered;
  }

  /// Sends the answers; returns the number of own nodes that have got a parent.
  std::uint64_t receive(std::span<const double> distances, std::span<const Id> parents,
                        core::GrowingArray<Answer>& answers, std::uint64_t answered,
                        core::GrowingArray<Orphan>& found) {
    std::uint64_t size = 0;
    const auto take = [&](const Answer& answer) {
      const Id parent = std::bit_cast<Id>(answer.parent);
      if (!is_orphan(distances[answer.local], parents[answer.local])) return;
      for (std::uint64_t i = 0; i < size; ++i) {
        if (found[i].local != answer.local) continue;
        found[i].parent = std::min(found[i].parent, parent);
        return;
      }
      found[size++] = {answer.local, parent};
    };
    std::uint64_t at = 0;
    const auto produce = [&] {
      for (; at < answered; ++at) {
        const Answer& answer = answers[at];
        if (answer.to == graph_.partition().rank()) {
          take(answer);
        } else if (answers_.full(answer.to)) {
          return true;
        } else {
          answers_.push(answer.to, answer);
        }
      }
      return false;
    };
    answers_.rounds(MessagePool<Answer>::Until::all_sent, produce,
                    [&](std::span<const Answer> received) { std::ranges::for_each(received, take); });
    return size;
  }

  core::MemoryBudget& memory_;
  mpi::Communicator& communicator_;
  const LocalGraph<Id>& graph_;
  MessagePool<Question> questions_;
  MessagePool<Answer> answers_;
};

}  // namespace emgraph::graph::graph500::distributed
