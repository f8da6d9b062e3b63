// SPDX-License-Identifier: MIT
// Statistics of a Graph500 run, as its reference code computes and names them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace emgraph::graph::graph500 {

/// Of numbers x(0) <= ... <= x(n-1): quartiles as the reference code has them, the mean of the elements on
/// both sides of a quarter; stddev with n - 1 in the denominator, 0 for one number.
struct Statistics {
  double minimum = 0;
  double first_quartile = 0;
  double median = 0;
  double third_quartile = 0;
  double maximum = 0;
  double mean = 0;
  double stddev = 0;
};

/// Requires: `values` is not empty.
Statistics statistics(std::span<const double> values);

/// Of rates (edges a second). The mean is harmonic; its standard error is that of Norris 1940
/// (doi 10.1214/aoms/1177731830): stddev(1/rate) / (mean(1/rate)^2 sqrt(n-1)).
struct RateStatistics {
  double minimum = 0;
  double first_quartile = 0;
  double median = 0;
  double third_quartile = 0;
  double maximum = 0;
  double harmonic_mean = 0;
  double harmonic_stddev = 0;
};

/// Of edges[i] / seconds[i]. Requires: as many of both, not empty, all positive.
RateStatistics rate_statistics(std::span<const double> edges, std::span<const double> seconds);

/// One search and its validation.
struct SearchRecord {
  std::uint64_t root = 0;
  double seconds = 0;
  double validation_seconds = 0;
  std::uint64_t reached = 0;
  std::uint64_t edges = 0;     ///< input edges in the root's component, duplicates counted, loops not
  std::uint64_t loops = 0;     ///< loops in the root's component
  std::uint64_t levels = 0;    ///< of the tree, including that of the root; 0: not counted
  double max_distance = 0;     ///< of a shortest-path search
  std::uint64_t checksum = 0;  ///< of parents and levels, or distances (answer_checksum.hpp)
};

/// The results of a run.
struct RunRecord {
  unsigned scale = 0;
  std::uint64_t edge_factor = 16;
  unsigned processes = 1;
  double generation_seconds = 0;
  double construction_seconds = 0;
  std::vector<SearchRecord> bfs;   ///< empty: kernel 2 was not run
  std::vector<SearchRecord> sssp;  ///< empty: kernel 3 was not run
};

/// A line of the statistics block: `name: value`, with `digits` significant digits as %g has them. `mark`: a
/// ! stands before the value.
struct BlockLine {
  std::string name;
  double value = 0;
  int digits = 6;
  bool mark = false;
};

/// The block in the order of the reference code. Edges are counted as there, without loops. The lines of a
/// kernel that was not run are left out. Requires: a kernel was run.
std::vector<BlockLine> official_block(const RunRecord& run);

/// TEPS of the searches; `with_loops` counts as the specification does, else as the reference code.
RateStatistics teps(std::span<const SearchRecord> searches, bool with_loops);

}  // namespace emgraph::graph::graph500
