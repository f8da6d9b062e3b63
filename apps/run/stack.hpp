// SPDX-License-Identifier: MIT
// Enough stack for every thread, whatever `ulimit -s` says.
#pragma once

#include "core/base/function_ref.hpp"

namespace emgraph::apps {

/// Calls `body`, on a thread of its own if the stack of this one is too small. Threads that are started from
/// now on have at least 1 MiB each; the system gives them 2 MiB where the limit is off, else the limit.
void run_with_stack(core::FunctionRef<void()> body);

}  // namespace emgraph::apps
