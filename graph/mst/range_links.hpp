// SPDX-License-Identifier: MIT
// Union-find over one range of nodes. A set that contains a node below the range is represented by that node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/prefetch.hpp"
#include "core/memory/buffer.hpp"

namespace emgraph::graph::mst {

/// Nodes begin … begin + size - 1, each linked to a node that is not larger. A node linked to itself is the
/// smallest node of an open set. A set that was united with a node below the range is closed; that node
/// represents it. Nodes below the range represent themselves. Memory: sizeof(Node) per node. Threads: one;
/// any number may call `linked` and `begin` while no thread unites.
template <class Node>
class RangeLinks {
 public:
  RangeLinks() = default;
  RangeLinks(core::MemoryBudget& budget, std::uint64_t most_nodes, std::string_view what)
      : links_(budget, static_cast<std::size_t>(most_nodes), what) {}

  /// Starts again with nodes `begin` … `begin + size - 1`, each in a set of its own.
  void start(std::uint64_t begin, std::uint64_t size) {
    begin_ = static_cast<Node>(begin);
    size_ = static_cast<std::size_t>(size);
    for (std::size_t i = 0; i < size_; ++i) links_[i] = static_cast<Node>(begin_ + i);
  }
  Node begin() const { return begin_; }
  /// The links, for saving and restoring them.
  std::span<Node> links() const { return links_.span().first(size_); }

  /// The representative of v: the smallest node of its open set, or a node below the range.
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
  /// Unites an open set, given by its smallest node, with a smaller representative returned by find().
  void close(Node open, Node with) { links_[open - begin_] = with; }

  /// Links every node directly to its representative.
  void flatten() {
    // Links lead to smaller nodes, whose links are final already.
    for (std::size_t i = 0; i < size_; ++i) {
      if (links_[i] >= begin_) links_[i] = links_[links_[i] - begin_];
    }
  }
  /// The representative of v. Requires: flatten() was called.
  Node linked(Node v) const { return links_[v - begin_]; }

  void prefetch(Node v) const {
    if (v >= begin_) core::prefetch(links_.data() + (v - begin_));
  }

 private:
  core::Array<Node> links_;
  Node begin_ = 0;
  std::size_t size_ = 0;
};

}  // namespace emgraph::graph::mst
