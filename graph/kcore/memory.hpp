// SPDX-License-Identifier: MIT
// What a run of `kcore` and its forecast share: how rows are made, and which search the memory allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/kcore/estimate_sweeps.hpp"
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

/// How core numbers are found on pages: peel.hpp, estimate_sweeps.hpp, external_rounds.hpp.
enum class Search : unsigned char { peel, sweeps, rounds };

struct SearchSize {
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;  ///< of all lists
  std::uint64_t largest_degree = 0;
  std::uint64_t page_bytes = 0;    ///< of all pages
  std::uint64_t absent_bytes = 0;  ///< of the pages that are not in memory
  std::size_t chunk_bytes = 0;     ///< a scan reads
};

struct SearchChoice {
  Search search = Search::peel;
  std::uint64_t value_bytes = 0;  ///< for the values of the nodes
  ModelChoice model;
};

/// Chooses when the pages are built; `memory_bytes` was free before. Peeling reads single pages again and
/// again unless all are in memory: a grid of 9 M nodes, 128 MiB, 2 threads: 87 s (57 GB), in sweeps 5.5 s
/// (0.1 GB); kron22, 100 MiB: 20 and 17 s (2-core Intel Xeon, 2.1 GHz). Throws MemoryLimitError: the model
/// asked for needs more.
template <class Id>
SearchChoice choose_search(const core::Environment& environment, MemoryModel model, const SearchSize& size,
                           std::size_t memory_bytes) {
  const std::string by(forced_suffix(model));
  const bool automatic = model == MemoryModel::automatic;
  const auto fit = [&](std::uint64_t bytes) {
    return bytes <= environment.memory.available() && size.largest_degree <= most_peeled_degree;
  };
  const auto missing = [&](std::uint64_t bytes, const char* purpose, const char* advice) {
    return missing_memory({.what = model_option(model),
                           .precision = "about ",
                           .bytes = bytes,
                           .purpose = purpose,
                           .advice = advice},
                          environment.memory.available());
  };
  if (automatic || model == MemoryModel::internal) {
    const std::uint64_t values = peel_bytes<Id>(size.nodes, environment.threads);
    const std::uint64_t need = core::size_sum(
        values, adjacency::bytes_to_load(size.absent_bytes, size.chunk_bytes, environment.threads));
    if (fit(need)) {
      return {Search::peel,
              values,
              {MemoryModel::internal, edges_and_nodes_fit(size.page_bytes, memory_bytes) + by}};
    }
    if (!automatic) throw missing(need, " for edges and nodes", "; --model semi-external needs less");
  }
  const std::uint64_t values = estimate_bytes<Id>(
      size.nodes, size.entries, size.page_bytes / size.chunk_bytes + 1, environment.threads);
  const std::string reason = share_of_memory("an estimate per node takes", values, memory_bytes) + by;
  if (automatic || model == MemoryModel::semi_external) {
    const std::uint64_t need = core::size_sum(values, scan_bytes(environment, memory_bytes));
    if (fit(need)) return {Search::sweeps, values, {MemoryModel::semi_external, reason}};
    if (!automatic) throw missing(need, " for the nodes", "; --model external needs less");
  }
  return {Search::rounds, 0, {MemoryModel::external, reason}};
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
