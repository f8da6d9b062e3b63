// SPDX-License-Identifier: MIT
// The reaction of the fuzzing harness to a finding.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace emgraph::fuzz {

/// Aborts the process, so that libFuzzer keeps the input and a replay fails.
[[noreturn]] inline void finding(const std::string& what) {
  std::fprintf(stderr, "FINDING: %s\n", what.c_str());
  std::abort();
}

}  // namespace emgraph::fuzz
