// SPDX-License-Identifier: MIT
// Order statistics, means, and the lines of the statistics block.
#include "graph/graph500/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace emgraph::graph::graph500 {
namespace {

using Searches = std::span<const SearchRecord>;

template <class Get>
std::vector<double> column(Searches searches, const Get& get) {
  std::vector<double> values;
  for (const SearchRecord& search : searches) values.push_back(static_cast<double>(get(search)));
  return values;
}

class Block {
 public:
  void line(std::string name, double value, int digits = 6, bool mark = false) {
    lines_.push_back({std::move(name), value, digits, mark});
  }

  void lines(const std::string& prefix, const std::string& what, const Statistics& values, int digits = 6) {
    line(prefix + "min_" + what, values.minimum, digits);
    line(prefix + "firstquartile_" + what, values.first_quartile, digits);
    line(prefix + "median_" + what, values.median, digits);
    line(prefix + "thirdquartile_" + what, values.third_quartile, digits);
    line(prefix + "max_" + what, values.maximum, digits);
    line(prefix + "mean_" + what, values.mean, digits);
    line(prefix + "stddev_" + what, values.stddev, digits);
  }

  void rates(const std::string& prefix, const RateStatistics& rates) {
    line(prefix + "min_TEPS", rates.minimum);
    line(prefix + "firstquartile_TEPS", rates.first_quartile);
    line(prefix + "median_TEPS", rates.median);
    line(prefix + "thirdquartile_TEPS", rates.third_quartile);
    line(prefix + "max_TEPS", rates.maximum);
    line(prefix + "harmonic_mean_TEPS", rates.harmonic_mean, 6, true);
    line(prefix + "harmonic_stddev_TEPS", rates.harmonic_stddev);
  }

  std::vector<BlockLine> take() { return std::move(lines_); }

 private:
  std::vector<BlockLine> lines_;
};

}  // namespace

Statistics statistics(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  // Summed in the given order, as the reference code does.
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.minimum = sorted.front(),
          .first_quartile = (sorted[(n - 1) / 4] + sorted[n / 4]) / 2,
          .median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2,
          .third_quartile = (sorted[n - 1 - (n - 1) / 4] + sorted[n - 1 - n / 4]) / 2,
          .maximum = sorted.back(),
          .mean = mean,
          .stddev = n == 1 ? 0 : std::sqrt(squares / static_cast<double>(n - 1))};
}

RateStatistics rate_statistics(std::span<const double> edges, std::span<const double> seconds) {
  std::vector<double> seconds_per_edge;
  for (std::size_t i = 0; i < edges.size(); ++i) seconds_per_edge.push_back(seconds[i] / edges[i]);
  const Statistics s = statistics(seconds_per_edge);
  const auto freedom = static_cast<double>(edges.size() - 1);
  return {.minimum = 1 / s.maximum,
          .first_quartile = 1 / s.third_quartile,
          .median = 1 / s.median,
          .third_quartile = 1 / s.first_quartile,
          .maximum = 1 / s.minimum,
          .harmonic_mean = 1 / s.mean,
          .harmonic_stddev = edges.size() == 1 ? 0 : s.stddev / (s.mean * s.mean * std::sqrt(freedom))};
}

RateStatistics teps(std::span<const SearchRecord> searches, bool with_loops) {
  const auto edges =
      column(searches, [&](const SearchRecord& s) { return s.edges + (with_loops ? s.loops : 0); });
  return rate_statistics(edges, column(searches, std::mem_fn(&SearchRecord::seconds)));
}

std::vector<BlockLine> official_block(const RunRecord& run) {
  struct Kernel {
    const char* prefix;
    Searches searches;
  };
  std::vector<Kernel> kernels;
  if (!run.bfs.empty()) kernels.push_back({"bfs  ", run.bfs});
  if (!run.sssp.empty()) kernels.push_back({"sssp ", run.sssp});
  Block block;
  block.line("SCALE", run.scale);
  block.line("edgefactor", static_cast<double>(run.edge_factor), 11);
  block.line("NBFS", static_cast<double>(kernels.front().searches.size()), 11);
  block.line("graph_generation", run.generation_seconds);
  block.line("num_mpi_processes", run.processes, 11);
  block.line("construction_time", run.construction_seconds);
  for (const Kernel& kernel : kernels) {
    block.lines(kernel.prefix, "time",
                statistics(column(kernel.searches, std::mem_fn(&SearchRecord::seconds))));
  }
  block.lines("", "nedge", statistics(column(kernels.front().searches, std::mem_fn(&SearchRecord::edges))),
              11);
  for (const Kernel& kernel : kernels) block.rates(kernel.prefix, teps(kernel.searches, false));
  for (const Kernel& kernel : kernels) {
    block.lines(kernel.prefix, "validate",
                statistics(column(kernel.searches, std::mem_fn(&SearchRecord::validation_seconds))));
  }
  return block.take();
}

}  // namespace emgraph::graph::graph500
