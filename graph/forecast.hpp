// SPDX-License-Identifier: MIT
// What a run would do: the forecast of a solver, made without reading more than a sample.
//
// A forecast follows the code of the run up to its first edge: it opens the same lanes, makes the same
// choices and reserves the same memory in the budget, whose peak is then the forecast of the run's peak.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/spill/spill_forecast.hpp"
#include "graph/memory_model.hpp"

namespace emgraph::graph {

/// The size of the input as far as it is known: declared, or estimated by the caller.
struct InputSize {
  std::optional<std::uint64_t> nodes;
  std::optional<std::uint64_t> edges;
};

/// A part of the run whose computation and transfers overlap.
struct ForecastPhase {
  std::string name;
  std::uint64_t input_readings = 0;   ///< 1: reads the input
  std::uint64_t temporary_bytes = 0;  ///< read or written on the temporary disks
  double cpu_seconds = 0;             ///< of all threads together
  bool one_thread = false;            ///< the work is not shared
  /// How much of its time the phase takes at least and at most, where that depends on the graph, such as on
  /// the number of rounds. nullopt: there is no useful bound.
  double least_share = 1;
  std::optional<double> most_share = 1.0;
};

struct Forecast {
  ModelChoice choice;
  /// Space on the temporary disks; nullopt: nothing is known, because the number of edges is not.
  std::optional<core::SpillForecast> temporary = core::SpillForecast{};
  std::vector<ForecastPhase> phases;
  std::vector<std::string> notes;  ///< what is not foreseen
  bool size_is_open = false;       ///< so there is no bound of the time

  /// Appends a phase that reads the input so many times and moves so many bytes of the temporary disks.
  ForecastPhase& add(const char* name, std::uint64_t readings, std::uint64_t moved_bytes, double cpu_seconds);

  /// For a run that counts its edges before it knows whether they fit: adds a note if all that may come do
  /// not.
  void note_need_of_all_edges(std::uint64_t bytes, std::uint64_t free_bytes);
  /// The size of the graph is not known, so neither is the space on the disks, nor the most time.
  void leave_size_open() {
    size_is_open = true;
    temporary.reset();
    notes.emplace_back("the size of the graph is not known before the edges are read");
  }
  std::uint64_t input_readings() const {
    std::uint64_t readings = 0;
    for (const ForecastPhase& phase : phases) readings += phase.input_readings;
    return readings;
  }
};

// CPU times of forecasts are three quarters of what two virtual cores of an AMD EPYC 7003 (512 KiB of L2
// each) take, November 2026. `plan` divides them by the speed of the processor that it measures
// (apps/look/processor_speed.hpp).

/// What a random access to a table of so many bytes takes beyond one to a table in the cache, in nanoseconds.
/// Measured: 9 for 12 MB, 11 for 24 MB (cc, cdlp, pagerank of 30 M random edges against 3 M,
/// scripts/bench_plan.py).
inline double miss_nanoseconds(std::uint64_t table_bytes) {
  constexpr double cached_bytes = 1 << 20;
  constexpr double doubling_nanoseconds = 2.5;
  return doubling_nanoseconds * std::log2(std::max(1.0, static_cast<double>(table_bytes) / cached_bytes));
}

/// `count` times `nanoseconds`, in seconds.
constexpr double seconds_for(std::uint64_t count, double nanoseconds) {
  return static_cast<double>(count) * nanoseconds * 1e-9;
}

/// The most bytes on the disks while a sort of `sort_bytes`, of which `spilled_bytes` are on the disks, is
/// read and `written_bytes` are written. What is in memory is read first; blocks on the disks are freed as
/// they are read.
inline std::uint64_t peak_while_sort_is_read(std::uint64_t spilled_bytes, std::uint64_t sort_bytes,
                                             std::uint64_t written_bytes) {
  const double spilled_part =
      sort_bytes == 0 ? 0
                      : std::min(1.0, static_cast<double>(spilled_bytes) / static_cast<double>(sort_bytes));
  const auto before = static_cast<std::uint64_t>(static_cast<double>(written_bytes) * (1 - spilled_part));
  return std::max(written_bytes, core::size_sum(spilled_bytes, before));
}

/// The space of a sort whose records go to a second one while it is read, with `beside_bytes` in a run.
core::SpillForecast space_of_two_sorts(const core::SpillForecast& first, const core::SpillForecast& second,
                                       std::uint64_t beside_bytes);

/// Bytes that a sort of `share` of the records spills in the same memory. As many bytes stay there as of all
/// records.
inline std::uint64_t spilled_of_share(const core::SpillForecast& all, double share) {
  const std::uint64_t kept = all.whole_bytes - std::min(all.whole_bytes, all.expected_bytes);
  const auto left = static_cast<std::uint64_t>(static_cast<double>(all.whole_bytes) * share);
  return left - std::min(left, kept);
}

}  // namespace emgraph::graph
