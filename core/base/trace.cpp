// SPDX-License-Identifier: MIT
// Each thread formats its own events as lines of JSON and appends them under a lock.
#include "core/base/trace.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

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

Trace::Trace(TraceOutput& output)
    : phase_names_{"\"work\""}, phase_(&*phase_names_.begin()), output_(output) {
  output_.append("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
}

Trace* Trace::of_this_thread() noexcept {
  return TraceSpan::here.trace;
}

TraceDevice Trace::device(const std::string& name) {
  const std::lock_guard lock(names_mutex_);
  const auto next = static_cast<TraceDevice>(devices_.size() + 1);
  return devices_.try_emplace(name, next).first->second;
}

void Trace::transfer(TraceDevice device, const char* operation, TraceClock::time_point begin,
                     std::uint64_t offset, std::uint64_t bytes, bool failed) noexcept {
  const TraceClock::time_point end = TraceClock::now();
  const std::uint64_t process = process_of(device);
  const std::uint64_t id = ++transfers_;
  Line line;
  // The id is local to the process: with global ids Perfetto shows transfers of several disks in one row.
  const auto head = [&](const char* type, TraceClock::time_point when) {
    line << "{\"ph\":\"" << type << "\",\"pid\":" << process << ",\"tid\":" << process
         << ",\"ts\":" << when - origin_ << ",\"cat\":\"transfer\",\"id2\":{\"local\":" << id
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
  {
    const std::lock_guard lock(mutex_);
    if (error_) std::rethrow_exception(error_);
  }
  const std::lock_guard lock(names_mutex_);
  phase_ = &*phase_names_.insert(json_text(name.substr(0, most_name_bytes))).first;
  phase_begin_ = TraceClock::now();
}

void Trace::end_phase(std::uint64_t read_bytes, std::uint64_t write_bytes) noexcept {
  const TraceClock::time_point end = TraceClock::now();
  Line line;
  line << "{\"ph\":\"X\",\"pid\":" << run_process << ",\"tid\":" << phases_thread
       << ",\"ts\":" << phase_begin_ - origin_ << ",\"dur\":" << end - phase_begin_
       << ",\"cat\":\"phase\",\"name\":" << *phase_.load() << ",\"args\":{\"read_bytes\":" << read_bytes
       << ",\"write_bytes\":" << write_bytes << "}},\n";
  write(line.text());
}

void Trace::span(unsigned number, TraceKind kind, std::string_view quoted_name,
                 TraceClock::time_point begin) noexcept {
  const TraceClock::time_point end = TraceClock::now();
  Line line;
  line << "{\"ph\":\"X\",\"pid\":" << run_process << ",\"tid\":" << first_thread + number
       << ",\"ts\":" << begin - origin_ << ",\"dur\":" << end - begin << ",\"cat\":\""
       << category_names[static_cast<std::size_t>(kind)] << "\",\"name\":" << quoted_name << "},\n";
  write(line.text());
}

void Trace::write(std::string_view event) noexcept {
  const std::lock_guard lock(mutex_);
  if (closed_ || error_) return;
  try {
    output_.append(event);
  } catch (...) {
    error_ = std::current_exception();
  }
}

void Trace::finish(const std::string& process) {
  const std::scoped_lock lock(names_mutex_, mutex_);
  closed_ = true;
  if (error_) std::rethrow_exception(error_);
  output_.append(named("thread", run_process, phases_thread, "phases", 0));
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    output_.append(named("thread", run_process, first_thread + i, "thread " + std::to_string(i + 1), i + 1));
  }
  for (const auto& [name, device] : devices_) {
    const std::uint64_t number = process_of(device);
    output_.append(named("process", number, number, name, number));
  }
  const std::uint64_t unnamed = process_of(TraceDevice::unnamed);
  output_.append(named("process", unnamed, unnamed, "other transfers", unnamed + devices_.size() + 1));
  output_.append(metadata("process_sort_index", run_process, phases_thread, "sort_index", "0") + ",\n");
  output_.append(metadata("process_name", run_process, phases_thread, "name", json_text(process)) + "\n]}\n");
}

unsigned Trace::take_number() {
  const std::lock_guard lock(names_mutex_);
  const auto free = std::find(numbers_.begin(), numbers_.end(), false);
  const auto number = static_cast<unsigned>(free - numbers_.begin());
  if (free == numbers_.end()) numbers_.push_back(false);
  numbers_[number] = true;
  return number;
}

void Trace::give_number(unsigned number) noexcept {
  const std::lock_guard lock(names_mutex_);
  numbers_[number] = false;
}

void TraceSpan::begin(TraceKind kind, const char* name) {
  if (here.trace != trace_) {
    const unsigned number = trace_->take_number();
    outside_ = std::exchange(here, {trace_, number});
  }
  kind_ = kind;
  name_ = name;
  if (name == nullptr) phase_ = trace_->phase_.load();
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
