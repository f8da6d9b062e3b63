// SPDX-License-Identifier: MIT
// Which numbers of threads a test tries.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace emgraph::tests {

/// ThreadSanitizer looks for races and takes up to fifty times as long: runs in one thread are left to the
/// other builds.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool only_races = true;
#else
inline constexpr bool only_races = false;
#endif

/// The numbers of threads to try, of those given.
inline std::vector<unsigned> tried_threads(std::initializer_list<unsigned> all) {
  std::vector<unsigned> tried(all);
  if (only_races) std::erase(tried, 1U);
  return tried;
}

}  // namespace emgraph::tests
