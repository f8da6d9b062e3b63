// SPDX-License-Identifier: MIT
// The list of phases, the bar, the line of JSON, and the thread that draws them.
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
#include "core/base/json_text.hpp"

namespace emgraph::apps {

namespace {

constexpr auto tick = std::chrono::milliseconds(200);
/// Cells of the bar where the line has room; fewer on narrow terminals.
constexpr std::size_t most_bar_cells = 24;
constexpr std::size_t least_bar_cells = 4;

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

/// One write, so that no other line comes between its bytes.
void write_error(const std::string& bytes) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, bytes.data(), bytes.size());
}

double rate_of(const PhaseState& state) {
  return state.seconds > 0 ? static_cast<double>(state.done) / state.seconds : 0;
}

}  // namespace

core::ProgressCounter& PhaseRecorder::begin_phase(const std::string& name, std::uint64_t total,
                                                  const std::string& unit) {
  PhaseRecorder::end_phase();
  if (core::Trace* trace = statistics_.trace()) trace->begin_phase(name);
  const std::scoped_lock lock(mutex_);
  // end_phase() is called by destructors and must find room for its record.
  if (records_.size() == records_.capacity()) records_.reserve(2 * records_.size() + 8);
  const unsigned number = number_of(name);
  if (number > 0) latest_ = number;
  state_ = {.name = name,
            .unit = unit,
            .number = number,
            .phases = static_cast<unsigned>(foreseen_.size()),
            .total = total};
  running_ = true;
  start_ = Clock::now();
  start_io_ = statistics_.snapshot();
  return counters_.emplace_back(0);
}

void PhaseRecorder::end_phase() {
  std::unique_lock lock(mutex_);
  if (!running_) return;
  running_ = false;
  std::optional<PhaseState> ended;  // copied only for the hook: at the end of memory nothing here allocates
  if (at_phase_end_) ended = state_now();
  const std::chrono::duration<double> time = Clock::now() - start_;
  records_.push_back({std::move(state_.name), time.count(), statistics_.snapshot() - start_io_});
  const core::IoSnapshot& io = records_.back().io;
  if (core::Trace* trace = statistics_.trace()) trace->end_phase(io.read_bytes, io.write_bytes);
  lock.unlock();  // the display's thread waits for it while the hook waits for the display
  if (ended) at_phase_end_(*ended);
}

void PhaseRecorder::foresee(const std::vector<std::string>& names) {
  foreseen_.clear();
  for (const PhaseRecord& record : records_) foreseen_.push_back(record.name);
  latest_ = static_cast<unsigned>(records_.size());
  foreseen_.insert(foreseen_.end(), names.begin(), names.end());
}

unsigned PhaseRecorder::number_of(const std::string& name) const {
  const std::string stem = name.substr(0, name.find(','));
  for (std::size_t i = latest_ > 0 ? latest_ - 1 : 0; i < foreseen_.size(); ++i) {
    if (foreseen_[i] == name || foreseen_[i] == stem) return static_cast<unsigned>(i + 1);
  }
  return 0;
}

PhaseState PhaseRecorder::state_now() const {
  PhaseState state = state_;
  state.done = counters_.back().load(std::memory_order_relaxed);
  state.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  return state;
}

void PhaseRecorder::discard() {
  PhaseRecorder::end_phase();
  records_.clear();
  latest_ = 0;
}

std::optional<PhaseState> PhaseRecorder::current() const {
  const std::scoped_lock lock(mutex_);
  if (!running_) return std::nullopt;
  return state_now();
}

bool shows_progress(ProgressWhen when) {
  return when == ProgressWhen::always || when == ProgressWhen::json ||
         (when == ProgressWhen::automatic && isatty(STDERR_FILENO) == 1);
}

std::string progress_json(const PhaseState& state, bool finished) {
  const double rate = rate_of(state);
  std::string total = "null";
  std::string left = "null";
  if (state.total > 0) {
    total = fmt::format("{}", state.total);
    const std::uint64_t rest = state.total > state.done ? state.total - state.done : 0;
    if (rate > 0) left = fmt::format("{:.3f}", static_cast<double>(rest) / rate);
  }
  if (finished) left = "0";
  const std::string number = state.number > 0 ? fmt::format("{}", state.number) : "null";
  const std::string phases = state.phases > 0 ? fmt::format("{}", state.phases) : "null";
  return fmt::format(
      "{{\"phase\":{},\"phase_number\":{},\"phases\":{},\"done\":{},\"total\":{},\"unit\":{},\"rate\":{:.3f},"
      "\"seconds\":{:.6f},"
      "\"seconds_left\":{},\"finished\":{}}}\n",
      core::json_text(state.name), number, phases, state.done, total, core::json_text(state.unit), rate,
      state.seconds, left, finished);
}

std::string progress_line(const PhaseState& state, std::size_t columns) {
  const double rate = rate_of(state);
  const std::string speed = state.unit == "bytes" ? fmt::format("{:.0f} MB/s", rate * 1e-6)
                                                  : fmt::format("{:.1f} M {}/s", rate * 1e-6, state.unit);
  const std::string number =
      state.number > 0 ? fmt::format("{} of {}: ", state.number, state.phases) : std::string();
  // What has passed stands before the bar, what is left behind it.
  std::string line = fmt::format("{:<26} {:>5} ", number + state.name, clock_text(state.seconds));
  if (state.total > 0) {
    const double share = std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total));
    const std::string left =
        rate > 0 ? clock_text(static_cast<double>(state.total) * (1 - share) / rate) : "-:--";
    const std::string rest = fmt::format(" {:3.0f}%  {}  {} left", share * 100, speed, left);
    const std::size_t taken = line.size() + rest.size() + 3;  // brackets, and the last column stays free
    const std::size_t cells = std::clamp(columns - std::min(columns, taken), least_bar_cells, most_bar_cells);
    const auto full = static_cast<std::size_t>(share * static_cast<double>(cells));
    line += fmt::format("[{}{}]{}", std::string(full, '='), std::string(cells - full, ' '), rest);
  } else {
    const std::string done = state.unit == "bytes" ? core::format_size(state.done)
                                                   : core::format_count(state.done) + " " + state.unit;
    line += fmt::format("{}  {}", done, speed);
  }
  if (line.size() >= columns) line.resize(columns - 1);
  return line;
}

ProgressBar::ProgressBar(PhaseRecorder& recorder, ProgressWhen when)
    : recorder_(recorder), eager_(when == ProgressWhen::always), json_(when == ProgressWhen::json) {
  if (!shows_progress(when)) return;
  if (json_) {
    recorder_.at_phase_end([this](const PhaseState& state) {
      const std::scoped_lock lock(mutex_);
      write_error(progress_json(state, true));
    });
  }
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
  if (json_) recorder_.at_phase_end({});
  if (!ticker_.joinable()) return;
  ticker_.request_stop();
  ticker_.join();
  set_progress_visible(false);
}

void ProgressBar::run(const std::stop_token& stop) {
  const auto draw_current = [this] {
    const auto state = recorder_.current();
    if (!state) return;
    if (json_) {
      write_error(progress_json(*state, false));
    } else {
      draw(progress_line(*state, terminal_columns()));
    }
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
  write_error(bytes);
}

}  // namespace emgraph::apps
