// SPDX-License-Identifier: MIT
// What the fuzzing harness does when a reader breaks its promise.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace emgraph::fuzz {

/// Stops the process, so that libFuzzer keeps the input and a replay fails.
[[noreturn]] inline void finding(const std::string& what) {
  std::fprintf(stderr, "FINDING: %s\n", what.c_str());
  std::abort();
}

}  // namespace emgraph::fuzz
