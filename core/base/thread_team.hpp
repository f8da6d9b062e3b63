// SPDX-License-Identifier: MIT
// A fixed team of threads for many small pieces of work.
#pragma once

#include <atomic>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/function_ref.hpp"
#include "core/base/trace.hpp"

namespace emgraph::core {

/// `all(work)` calls work(0) … work(size - 1), each on its own thread (0 on the calling one), and returns
/// when all calls have returned. The caller makes the calls that no other thread has begun when its own has
/// returned: the system may have refused a thread, or run something else on its core. So no call may wait for
/// another. Between the calls the threads sleep after a short while. For algorithms that
/// alternate between parallel and sequential pieces of less than a millisecond: run_on_threads starts threads
/// for each piece. Measured: beside two other busy programs on two cores a search of 5,800 rounds takes 1.9
/// s, as long as by one thread, and 12 s when the caller waits for all threads to come. Mst of kron22, hash
/// weights, 512 MiB: 3.5 CPU s with an OpenMP team for each piece, 1.7 to 2.1 with this class (EPYC, 2 cores,
/// loaded machine). Pieces are spans in the trace of the thread that made the team.
///
/// `start_task(work)` has one call of `work` made beside the next calls of `all`, by a helper that is free;
/// the caller makes the pieces of a helper that is busy with it. `finish_task` returns when that call has
/// returned, or makes it. For a sequential step whose result is needed only later.
///
/// Requires: size > 0. A task is finished before the next one and before the end of the team; its callable
/// lives until then, as a lambda written in the call does not. Threads: the functions are called by the
/// thread that made the team. Throws: `all` the exception of the piece with the lowest number that threw; a
/// task must not throw.
class ThreadTeam {
 public:
  explicit ThreadTeam(unsigned size);
  ThreadTeam(const ThreadTeam&) = delete;
  ~ThreadTeam() { dismiss(); }

  unsigned size() const { return static_cast<unsigned>(errors_.size()); }

  void all(FunctionRef<void(unsigned)> work);

  void start_task(FunctionRef<void()> work);
  void finish_task();

 private:
  /// Whether a call waits to be made.
  struct alignas(64) Offer {
    std::atomic<bool> open{false};
    bool take() {
      return open.load(std::memory_order_relaxed) && open.exchange(false, std::memory_order_acquire);
    }
  };

  void start();
  void wake();
  void dismiss();
  void run(unsigned number);
  void run_task();
  void help(unsigned number);
  void wait_for_helpers();

  Trace* const trace_ = Trace::of_this_thread();
  const FunctionRef<void(unsigned)>* work_ = nullptr;  ///< null at the start of a round: helpers end
  std::vector<std::exception_ptr> errors_;
  std::vector<Offer> offers_;  ///< by number of the thread
  std::optional<FunctionRef<void()>> task_;
  Offer task_offer_;
  std::atomic<unsigned> task_runs_{0};  ///< 1 while a task is offered or has begun
  std::atomic<unsigned> round_{0};
  std::atomic<unsigned> left_{0};
  std::vector<std::jthread> helpers_;  // last member: joined before the members they use are destroyed
};

}  // namespace emgraph::core
