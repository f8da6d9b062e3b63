// SPDX-License-Identifier: MIT
// The machine of a solver's test, and the checks of its state after the run.
#pragma once

#include <catch2/catch.hpp>
#include <cstddef>

#include "core/base/bytes.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::tests {

/// The parameters of a TestEnvironment that tests vary: {core::MiB, 2, 1}.
struct Machine {
  std::size_t memory_bytes = core::MiB;
  unsigned threads = 1;
  std::size_t disks = 1;
  core::SpillCodec spill_codec = core::SpillCodec::none;
};

/// Returns the environment of a machine, constructed in place.
inline TestEnvironment environment_of(const Machine& machine) {
  return TestEnvironment{.memory_bytes = machine.memory_bytes,
                         .disks = machine.disks,
                         .threads = machine.threads,
                         .spill_codec = machine.spill_codec};
}

/// CHECKs at the end of its scope, also after an exception, that all memory and all space on disk were freed
/// and that the memory in use never exceeded the limit.
class NothingLeft {
 public:
  explicit NothingLeft(const TestEnvironment& test) : test_(test) {}
  NothingLeft(const NothingLeft&) = delete;
  ~NothingLeft() {
    CHECK(test_.memory.used() == 0);
    CHECK(test_.memory.peak() <= test_.memory_bytes);
    CHECK(test_.blocks.used_bytes() == 0);
  }

 private:
  const TestEnvironment& test_;
};

}  // namespace emgraph::tests
