// SPDX-License-Identifier: MIT
// Each call of all() is a round. Helpers wait for the number of the round to change; the caller waits for the
// last helper.
#include "core/base/thread_team.hpp"

#include <utility>

namespace emgraph::core {

ThreadTeam::ThreadTeam(unsigned size) : errors_(size) {
  try {
    for (unsigned number = 1; number < size; ++number) {
      helpers_.emplace_back([this, number] { help(number); });
    }
  } catch (...) {  // a limit on threads or processes, or no memory: the caller does the work of the others
  }
}

void ThreadTeam::all(FunctionRef<void(unsigned)> work) {
  work_ = &work;
  left_.store(static_cast<unsigned>(helpers_.size()), std::memory_order_relaxed);
  start();
  run(0);
  for (auto number = static_cast<unsigned>(helpers_.size()) + 1; number < size(); ++number) run(number);
  if (unsigned left = left_.load(std::memory_order_acquire); left != 0) {
    const TraceSpan waiting(trace_, TraceKind::thread_wait, "wait for threads");
    for (; left != 0; left = left_.load(std::memory_order_acquire)) left_.wait(left);
  }
  std::exception_ptr first;
  for (std::exception_ptr& error : errors_) {
    if (error && !first) first = error;
    error = nullptr;
  }
  if (first) std::rethrow_exception(std::move(first));
}

void ThreadTeam::start() {
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

void ThreadTeam::help(unsigned number) {
  for (unsigned round = 0;; ++round) {
    round_.wait(round, std::memory_order_acquire);
    if (work_ == nullptr) return;
    run(number);
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();
  }
}

}  // namespace emgraph::core
