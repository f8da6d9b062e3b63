// SPDX-License-Identifier: MIT
// Queries for shortest paths: the files .ss (sources) and .p2p (pairs of nodes) of the 9th DIMACS challenge.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/memory/budget.hpp"

namespace emgraph::graph::format {

/// Most queries in a file.
inline constexpr std::uint64_t most_queries = 1'000'000;

enum class QueryKind {
  sources,  ///< .ss: a full search from each node
  pairs     ///< .p2p: a path between each pair
};

/// Nodes count from 0 here, from 1 in the file.
struct QueryPair {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  bool operator==(const QueryPair&) const = default;
};

struct QueryFile {
  QueryKind kind = QueryKind::sources;
  std::vector<std::uint64_t> sources;  ///< of QueryKind::sources, in the order of the file
  std::vector<QueryPair> pairs;        ///< of QueryKind::pairs
  std::vector<std::uint64_t> lines;    ///< the line of each query, counted from 1
  std::string name;                    ///< of the file, for messages
  core::Reservation memory;

  /// Throws DataError with the line of the first query that has a node outside 0 … nodes - 1.
  void require_nodes_below(std::uint64_t nodes) const;
};

/// Lines: "c …" comments; one problem line "p aux sp ss N" or "p aux sp p2p N"; then N lines "s NODE" or
/// "q SOURCE TARGET". `path`: a file or "-"; may be packed (gzip, zstd, xz, bzip2).
/// I/O: reads the file once. Memory: 24 bytes per query, at most 24 MB, held by the result; during the call
/// 64 KiB and that of unpacking. Throws: DataError with the line (no or another problem line, a line that is
/// no query, a node that is no number or 0, more or fewer queries than declared, more than most_queries),
/// EnvironmentError, MemoryLimitError. Source: 9th DIMACS Implementation Challenge, "File formats", 2006.
QueryFile read_query_file(core::Environment& environment, const std::string& path);

}  // namespace emgraph::graph::format
