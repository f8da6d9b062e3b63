// SPDX-License-Identifier: MIT
// Running the same function on several threads.
#pragma once

#include <functional>

namespace emgraph::core {

/// Calls `work(0) … work(threads - 1)`, each on its own thread (0 on the calling one), and returns when all
/// have. If some throw, the others run on (they should look at a shared stop condition of their own if that
/// takes long) and the exception of the lowest number is rethrown. What the threads do is spans in the
/// caller's trace.
void run_on_threads(unsigned threads, const std::function<void(unsigned)>& work);

}  // namespace emgraph::core
