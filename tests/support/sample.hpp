// SPDX-License-Identifier: MIT
// Which cases of a grid a test runs, and how large its inputs are.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <vector>

#include "tests/support/tried_threads.hpp"

namespace emgraph::tests {

/// Sanitizers make everything many times slower. tests_apps, which only starts the program, is told whether
/// that one has them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline const bool sanitized = std::getenv("EMGRAPH_TESTED_SANITIZED") != nullptr;
#endif

/// With EMGRAPH_EVERY_FAULT=1 in the environment tests run all cases where they would run a sample.
inline bool every_case() {
  return std::getenv("EMGRAPH_EVERY_FAULT") != nullptr;
}

/// How much of something a test takes: edges of an input, rounds of a loop. Sanitizers find the same in less.
template <class T>
T sized(T release, T with_sanitizers) {
  return sanitized && !every_case() ? with_sanitizers : release;
}

/// A sample of a grid of cases: model x memory x threads x graph. Release runs every case. What sanitizers
/// look for depends on the code that runs, not on each combination: they run one case of about `one_of`,
/// ThreadSanitizer half as many.
/// Steps of `one_of` and one less follow each other such that they keep time with no loop of the grid, so
/// each value of each loop comes up.
class Sample {
 public:
  /// `in_release`: the step without sanitizers, where all cases would take too long there, too.
  explicit Sample(double one_of, double in_release = 1)
      : step_(every_case() ? 1
              : sanitized  ? (only_races ? 2 : 1) * one_of - 0.382
                           : in_release) {}

  /// Whether the next case is to be run. It runs in `threads` threads: ThreadSanitizer leaves those in one
  /// out.
  bool takes(unsigned threads = 2) {
    if (only_races && threads == 1) return false;
    const bool taken = static_cast<double>(number_++) >= next_;
    if (taken) next_ += step_;
    return taken;
  }

 private:
  double step_;
  double next_ = 0;
  std::size_t number_ = 0;
};

/// The cases of a list: Release has all, sanitizers a sample.
template <class T>
std::vector<T> sampled(const std::vector<T>& cases, double one_of = 3) {
  std::vector<T> taken;
  Sample sample(one_of);
  for (const T& one : cases) {
    if (sample.takes()) taken.push_back(one);
  }
  return taken;
}

}  // namespace emgraph::tests
