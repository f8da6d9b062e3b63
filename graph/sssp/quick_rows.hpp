// SPDX-License-Identifier: MIT
// Rows of arcs from one reading of an input, without a sort and without lists of all arcs.
#pragma once

#include "graph/prepare/adjacency/build_rows.hpp"
#include "graph/sssp/build.hpp"

namespace emgraph::graph::sssp {

/// How the rows are made that a search or queries need, and what the search needs beside them.
adjacency::RowsOptions rows_options(const Options& options, const Demand& demand);

/// True if the model, the queries and the source allow rows of arcs from one reading. Where both directions
/// of an edge are stored, they may have different weights, so that each is two arcs. Short arcs are made with
/// offsets of four bytes only: 2^32 of them take 32 GiB, and code for more of them is not worth its size.
bool may_take_quick_rows(const Options& options, const EdgeFacts& facts);

/// The bytes of an offset in such rows.
std::size_t row_offset_bytes(WeightType type);

/// Makes the rows if the input suits and they and the search fit in memory. False if not; the source is then
/// at its first edge. Requires: the type of built.lengths is set. I/O,
/// memory, threads, errors: as adjacency::build_rows(); DataError also for a weight that is no length.
/// Measured: see README.md.
bool build_quick_rows(core::Environment& environment, EdgeSource<std::uint32_t>& source,
                      const Options& options, const Demand& demand, BuiltGraph<std::uint32_t>& built);

}  // namespace emgraph::graph::sssp
