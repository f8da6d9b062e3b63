// SPDX-License-Identifier: MIT
// Threads that stay for many small pieces of work and sleep in between.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "core/base/trace.hpp"

namespace emgraph::core {

/// `all(work)` calls work(0) … work(size - 1), the first on the calling thread, and returns when all have.
/// For algorithms that change between parallel and sequential pieces of a millisecond: starting threads for
/// each would cost as much, and a team of OpenMP (run_on_threads) burns a core while it waits for the next.
/// Measured: mst of kron22, hash weights, 512 MiB: 3.5 CPU s with a team of OpenMP for each piece, 1.7 to 2.1
/// with threads that sleep (EPYC, 2 cores, loaded machine).
/// Pieces are spans in the trace of the thread that made the crew.
/// Requires: size > 0. Threads: `all` from the one that made it. Throws: `all` what a piece throws; if
/// several do, that of the lowest number.
class Crew {
 public:
  explicit Crew(unsigned size);
  Crew(const Crew&) = delete;
  ~Crew() { dismiss(); }

  unsigned size() const { return static_cast<unsigned>(errors_.size()); }

  void all(const std::function<void(unsigned)>& work);

 private:
  void start();
  void dismiss();
  void run(unsigned number);
  void help(unsigned number);

  Trace* const trace_ = Trace::of_this_thread();
  const std::function<void(unsigned)>* work_ = nullptr;  ///< null when started: go home
  std::vector<std::exception_ptr> errors_;
  std::atomic<unsigned> round_{0};
  std::atomic<unsigned> left_{0};
  std::vector<std::jthread> helpers_;  // last: joined before what they use goes
};

}  // namespace emgraph::core
