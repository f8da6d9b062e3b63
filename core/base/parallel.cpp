// SPDX-License-Identifier: MIT
// A team of plain threads for one piece of work. Where the system refuses a thread, the caller does its
// share.
#include "core/base/parallel.hpp"

#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/trace.hpp"

namespace emgraph::core {

void run_on_threads(unsigned threads, FunctionRef<void(unsigned)> work) {
  if (threads <= 1) {
    work(0);
    return;
  }
  std::vector<std::exception_ptr> errors(threads);
  Trace* const trace = Trace::of_this_thread();
  std::optional<TraceSpan> waiting;  // the caller's, when its own share is done
  const auto guarded = [&](unsigned number) {
    const TraceSpan working(trace, TraceKind::work);
    try {
      work(number);
    } catch (...) {
      errors[number] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> team;
    team.reserve(threads - 1);
    unsigned next = 1;
    try {
      for (; next < threads; ++next) team.emplace_back(guarded, next);
    } catch (...) {  // a limit on threads or processes, or no memory: the team is as large as it is
    }
    guarded(0);
    for (; next < threads; ++next) guarded(next);
    waiting.emplace(trace, TraceKind::thread_wait, "wait for threads");
  }
  waiting.reset();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace emgraph::core
