// SPDX-License-Identifier: MIT
// Times a sort and a chain of look-ups.
#include "apps/look/processor_speed.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/random_word.hpp"
#include "core/base/vector_sort.hpp"

namespace emgraph::apps {

namespace {

constexpr std::size_t keys = std::size_t{1} << 16;
constexpr std::size_t table_entries = std::size_t{1} << 20;
constexpr std::size_t look_ups = std::size_t{1} << 12;
constexpr int sorts = 12;
constexpr int chains = 32;

/// Of the reference processor: 3.2 times what an EPYC of family 26 (Zen 5, AVX-512; two virtual cores, quiet)
/// takes. Measured there: 26 runs of 13 commands on 30 M random edges took, by the geometric mean, 1/3.2 of
/// the CPU times of their forecasts; the extremes were 1/1.9 and 1/4.6.
constexpr double reference_sort_seconds = 605e-6;
constexpr double reference_look_up_seconds = 149e-6;

/// CPU time of this thread: waiting for a processor is not counted.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// The shortest time of `repeats` calls of `work`, each after `prepare`.
template <class Prepare, class Work>
double shortest_seconds(int repeats, Prepare&& prepare, Work&& work) {
  double shortest = 1;
  for (int i = 0; i < repeats; ++i) {
    prepare();
    const double start = thread_seconds();
    work();
    shortest = std::min(shortest, thread_seconds() - start);
  }
  return shortest;
}

double sort_seconds() {
  std::vector<std::uint64_t> sorted(keys);
  const auto shuffle = [&] {
    for (std::size_t i = 0; i < keys; ++i) sorted[i] = core::random_word(1, i);
  };
  return shortest_seconds(sorts, shuffle, [&] { core::vector_sort(sorted); });
}

double look_up_seconds() {
  std::vector<std::uint32_t> table(table_entries);
  for (std::size_t i = 0; i < table_entries; ++i)
    table[i] = static_cast<std::uint32_t>(core::random_word(1, i));
  std::uint32_t at = 0;
  std::uint32_t step = 0;
  const auto follow = [&] {
    // Each look-up waits for the one before. The step avoids short cycles.
    for (std::size_t i = 0; i < look_ups; ++i) at = table[(at + ++step) % table_entries];
    volatile std::uint32_t used = at;  // so that the loop stays
    (void)used;
  };
  return shortest_seconds(
      chains, [] {}, follow);
}

}  // namespace

double measured_processor_speed() {
  // Look-ups count little: beside programs that fill the shared cache they take up to nine times as long,
  // sorts 3 % longer (measured; solvers lie between).
  constexpr double look_up_weight = 0.25;
  const double sort_speed = reference_sort_seconds / sort_seconds();
  const double look_up_speed = reference_look_up_seconds / look_up_seconds();
  const double speed = std::pow(sort_speed, 1 - look_up_weight) * std::pow(look_up_speed, look_up_weight);
  return std::clamp(speed, least_processor_speed, most_processor_speed);
}

}  // namespace emgraph::apps
