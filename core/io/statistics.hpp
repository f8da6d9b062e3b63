// SPDX-License-Identifier: MIT
// Counters of all I/O of a run.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "core/base/trace.hpp"

namespace emgraph::core {

enum class Operation { read, write };

/// Values of the counters at one moment. Subtract two for a phase.
struct IoSnapshot {
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  double wait_seconds = 0;  ///< time that compute threads waited for I/O, summed over threads

  friend IoSnapshot operator-(const IoSnapshot& a, const IoSnapshot& b) {
    return {a.read_bytes - b.read_bytes, a.write_bytes - b.write_bytes, a.reads - b.reads,
            a.writes - b.writes, a.wait_seconds - b.wait_seconds};
  }
};

/// Thread-safe counters of every transfer: disks, inputs, outputs, pipes.
class IoStatistics {
 public:
  /// `trace`: the trace of the run or null; outlives all transfers.
  explicit IoStatistics(Trace* trace = nullptr) : trace_(trace) {}

  Trace* trace() const { return trace_; }
  /// A disk or file in the trace.
  TraceDevice device(const std::string& name) {
    return trace_ == nullptr ? TraceDevice::unnamed : trace_->device(name);
  }

  void count_read(std::uint64_t bytes) {
    reads_.fetch_add(1, std::memory_order_relaxed);
    read_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  void count_write(std::uint64_t bytes) {
    writes_.fetch_add(1, std::memory_order_relaxed);
    write_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  void count_wait(std::chrono::nanoseconds time) {
    wait_nanoseconds_.fetch_add(static_cast<std::uint64_t>(time.count()), std::memory_order_relaxed);
  }
  IoSnapshot snapshot() const {
    return {read_bytes_.load(), write_bytes_.load(), reads_.load(), writes_.load(),
            static_cast<double>(wait_nanoseconds_.load()) * 1e-9};
  }

 private:
  Trace* const trace_;
  std::atomic<std::uint64_t> read_bytes_{0};
  std::atomic<std::uint64_t> write_bytes_{0};
  std::atomic<std::uint64_t> reads_{0};
  std::atomic<std::uint64_t> writes_{0};
  std::atomic<std::uint64_t> wait_nanoseconds_{0};
};

/// One transfer, from its submission to its end. complete() or fail() is called at most once; a transfer
/// without either is not counted.
class IoTransfer {
 public:
  IoTransfer(IoStatistics& statistics, Operation operation, std::uint64_t offset, TraceDevice device)
      : statistics_(statistics), operation_(operation), device_(device), offset_(offset) {
    if (statistics_.trace() != nullptr) begin_ = TraceClock::now();
  }

  Operation operation() const { return operation_; }
  std::uint64_t offset() const { return offset_; }
  IoStatistics& statistics() const { return statistics_; }

  void complete(std::uint64_t bytes) {
    if (operation_ == Operation::read) {
      statistics_.count_read(bytes);
    } else {
      statistics_.count_write(bytes);
    }
    record(bytes, false);
  }
  /// Counts nothing.
  void fail() { record(0, true); }

 private:
  void record(std::uint64_t bytes, bool failed) {
    if (Trace* trace = statistics_.trace()) {
      trace->transfer(device_, operation_ == Operation::read ? "read" : "write", begin_, offset_, bytes,
                      failed);
    }
  }

  IoStatistics& statistics_;
  const Operation operation_;
  const TraceDevice device_;
  const std::uint64_t offset_;
  TraceClock::time_point begin_;
};

/// Counts the time between construction and destruction as I/O wait.
class IoWait {
 public:
  explicit IoWait(IoStatistics& statistics, const char* what)
      : statistics_(statistics), span_(statistics.trace(), TraceKind::io_wait, what) {}
  IoWait(const IoWait&) = delete;
  ~IoWait() { statistics_.count_wait(std::chrono::steady_clock::now() - start_); }

 private:
  IoStatistics& statistics_;
  const TraceSpan span_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace emgraph::core
