// SPDX-License-Identifier: MIT
// The signal handler and its state, which is the only file-level state of the program: a handler has no
// argument.
#include "apps/run/signals.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace emgraph::apps {

namespace {

constexpr std::array handled = {SIGINT, SIGTERM, SIGHUP};
std::atomic<core::TemporaryNames*> live_names{nullptr};
std::atomic<bool> progress_visible{false};
static_assert(std::atomic<core::TemporaryNames*>::is_always_lock_free);

// SA_RESETHAND has restored the default action: the raised signal ends the process when this returns.
extern "C" void clean_up_and_die(int signal) {
  if (core::TemporaryNames* names = live_names.load()) names->unlink_all();
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

void set_progress_visible(bool visible) noexcept {
  progress_visible = visible;
}

}  // namespace emgraph::apps
