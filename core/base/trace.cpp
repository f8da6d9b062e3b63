// SPDX-License-Identifier: MIT
// Each thread formats its own events as lines of JSON and appends them under a lock.
#include "core/base/trace.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "core/base/json_text.hpp"

namespace emgraph::core {
namespace {

/// In the trace the run is one process, and its phases are one thread of it. Every device is another process.
constexpr std::uint64_t run_process = 1;
constexpr std::uint64_t phases_thread = 1;
constexpr std::uint64_t first_thread = 2;
constexpr std::uint64_t first_device_process = 10;

/// Longer names of phases are cut, so that the length of a line is bounded.
constexpr std::size_t most_name_bytes = 100;

constexpr std::array category_names = {"work", "io wait", "thread wait"};

/// One event under construction, on the stack.
class Line {
 public:
  /// Requires: all pieces together fit into the line.
  Line& operator<<(std::string_view text) {
    const auto room = static_cast<std::size_t>(bytes_.end() - end_);
    end_ = std::copy_n(text.begin(), std::min(text.size(), room), end_);
    return *this;
  }
  Line& operator<<(std::uint64_t number) {
    end_ = std::to_chars(end_, bytes_.end(), number).ptr;
    return *this;
  }
  /// Appends microseconds, the unit of the format, with three decimals, the precision of the clock.
  Line& operator<<(TraceClock::duration time) {
    const auto nanoseconds = static_cast<std::uint64_t>(
        std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()));
    *this << nanoseconds / 1000;
    const auto rest = static_cast<unsigned>(nanoseconds % 1000);
    const std::array digits = {'.', digit(rest / 100), digit(rest / 10 % 10), digit(rest % 10)};
    return *this << std::string_view(digits.data(), digits.size());
  }
  std::string_view text() const { return {bytes_.data(), static_cast<std::size_t>(end_ - bytes_.data())}; }

 private:
  static char digit(unsigned value) { return static_cast<char>('0' + value); }
  // A quoted name of 100 bytes takes at most 602, everything else less than 300.
  std::array<char, 1024> bytes_;
  char* end_ = bytes_.data();
};

std::string metadata(const char* what, std::uint64_t process, std::uint64_t thread, const std::string& key,
                     const std::string& value) {
  return "{\"ph\":\"M\",\"name\":\"" + std::string(what) + "\",\"pid\":" + std::to_string(process) +
         ",\"tid\":" + std::to_string(thread) + ",\"args\":{\"" + key + "\":" + value + "}}";
}

/// The events that set the name and the sort position of a process or thread.
std::string named(const char* kind, std::uint64_t process, std::uint64_t thread, const std::string& name,
                  std::uint64_t place) {
  const std::string what = kind;
  return metadata((what + "_name").c_str(), process, thread, "name", json_text(name)) + ",\n" +
         metadata((what + "_sort_index").c_str(), process, thread, "sort_index", std::to_string(place)) +
         ",\n";
}

std::uint64_t process_of(TraceDevice device) {
  return first_device_process + static_cast<std::uint64_t>(device);
}

}  // namespace

thread_local constinit TraceSpan::Place TraceSpan::here;

struct Trace::State {
  explicit State(TraceOutput& out) : output(out) {}

  const TraceClock::time_point origin = TraceClock::now();
  std::atomic<std::uint64_t> transfers{0};

  std::mutex names_mutex;  // guards the next three members
  std::map<std::string, TraceDevice> devices;
  std::set<std::string> phase_names{"\"work\""};  // quoted; never shrinks, because spans point into it
  std::vector<bool> numbers;                      // true: the number of a working thread

  std::atomic<const std::string*> phase{&*phase_names.begin()};  // points into phase_names
  TraceClock::time_point phase_begin;  // used only by the thread that begins and ends phases

  std::mutex mutex;  // guards the members below
  TraceOutput& output;
  bool closed = false;
  std::exception_ptr error;
};

Trace::Trace(TraceOutput& output) : state_(std::make_unique<State>(output)) {
  output.append("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
}

Trace::~Trace() = default;

Trace* Trace::of_this_thread() noexcept {
  return TraceSpan::here.trace;
}

TraceDevice Trace::device(const std::string& name) {
  const std::lock_guard lock(state_->names_mutex);
  const auto next = static_cast<TraceDevice>(state_->devices.size() + 1);
  return state_->devices.try_emplace(name, next).first->second;
}

void Trace::transfer(TraceDevice device, const char* operation, TraceClock::time_point begin,
                     std::uint64_t offset, std::uint64_t bytes, bool failed) noexcept {
  const TraceClock::time_point end = TraceClock::now();
  const std::uint64_t process = process_of(device);
  const std::uint64_t id = ++state_->transfers;
  Line line;
  // The id is local to the process: with global ids Perfetto shows transfers of several disks in one row.
  const auto head = [&](const char* type, TraceClock::time_point when) {
    line << "{\"ph\":\"" << type << "\",\"pid\":" << process << ",\"tid\":" << process
         << ",\"ts\":" << when - state_->origin << ",\"cat\":\"transfer\",\"id2\":{\"local\":" << id
         << "},\"name\":\"" << operation << "\"";
  };
  head("b", begin);
  line << ",\"args\":{\"bytes\":" << bytes << ",\"offset\":" << offset
       << (failed ? ",\"failed\":true}},\n" : "}},\n");
  head("e", end);
  line << "},\n";
  write(line.text());
}

void Trace::begin_phase(const std::string& name) {
  const std::lock_guard lock(state_->names_mutex);
  state_->phase = &*state_->phase_names.insert(json_text(name.substr(0, most_name_bytes))).first;
  state_->phase_begin = TraceClock::now();
}

void Trace::end_phase(std::uint64_t read_bytes, std::uint64_t write_bytes) noexcept {
  const TraceClock::time_point end = TraceClock::now();
  Line line;
  line << "{\"ph\":\"X\",\"pid\":" << run_process << ",\"tid\":" << phases_thread
       << ",\"ts\":" << state_->phase_begin - state_->origin << ",\"dur\":" << end - state_->phase_begin
       << ",\"cat\":\"phase\",\"name\":" << *state_->phase.load()
       << ",\"args\":{\"read_bytes\":" << read_bytes << ",\"write_bytes\":" << write_bytes << "}},\n";
  write(line.text());
}

void Trace::span(unsigned number, TraceKind kind, std::string_view quoted_name,
                 TraceClock::time_point begin) noexcept {
  const TraceClock::time_point end = TraceClock::now();
  Line line;
  line << "{\"ph\":\"X\",\"pid\":" << run_process << ",\"tid\":" << first_thread + number
       << ",\"ts\":" << begin - state_->origin << ",\"dur\":" << end - begin << ",\"cat\":\""
       << category_names[static_cast<std::size_t>(kind)] << "\",\"name\":" << quoted_name << "},\n";
  write(line.text());
}

void Trace::write(std::string_view event) noexcept {
  const std::lock_guard lock(state_->mutex);
  if (state_->closed || state_->error) return;
  try {
    state_->output.append(event);
  } catch (...) {
    state_->error = std::current_exception();
  }
}

void Trace::finish(const std::string& process) {
  const std::scoped_lock lock(state_->names_mutex, state_->mutex);
  state_->closed = true;
  if (state_->error) std::rethrow_exception(state_->error);
  state_->output.append(named("thread", run_process, phases_thread, "phases", 0));
  for (std::size_t i = 0; i < state_->numbers.size(); ++i) {
    state_->output.append(
        named("thread", run_process, first_thread + i, "thread " + std::to_string(i + 1), i + 1));
  }
  for (const auto& [name, device] : state_->devices) {
    const std::uint64_t number = process_of(device);
    state_->output.append(named("process", number, number, name, number));
  }
  const std::uint64_t unnamed = process_of(TraceDevice::unnamed);
  state_->output.append(
      named("process", unnamed, unnamed, "other transfers", unnamed + state_->devices.size() + 1));
  state_->output.append(metadata("process_sort_index", run_process, phases_thread, "sort_index", "0") +
                        ",\n");
  state_->output.append(metadata("process_name", run_process, phases_thread, "name", json_text(process)) +
                        "\n]}\n");
}

unsigned Trace::take_number() noexcept try {
  const std::lock_guard lock(state_->names_mutex);
  const auto free = std::find(state_->numbers.begin(), state_->numbers.end(), false);
  const auto number = static_cast<unsigned>(free - state_->numbers.begin());
  if (free == state_->numbers.end()) state_->numbers.push_back(false);
  state_->numbers[number] = true;
  return number;
} catch (const std::bad_alloc&) {
  return 0;  // shares the row of another thread
}

void Trace::give_number(unsigned number) noexcept {
  const std::lock_guard lock(state_->names_mutex);
  state_->numbers[number] = false;
}

void TraceSpan::begin(TraceKind kind, const char* name) {
  if (here.trace != trace_) {
    const unsigned number = trace_->take_number();
    outside_ = std::exchange(here, {trace_, number});
  }
  kind_ = kind;
  name_ = name;
  if (name == nullptr) phase_ = trace_->state_->phase.load();
  begin_ = TraceClock::now();
}

void TraceSpan::end() noexcept {
  if (name_ == nullptr) {
    trace_->span(here.number, kind_, *phase_, begin_);
  } else {
    std::array<char, most_name_bytes + 2> quoted;
    const std::string_view name = std::string_view(name_).substr(0, most_name_bytes);
    quoted[0] = quoted[name.size() + 1] = '"';
    std::copy(name.begin(), name.end(), quoted.begin() + 1);
    trace_->span(here.number, kind_, {quoted.data(), name.size() + 2}, begin_);
  }
  if (outside_) {
    trace_->give_number(here.number);
    here = *outside_;
  }
}

}  // namespace emgraph::core
