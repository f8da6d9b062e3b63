// SPDX-License-Identifier: MIT
// A system that runs out of threads, or lets them wait for a core.
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

/// Threads that are made as long as one exists do nothing before release(). One at a time. Threads: any.
class LateThreads {
 public:
  LateThreads();
  LateThreads(const LateThreads&) = delete;
  ~LateThreads() { release(); }

  static void release();
};

}  // namespace emgraph::tests
