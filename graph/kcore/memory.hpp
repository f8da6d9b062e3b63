// SPDX-License-Identifier: MIT
// What a run of `kcore` and its forecast share: how rows are made, the memory of pages and of scans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/kcore/kcore.hpp"
#include "graph/kcore/peel.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"
#include "graph/prepare/adjacency/build_rows.hpp"

namespace emgraph::graph::kcore {

/// How build_rows() makes the rows.
inline adjacency::RowsOptions rows_options(const core::Environment& environment, const Options& options) {
  return {.nodes = options.nodes,
          .beside_bytes_per_node = peel_bytes_per_node<std::uint32_t>,
          .beside_bytes = peel_bytes_of_threads<std::uint32_t>(environment.threads)};
}

/// Bytes of what a scan or a cache needs beside the values of the nodes.
inline std::uint64_t scan_bytes(const core::Environment& environment, std::size_t memory_bytes) {
  return (environment.threads + 4) *
         std::uint64_t{adjacency::scan_chunk_bytes(memory_bytes, adjacency::default_page_bytes)};
}

/// Pages that stay in memory while they are built: all if they and the values of the nodes take at most half
/// of it, because the sort needs memory, too.
template <class Id>
std::size_t resident_bytes(const core::Environment& environment, const EdgeFacts& facts,
                           const Options& options, const std::optional<std::uint64_t>& nodes) {
  if (options.model == MemoryModel::external || options.model == MemoryModel::semi_external) return 0;
  if (!facts.edges || !nodes) return 0;
  const double pages = 2 * static_cast<double>(*facts.edges) * adjacency::expected_bytes(WeightType::none) *
                       (sizeof(Id) == 8 ? 1.25 : 1);
  const std::size_t half = environment.memory.available() / 2;
  const std::uint64_t values = peel_bytes<Id>(*nodes, environment.threads);
  if (values > half || pages > static_cast<double>(half - values)) return 0;
  return static_cast<std::size_t>(pages) + adjacency::default_page_bytes;
}

}  // namespace emgraph::graph::kcore
