// SPDX-License-Identifier: MIT
// Runs an algorithm repeatedly; each time another transfer or another reservation fails.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>

#include "core/base/error.hpp"
#include "tests/support/machine.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

enum class Fault { transfer, reservation };
inline constexpr Fault all_faults[] = {Fault::transfer, Fault::reservation};

/// The numbers k of the failures. By default a sample: all of the first ones, then steps that grow in
/// proportion to k. Loops with different seeds have different steps, so together they cover more numbers.
/// With EMGRAPH_EVERY_FAULT=1 in the environment every number is tried. Sanitizers have a fraction of the
/// sample: what they look for does not depend on which transfer fails.
struct FaultSteps {
  const std::uint64_t all_below = only_races ? 2 : sanitized ? 4 : 16;
  const std::uint64_t slope = sanitized ? 1 : 5;
  std::uint64_t seed = 0;
  bool every = every_case();

  std::uint64_t after(std::uint64_t k) const {
    if (every || k < all_below) return k + 1;
    return k + 1 + (only_races ? 2 * k / (1 + seed % 2) : k / (slope + seed));
  }
};

/// Calls attempt(test) with a new environment for each k. In it transfer (or reservation) number k fails.
/// Ends when an attempt does not reach number k. CHECKs after each attempt: a failed transfer ended it with
/// the injected error; a failed reservation ended it with MemoryLimitError, or the attempt succeeded without
/// the memory; and nothing is left. An attempt that succeeds must CHECK its answer, in an expression that
/// cannot throw, because CHECK catches exceptions. Returns the last k, which is at least the number of
/// transfers (reservations) of an attempt.
template <class Attempt>
std::uint64_t fail_each(Fault fault, const Machine& machine, Attempt&& attempt, std::uint64_t seed = 0) {
  const bool transfer = fault == Fault::transfer;
  const FaultSteps steps{.seed = seed};
  for (std::uint64_t k = 0;; k = steps.after(k)) {
    CAPTURE(transfer, k);
    TestEnvironment test = environment_of(machine);
    if (transfer) {
      test.faults->fail_in(k);
    } else {
      test.memory.fail_reservation(k);
    }
    bool failed = false;
    {
      const NothingLeft nothing_left(test);
      try {
        attempt(test);
      } catch (const core::MemoryLimitError& error) {
        INFO(error.what());
        CHECK(!transfer);
        failed = true;
      } catch (const core::EnvironmentError& error) {
        REQUIRE_THAT(error.what(), Catch::Contains("injected"));
        failed = true;
      }
    }
    if (transfer ? !test.faults->triggered() : test.memory.failure_is_ahead()) {
      CHECK(!failed);
      return k;
    }
    if (transfer) CHECK(failed);
  }
}

}  // namespace emgraph::tests
