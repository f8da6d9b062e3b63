// SPDX-License-Identifier: MIT
// Phases of a run as seen from outside: names, amounts of work, how far.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace emgraph::core {

/// Work done so far in the current phase, in the phase's unit. Thread-safe.
using ProgressCounter = std::atomic<std::uint64_t>;

/// Told of phases by the algorithms; implemented by whoever shows them. begin and end come from one thread.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  /// `total` = 0: unknown. Returns the counter that the phase advances; valid until end_phase.
  virtual ProgressCounter& begin_phase(const std::string& name, std::uint64_t total,
                                       const std::string& unit) = 0;
  virtual void end_phase() = 0;
};

/// A phase of the current scope. Phases do not nest: beginning one ends the one before.
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

/// Shows nothing.
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
