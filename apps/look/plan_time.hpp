// SPDX-License-Identifier: MIT
// The time of a planned run, from its work and the speed of the disks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/run/plan.hpp"

namespace emgraph::apps {

struct PlannedPhase {
  std::string name;
  double seconds = 0;
  double cpu_seconds = 0;
  std::uint64_t read_bytes = 0;  ///< of the input
  std::uint64_t temporary_bytes = 0;
  std::uint64_t output_bytes = 0;
};

struct PlannedTime {
  std::vector<PlannedPhase> phases;
  std::uint64_t input_readings = 0;
  std::optional<std::uint64_t> read_bytes;  ///< of the input; nullopt: its size is not known
  std::uint64_t temporary_bytes = 0;        ///< written and read
  double cpu_seconds = 0;
  std::optional<double> seconds;        ///< nullopt: the number of edges is not known
  std::optional<double> least_seconds;  ///< by the shares of the phases; nullopt as seconds
  std::optional<double> most_seconds;   ///< nullopt also if a phase has no bound
  double bytes_per_second = 0;          ///< of the temporary disks together
  std::string speed_from;               ///< "limit declared" or "a typical figure"
};

/// A phase takes as long as the slower of its computation and its transfers, and half of the faster one.
/// `processor_speed`: as measured_processor_speed().
PlannedTime planned_time(const Plan& plan, const CommonOptions& options, unsigned threads,
                         double processor_speed);

}  // namespace emgraph::apps
