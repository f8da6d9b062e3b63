// SPDX-License-Identifier: MIT
// Builds the adjacency for a search from any edge source: rows in memory, or pages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "graph/bfs/choice.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/prepare/adjacency/build_rows.hpp"
#include "graph/prepare/adjacency/csr.hpp"

namespace emgraph::graph::bfs {

/// How build_rows() makes the rows of searches. To sort them saves time if the smallest neighbours are
/// parents in several searches.
// Measured: rows of kron22 without the sort 1.3 s, 2.1 CPU s less; a search then takes 0.1 CPU s longer.
inline adjacency::RowsOptions rows_options(const Options& options, const Demand& demand) {
  const std::uint64_t outputs =
      (demand.levels ? sizeof(std::uint32_t) : 0) + (demand.parents ? demand.id_bytes : 0);
  constexpr std::size_t few_searches = 4;
  return {.rows = options.directed ? adjacency::RowsOf::targets : adjacency::RowsOf::neighbours,
          .simple = demand.parents && options.roots.size() > few_searches,
          .nodes = options.nodes,
          .beside_bytes_per_node =
              1 + 2 * outputs};  // a byte: bits and lists; outputs_in_memory() asks for twice
}

template <class Id>
std::size_t row_offset_bytes(const EdgeFacts& facts, adjacency::RowsOf rows) {
  const auto entries = adjacency::most_row_entries(facts, rows);
  const bool narrow = entries && adjacency::Csr<Id, std::uint32_t>::fits(*entries);
  return narrow ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
}

/// At most one of the three adjacencies is set.
template <class Id>
struct BuiltGraph {
  std::unique_ptr<adjacency::Csr<Id, std::uint32_t>> rows;
  std::unique_ptr<adjacency::Csr<Id, std::uint64_t>> long_rows;
  std::unique_ptr<adjacency::PagedAdjacency<Id>> pages;
  std::uint64_t edges = 0;  ///< as read
  bool ascending = true;    ///< rows ascend

  bool has_rows() const { return rows != nullptr || long_rows != nullptr; }
};

/// The rows, without a sort, if the input suits build_rows() and they and the search fit in memory; else
/// nothing, with the source at its first edge.
template <class Id>
BuiltGraph<Id> build_quick_rows(core::Environment& environment, EdgeSource<Id>& source,
                                const Options& options, const Demand& demand) {
  BuiltGraph<Id> built;
  if constexpr (sizeof(Id) == sizeof(std::uint32_t)) {
    if (!may_be_internal(options.model)) return built;
    const adjacency::RowsOptions rows = rows_options(options, demand);
    built.ascending = rows.simple;
    const auto take = [&](auto made, auto& place) {
      if (!made) return;
      place = std::move(made->rows);
      built.edges = made->read.edges;
    };
    if (row_offset_bytes<Id>(source.facts(), rows.rows) == sizeof(std::uint32_t)) {
      take(adjacency::build_rows<std::uint32_t>(environment, source, rows), built.rows);
    } else {
      take(adjacency::build_rows<std::uint64_t>(environment, source, rows), built.long_rows);
    }
  }
  return built;
}

/// For an input that does not suit build_quick_rows(). Builds rows if the model is internal, wants_rows()
/// holds and n is known in time; else pages. `demand`: as known before reading; the model is chosen again
/// when n is known, before rows are made.
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
    built.pages = pages->finish(read.nodes(known_nodes(options.nodes, source.facts())), options.directed);
  }
  return built;
}

}  // namespace emgraph::graph::bfs
