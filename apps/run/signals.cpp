// SPDX-License-Identifier: MIT
// The signal handler and its state, which is the only file-level state of the program: a handler has no
// argument.
#include "apps/run/signals.hpp"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "core/base/error.hpp"

namespace emgraph::apps {

namespace {

constexpr std::array handled = {SIGINT, SIGTERM, SIGHUP};
std::atomic<core::TemporaryNames*> live_names{nullptr};
std::atomic<bool> progress_visible{false};
std::atomic<const char*> scratch_directory{nullptr};
static_assert(std::atomic<core::TemporaryNames*>::is_always_lock_free);

// SA_RESETHAND has restored the default action: the raised signal ends the process when this returns.
extern "C" void clean_up_and_die(int signal) {
  if (core::TemporaryNames* names = live_names.load()) names->unlink_all();
  if (const char* directory = scratch_directory.load()) rmdir(directory);
  if (progress_visible.load()) {
    constexpr char clear_line[] = "\r\033[K";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, clear_line, sizeof clear_line - 1);
  }
  raise(signal);
}

}  // namespace

SignalGuard::SignalGuard(core::TemporaryNames& names) {
  live_names = &names;
  struct sigaction action {};
  action.sa_handler = clean_up_and_die;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigfillset(&action.sa_mask);
  for (int signal : handled) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

SignalGuard::~SignalGuard() {
  for (int signal : handled) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == clean_up_and_die) std::signal(signal, SIG_DFL);
  }
  live_names = nullptr;
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

void set_progress_visible(bool visible) noexcept {
  progress_visible = visible;
}

}  // namespace emgraph::apps
