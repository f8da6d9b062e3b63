// SPDX-License-Identifier: MIT
// How fast this processor is, for estimates of time.
#pragma once

namespace emgraph::apps {

/// How many times as fast as the processor for which the CPU times of forecasts hold (graph/forecast.hpp)
/// this one is, from least_processor_speed to most_processor_speed.
///
/// Method: the shortest of several repeats of a sort of random keys, and of a chain of random look-ups in a
/// table that is larger than the second-level cache. Both are what solvers spend their time with. Only
/// estimates of time may depend on it, because it differs from call to call. Memory: 5 MiB, outside of the
/// budget. Threads: one. Time: 7 ms, on slow processors 20 ms.
double measured_processor_speed();

inline constexpr double least_processor_speed = 0.5;
inline constexpr double most_processor_speed = 4;

}  // namespace emgraph::apps
