// SPDX-License-Identifier: MIT
// Queries answered by full searches: one for all queries of a source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "graph/sssp/query_paths.hpp"
#include "graph/sssp/sssp.hpp"

namespace emgraph::graph::sssp {

/// Calls answer(source, numbers of its queries) for each source of a query.
template <class Answer>
void for_each_source(const std::vector<Query>& all, Answer&& answer) {
  std::map<std::uint64_t, std::vector<std::size_t>> by_source;
  for (std::size_t i = 0; i < all.size(); ++i) by_source[all[i].source].push_back(i);
  for (const auto& [source, queries] : by_source) answer(source, std::span<const std::size_t>(queries));
}

/// Keeps the path of a query; parent_of(node) is the node before.
template <class ParentOf>
void add_by_parents(QueryPaths& paths, std::size_t number, const Query& query, ParentOf&& parent_of) {
  paths.add(number, [&](QueryPaths::Writer& writer) {
    std::uint64_t node = query.target;
    for (; node != query.source; node = parent_of(node)) writer.push(node);
    writer.push(node);
  });
}

}  // namespace emgraph::graph::sssp
