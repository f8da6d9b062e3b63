// SPDX-License-Identifier: MIT
// The five rules of Graph500's validation, for a result that is spread over the ranks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/memory/buffer.hpp"
#include "core/memory/growing_array.hpp"
#include "graph/graph500/distributed/local_graph.hpp"

namespace emgraph::graph::graph500::distributed {

/// What was found wrong, the same at all ranks: the least violation in the order of rule and nodes.
struct Violation {
  std::uint64_t rule = 0;  ///< 0: none
  std::uint64_t node = 0;
  std::uint64_t other = 0;  ///< its parent, or the other end of the edge
};

/// Of the whole graph.
struct ValidationResult {
  Violation violation;
  std::uint64_t reached = 0;
  std::uint64_t edges = 0;  ///< input edges whose ends are reached, duplicates counted, loops not
  std::uint64_t loops = 0;  ///< loops at reached nodes
};

/// Levels: an edge joins levels at most one apart, a tree edge levels one apart.
struct LevelRule {
  using Value = std::uint32_t;
  static constexpr Value unreached = ~Value{0};
  static bool reached(Value value) { return value != unreached; }
  static bool joins(Value a, Value b, float) { return a <= b ? b - a <= 1 : a - b <= 1; }
  static bool leads(Value from, Value to, float) { return to == from + 1; }
};

/// Distances: they differ by at most the weight; along a tree edge the weight makes the distance, to the bit.
struct DistanceRule {
  using Value = double;
  static constexpr Value unreached = std::numeric_limits<double>::infinity();
  static bool reached(Value value) { return value != unreached; }
  static bool joins(Value a, Value b, float weight) { return a <= b + weight && b <= a + weight; }
  static bool leads(Value from, Value to, float weight) { return from + weight == to; }
};

/// Problem: (1) the parents form a tree without cycles, (2) a tree edge leads from the value of the parent to
/// that of the node, (3) each input edge joins nodes of near values or nodes that are both unreached, (4) the
/// tree spans the component of the root, (5) each tree edge is an input edge.
///
/// Method: the owner of an edge's source sends it with the value of the source to the owner of the target,
/// which compares the values. If one end names the other as its parent and the edge leads from one to the
/// other (rule 2), the tree edge is confirmed; each reached node but the root must have one (rules 2 and 5).
/// A confirmed edge leads to a larger value, so there is no cycle (rule 1); where the value is the same,
/// which distances allow, chains of such edges must end in a node with a nearer parent. Rule 4 follows from
/// rule 3 and the root. The edges are the tuples of kernel 1 as they were generated; rows are not read.
///
/// Memory: 2 bits per own node; 8 bytes per confirmed tree edge with the node at the source's end. Threads:
/// the caller's. Throws: as mpi::Communicator, MemoryLimitError.
template <class Id, class Rule>
class Validation {
 public:
  using Value = typename Rule::Value;
  static constexpr Id no_parent = static_cast<Id>(~Id{0});

  [[gnu::cold]] Validation(Room& room, const LocalGraph<Id>& graph)
      : communicator_(room.communicator),
        graph_(graph),
        partition_(graph.partition()),
        edges_(room.communicator, room.pools),
        confirmations_(room.communicator, room.pools),
        questions_(room.communicator, room.pools),
        confirmed_(room.memory, static_cast<std::size_t>(partition_.own_words()), "confirmed nodes"),
        level_(room.memory, static_cast<std::size_t>(partition_.own_words()),
               "nodes as near as their parents"),
        replies_(room.memory, ~std::uint64_t{0} / sizeof(Reply), "confirmed tree edges") {}

  /// `values` and `parents` of own nodes. All ranks call it together.
  ValidationResult check(std::uint64_t root, std::span<const Value> values, std::span<const Id> parents) {
    values_ = values;
    parents_ = parents;
    result_ = {};
    violation_ = none;
    std::ranges::fill(confirmed_.span(), 0);
    std::ranges::fill(level_.span(), 0);
    check_nodes(root);
    check_edges();
    confirm();
    check_confirmed(root);
    check_cycles();
    std::array<std::uint64_t, 3> sums{result_.reached, result_.edges, result_.loops};
    communicator_.reduce(sums, mpi::Reduction::sum);
    return {least_violation(), sums[0], sums[1], sums[2]};
  }

 private:
  using Words = std::array<std::uint32_t, sizeof(Id) / 4>;
  struct Message {
    std::uint32_t local;
    Words source;
    std::uint32_t weight;  ///< bits of the float; the sign: the parent of the source is the target
    std::array<std::uint32_t, sizeof(Value) / 4> value;
  };
  struct Reply {
    std::uint32_t local;
    std::uint32_t to;  ///< rank; the highest bit: both ends have the same distance
  };
  struct Question {
    std::uint32_t local;
    std::uint32_t asking;
    std::uint32_t from;
  };
  static constexpr std::uint32_t high_bit = std::uint32_t{1} << 31;
  static constexpr Violation none{.rule = 9, .node = 0, .other = 0};

  std::uint64_t global(std::uint64_t local) const { return partition_.own_first() + local; }

  void blame(std::uint64_t rule, std::uint64_t node, std::uint64_t other) {
    const Violation found{rule, node, other};
    const auto key = [](const Violation& v) { return std::array{v.rule, v.node, v.other}; };
    if (key(found) < key(violation_)) violation_ = found;
  }

  void check_nodes(std::uint64_t root) {
    for (std::size_t local = 0; local < values_.size(); ++local) {
      const bool is_root = global(local) == root;
      const bool reached = Rule::reached(values_[local]);
      result_.reached += reached ? 1 : 0;
      // The root has value 0 and is its own parent, reached nodes have parents, others have none.
      if (is_root && (values_[local] != Value{0} || parents_[local] != root)) blame(1, root, parents_[local]);
      if (!is_root && reached && parents_[local] == global(local)) blame(1, global(local), global(local));
      if (!is_root && reached && parents_[local] >= partition_.nodes())
        blame(5, global(local), parents_[local]);
      if (!reached && parents_[local] != no_parent) blame(4, global(local), parents_[local]);
    }
  }

  /// An edge at the owner of `local`, from a node with this value.
  void check_edge(std::uint32_t local, std::uint64_t source, Value value, float weight,
                  bool parent_of_source) {
    const Value own = values_[local];
    if (Rule::reached(own) != Rule::reached(value)) return blame(3, source, global(local));
    if (!Rule::reached(own)) return;
    if (!Rule::joins(own, value, weight)) return blame(3, source, global(local));
    if (parents_[local] == source && Rule::leads(value, own, weight)) confirm_own(local, value == own);
    if (!parent_of_source || !Rule::leads(own, value, weight)) return;
    const unsigned to = partition_.owner(source);
    const std::uint32_t there = partition_.local(source, to);
    if (to == partition_.rank()) return confirm_own(there, value == own);
    replies_.reach(reply_count_ + 1);
    replies_[reply_count_++] = {there, to | (value == own ? high_bit : 0)};
  }

  void confirm_own(std::uint32_t local, bool same_value) {
    const std::uint64_t bit = std::uint64_t{1} << local % 64;
    confirmed_[local / 64] |= bit;
    if (same_value) level_[local / 64] |= bit;
  }

  void check_edges() {
    reply_count_ = 0;
    std::size_t at = 0;
    const auto produce = [&] {
      for (; at < graph_.tuples().size(); ++at) {
        const HalfEdge<Id> tuple = graph_.tuples()[at];
        const std::uint64_t source = global(tuple.local);
        const Value value = values_[tuple.local];
        if (tuple.other == source) {
          result_.loops += Rule::reached(value) ? 1 : 0;
          continue;
        }
        const unsigned to = partition_.owner(tuple.other);
        const std::uint32_t local = partition_.local(tuple.other, to);
        const bool is_parent = parents_[tuple.local] == tuple.other;
        if (to == partition_.rank()) {
          check_edge(local, source, value, tuple.weight, is_parent);
        } else if (edges_.full(to)) {
          return true;
        } else {
          edges_.push(to, {local, std::bit_cast<Words>(static_cast<Id>(source)),
                           std::bit_cast<std::uint32_t>(tuple.weight) | (is_parent ? high_bit : 0),
                           std::bit_cast<decltype(Message::value)>(value)});
        }
        result_.edges += Rule::reached(value) ? 1 : 0;
      }
      return false;
    };
    edges_.rounds(MessagePool<Message>::Until::all_sent, produce, [&](std::span<const Message> received) {
      for (const Message& message : received) {
        check_edge(message.local, std::bit_cast<Id>(message.source), std::bit_cast<Value>(message.value),
                   std::bit_cast<float>(message.weight & ~high_bit), (message.weight & high_bit) != 0);
      }
    });
  }

  void confirm() {
    std::uint64_t at = 0;
    const auto produce = [&] {
      for (; at < reply_count_; ++at) {
        const Reply reply = replies_[at];
        if (confirmations_.full(reply.to & ~high_bit)) return true;
        confirmations_.push(reply.to & ~high_bit, reply);
      }
      return false;
    };
    confirmations_.rounds(MessagePool<Reply>::Until::all_sent, produce, [&](std::span<const Reply> received) {
      for (const Reply& reply : received) confirm_own(reply.local, (reply.to & high_bit) != 0);
    });
  }

  void check_confirmed(std::uint64_t root) {
    for (std::size_t local = 0; local < values_.size(); ++local) {
      if ((confirmed_[local / 64] >> local % 64 & 1) != 0 || !Rule::reached(values_[local])) continue;
      if (global(local) != root) blame(5, global(local), parents_[local]);
    }
  }

  /// Takes the nodes out of level_ whose parents are not in it, until none is left or nothing changes.
  void check_cycles() {
    for (std::uint64_t left = level_nodes(), before = 0;; before = left) {
      left = communicator_.reduce(level_nodes(), mpi::Reduction::sum);
      if (left == 0) return;
      if (left == before) break;
      ask_parents();
    }
    for (std::size_t local = 0; local < values_.size(); ++local) {
      if ((level_[local / 64] >> local % 64 & 1) != 0) blame(1, global(local), parents_[local]);
    }
  }

  std::uint64_t level_nodes() const {
    std::uint64_t count = 0;
    for (const std::uint64_t word : level_.span()) count += static_cast<unsigned>(std::popcount(word));
    return count;
  }

  void ask_parents() {
    reply_count_ = 0;
    const auto answer = [&](const Question& question) {
      if ((level_[question.local / 64] >> question.local % 64 & 1) != 0) return;
      replies_.reach(reply_count_ + 1);
      replies_[reply_count_++] = {question.asking, question.from};
    };
    std::size_t local = 0;
    questions_.rounds(
        MessagePool<Question>::Until::all_sent,
        [&] {
          for (; local < values_.size(); ++local) {
            if ((level_[local / 64] >> local % 64 & 1) == 0) continue;
            const unsigned to = partition_.owner(parents_[local]);
            if (questions_.full(to)) return true;
            questions_.push(to, {partition_.local(parents_[local], to), static_cast<std::uint32_t>(local),
                                 partition_.rank()});
          }
          return false;
        },
        [&](std::span<const Question> received) { std::ranges::for_each(received, answer); });
    std::uint64_t at = 0;
    confirmations_.rounds(
        MessagePool<Reply>::Until::all_sent,
        [&] {
          for (; at < reply_count_; ++at) {
            if (confirmations_.full(replies_[at].to)) return true;
            confirmations_.push(replies_[at].to, replies_[at]);
          }
          return false;
        },
        [&](std::span<const Reply> received) {
          for (const Reply& reply : received)
            level_[reply.local / 64] &= ~(std::uint64_t{1} << reply.local % 64);
        });
  }

  Violation least_violation() {
    Violation least = violation_;
    least.rule = communicator_.reduce(least.rule, mpi::Reduction::minimum);
    if (least.rule == none.rule) return {};
    constexpr std::uint64_t all = ~std::uint64_t{0};
    const bool mine = violation_.rule == least.rule;
    least.node = communicator_.reduce(mine ? violation_.node : all, mpi::Reduction::minimum);
    least.other = communicator_.reduce(mine && violation_.node == least.node ? violation_.other : all,
                                       mpi::Reduction::minimum);
    return least;
  }

  mpi::Communicator& communicator_;
  const LocalGraph<Id>& graph_;
  const Partition partition_;
  MessagePool<Message> edges_;
  MessagePool<Reply> confirmations_;
  MessagePool<Question> questions_;
  core::Array<std::uint64_t> confirmed_;  ///< own nodes whose tree edge is an input edge
  core::Array<std::uint64_t> level_;      ///< those of them whose parent has the same distance
  core::GrowingArray<Reply> replies_;
  std::uint64_t reply_count_ = 0;
  std::span<const Value> values_;
  std::span<const Id> parents_;
  ValidationResult result_;
  Violation violation_ = none;
};

}  // namespace emgraph::graph::graph500::distributed
