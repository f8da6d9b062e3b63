// SPDX-License-Identifier: MIT
// Reads lists of nodes out of a group of pages that is in memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "graph/adjacency/paged_adjacency.hpp"

namespace emgraph::graph::kcore {

/// The lists of nodes in ascending order, all within a group of pages.
template <class Id>
class ListReader {
 public:
  using Pages = adjacency::PagedAdjacency<Id>;
  using Group = typename Pages::PageGroup;

  ListReader(const Pages& pages, const Group& group, Id first)
      : pages_(pages),
        group_(group),
        page_(pages.index().page_of(first, group.first_page)),
        cursor_(pages.cursor(group, page_)) {}

  /// Calls take(neighbours) for the parts of the list of `node`.
  template <class Take>
  void read(Id node, Take&& take) {
    while (pages_.nodes_of(page_).end <= node) open(page_ + 1);
    if (!found_ || cursor_.node() < node) {
      cursor_.seek(node);
      do found_ = cursor_.next();
      while (found_ && cursor_.node() < node);
    }
    while (found_ && cursor_.node() == node) {
      cursor_.decode(list_.data());
      take(std::span<const Id>(list_.data(), cursor_.count()));
      found_ = cursor_.next();
      if (found_ || !pages_.index().goes_on(node, page_)) continue;
      open(page_ + 1);
      found_ = cursor_.next();
    }
  }

 private:
  void open(std::uint64_t page) {
    page_ = page;
    cursor_ = pages_.cursor(group_, page);
    found_ = false;
  }

  const Pages& pages_;
  const Group& group_;
  std::uint64_t page_;
  adjacency::PageCursor<Id> cursor_;
  bool found_ = false;  ///< the cursor has a fragment that was not read
  std::array<Id, adjacency::fragment_neighbours + 3> list_;
};

}  // namespace emgraph::graph::kcore
