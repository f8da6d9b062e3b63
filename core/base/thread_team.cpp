// SPDX-License-Identifier: MIT
// Each call of all() is a round. It offers a call to each helper and changes the number of the round, which
// the helpers wait for. A call belongs to the thread that takes the offer first: the helper, or the caller
// when it has made its own call. At the end the caller waits for the calls that helpers have taken. A task
// is one more offer, to all helpers.
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
  wake();
}

void ThreadTeam::wake() {
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

void ThreadTeam::start_task(FunctionRef<void()> work) {
  task_ = work;
  task_runs_.store(1, std::memory_order_relaxed);
  if (helpers_.empty()) {
    run_task();
    return;
  }
  task_offer_.open.store(true, std::memory_order_release);
  wake();
}

void ThreadTeam::finish_task() {
  if (task_runs_.load(std::memory_order_acquire) == 0) return;
  if (task_offer_.take()) {
    run_task();
    return;
  }
  const TraceSpan waiting(trace_, TraceKind::thread_wait, "wait for threads");
  if (!waits_shortly_for([&] { return task_runs_.load(std::memory_order_acquire) == 0; })) {
    task_runs_.wait(1, std::memory_order_acquire);
  }
}

void ThreadTeam::run_task() {
  const TraceSpan working(helpers_.empty() ? nullptr : trace_, TraceKind::work);
  (*task_)();
  task_runs_.store(0, std::memory_order_release);
  task_runs_.notify_one();
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
    } else if (task_offer_.take()) {
      run_task();
    } else if (!waits_shortly_for([&] { return round_.load(std::memory_order_relaxed) != round; })) {
      round_.wait(round, std::memory_order_acquire);
    }
  }
}

}  // namespace emgraph::core
