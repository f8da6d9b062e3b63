// SPDX-License-Identifier: MIT
// Phases, and the space of two sorts.
#include "graph/forecast.hpp"

#include "core/base/bytes.hpp"

namespace emgraph::graph {

ForecastPhase& Forecast::add(const char* name, std::uint64_t readings, std::uint64_t moved_bytes,
                             double cpu_seconds) {
  phases.push_back(
      {.name = name, .input_readings = readings, .temporary_bytes = moved_bytes, .cpu_seconds = cpu_seconds});
  return phases.back();
}

void Forecast::note_need_of_all_edges(std::uint64_t bytes, std::uint64_t free_bytes) {
  if (bytes <= free_bytes) return;
  notes.push_back("memory: all edges that may come need about " + core::format_size(bytes) + ", " +
                  core::format_size(free_bytes) +
                  " are free: the run ends when they have been counted, unless enough are left out");
}

core::SpillForecast space_of_two_sorts(const core::SpillForecast& first, const core::SpillForecast& second,
                                       std::uint64_t beside_bytes) {
  const auto peak = [&](std::uint64_t spilled, std::uint64_t passed_on) {
    return peak_while_sort_is_read(spilled, first.whole_bytes, core::size_sum(passed_on, beside_bytes));
  };
  return {.most_bytes = peak(first.most_bytes, second.most_bytes),
          .expected_bytes = peak(first.expected_bytes, second.expected_bytes)};
}

}  // namespace emgraph::graph
