// SPDX-License-Identifier: MIT
// A slot is empty, then filling, then live. A signal handler reads only live slots.
#include "core/io/temporary_names.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "core/base/error.hpp"

namespace emgraph::core {

std::size_t TemporaryNames::add(const std::string& path) {
  if (path.size() >= max_path_bytes) throw EnvironmentError(path + ": the path is too long");
  for (std::size_t i = 0; i < capacity; ++i) {
    int expected = empty;
    if (!slots_[i].state.compare_exchange_strong(expected, filling)) continue;
    *std::copy(path.begin(), path.end(), slots_[i].path.begin()) = '\0';
    slots_[i].state.store(live, std::memory_order_release);
    return i;
  }
  throw EnvironmentError(path + ": more than " + std::to_string(capacity) + " unfinished outputs at once");
}

void TemporaryNames::remove(std::size_t slot) noexcept {
  slots_[slot].state.store(empty, std::memory_order_release);
}

void TemporaryNames::unlink_all() noexcept {
  const int saved = errno;  // a signal handler must not change errno
  for (Slot& slot : slots_) {
    if (slot.state.load(std::memory_order_acquire) == live) unlink(slot.path.data());
  }
  errno = saved;
}

}  // namespace emgraph::core
