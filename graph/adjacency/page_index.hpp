// SPDX-License-Identifier: MIT
// Which page a node's list begins in: the first node of every page, in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/memory/budget.hpp"

namespace emgraph::graph::adjacency {

/// Memory: sizeof(Id) bytes and a bit per page that there is room for, charged; while it grows beyond what
/// was reserved, in steps of a quarter, twice that. Threads: one that adds, or any number that look up.
template <class Id>
class PageIndex {
 public:
  explicit PageIndex(core::MemoryBudget& budget)
      : memory_(budget.reserve(core_page, "the index of an adjacency")) {}

  /// Room for `pages` pages. Throws MemoryLimitError.
  void reserve(std::uint64_t pages) {
    if (pages <= first_.capacity()) return;
    memory_.resize(bytes_for(first_.capacity()) + bytes_for(pages), "the index of an adjacency");
    first_.reserve(static_cast<std::size_t>(pages));
    continues_.reserve(static_cast<std::size_t>(pages) / 64 + 1);
    memory_.resize(bytes_for(first_.capacity()), "the index of an adjacency");
  }

  void add(std::uint64_t first_node, bool continues) {
    if (first_.size() == first_.capacity()) reserve(std::max<std::uint64_t>(256, first_.size() / 4 * 5));
    if (first_.size() % 64 == 0) continues_.push_back(0);
    continues_.back() |= std::uint64_t{continues} << (first_.size() % 64);
    first_.push_back(static_cast<Id>(first_node));
  }

  std::uint64_t pages() const { return first_.size(); }
  Id first_node(std::uint64_t page) const { return first_[static_cast<std::size_t>(page)]; }
  bool continues(std::uint64_t page) const {
    return (continues_[static_cast<std::size_t>(page / 64)] >> (page % 64) & 1) != 0;
  }

  /// Where the list of `node` begins if it has one: a page from `from` on, where the search starts.
  /// Requires: the list does not begin before `from`; there are pages.
  std::uint64_t page_of(Id node, std::uint64_t from = 0) const {
    // Nodes come in order: the place is near.
    std::uint64_t step = 1;
    while (from + step < pages() && first_node(from + step) < node) {
      from += step;
      step *= 2;
    }
    const auto begin = first_.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end =
        first_.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(from + step + 1, pages()));
    const auto at = static_cast<std::uint64_t>(std::lower_bound(begin, end, node) - first_.begin());
    if (at < pages() && first_node(at) == node && !continues(at)) return at;
    return at == 0 ? 0 : at - 1;
  }
  /// Does the list of `node`, which page `page` belongs to, go on in the next one?
  bool goes_on(Id node, std::uint64_t page) const {
    return page + 1 < pages() && first_node(page + 1) == node && continues(page + 1);
  }

 private:
  static constexpr std::size_t core_page = 4096;
  static std::size_t bytes_for(std::uint64_t pages) {
    return std::max(core_page, static_cast<std::size_t>(pages) * sizeof(Id) +
                                   (static_cast<std::size_t>(pages) / 64 + 1) * 8);
  }

  core::Reservation memory_;
  std::vector<Id> first_;
  std::vector<std::uint64_t> continues_;
};

}  // namespace emgraph::graph::adjacency
