// SPDX-License-Identifier: MIT
// The list of phases, the bar, and the thread that draws it.
#include "apps/run/progress.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <system_error>

#include "apps/run/signals.hpp"
#include "core/base/bytes.hpp"

namespace emgraph::apps {

namespace {

constexpr auto tick = std::chrono::milliseconds(200);
constexpr std::size_t bar_cells = 24;

std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::min(seconds, 359999.0) + 0.5);
  const std::uint64_t hours = whole / 3600;
  const std::uint64_t minutes = whole / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
  return fmt::format("{}:{:02}", minutes, whole % 60);
}

}  // namespace

core::ProgressCounter& PhaseRecorder::begin_phase(const std::string& name, std::uint64_t total,
                                                  const std::string& unit) {
  PhaseRecorder::end_phase();
  if (core::Trace* trace = statistics_.trace()) trace->begin_phase(name);
  const std::scoped_lock lock(mutex_);
  // end_phase() is called by destructors and must find room for its record.
  if (records_.size() == records_.capacity()) records_.reserve(2 * records_.size() + 8);
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
  records_.push_back({std::move(state_.name), time.count(), statistics_.snapshot() - start_io_});
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

std::string progress_line(const PhaseState& state, std::size_t columns) {
  const double rate = state.seconds > 0 ? static_cast<double>(state.done) / state.seconds : 0;
  const std::string speed = state.unit == "bytes" ? fmt::format("{:.0f} MB/s", rate * 1e-6)
                                                  : fmt::format("{:.1f} M {}/s", rate * 1e-6, state.unit);
  std::string line = fmt::format("{:<18} ", state.name);
  if (state.total > 0) {
    const double share = std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total));
    const auto full = static_cast<std::size_t>(share * bar_cells);
    const std::string left =
        rate > 0 ? clock_text(static_cast<double>(state.total) * (1 - share) / rate) : "-:--";
    line += fmt::format("[{}{}] {:3.0f}%  {}  {} left", std::string(full, '='),
                        std::string(bar_cells - full, ' '), share * 100, speed, left);
  } else {
    const std::string done = state.unit == "bytes" ? core::format_size(state.done)
                                                   : core::format_count(state.done) + " " + state.unit;
    line += fmt::format("{}  {}  {}", done, speed, clock_text(state.seconds));
  }
  if (line.size() >= columns) line.resize(columns - 1);
  return line;
}

ProgressBar::ProgressBar(const PhaseRecorder& recorder, ProgressWhen when)
    : recorder_(recorder), eager_(when == ProgressWhen::always) {
  const bool shown = eager_ || (when == ProgressWhen::automatic && isatty(STDERR_FILENO) == 1);
  if (!shown) return;
  // The thread that draws takes no signals, so that no handler interrupts it while it draws.
  sigset_t all;
  sigset_t old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  try {
    ticker_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  } catch (const std::system_error&) {  // a limit on threads: the run goes on without a bar
  }
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

ProgressBar::~ProgressBar() {
  if (!ticker_.joinable()) return;
  ticker_.request_stop();
  ticker_.join();
  set_progress_visible(false);
}

void ProgressBar::run(const std::stop_token& stop) {
  const auto draw_current = [this] {
    if (const auto state = recorder_.current()) draw(progress_line(*state, terminal_columns()));
  };
  std::unique_lock lock(mutex_);
  if (eager_) draw("working");
  while (!wake_.wait_for(lock, stop, tick, [] { return false; })) {
    if (stop.stop_requested()) break;
    draw_current();
  }
  if (drawn_) draw("");
}

void ProgressBar::draw(const std::string& line) {
  const std::string bytes = "\r" + line + "\033[K";
  set_progress_visible(!line.empty());
  drawn_ = true;
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, bytes.data(), bytes.size());
}

}  // namespace emgraph::apps
