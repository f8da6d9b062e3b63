// SPDX-License-Identifier: MIT
// Cases that cannot run on this machine.
#pragma once

#include <catch2/catch.hpp>
#include <string>

namespace emgraph::tests {

/// The exit code of a test program in which cases were skipped and no other failed: ctest shows it as
/// skipped.
inline constexpr int skip_exit_code = 77;

inline bool& any_skipped() {
  static bool skipped = false;
  return skipped;
}

inline void skip(const std::string& reason) {
  any_skipped() = true;
  WARN("SKIPPED: " << reason);
}

}  // namespace emgraph::tests
