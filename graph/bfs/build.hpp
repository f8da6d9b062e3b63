// SPDX-License-Identifier: MIT
// Builds the adjacency for a search from any edge source: rows in memory, or pages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "graph/bfs/choice.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/prepare/adjacency/csr.hpp"

namespace emgraph::graph::bfs {

/// Exactly one of the three adjacencies is set.
template <class Id>
struct BuiltGraph {
  std::unique_ptr<adjacency::Csr<Id, std::uint32_t>> rows;
  std::unique_ptr<adjacency::Csr<Id, std::uint64_t>> long_rows;
  std::unique_ptr<adjacency::PagedAdjacency<Id>> pages;
  std::uint64_t edges = 0;  ///< as read
};

/// Builds rows if the model is internal, wants_rows() holds and n is known in time, else pages. `demand`: as
/// known before reading; the model is chosen again when n is known, before rows are made.
template <class Id>
BuiltGraph<Id> build_graph(core::Environment& environment, EdgeSource<Id>& source, const Options& options,
                           Demand demand) {
  using ShortRows = adjacency::CsrBuilder<Id, std::uint32_t>;
  using LongRows = adjacency::CsrBuilder<Id, std::uint64_t>;
  BuiltGraph<Id> built;
  if (choose(demand, options).model != MemoryModel::internal || !wants_rows(options)) {
    auto pages = adjacency::build_pages(
        environment, source,
        {.directed = options.directed, .nodes = options.nodes, .resident_bytes = resident_bytes(demand)});
    built.pages = std::move(pages.adjacency);
    built.edges = pages.edges;
    return built;
  }
  const Needs need = needs(demand);
  std::optional<ShortRows> rows;
  std::optional<LongRows> long_rows;
  std::optional<adjacency::PageAppender<Id>> pages;
  // The sort leaves memory for the rows, and for the offsets of an unknown number of nodes.
  const std::uint64_t spare = need.rows + (demand.nodes ? 0 : need.rows / 4);
  const auto begin = [&](const std::optional<std::uint64_t>& nodes,
                         const std::optional<std::uint64_t>& bound) {
    if (nodes && bound) {
      const bool fits =
          adjacency::Csr<Id, std::uint64_t>::bytes_for(*nodes, *bound) <= environment.memory.available();
      if (fits || options.model == MemoryModel::internal) {
        if (adjacency::Csr<Id, std::uint32_t>::fits(*bound)) {
          rows.emplace(environment.memory, *nodes, *bound);
        } else {
          long_rows.emplace(environment.memory, *nodes, *bound);
        }
        return;
      }
    }
    pages.emplace(environment, adjacency::default_page_bytes, 0);
  };
  const prepare::IngestFacts read = adjacency::stream_neighbours(
      environment, source,
      {.directed = options.directed, .nodes = options.nodes, .spare_bytes = static_cast<std::size_t>(spare)},
      begin, [&](Id from, Id to) {
        if (rows) [[likely]] {
          rows->push(from, to);
        } else if (long_rows) {
          long_rows->push(from, to);
        } else {
          pages->push(from, to);
        }
      });
  built.edges = read.edges;
  if (rows) built.rows = rows->finish(options.directed);
  if (long_rows) built.long_rows = long_rows->finish(options.directed);
  if (pages) {
    built.pages =
        pages->finish(read.nodes(options.nodes ? options.nodes : source.facts().nodes), options.directed);
  }
  return built;
}

}  // namespace emgraph::graph::bfs
