// SPDX-License-Identifier: MIT
// The machine that a solver's test runs on, and what must hold of it when the run is over.
#pragma once

#include <catch2/catch.hpp>
#include <cstddef>

#include "core/base/bytes.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::tests {

/// What a test varies of a TestEnvironment, in the order it is most often named in: {core::MiB, 2, 1}.
struct Machine {
  std::size_t memory_bytes = core::MiB;
  unsigned threads = 1;
  std::size_t disks = 1;
  core::SpillCodec spill_codec = core::SpillCodec::none;
};

/// The environment of a machine, made where the caller puts it.
inline TestEnvironment environment_of(const Machine& machine) {
  return TestEnvironment{.memory_bytes = machine.memory_bytes,
                         .disks = machine.disks,
                         .threads = machine.threads,
                         .spill_codec = machine.spill_codec};
}

/// CHECKs at the end of its scope, left by an error or not, that all memory and all space on disk has been
/// given back, and that there was never more in use than the limit.
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
