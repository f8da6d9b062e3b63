// SPDX-License-Identifier: MIT
// Makes a graph smaller by sorting, so that its components follow from those of the smaller graph.
//
// A node without arcs from it, or without arcs to it, is a component, and its arcs are dropped.
// A node v with arcs from one node u only may be contracted into u: every cycle through v passes through u.
// Later v belongs to the component of u if an arc leads from v to that component; else v is a component.
// Nodes with arcs to one node only are contracted likewise. To contract many nodes at once, a hash of the
// node and the round divides nodes into heads and tails, and only heads are contracted, only into tails:
// then no node is contracted into one that is contracted itself. Paths and cycles lose 3/8 of their nodes in
// an expected round, so rounds grow with the logarithm of their length.
// Where most nodes have several neighbours, there is usually one large component. contract_around() searches
// forward and backward from a node of large degree, with two bits per node, by scans; what both searches
// reach is contracted. If both are complete, arcs between nodes that they tell apart are dropped.
// expand() goes back one round.
//
// Sources: Cosgaya-Lozano and Zeh (2009), SEA (contraction of nodes with one
// neighbour); Chiang et al. (1995) (coins for contracting lists by sorting); Zhang, Qin, Yu (2014), doi
// 10.1109/icde.2014.6816652 (contract and expand); Fleischer, Hendrickson, Pinar (2000), doi
// 10.1007/3-540-45591-4_68 (search forward and backward).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "graph/node_bits.hpp"
#include "graph/scc/external_base.hpp"

namespace emgraph::graph::scc {

/// The labels are pairs (node, label), by node, where the label is not the node.
/// I/O: contract() sorts the arcs three times, expand() the contracted nodes and their arcs twice each.
/// Memory: that of ExternalBase, and two bits per node. Threads: those of the sort. Throws: EnvironmentError,
/// MemoryLimitError.
template <core::IntegerKey Key>
class ContractionRounds {
 public:
  using Base = ExternalBase<Key>;
  using Pairs = typename Base::Pairs;
  using Cursor = typename Base::Cursor;
  using Sorter = typename Base::Sorter;

  /// `sample`: of the arcs that will be added.
  ContractionRounds(const Base& base, std::uint64_t most_arcs, const PairSample& sample)
      : base_(base),
        most_arcs_(most_arcs),
        pivot_(base.nodes()),
        by_target_(std::make_unique<Sorter>(base.sorter(most_arcs, sample, true))),
        sample_(sample) {}

  void add(std::uint64_t source, std::uint64_t target) { by_target_->push(base_.pair(target, source)); }

  /// The arcs that are left; no duplicates in a first round.
  Pairs& arcs() { return arcs_; }
  std::uint64_t arcs_left() const { return arcs_.records; }
  /// At most so many nodes have arcs.
  std::uint64_t nodes_left() const { return nodes_left_; }
  std::size_t rounds() const { return rounds_.size(); }

  /// One round. Returns the number of different arcs that there were.
  std::uint64_t contract() {
    if (!by_target_) {
      most_arcs_ = arcs_.records;
      by_target_ = std::make_unique<Sorter>(base_.sorter(arcs_.records, sample_, true));
      for (Cursor arc = base_.consume(arcs_); !arc.at_end(); arc.next()) {
        add(base_.first(*arc), base_.second(*arc));
      }
    }
    by_target_->start();
    Round round;
    candidates_.clear();
    std::uint64_t different = 0;
    auto questions = base_.writer();
    {
      auto renamed = rename_sources(round, questions, different);
      rename_targets(round, renamed, questions);
    }
    round.questions = questions.finish();
    rounds_.push_back(std::move(round));
    return different;
  }

  /// Contracts nodes of the component of a node of large degree into it, all of them unless paths are long.
  void contract_around() {
    if (pivot_ == base_.nodes() || arcs_.records == 0) return;
    NodeBits forward(base_.environment().memory, base_.nodes(), "a bit per node");
    NodeBits backward(base_.environment().memory, base_.nodes(), "a bit per node");
    const bool complete = search(forward, backward);
    Round round;
    round.certain = true;
    auto moves = base_.writer();
    for (std::uint64_t v = 0; v < base_.nodes(); ++v) {
      if (!forward.test(v) || !backward.test(v) || v == pivot_) continue;
      moves.push(base_.pair(v, pivot_));
      --nodes_left_;
    }
    round.out_moves = moves.finish();
    const auto root = [&](std::uint64_t v) { return forward.test(v) && backward.test(v) ? pivot_ : v; };
    auto left = base_.writer();
    sample_ = {};
    for (Cursor arc = base_.consume(arcs_); !arc.at_end(); arc.next()) {
      const std::uint64_t source = base_.first(*arc);
      const std::uint64_t target = base_.second(*arc);
      if (complete &&
          (forward.test(source) != forward.test(target) || backward.test(source) != backward.test(target))) {
        continue;
      }
      if (root(source) != root(target)) push(left, root(source), root(target));
    }
    arcs_ = left.finish();
    rounds_.push_back(std::move(round));
  }
  std::uint64_t search_bytes() const { return 2 * NodeBits::bytes_for(base_.nodes()) + 2 * core::page_bytes; }

  /// Makes the labels of the nodes before the last round from those after it. Forgets the round.
  Pairs expand(Pairs labels) {
    Round round = std::move(rounds_.back());
    rounds_.pop_back();
    const Pairs moved = labels_of_moved(round, labels);
    if (round.certain) return merge(labels, moved);
    Pairs confirmed;
    {
      Sorter answers = base_.sorter(round.questions.records);
      ask(round, merge(labels, moved), answers);
      answers.start();
      auto kept = base_.writer();
      for (Cursor node = base_.read(moved); !node.at_end(); node.next()) {
        bool confirms = false;
        for (; !answers.at_end() && base_.first(answers.key()) == base_.first(*node); answers.next()) {
          confirms = confirms || answers.key() == *node;
        }
        if (confirms) kept.push(*node);
      }
      confirmed = kept.finish();
    }
    return merge(labels, confirmed);
  }

 private:
  /// The nodes that were contracted, with the nodes that took them; (v, v): node v had no arcs from it.
  struct Round {
    Pairs in_moves;        ///< by node; their arcs came from one node
    Pairs out_moves;       ///< by node; their arcs led to one node
    Pairs questions;       ///< (w, v): v belongs to its component if the label of w is that of v
    bool certain = false;  ///< all nodes belong to the component of those that took them
  };
  struct Candidate {
    std::uint64_t node;
    std::uint64_t entering;
  };
  /// What a pass over the nodes of a round makes.
  struct Pass {
    core::RunWriter<Key> in_moves;
    core::RunWriter<Key> out_moves;
    core::RunWriter<Key>& questions;
    Sorter renamed;  ///< arcs as (target, source)
    std::uint64_t pivot;
    std::uint64_t pivot_degree = 0;
    std::uint64_t not_entered = 0;  ///< nodes
    std::uint64_t not_left = 0;
  };

  bool heads(std::uint64_t node) const {
    if (node == pivot_) return false;
    std::uint64_t x = node + (rounds_.size() + 1) * 0x9E3779B97F4A7C15U;  // splitmix64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
    x = (x ^ x >> 27) * 0x94D049BB133111EBU;
    return ((x ^ x >> 31) & 1) != 0;
  }

  void push(core::RunWriter<Key>& arcs, std::uint64_t source, std::uint64_t target) {
    arcs.push(base_.pair(source, target));
    sample_.add(source, target);
  }

  /// Reads the arcs by target. Returns a sorter of the different arcs by source; `single`: for each target
  /// its source if there is one only, else the target itself.
  Sorter turn(core::RunWriter<Key>& single, std::uint64_t& different) {
    Sorter by_source = base_.sorter(most_arcs_, sample_);
    while (!by_target_->at_end()) {
      const std::uint64_t node = base_.first(by_target_->key());
      std::uint64_t degree = 0;
      std::uint64_t source = node;
      for (; !by_target_->at_end() && base_.first(by_target_->key()) == node; by_target_->next()) {
        const std::uint64_t next = base_.second(by_target_->key());
        if (degree > 0 && next == source) continue;
        source = next;
        ++degree;
        by_source.push(base_.pair(source, node));
      }
      single.push(base_.pair(node, degree == 1 ? source : node));
      note_candidate(node, degree);
      different += degree;
    }
    by_target_.reset();
    by_source.start();
    return by_source;
  }

  /// Decides what is contracted; returns the arcs as (target, source), with the sources renamed.
  Sorter rename_sources(Round& round, core::RunWriter<Key>& questions, std::uint64_t& different) {
    auto single_writer = base_.writer();
    Sorter arc = turn(single_writer, different);
    Pairs singles = single_writer.finish();
    Cursor single = base_.consume(singles);
    Pass pass{base_.writer(), base_.writer(), questions, base_.sorter(different, sample_, true),
              base_.nodes()};
    nodes_left_ = 0;
    while (!single.at_end() || !arc.at_end()) {
      const std::uint64_t entered = single.at_end() ? base_.nodes() : base_.first(*single);
      const std::uint64_t left = arc.at_end() ? base_.nodes() : base_.first(arc.key());
      if (entered < left) {  // no arc leaves it
        pass.in_moves.push(base_.pair(entered, entered));
        ++pass.not_left;
        single.next();
      } else if (left < entered) {  // no arc enters it
        while (!arc.at_end() && base_.first(arc.key()) == left) arc.next();
        ++pass.not_entered;
      } else {
        const std::uint64_t source = base_.second(*single);
        single.next();
        rename_source(left, source, arc, pass);
      }
    }
    pivot_ = pass.pivot;
    round.in_moves = pass.in_moves.finish();
    round.out_moves = pass.out_moves.finish();
    // A node that no arc enters, or leaves, has arcs again if a node was contracted into it.
    nodes_left_ += std::min(round.in_moves.records - pass.not_left, pass.not_entered) +
                   std::min(round.out_moves.records, pass.not_left);
    pass.renamed.start();
    return std::move(pass.renamed);
  }

  /// Contracts the node or not, and renames the source of its arcs. `source`: of the only arc to it; the node
  /// itself if there are several.
  void rename_source(std::uint64_t node, std::uint64_t source, Sorter& arc, Pass& pass) {
    const std::uint64_t target = base_.second(arc.key());
    arc.next();
    const bool one_target = arc.at_end() || base_.first(arc.key()) != node;
    std::uint64_t to = node;
    bool ask = false;
    if (heads(node)) {
      if (source != node && !heads(source)) {
        to = source;
        ask = true;
        pass.in_moves.push(base_.pair(node, to));
      } else if (one_target && !heads(target)) {
        to = target;
        pass.out_moves.push(base_.pair(node, to));
      }
    }
    std::uint64_t degree = 0;
    const auto take = [&](std::uint64_t other) {
      pass.renamed.push(base_.pair(other, to));
      if (ask) pass.questions.push(base_.pair(other, node));
      ++degree;
    };
    take(target);
    for (; !arc.at_end() && base_.first(arc.key()) == node; arc.next()) take(base_.second(arc.key()));
    if (to == node) keep_node(node, degree, pass);
  }

  /// Counts a node that is not contracted. The one of the largest degree, both ways, is the next pivot.
  void keep_node(std::uint64_t node, std::uint64_t leaving, Pass& pass) {
    ++nodes_left_;
    if (leaving <= pass.pivot_degree) return;
    const std::uint64_t least = std::min(leaving, entering(node));
    if (least <= pass.pivot_degree) return;
    pass.pivot_degree = least;
    pass.pivot = node;
  }

  void rename_targets(const Round& round, Sorter& arc, core::RunWriter<Key>& questions) {
    Cursor in_move = base_.read(round.in_moves);
    Cursor out_move = base_.read(round.out_moves);
    auto left = base_.writer();
    sample_ = {};
    for (; !arc.at_end(); arc.next()) {
      std::uint64_t target = base_.first(arc.key());
      const std::uint64_t source = base_.second(arc.key());
      // The arc to a node that was contracted into its source is a loop now.
      if (base_.go_to(in_move, target)) continue;
      if (base_.go_to(out_move, target)) {
        questions.push(base_.pair(source, target));
        target = base_.second(*out_move);
      }
      if (source != target) push(left, source, target);
    }
    arcs_ = left.finish();
  }

  /// The nodes with the most arcs to them.
  void note_candidate(std::uint64_t node, std::uint64_t degree) {
    constexpr std::size_t most = 64;
    if (candidates_.size() == most && degree <= candidates_.back().entering) return;
    if (candidates_.size() == most) candidates_.pop_back();
    const auto place = std::find_if(candidates_.begin(), candidates_.end(),
                                    [&](const Candidate& other) { return other.entering < degree; });
    candidates_.insert(place, {node, degree});
  }
  std::uint64_t entering(std::uint64_t node) const {
    for (const Candidate& candidate : candidates_) {
      if (candidate.node == node) return candidate.entering;
    }
    return 0;
  }

  /// Marks what pivot_ reaches and what reaches it. False if paths are too long to find all.
  bool search(NodeBits& forward, NodeBits& backward) {
    constexpr unsigned most_scans = 32;
    forward.set(pivot_);
    backward.set(pivot_);
    for (unsigned scan = 0; scan < most_scans; ++scan) {
      bool changed = false;
      for (Cursor arc = base_.read(arcs_); !arc.at_end(); arc.next()) {
        const std::uint64_t source = base_.first(*arc);
        const std::uint64_t target = base_.second(*arc);
        if (forward.test(source) && !forward.test(target)) {
          forward.set(target);
          changed = true;
        }
        if (backward.test(target) && !backward.test(source)) {
          backward.set(source);
          changed = true;
        }
      }
      if (!changed) return true;
    }
    return false;
  }

  /// (node, label of the node that took it), by node.
  Pairs labels_of_moved(Round& round, const Pairs& labels) {
    Sorter by_node = base_.sorter(round.in_moves.records + round.out_moves.records);
    {
      Sorter by_taker = base_.sorter(round.in_moves.records + round.out_moves.records);
      for (Pairs* moves : {&round.in_moves, &round.out_moves}) {
        for (Cursor move = base_.consume(*moves); !move.at_end(); move.next()) {
          if (base_.first(*move) != base_.second(*move)) {
            by_taker.push(base_.pair(base_.second(*move), base_.first(*move)));
          }
        }
      }
      by_taker.start();
      for (Cursor label = base_.read(labels); !by_taker.at_end(); by_taker.next()) {
        const std::uint64_t taker = base_.first(by_taker.key());
        const std::uint64_t found = base_.go_to(label, taker) ? base_.second(*label) : taker;
        by_node.push(base_.pair(base_.second(by_taker.key()), found));
      }
    }
    by_node.start();
    auto moved = base_.writer();
    for (; !by_node.at_end(); by_node.next()) moved.push(by_node.key());
    return moved.finish();
  }

  /// Sends (v, label of w) for each question (w, v).
  void ask(Round& round, const Pairs& labels, Sorter& answers) {
    Sorter asked = base_.sorter(round.questions.records);
    for (Cursor question = base_.consume(round.questions); !question.at_end(); question.next()) {
      asked.push(*question);
    }
    asked.start();
    for (Cursor label = base_.read(labels); !asked.at_end(); asked.next()) {
      const std::uint64_t node = base_.first(asked.key());
      const std::uint64_t found = base_.go_to(label, node) ? base_.second(*label) : node;
      answers.push(base_.pair(base_.second(asked.key()), found));
    }
  }

  /// Of labels of different nodes.
  Pairs merge(const Pairs& a, const Pairs& b) {
    auto all = base_.writer();
    Cursor left = base_.read(a);
    Cursor right = base_.read(b);
    while (!left.at_end() || !right.at_end()) {
      Cursor& next = right.at_end() || (!left.at_end() && *left < *right) ? left : right;
      all.push(*next);
      next.next();
    }
    return all.finish();
  }

  const Base& base_;
  std::uint64_t most_arcs_;  ///< in this round
  std::uint64_t pivot_;      ///< of large degree; is not contracted
  std::uint64_t nodes_left_ = 0;
  std::unique_ptr<Sorter> by_target_;
  Pairs arcs_;
  PairSample sample_;  ///< of arcs_
  std::vector<Candidate> candidates_;
  std::vector<Round> rounds_;
};

}  // namespace emgraph::graph::scc
