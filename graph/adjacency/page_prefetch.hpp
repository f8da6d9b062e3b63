// SPDX-License-Identifier: MIT
// Fetches the parts of pages in memory that a search reads into the processor's cache, some pages ahead.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/prefetch.hpp"
#include "graph/adjacency/page.hpp"

namespace emgraph::graph::adjacency {

/// Pages whose lists are fetched ahead of the visited one, and nodes of a page for which that is done.
inline constexpr std::size_t prefetched = 8;

/// First step: the foot, from which the second step takes the size of the page's parts.
inline void prefetch_foot(const PageContext& context, const std::byte* page) {
  core::prefetch(page + context.page_bytes - sizeof(PageFoot));
}

/// Second step: the lists of `nodes` and their entries in the directory, where they are if the nodes of the
/// page, `first` … `end` - 1, are spread evenly over it. Measured: lists of random nodes, one in 100, of a
/// grid of 2048 x 2048 with weights in memory: 176 ns per node, 385 without; of one node in a page: 100 and
/// 140 (2 virtual cores of an AMD EPYC).
template <class Id>
void prefetch_lists(const PageContext& context, const std::byte* page, std::uint64_t first, std::uint64_t end,
                    std::span<const Id> nodes) {
  const PageFoot parts = page_foot(page, context.page_bytes);
  const std::byte* const foot = page + context.page_bytes - sizeof(PageFoot);
  const auto entries = static_cast<double>(directory_entries(parts.fragments, context.weight));
  const double node_share = 1 / static_cast<double>(end - first);
  for (const Id node : nodes.first(std::min(nodes.size(), prefetched))) {
    const double share = static_cast<double>(node - std::min<std::uint64_t>(node, first)) * node_share;
    core::prefetch(foot - (static_cast<std::size_t>(share * entries) + 1) * DirectoryEntry<Id>::bytes);
    core::prefetch(page + static_cast<std::size_t>(share * parts.used_bytes));
  }
}

}  // namespace emgraph::graph::adjacency
