// SPDX-License-Identifier: MIT
// Union-find over one range of nodes: where a set touches a lower node, it is that node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory/buffer.hpp"

namespace emgraph::graph::mst {

/// Nodes begin … begin + size - 1, each linked to a node that is not larger. A node linked to itself is the
/// smallest of an open set; a set that has been united with a node below the range is closed, and stands for
/// that node. Nodes below the range stand for themselves.
/// Memory: sizeof(Node) per node. Threads: one; `linked` and `begin` any number while nobody unites.
template <class Node>
class RangeLinks {
 public:
  RangeLinks() = default;
  RangeLinks(core::MemoryBudget& budget, std::uint64_t most_nodes, std::string_view what)
      : links_(budget, static_cast<std::size_t>(most_nodes), what) {}

  /// From now on for nodes `begin` … `begin + size - 1`, none united.
  void start(std::uint64_t begin, std::uint64_t size) {
    begin_ = static_cast<Node>(begin);
    size_ = static_cast<std::size_t>(size);
    for (std::size_t i = 0; i < size_; ++i) links_[i] = static_cast<Node>(begin_ + i);
  }
  Node begin() const { return begin_; }
  /// The links themselves, to be kept and brought back.
  std::span<Node> links() const { return links_.span().first(size_); }

  /// What v stands for: the smallest node of its open set, or a node below the range.
  Node find(Node v) {
    while (v >= begin_) {
      const Node link = links_[v - begin_];
      if (link == v || link < begin_) return link;
      const Node next = links_[link - begin_];
      links_[v - begin_] = next;
      v = next;
    }
    return v;
  }
  /// Unites an open set, by its smallest node, with something smaller that find() gave.
  void close(Node open, Node with) { links_[open - begin_] = with; }

  /// Links every node to what it stands for.
  void flatten() {
    // Links go down: that of a smaller node is final already.
    for (std::size_t i = 0; i < size_; ++i) {
      if (links_[i] >= begin_) links_[i] = links_[links_[i] - begin_];
    }
  }
  /// After flatten().
  Node linked(Node v) const { return links_[v - begin_]; }

  void prefetch(Node v) const {
    if (v >= begin_) __builtin_prefetch(links_.data() + (v - begin_));
  }

 private:
  core::Array<Node> links_;
  Node begin_ = 0;
  std::size_t size_ = 0;
};

}  // namespace emgraph::graph::mst
