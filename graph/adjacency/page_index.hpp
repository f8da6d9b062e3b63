// SPDX-License-Identifier: MIT
// An index in memory of the first node of every page. It finds the page in which the list of a node begins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/io/state_stream.hpp"
#include "core/memory/budget.hpp"

namespace emgraph::graph::adjacency {

/// Memory: sizeof(Id) bytes and a bit per page of its capacity, charged. Beyond the reserved capacity it
/// grows by a quarter, and takes twice the memory meanwhile. Threads: one writer, or any number of readers.
template <class Id>
class PageIndex {
 public:
  explicit PageIndex(core::MemoryBudget& budget)
      : memory_(budget.reserve(core_page, "the index of an adjacency")) {}

  /// Reserves capacity for `pages` pages. Throws MemoryLimitError.
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

  void save(core::StateWriter& state) const {
    state.value(pages());
    state.array(std::span(first_));
    state.array(std::span(continues_));
  }
  void restore(core::StateReader& state) {
    const auto pages = state.value<std::uint64_t>();
    reserve(pages);
    first_.resize(static_cast<std::size_t>(pages));
    continues_.resize(static_cast<std::size_t>((pages + 63) / 64));
    state.array(std::span(first_));
    state.array(std::span(continues_));
  }

  std::uint64_t pages() const { return first_.size(); }
  Id first_node(std::uint64_t page) const { return first_[static_cast<std::size_t>(page)]; }
  bool continues(std::uint64_t page) const {
    return (continues_[static_cast<std::size_t>(page / 64)] >> (page % 64) & 1) != 0;
  }

  /// The page in which the list of `node` begins, if the node has a list. The search starts at page `from`.
  /// Requires: the list does not begin before `from`; there is at least one page.
  std::uint64_t page_of(Id node, std::uint64_t from = 0) const {
    // Lookups come in ascending order, so the page is near: exponential search.
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
  /// True if the list of `node`, which has a part in page `page`, continues in the next page.
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
