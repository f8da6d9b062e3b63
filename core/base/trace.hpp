// SPDX-License-Identifier: MIT
// The timeline of one run: phases, what each thread did or waited for, every transfer of every disk.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace emgraph::core {

using TraceClock = std::chrono::steady_clock;

/// Where a Trace goes.
class TraceOutput {
 public:
  virtual ~TraceOutput() = default;
  virtual void append(std::string_view json) = 0;
};

/// A disk or a file in a trace. The default is for those that nobody has named.
enum class TraceDevice : std::uint32_t { unnamed = 0 };

/// What a thread's time went into.
enum class TraceKind {
  work,
  io_wait,      ///< stands still for a transfer, or for the buffer that it holds
  thread_wait,  ///< stands still for another thread
};

/// Problem: to see afterwards whether a run computed or waited, and for what. Method: an event is written
/// when it ends, as text in the Trace Event format (Google, "Trace Event Format", 2016), which Perfetto and
/// chrome://tracing open: phases and threads as complete events ("X"), transfers, which overlap, as pairs of
/// asynchronous ones ("b", "e"), names at the end ("M"). Threads are numbered by how many are at work at
/// once: a thread takes the lowest free number when its outermost span begins. Invariant: spans on one number
/// nest or are apart. A Trace is reached through IoStatistics; threads know that of the run they work for
/// (of_this_thread), and run_on_threads and ThreadTeam hand it on, so that algorithms need not.
/// I/O: some 130 bytes a span, 260 a transfer. Memory, not charged: 16 bytes per thread at work, the names of
/// phases and files. Threads: all but finish() from any number at once. Throws: recording never does; an
/// output that failed is told by the next begin_phase() or by finish(), and nothing is recorded any more.
class Trace {
 public:
  /// Times count from now on. The output is only used from within calls.
  explicit Trace(TraceOutput& output);
  Trace(const Trace&) = delete;

  /// The device of this name, the same whenever it is asked for.
  TraceDevice device(const std::string& name);
  /// A transfer from `begin` until now. Requires: `operation` needs no escaping.
  void transfer(TraceDevice device, const char* operation, TraceClock::time_point begin, std::uint64_t offset,
                std::uint64_t bytes, bool failed) noexcept;

  /// Work spans without a name are called like the phase they begin in. Rethrows what the output threw.
  void begin_phase(const std::string& name);
  /// The phase that began last ends now.
  void end_phase(std::uint64_t read_bytes, std::uint64_t write_bytes) noexcept;

  /// Completes the text. Events that come later are dropped. `process`: name of the whole.
  void finish(const std::string& process);

  /// Of the run that the calling thread works for; null if that is not traced.
  static Trace* of_this_thread() noexcept;

 private:
  friend class TraceSpan;
  unsigned take_number();
  void give_number(unsigned number) noexcept;
  void span(unsigned number, TraceKind kind, std::string_view quoted_name,
            TraceClock::time_point begin) noexcept;
  void write(std::string_view event) noexcept;

  const TraceClock::time_point origin_ = TraceClock::now();
  std::atomic<std::uint64_t> transfers_{0};

  std::mutex names_mutex_;  // guards what follows
  std::map<std::string, TraceDevice> devices_;
  std::set<std::string> phase_names_;  // quoted; never shrinks, so that spans may point into it
  std::vector<bool> numbers_;          // taken

  std::atomic<const std::string*> phase_;  // in phase_names_
  TraceClock::time_point phase_begin_;     // of the thread that begins and ends phases

  std::mutex mutex_;  // guards what follows
  TraceOutput& output_;
  bool closed_ = false;
  std::exception_ptr error_;
};

/// What the calling thread does from construction to destruction, both on that thread. Spans of a thread
/// nest.
class TraceSpan {
 public:
  /// Within the thread's run; nothing if that is not traced. `name` needs no escaping and outlives the span;
  /// null: the phase's.
  explicit TraceSpan(TraceKind kind, const char* name = nullptr)
      : TraceSpan(Trace::of_this_thread(), kind, name) {}
  /// From here to its end the thread works for the run of `trace`. Null: nothing.
  TraceSpan(Trace* trace, TraceKind kind, const char* name = nullptr) : trace_(trace) {
    if (trace_ != nullptr) begin(kind, name);
  }
  TraceSpan(const TraceSpan&) = delete;
  ~TraceSpan() {
    if (trace_ != nullptr) end();
  }

 private:
  /// A run and the number that the thread has in its trace.
  struct Place {
    Trace* trace = nullptr;
    unsigned number = 0;
  };
  friend class Trace;
  static thread_local constinit Place here;

  void begin(TraceKind kind, const char* name);
  void end() noexcept;

  Trace* const trace_;
  TraceKind kind_{};
  const char* name_ = nullptr;
  const std::string* phase_ = nullptr;
  std::optional<Place> outside_;  // where the thread was, if this span brought it here
  TraceClock::time_point begin_;
};

/// changed.wait(lock, ready), a span if it has to wait.
template <class Condition, class Lock, class Ready>
void wait_for_thread(Condition& changed, Lock& lock, Ready ready, const char* name = "wait for threads") {
  if (ready()) return;
  const TraceSpan waiting(TraceKind::thread_wait, name);
  changed.wait(lock, ready);
}

}  // namespace emgraph::core
