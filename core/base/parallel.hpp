// SPDX-License-Identifier: MIT
// Running the same function on several threads.
#pragma once

#include <functional>

namespace emgraph::core {

/// Calls `work(0) … work(threads - 1)`, each on its own thread (0 on the calling one), and returns when all
/// calls have returned. If some throw, the others continue, and the exception of the lowest number is
/// rethrown. Long work should test a stop condition that the threads share. Each call is a span in the
/// caller's trace.
void run_on_threads(unsigned threads, const std::function<void(unsigned)>& work);

}  // namespace emgraph::core
