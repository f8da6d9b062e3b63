// SPDX-License-Identifier: MIT
// G(n, m) by recursive splitting of the numbered pairs.
//
// Problem: choose m of the n(n-1)/2 pairs uniformly; generate any part of them, in order, independently.
// Method: a tree node is a range of pairs and the number of edges in it. It splits the range in the middle.
// The number of edges in the left half has a hypergeometric distribution; it is drawn from a stream seeded by
// the number of the tree node (root 1, children 2 i and 2 i + 1). A range with at most 2048 edges is a leaf
// and is sampled directly. A range with as many edges as pairs is copied. Sanders, Lamm, Hübschle-Schneider,
// Schrade, Dachsbacher 2018, "Efficient Parallel Random Sampling: Vectorized, Cache-Efficient, and Online",
// ACM TOMS 44(3), doi 10.1145/3157734. I/O: none. Memory: stack only. Threads: any number. Throws: on
// impossible parameters and ranges only.
#include "graph/generate/gnm.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "graph/generate/counter_hash.hpp"
#include "graph/generate/hypergeometric.hpp"
#include "graph/generate/pair_index.hpp"
#include "graph/generate/sample_without_replacement.hpp"

namespace emgraph::graph::generate {
namespace {

struct TreeNode {
  std::uint64_t number;
  std::uint64_t first_pair;
  std::uint64_t pairs;
  std::uint64_t first_edge;
  std::uint64_t edges;
};

template <class Id>
class Filler {
 public:
  Filler(std::uint64_t nodes, std::uint64_t tree_key, std::uint64_t first_edge, EdgeSlots<Id> out)
      : cursor_(nodes), tree_key_(tree_key), begin_(first_edge), end_(first_edge + out.size()), out_(out) {}

  void visit(const TreeNode& node) {
    if (node.first_edge >= end_ || node.first_edge + node.edges <= begin_) return;
    if (node.edges == node.pairs) {
      emit_all(node);
    } else if (node.edges <= sample_capacity) {
      emit_sample(node);
    } else {
      split(node);
    }
  }

 private:
  WordStream stream(const TreeNode& node) const { return WordStream(counter_word(tree_key_, node.number)); }

  void split(const TreeNode& node) {
    const std::uint64_t left_pairs = node.pairs / 2;
    WordStream words = stream(node);
    const std::uint64_t left_edges = draw_hypergeometric(node.pairs, left_pairs, node.edges, words);
    visit({2 * node.number, node.first_pair, left_pairs, node.first_edge, left_edges});
    visit({2 * node.number + 1, node.first_pair + left_pairs, node.pairs - left_pairs,
           node.first_edge + left_edges, node.edges - left_edges});
  }

  void emit_all(const TreeNode& node) {
    emit(node, [](std::uint64_t i) { return i; });
  }

  void emit_sample(const TreeNode& node) {
    sample_without_replacement(node.pairs, node.edges, stream(node), sample_);
    emit(node, [this](std::uint64_t i) { return sample_[i]; });
  }

  /// Writes the requested edges of the tree node. `pair_of(i)` is the pair of its i-th edge, relative to the
  /// first pair of the tree node.
  template <class PairOf>
  void emit(const TreeNode& node, const PairOf& pair_of) {
    const std::uint64_t from = begin_ > node.first_edge ? begin_ - node.first_edge : 0;
    const std::uint64_t to = std::min(end_ - node.first_edge, node.edges);
    const std::size_t slot = node.first_edge + from - begin_;
    PairCursor cursor = cursor_;
    for (std::uint64_t i = from; i < to; ++i) {
      cursor.advance(node.first_pair + pair_of(i));
      out_.put(slot + (i - from), cursor.source(), cursor.target());
    }
    cursor_ = cursor;
  }

  PairCursor cursor_;
  std::uint64_t tree_key_;
  std::uint64_t begin_;
  std::uint64_t end_;
  EdgeSlots<Id> out_;
  Sample sample_;  // a member, because emit_sample may be inlined into every level of the recursion
};

}  // namespace

GnmModel::GnmModel(std::uint64_t nodes, std::uint64_t edges, std::uint64_t seed)
    : nodes_(nodes), edges_(edges), seed_(seed), tree_key_(stream_key(seed, Purpose::gnm_tree)) {
  if (nodes > (std::uint64_t{1} << 32)) {
    throw std::invalid_argument("gnm: " + std::to_string(nodes) +
                                " nodes, expected at most 2^32 = 4294967296");
  }
  if (edges > pair_count(nodes)) {
    throw std::invalid_argument("gnm: " + std::to_string(edges) + " edges asked for, but " +
                                std::to_string(nodes) + " nodes have only " +
                                std::to_string(pair_count(nodes)) + " pairs");
  }
}

template <class Id>
void GnmModel::fill_slots(std::uint64_t first_edge, EdgeSlots<Id> out) const {
  require_edge_range(first_edge, out.size(), edges_);
  if (out.size() == 0) return;
  Filler<Id> filler(nodes_, tree_key_, first_edge, out);
  filler.visit({1, 0, pair_count(nodes_), 0, edges_});
}

template void GnmModel::fill_slots(std::uint64_t, EdgeSlots<std::uint32_t>) const;
template void GnmModel::fill_slots(std::uint64_t, EdgeSlots<std::uint64_t>) const;

}  // namespace emgraph::graph::generate
