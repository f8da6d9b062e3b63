// SPDX-License-Identifier: MIT
// Runs an algorithm again and again, each time with another transfer or another reservation that fails.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>

#include "core/base/error.hpp"
#include "tests/support/machine.hpp"

namespace emgraph::tests {

enum class Fault { transfer, reservation };
inline constexpr Fault all_faults[] = {Fault::transfer, Fault::reservation};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Which numbers fail: all of the first ones, then ever fewer, each a certain part further on than the one
/// before. Loops with different seeds go on in different steps, so that together they hit more. Sanitizers
/// make an attempt ten times slower and have something else to prove than that every number is survived:
/// they get a sample.
struct FaultSteps {
  std::uint64_t seed = 0;
  std::uint64_t all = sanitized ? 24 : 120;
  std::uint64_t parts = sanitized ? 6 : 24;

  std::uint64_t after(std::uint64_t k) const { return k < all ? k + 1 : k + 1 + k / (parts + seed); }
};

/// Calls attempt(test) with a fresh environment each time; in it transfer (or reservation) number k fails,
/// for growing k, until an attempt does not come to k any more. CHECKs each time that a failed transfer ended
/// the attempt with its own error, that a failed reservation ended it with an error of memory or was done
/// without, and that nothing is left. An attempt that comes to its end is to CHECK its answer itself, outside
/// of what may fail: a CHECK keeps for itself what is thrown in it.
/// Returns the last k: more than the attempt has transfers (reservations), or as many.
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
