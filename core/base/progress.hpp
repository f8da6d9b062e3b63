// SPDX-License-Identifier: MIT
// The progress of a run: its phases, their amounts of work, and the work done so far.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace emgraph::core {

/// Work done so far in the current phase, in the phase's unit. Thread-safe.
using ProgressCounter = std::atomic<std::uint64_t>;

/// Receives the phases of an algorithm. Implemented by the code that shows or records them. One thread calls
/// begin_phase and end_phase.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  /// `total` = 0: unknown. Returns the counter that the phase advances; valid until end_phase.
  virtual ProgressCounter& begin_phase(const std::string& name, std::uint64_t total,
                                       const std::string& unit) = 0;
  virtual void end_phase() = 0;
};

/// A phase that lasts as long as its scope. Phases do not nest: a new phase ends the one before.
class Phase {
 public:
  Phase(ProgressSink& sink, const std::string& name, std::uint64_t total, const std::string& unit)
      : sink_(sink), counter_(sink.begin_phase(name, total, unit)) {}
  Phase(const Phase&) = delete;
  ~Phase() { sink_.end_phase(); }
  void advance(std::uint64_t amount) { counter_.fetch_add(amount, std::memory_order_relaxed); }

 private:
  ProgressSink& sink_;
  ProgressCounter& counter_;
};

/// Ignores all phases.
class SilentProgress final : public ProgressSink {
 public:
  ProgressCounter& begin_phase(const std::string&, std::uint64_t, const std::string&) override {
    return counter_;
  }
  void end_phase() override {}

 private:
  ProgressCounter counter_{0};
};

}  // namespace emgraph::core
