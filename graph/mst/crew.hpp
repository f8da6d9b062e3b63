// SPDX-License-Identifier: MIT
// Threads that stay for many small pieces of work and sleep in between.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace emgraph::graph::mst {

/// `all(work)` calls work(0) … work(size - 1), the first on the calling thread, and returns when all have.
/// For algorithms that change between parallel and sequential pieces of a millisecond: starting threads for
/// each would cost as much, and a team of OpenMP burns a core while it waits for the next.
/// Measured: kron22, hash weights, 512 MiB: 3.5 CPU s with a team of OpenMP for each piece, 1.7 to 2.1 with
/// threads that sleep (EPYC, 2 cores, loaded machine).
/// Threads: `all` from the one that made it. Throws: `all` what a piece throws; if several do, one of it.
class Crew {
 public:
  explicit Crew(unsigned size) : errors_(size) {
    for (unsigned number = 1; number < size; ++number) {
      helpers_.emplace_back([this, number] { help(number); });
    }
  }
  Crew(const Crew&) = delete;
  ~Crew() {
    work_ = nullptr;
    start();
  }

  unsigned size() const { return static_cast<unsigned>(errors_.size()); }

  void all(const std::function<void(unsigned)>& work) {
    work_ = &work;
    left_.store(static_cast<unsigned>(helpers_.size()), std::memory_order_relaxed);
    start();
    run(0);
    for (unsigned left; (left = left_.load(std::memory_order_acquire)) != 0;) left_.wait(left);
    for (std::exception_ptr& error : errors_) {
      if (error) std::rethrow_exception(std::exchange(error, nullptr));
    }
  }

 private:
  void start() {
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  void run(unsigned number) {
    try {
      (*work_)(number);
    } catch (...) {
      errors_[number] = std::current_exception();
    }
  }
  void help(unsigned number) {
    for (unsigned round = 0;; ++round) {
      round_.wait(round, std::memory_order_acquire);
      if (work_ == nullptr) return;
      run(number);
      if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();
    }
  }

  const std::function<void(unsigned)>* work_ = nullptr;
  std::vector<std::exception_ptr> errors_;
  std::atomic<unsigned> round_{0};
  std::atomic<unsigned> left_{0};
  std::vector<std::jthread> helpers_;  // last: joined before what they use goes
};

}  // namespace emgraph::graph::mst
