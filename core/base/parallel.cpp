// SPDX-License-Identifier: MIT
// A thread team from OpenMP; plain threads under ThreadSanitizer, which cannot see into OpenMP's barriers.
#include "core/base/parallel.hpp"

#include <exception>
#include <thread>
#include <vector>

namespace emgraph::core {

void run_on_threads(unsigned threads, const std::function<void(unsigned)>& work) {
  if (threads <= 1) {
    work(0);
    return;
  }
  std::vector<std::exception_ptr> errors(threads);
  const auto guarded = [&](unsigned number) {
    try {
      work(number);
    } catch (...) {
      errors[number] = std::current_exception();
    }
  };
#if defined(_OPENMP) && !defined(__SANITIZE_THREAD__)
  // A static loop of one iteration a thread, not "the team's thread number": a smaller team still does all.
#pragma omp parallel for num_threads(static_cast <int>(threads)) schedule(static, 1)
  for (unsigned number = 0; number < threads; ++number) guarded(number);
#else
  {
    std::vector<std::jthread> team;
    for (unsigned number = 1; number < threads; ++number) team.emplace_back(guarded, number);
    guarded(0);
  }
#endif
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace emgraph::core
