// SPDX-License-Identifier: MIT
// The signal handler and its state, which is the only file-level state of the program: a handler has no
// argument.
#include "apps/run/signals.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <new>
#include <string_view>

#include "apps/run/exit_code.hpp"
#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

constexpr std::array handled = {SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGUSR1, SIGUSR2,
                                SIGALRM, SIGPOLL, SIGVTALRM, SIGPROF, SIGXCPU};
std::atomic<core::TemporaryNames*> live_names{nullptr};
std::atomic<bool> progress_visible{false};
std::atomic<const char*> scratch_directory{nullptr};
std::atomic<int> delayed{0};
std::atomic<bool> stops_softly{false};
std::atomic<bool> stop_asked{false};
std::atomic<std::int64_t> stop_asked_at{0};  ///< milliseconds; 0: not asked
std::atomic<bool> stop_heeded{false};
constexpr unsigned seconds_to_heed = 10;
/// timeout(1) sends its signal to the process, and then to its group: both are one request.
constexpr std::int64_t same_request_milliseconds = 500;
std::atomic_flag dying = ATOMIC_FLAG_INIT;
std::atomic<bool> complete{false};  ///< a guard has ended, and all outputs have their names
std::atomic<bool> ends_anyway{false};
static_assert(std::atomic<core::TemporaryNames*>::is_always_lock_free &&
              std::atomic<int>::is_always_lock_free);

/// write(2), because a handler must not use streams. What cannot be written is lost.
void say(std::string_view text) noexcept {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

std::int64_t milliseconds_now() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000 + 1;
}

/// True if the signal asks the run to stop by itself, or repeats such a request.
bool asks_softly() noexcept {
  std::int64_t asked_at = 0;
  const std::int64_t now = milliseconds_now();
  if (!stop_asked_at.compare_exchange_strong(asked_at, now))
    return now - asked_at < same_request_milliseconds;
  stop_asked = true;
  alarm(seconds_to_heed);
  return true;
}

extern "C" void clean_up_and_die(int signal) {
  core::TemporaryNames* const names = live_names.load();
  if ((signal == SIGTERM || signal == SIGUSR1) && stops_softly && asks_softly()) return;
  const bool waited = signal == SIGALRM && stops_softly && stop_asked;
  if (waited && stop_heeded) {
    alarm(seconds_to_heed);
    return;
  }
  if (names != nullptr && names->publishing()) {
    delayed = signal;
    return;
  }
  const bool published = complete || (names != nullptr && names->published());
  if (published && !ends_anyway.exchange(true)) return;
  if (dying.test_and_set()) {
    while (true) pause();  // another thread cleans up
  }
  if (names != nullptr) names->unlink_all();
  if (const char* directory = scratch_directory.load()) rmdir(directory);
  if (progress_visible.load()) say("\r\033[K");
  if (waited) {
    say("emgraph: stopped on request; what was kept before stands: the same command with --resume goes on\n");
    _exit(static_cast<int>(ExitCode::stopped));
  }
  const bool written = published || (names != nullptr && names->written());
  if (signal == SIGINT) {
    say(written ? "emgraph: interrupted\n" : "emgraph: interrupted; nothing was written\n");
  } else {
    say(written ? "emgraph: ended by a signal\n" : "emgraph: ended by a signal; nothing was written\n");
  }
  // All signals are blocked in this thread: the raised one ends the process when this returns.
  std::signal(signal, SIG_DFL);
  raise(signal);
}

[[noreturn]] void terminate_with_message() noexcept {
  if (core::TemporaryNames* const names = live_names.load()) names->unlink_all();
  ExitCode code = ExitCode::internal;
  say("emgraph: ");
  try {
    if (std::current_exception() != nullptr) throw;
    say("internal error: std::terminate was called");
  } catch (const std::bad_alloc&) {
    code = ExitCode::environment;
    say("out of memory: the system refused an allocation; lower -M or -j");
  } catch (const std::exception& error) {
    say("internal error: an exception left a destructor or a thread: ");
    say(error.what());
  } catch (...) {
    say("internal error: an unknown exception left a destructor or a thread");
  }
  say(code == ExitCode::internal ? "\nThis is a fault of emgraph. Please report it with the command line.\n"
                                 : "\n");
  _exit(static_cast<int>(code));
}

}  // namespace

SignalGuard::SignalGuard(core::TemporaryNames& names) {
  delayed = 0;
  complete = false;
  ends_anyway = false;
  live_names = &names;
  struct sigaction action {};
  action.sa_handler = clean_up_and_die;
  sigfillset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (int signal : handled) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

SignalGuard::~SignalGuard() {
  complete = live_names.load()->published();
  live_names = nullptr;
  const int signal = delayed.exchange(0);
  if (complete) return;  // memory is still to be freed, and the summary to be written
  for (int each : handled) {
    struct sigaction old {};
    sigaction(each, nullptr, &old);
    if (old.sa_handler == clean_up_and_die) std::signal(each, SIG_DFL);
  }
  if (signal != 0) raise(signal);
}

void SignalGuard::raise_delayed() noexcept {
  if (const int signal = delayed.exchange(0)) raise(signal);
}

SoftStop::SoftStop() {
  stop_asked = false;
  stop_asked_at = 0;
  stop_heeded = false;
  stops_softly = true;
}

SoftStop::~SoftStop() {
  alarm(0);
  stops_softly = false;
}

const std::atomic<bool>& SoftStop::asked() {
  return stop_asked;
}

std::atomic<bool>& SoftStop::heeded() {
  return stop_heeded;
}

void explain_termination() noexcept {
  std::set_terminate(terminate_with_message);
}

void follow_parent() {
  const char* const text = std::getenv("EMGRAPH_PARENT");
  if (text == nullptr) return;
  pid_t parent = 0;
  const char* const end = text + std::strlen(text);
  if (const auto [rest, failed] = std::from_chars(text, end, parent);
      rest != end || failed != std::errc() || parent < 1) {
    throw core::UsageError(fmt::format("EMGRAPH_PARENT: '{}' is not the id of a process", text));
  }
  scratch_directory = std::getenv("EMGRAPH_SCRATCH");
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // The parent may have died before the request.
  if (getppid() == parent) return;
  if (const char* directory = scratch_directory.load()) rmdir(directory);
  raise(SIGTERM);
}

void end_with_dying_parent() {
  if (scratch_directory.load() == nullptr) return;
  pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
  if (poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0) raise(SIGTERM);
}

void set_progress_visible(bool visible) noexcept {
  progress_visible = visible;
}

}  // namespace emgraph::apps
