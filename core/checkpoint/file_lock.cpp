// SPDX-License-Identifier: MIT
// Locks of whole files by flock().
#include "core/checkpoint/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "core/base/error.hpp"
#include "core/io/output_place.hpp"

namespace emgraph::core {
namespace {

/// False if another process has locked the file.
bool lock_unless_in_use(int descriptor) {
  constexpr auto pause = std::chrono::milliseconds(10);
  for (int tries = 50; flock(descriptor, LOCK_EX | LOCK_NB) != 0; --tries) {
    if (errno != EWOULDBLOCK) return true;  // some network file systems have no locks
    if (tries == 0) return false;
    std::this_thread::sleep_for(pause);
  }
  return true;
}

}  // namespace

File locked(const std::string& path) {
  for (;;) {
    File file = File::open_kept(path, DirectIo::off, 0666);
    if (!lock_unless_in_use(file.descriptor())) return {};
    // The run that had the lock may have removed the file meanwhile, and the directory.
    const std::string own = file_identity(file.descriptor());
    if (own.empty()) throw EnvironmentError::system(path, "cannot examine", errno);
    if (file_identity(path) == own) return file;
    struct stat status {};
    if (lstat(directory_of(path).c_str(), &status) != 0) return {};
  }
}

bool in_use_elsewhere(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool in_use = !lock_unless_in_use(descriptor);
  close(descriptor);
  return in_use;
}

}  // namespace emgraph::core
