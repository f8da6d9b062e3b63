// SPDX-License-Identifier: MIT
// Running the same function on several threads.
#pragma once

#include "core/base/function_ref.hpp"

namespace emgraph::core {

/// Calls `work(0) … work(threads - 1)` and returns when all have returned. The caller runs work(0); each
/// other number gets a thread of its own. If the system refuses a thread, the caller runs the numbers that
/// are left after its own, in ascending order: a number may wait for lower numbers, never for higher ones.
/// Cost: some 20 us per thread; ThreadTeam is for many small pieces.
/// The threads' work appears as spans in the caller's trace.
/// Throws: what `work` threw; if several numbers threw, the exception of the lowest, after all have returned.
/// An exception does not stop the other numbers: work that takes long should look at a stop condition.
void run_on_threads(unsigned threads, FunctionRef<void(unsigned)> work);

}  // namespace emgraph::core
