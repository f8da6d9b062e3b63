// SPDX-License-Identifier: MIT
// Locks of whole files by flock().
#include "core/checkpoint/file_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "core/base/error.hpp"
#include "core/io/output_place.hpp"

namespace emgraph::core {
namespace {

constexpr unsigned tries = 50;  // half a second

}  // namespace

File locked(const std::string& path) {
  for (;;) {
    File file = File::open_kept(path, DirectIo::off, 0666);
    if (!lock_within(file.descriptor(), tries)) return {};
    // The run that had the lock may have removed the file meanwhile, and the directory.
    const std::string own = file_identity(file.descriptor());
    if (own.empty()) throw EnvironmentError::system(path, "cannot examine", errno);
    if (file_identity(path) == own) return file;
    if (!name_exists(directory_of(path))) return {};
  }
}

bool in_use_elsewhere(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool in_use = !lock_within(descriptor, tries);
  close(descriptor);
  return in_use;
}

}  // namespace emgraph::core
