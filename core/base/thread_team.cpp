// SPDX-License-Identifier: MIT
// Each call of all() is a round. It offers a call to each helper and changes the number of the round, which
// the helpers wait for. A call belongs to the thread that takes the offer first: the helper, or the caller
// when it has made its own call. At the end the caller waits for the calls that helpers have taken.
#include "core/base/thread_team.hpp"

#include <utility>

#include "core/base/short_wait.hpp"

namespace emgraph::core {

ThreadTeam::ThreadTeam(unsigned size) : errors_(size), offers_(size) {
  try {
    for (unsigned number = 1; number < size; ++number) {
      helpers_.emplace_back([this, number] { help(number); });
    }
  } catch (...) {  // a limit on threads or processes, or no memory: the caller does the work of the others
  }
}

void ThreadTeam::all(FunctionRef<void(unsigned)> work) {
  work_ = &work;
  left_.store(size() - 1, std::memory_order_relaxed);
  start();
  run(0);
  for (unsigned number = 1; number < size(); ++number) {
    if (!offers_[number].take()) continue;
    run(number);
    left_.fetch_sub(1, std::memory_order_relaxed);
  }
  wait_for_helpers();
  std::exception_ptr first;
  for (std::exception_ptr& error : errors_) {
    if (error && !first) first = error;
    error = nullptr;
  }
  if (first) std::rethrow_exception(std::move(first));
}

void ThreadTeam::start() {
  for (unsigned number = 1; number < size(); ++number) {
    offers_[number].open.store(true, std::memory_order_release);
  }
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void ThreadTeam::dismiss() {
  work_ = nullptr;
  start();
}

void ThreadTeam::run(unsigned number) {
  const TraceSpan working(helpers_.empty() ? nullptr : trace_, TraceKind::work);
  try {
    (*work_)(number);
  } catch (...) {
    errors_[number] = std::current_exception();
  }
}

void ThreadTeam::wait_for_helpers() {
  if (left_.load(std::memory_order_acquire) == 0) return;
  const TraceSpan waiting(trace_, TraceKind::thread_wait, "wait for threads");
  if (waits_shortly_for([&] { return left_.load(std::memory_order_acquire) == 0; })) return;
  for (unsigned left; (left = left_.load(std::memory_order_acquire)) != 0;) left_.wait(left);
}

void ThreadTeam::help(unsigned number) {
  for (;;) {
    const unsigned round = round_.load(std::memory_order_acquire);
    if (offers_[number].take()) {
      if (work_ == nullptr) return;
      run(number);
      if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();
    } else if (!waits_shortly_for([&] { return round_.load(std::memory_order_relaxed) != round; })) {
      round_.wait(round, std::memory_order_acquire);
    }
  }
}

}  // namespace emgraph::core
