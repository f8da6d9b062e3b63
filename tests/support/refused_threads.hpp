// SPDX-License-Identifier: MIT
// A system that runs out of threads.
#pragma once

#include <cstdint>

namespace emgraph::tests {

/// As long as one exists, the process gets `granted` new threads; each further pthread_create() fails with
/// EAGAIN, as it does at a limit on processes. One at a time. Threads: any.
class RefusedThreads {
 public:
  explicit RefusedThreads(std::uint64_t granted);
  RefusedThreads(const RefusedThreads&) = delete;
  ~RefusedThreads();

  /// Threads refused so far.
  std::uint64_t refused() const;
};

}  // namespace emgraph::tests
