// SPDX-License-Identifier: MIT
// Rows in memory from one reading of an input, without a sort of all edges.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "graph/forecast.hpp"
#include "graph/prepare/adjacency/csr.hpp"
#include "graph/prepare/adjacency/row_layout.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::adjacency {

/// The most entries of rows that the edges of a source can make; nullopt: not known before it is read.
std::optional<std::uint64_t> most_row_entries(const EdgeFacts& facts, RowsOf rows);

/// What is known before the edges are read.
struct RowsPlan {
  RowsShape shape;  ///< with n as declared, or a guess from a sample
  bool guessed = false;
  RowsBytes bytes;
};
/// nullopt if the input does not suit build_rows(): the number of edges is not known, most nodes have no
/// neighbours, the rows do not fit, with what the caller needs beside them, or it may turn out late that they
/// do not, because n is not known, and to read the input again would cost too much.
std::optional<RowsPlan> plan_rows(core::Environment& environment, EdgeSource<std::uint32_t>& source,
                                  const RowsOptions& options, std::size_t offset_bytes);

/// For a forecast, in place of build_rows(): reserves its memory. Returns that of the rows.
core::Reservation rehearse_rows(core::Environment& environment, EdgeSource<std::uint32_t>& source,
                                const RowsPlan& plan);
/// Of a run that calls build_rows(). `simple`: as RowsOptions.
std::vector<ForecastPhase> row_phases(std::uint64_t entries, bool simple);

template <class Offset>
struct BuiltRows {
  std::unique_ptr<Csr<std::uint32_t, Offset>> rows;
  prepare::IngestFacts read;
};

/// Problem: the rows of a graph that fits in memory.
///
/// Method: the reading distributes the entries to ranges of nodes, through a buffer for each range and thread
/// (row_writer.hpp), into pieces of memory that threads take one after another. Then the pieces are permuted
/// where they lie (piece_order.hpp), so that those of a range are neighbours, and each thread makes the rows
/// of one range after another in its cache. Rows take the place of the entries: those of a range begin where
/// those of the range before end. So the memory is that of the rows and two bytes per entry.
///
/// Returns nullopt, with the source at its first edge, if plan_rows() does, or if n is so far above that of
/// the sample that the rows do not fit. The caller then sorts. I/O: one reading. Memory: rows_bytes().
/// Threads: all; the rows do not depend on them if they are `simple`. Measured: graph/prepare/README.md.
/// Throws: DataError (an id not below n; more edges than declared), EnvironmentError, MemoryLimitError.
template <class Offset>
std::optional<BuiltRows<Offset>> build_rows(core::Environment& environment, EdgeSource<std::uint32_t>& source,
                                            const RowsOptions& options);

}  // namespace emgraph::graph::adjacency
