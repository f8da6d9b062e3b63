// SPDX-License-Identifier: MIT
// Which rank owns which nodes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/base/error.hpp"

namespace emgraph::graph::graph500::distributed {

/// Each rank owns a block of consecutive words of 64 nodes. The ids of Graph500 are scrambled, so that blocks
/// have equal shares of nodes and of edges up to chance, as `v mod P` would give them. A block keeps the bits
/// of a rank together: gathering the bits of all ranks in the order of ranks gives the bitmap of all nodes.
/// Requires: `nodes` is a power of two. Throws: the constructor UsageError.
class Partition {
 public:
  Partition(std::uint64_t nodes, unsigned rank, unsigned ranks)
      : nodes_(nodes),
        words_((nodes + 63) / 64),
        shift_(static_cast<unsigned>(std::bit_width(words_)) - 1),
        ranks_(ranks),
        rank_(rank) {
    if (words_ / ranks + 1 > (std::uint64_t{1} << 26)) {
      throw core::UsageError("a rank can own at most 2^32 nodes: start more ranks");
    }
  }

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t words() const { return words_; }
  unsigned rank() const { return rank_; }
  unsigned ranks() const { return ranks_; }

  unsigned owner(std::uint64_t node) const {
    return static_cast<unsigned>((((node >> 6) + 1) * ranks_ - 1) >> shift_);
  }
  std::uint64_t first_word(unsigned rank) const { return words_ * rank / ranks_; }
  std::uint64_t words_of(unsigned rank) const { return first_word(rank + 1) - first_word(rank); }
  std::uint64_t first_node(unsigned rank) const { return 64 * first_word(rank); }

  std::uint64_t own_words() const { return words_of(rank_); }
  std::uint64_t own_first() const { return first_node(rank_); }
  /// The last word of a graph of fewer than 64 nodes is not full.
  std::uint64_t own_nodes() const { return std::min(first_node(rank_ + 1), nodes_) - own_first(); }
  bool owns(std::uint64_t node) const { return node - own_first() < own_nodes(); }
  /// Place of a node among the nodes of its owner.
  std::uint32_t local(std::uint64_t node, unsigned owner) const {
    return static_cast<std::uint32_t>(node - first_node(owner));
  }

 private:
  std::uint64_t nodes_;
  std::uint64_t words_;
  unsigned shift_;
  unsigned ranks_;
  unsigned rank_;
};

}  // namespace emgraph::graph::graph500::distributed
