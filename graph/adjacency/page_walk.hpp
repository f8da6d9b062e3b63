// SPDX-License-Identifier: MIT
// The pages that hold the lists of given nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/adjacency/page_index.hpp"

namespace emgraph::graph::adjacency {

/// Iterates over the pages that hold the lists of given sorted nodes. See PagedAdjacency::select.
template <class Id>
class PageWalk {
 public:
  /// The lists of nodes[begin, end), as far as the nodes have lists, are in the page or have a part in it.
  struct Need {
    std::uint64_t page = 0;
    std::size_t begin = 0;
    std::size_t end = 0;

    std::span<const Id> of(std::span<const Id> nodes) const { return nodes.subspan(begin, end - begin); }
  };

  PageWalk(const PageIndex<Id>& index, std::span<const Id> nodes) : index_(index), nodes_(nodes) {
    if (index.pages() == 0 || nodes.empty()) return;
    next_ = {index.page_of(nodes[0]), 0, 1};
  }

  /// False at the end.
  bool next(Need& need) {
    if (next_.end == 0) return false;
    need = next_;
    for (next_.end = 0;;) {
      if (index_.goes_on(nodes_[need.end - 1], need.page)) {
        next_ = {need.page + 1, need.end - 1, need.end};
        return true;
      }
      if (need.end == nodes_.size()) return true;
      // Nodes of a diagonal of a grid are in pages at the same distance from each other.
      const std::uint64_t guess = need.page + stride_;
      const bool below = guess < index_.pages() && index_.first_node(guess) < nodes_[need.end];
      const std::uint64_t page = index_.page_of(nodes_[need.end], below ? guess : need.page);
      if (page != need.page) {
        stride_ = page - need.page - 1;
        next_ = {page, need.end, need.end + 1};
        return true;
      }
      ++need.end;
    }
  }

 private:
  const PageIndex<Id>& index_;
  const std::span<const Id> nodes_;
  Need next_;
  std::uint64_t stride_ = 0;  ///< distance of the last two pages less 1
};

}  // namespace emgraph::graph::adjacency
