// SPDX-License-Identifier: MIT
// For plans of checks that build pages of an adjacency and unpack them to rows in memory.
#pragma once

#include "graph/forecast.hpp"
#include "graph/prepare/adjacency/build_pages.hpp"

namespace emgraph::graph::adjacency {

/// The memory of an array of so many values as the run reserves it. Throws MemoryLimitError.
core::Reservation hold_array(core::MemoryBudget& memory, std::uint64_t count, std::size_t bytes,
                             const char* what);

struct ForecastRows {
  core::Reservation offsets;
  core::Reservation targets;         ///< of rows like the sample
  std::uint64_t likely_entries = 0;  ///< their number
  std::uint64_t further_bytes = 0;   ///< of rows that are as long as the edges
};

/// In place of build_pages without resident pages and unpack with 8-byte offsets: adds phases and space to
/// the forecast. I/O: a sample of the edges. Throws MemoryLimitError if rows that are like the sample do not
/// fit.
template <class Id>
ForecastRows rehearse_unpacked(core::Environment& environment, EdgeSource<Id>& source,
                               const BuildOptions& options, const InputSize& size, Forecast& forecast);

}  // namespace emgraph::graph::adjacency
