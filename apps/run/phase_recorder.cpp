// SPDX-License-Identifier: MIT
// Phases in a list.
#include "apps/run/phase_recorder.hpp"

namespace emgraph::apps {

core::ProgressCounter& PhaseRecorder::begin_phase(const std::string& name, std::uint64_t total,
                                                  const std::string& unit) {
  PhaseRecorder::end_phase();
  if (core::Trace* trace = statistics_.trace()) trace->begin_phase(name);
  const std::scoped_lock lock(mutex_);
  state_ = {.name = name, .unit = unit, .total = total};
  running_ = true;
  start_ = Clock::now();
  start_io_ = statistics_.snapshot();
  return counters_.emplace_back(0);
}

void PhaseRecorder::end_phase() {
  const std::scoped_lock lock(mutex_);
  if (!running_) return;
  running_ = false;
  const std::chrono::duration<double> time = Clock::now() - start_;
  records_.push_back({state_.name, time.count(), statistics_.snapshot() - start_io_});
  const core::IoSnapshot& io = records_.back().io;
  if (core::Trace* trace = statistics_.trace()) trace->end_phase(io.read_bytes, io.write_bytes);
}

void PhaseRecorder::discard() {
  PhaseRecorder::end_phase();
  records_.clear();
}

std::optional<PhaseState> PhaseRecorder::current() const {
  const std::scoped_lock lock(mutex_);
  if (!running_) return std::nullopt;
  PhaseState state = state_;
  state.done = counters_.back().load(std::memory_order_relaxed);
  state.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  return state;
}

}  // namespace emgraph::apps
