// SPDX-License-Identifier: MIT
// Queries answered by full searches: one for all queries of a source.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {

/// Calls answer(source, numbers of its queries) for each source of a query.
template <class Answer>
void for_each_source(const std::vector<Query>& all, Answer&& answer) {
  std::map<std::uint64_t, std::vector<std::size_t>> by_source;
  for (std::size_t i = 0; i < all.size(); ++i) by_source[all[i].source].push_back(i);
  for (const auto& [source, queries] : by_source) answer(source, std::span<const std::size_t>(queries));
}

/// The nodes from the source to the target; parent_of(node) is the node before.
template <class ParentOf>
std::vector<std::uint64_t> path_by_parents(const Query& query, ParentOf&& parent_of) {
  std::vector<std::uint64_t> path{query.target};
  while (path.back() != query.source) path.push_back(parent_of(path.back()));
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace emgraph::graph::sssp
