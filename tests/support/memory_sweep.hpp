// SPDX-License-Identifier: MIT
// Runs an algorithm with more and more memory.
#pragma once

#include <catch2/catch.hpp>
#include <cstddef>

#include "core/base/error.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

/// Calls attempt(memory) with `least` to `most` bytes, each time a `share`-th more; sanitizers with a sample
/// of them and with the last. An attempt CHECKs its answer, or throws a MemoryLimitError that names an
/// amount; CHECKs that none fails with more memory than another succeeded with. Returns the least that
/// sufficed.
template <class Attempt>
std::size_t sweep_memory(std::size_t least, std::size_t most, std::size_t share, Sample& sample,
                         Attempt&& attempt) {
  std::size_t enough = 0;
  for (std::size_t memory = least; memory <= most; memory += memory / share) {
    if (!sample.takes() && memory + memory / share <= most) continue;
    CAPTURE(memory, enough);
    try {
      attempt(memory);
      if (enough == 0) enough = memory;
    } catch (const core::MemoryLimitError& error) {
      CHECK(enough == 0);
      CHECK_THAT(error.what(), Catch::Contains("need") && Catch::Contains("iB"));
    }
  }
  CHECK(enough > 0);
  return enough;
}

}  // namespace emgraph::tests
