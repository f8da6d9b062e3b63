// SPDX-License-Identifier: MIT
// The graph as the checker of triangles keeps it: the larger neighbours of every node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory/buffer.hpp"

namespace emgraph::graph::triangles {

/// Larger neighbours of every node, ascending. Memory: 8 bytes per node, an id per edge.
template <class Id>
class LargerNeighbours {
 public:
  LargerNeighbours(core::MemoryBudget& budget, std::uint64_t nodes, std::uint64_t edges)
      : begins_(budget, static_cast<std::size_t>(nodes) + 1, "8 bytes per node"),
        targets_(budget, static_cast<std::size_t>(edges), "an id per edge") {}
  static std::uint64_t bytes_for(std::uint64_t nodes, std::uint64_t edges) {
    return (nodes + 1) * sizeof(std::uint64_t) + edges * sizeof(Id) + 2 * core::page_bytes;
  }

  /// Next edge, ascending.
  void add(std::uint64_t low, std::uint64_t high) {
    for (; opened_ <= low; ++opened_) begins_[static_cast<std::size_t>(opened_)] = filled_;
    targets_[filled_++] = static_cast<Id>(high);
  }
  void finish() {
    for (; opened_ < begins_.size(); ++opened_) begins_[static_cast<std::size_t>(opened_)] = filled_;
  }

  std::uint64_t nodes() const { return begins_.size() - 1; }
  std::uint64_t edges() const { return targets_.size(); }
  std::span<const Id> of(std::uint64_t node) const {
    const auto at = static_cast<std::size_t>(node);
    return {targets_.data() + begins_[at], static_cast<std::size_t>(begins_[at + 1] - begins_[at])};
  }

 private:
  core::Array<std::uint64_t> begins_;
  core::Array<Id> targets_;
  std::uint64_t opened_ = 0;
  std::size_t filled_ = 0;
};

/// Looks for ascending ids in an ascending list.
template <class Id>
class ListSearch {
 public:
  ListSearch() = default;
  explicit ListSearch(std::span<const Id> list) : left_(list) {}

  /// Is `id` in the list? Drops what is smaller; steps that double find what is near at once.
  bool find(std::uint64_t id) {
    std::size_t reach = 1;
    while (reach < left_.size() && left_[reach] < id) reach *= 2;
    const std::span<const Id> near = left_.first(std::min(reach + 1, left_.size()));
    const auto at = std::lower_bound(near.begin(), near.end(), id);
    left_ = left_.subspan(static_cast<std::size_t>(at - near.begin()));
    return !left_.empty() && left_.front() == id;
  }

 private:
  std::span<const Id> left_;
};

}  // namespace emgraph::graph::triangles
