// SPDX-License-Identifier: MIT
// The timeline of one run: phases, what each thread did or waited for, every transfer of every disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace emgraph::core {

using TraceClock = std::chrono::steady_clock;

/// Receives the text of a Trace.
class TraceOutput {
 public:
  virtual ~TraceOutput() = default;
  virtual void append(std::string_view json) = 0;
};

/// The number of a disk or file in a trace. `unnamed` stands for those without a name.
enum class TraceDevice : std::uint32_t { unnamed = 0 };

/// What a thread spends its time on.
enum class TraceKind {
  work,
  io_wait,      ///< waits for a transfer, or for a buffer that a transfer uses
  thread_wait,  ///< waits for another thread
};

/// Problem: show after a run when it computed, when it waited, and for what.
/// Method: an event is written when it ends, as text in the Trace Event format (Google, "Trace Event Format",
/// 2016), which Perfetto and chrome://tracing open. Phases and spans of threads are complete events ("X").
/// Transfers overlap, so they are pairs of asynchronous events ("b", "e"). Names ("M") come at the end.
/// A thread takes the lowest free number when its outermost span begins, and returns it when that span ends.
/// Invariant: two spans with the same number are nested or disjoint.
/// Access: IoStatistics holds the Trace of a run. of_this_thread() returns the one that the calling thread
/// works for; run_on_threads and ThreadTeam pass it on to their threads.
/// I/O: about 130 bytes per span, 260 per transfer. Memory, not charged: 16 bytes per working thread, and the
/// names of phases and files. Threads: any number at once, except finish(). Throws: recording never throws.
/// If the output has failed, nothing more is recorded, and finish() rethrows the error. A run is not lost for
/// want of a trace.
class Trace {
 public:
  /// Times in the trace count from now on. The output is used only during calls of this object.
  explicit Trace(TraceOutput& output);
  Trace(const Trace&) = delete;
  ~Trace();

  /// The device of this name; equal names give the same device.
  TraceDevice device(const std::string& name);
  /// Records a transfer from `begin` until now. Requires: `operation` needs no escaping.
  void transfer(TraceDevice device, const char* operation, TraceClock::time_point begin, std::uint64_t offset,
                std::uint64_t bytes, bool failed) noexcept;

  /// Begins a phase. Work spans without a name take the name of the phase in which they begin.
  /// Requires: no other thread begins or ends a phase.
  void begin_phase(const std::string& name);
  /// Records the end of the current phase.
  void end_phase(std::uint64_t read_bytes, std::uint64_t write_bytes) noexcept;

  /// Completes the text. Later events are dropped. `process`: name of the run in the trace.
  void finish(const std::string& process);

  /// The trace of the run that the calling thread works for; null if the run is not traced.
  static Trace* of_this_thread() noexcept;

 private:
  friend class TraceSpan;
  unsigned take_number() noexcept;
  void give_number(unsigned number) noexcept;
  void span(unsigned number, TraceKind kind, std::string_view quoted_name,
            TraceClock::time_point begin) noexcept;
  void write(std::string_view event) noexcept;

  struct State;  // apart, because nearly every file of the libraries includes this header
  const std::unique_ptr<State> state_;
};

/// Records what the calling thread does from construction to destruction, both on that thread. The spans of a
/// thread must be nested.
class TraceSpan {
 public:
  /// A span in the trace of the thread's run; without a trace nothing is recorded. `name` needs no escaping
  /// and outlives the span; null: the name of the phase.
  explicit TraceSpan(TraceKind kind, const char* name = nullptr)
      : TraceSpan(Trace::of_this_thread(), kind, name) {}
  /// The same in `trace`; until the span ends the thread works for the run of `trace`. Null: nothing.
  TraceSpan(Trace* trace, TraceKind kind, const char* name = nullptr) : trace_(trace) {
    if (trace_ != nullptr) begin(kind, name);
  }
  TraceSpan(const TraceSpan&) = delete;
  ~TraceSpan() {
    if (trace_ != nullptr) end();
  }

 private:
  /// The trace of a thread, and the thread's number in it.
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
  std::optional<Place> outside_;  // the thread's place before this span, if the span changed it
  TraceClock::time_point begin_;
};

/// changed.wait(lock, ready), recorded as a span if the thread has to wait.
template <class Condition, class Lock, class Ready>
void wait_for_thread(Condition& changed, Lock& lock, Ready ready, const char* name = "wait for threads") {
  if (ready()) return;
  const TraceSpan waiting(TraceKind::thread_wait, name);
  changed.wait(lock, ready);
}

}  // namespace emgraph::core
