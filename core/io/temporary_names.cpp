// SPDX-License-Identifier: MIT
// A slot is empty or has the path of a file to remove.
#include "core/io/temporary_names.hpp"

#include <unistd.h>

#include <cerrno>

#include "core/base/error.hpp"

namespace emgraph::core {

TemporaryNames::TemporaryNames() : slots_(std::make_unique<std::atomic<const char*>[]>(capacity)) {}

std::size_t TemporaryNames::add(const std::string& path) {
  if (path.size() >= max_path_bytes) throw EnvironmentError(path + ": the path is too long");
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < capacity; ++i) {
    if (slots_[i].load(std::memory_order_relaxed) != nullptr) continue;
    paths_.push_back(std::make_unique<std::string>(path));
    slots_[i].store(paths_.back()->c_str(), std::memory_order_release);
    return i;
  }
  throw EnvironmentError(path + ": more than " + std::to_string(capacity) + " unfinished outputs at once");
}

void TemporaryNames::remove(std::size_t slot) noexcept {
  slots_[slot].store(nullptr, std::memory_order_release);
}

void TemporaryNames::unlink_all() noexcept {
  const int saved = errno;  // a signal handler must not change errno
  for (std::size_t i = 0; i < capacity; ++i) {
    const char* path = slots_[i].load(std::memory_order_acquire);
    if (path != nullptr) unlink(path);
  }
  errno = saved;
}

void TemporaryNames::end_publication(bool complete) noexcept {
  if (complete) written_ = published_ = true;
  publishing_ = false;
}

}  // namespace emgraph::core
