// SPDX-License-Identifier: MIT
// A thread team from OpenMP; plain threads under ThreadSanitizer, which cannot see into OpenMP's barriers.
#include "core/base/parallel.hpp"

#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/trace.hpp"

namespace emgraph::core {

void run_on_threads(unsigned threads, const std::function<void(unsigned)>& work) {
  if (threads <= 1) {
    work(0);
    return;
  }
  std::vector<std::exception_ptr> errors(threads);
  Trace* const trace = Trace::of_this_thread();
  std::optional<TraceSpan> waiting;  // of the caller, after its own share is done
  const auto guarded = [&](unsigned number) {
    const TraceSpan working(trace, TraceKind::work);
    try {
      work(number);
    } catch (...) {
      errors[number] = std::current_exception();
    }
  };
#if defined(_OPENMP) && !defined(__SANITIZE_THREAD__)
  // A static loop with one iteration per thread: a team that is smaller than requested still does all of
  // them.
  const std::thread::id caller = std::this_thread::get_id();
#pragma omp parallel num_threads(static_cast <int>(threads))
  {
#pragma omp for schedule(static, 1) nowait
    for (unsigned number = 0; number < threads; ++number) guarded(number);
    if (std::this_thread::get_id() == caller) {
      waiting.emplace(trace, TraceKind::thread_wait, "wait for threads");
    }
  }
#else
  {
    std::vector<std::jthread> team;
    for (unsigned number = 1; number < threads; ++number) team.emplace_back(guarded, number);
    guarded(0);
    waiting.emplace(trace, TraceKind::thread_wait, "wait for threads");
  }
#endif
  waiting.reset();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace emgraph::core
