// SPDX-License-Identifier: MIT
// Asks the file system. Blocks that it reserves are free for root only.
#include "apps/files/free_space.hpp"

#include <sys/statvfs.h>
#include <unistd.h>

namespace emgraph::apps {

std::optional<std::uint64_t> free_bytes_at(const std::string& directory) {
  struct statvfs system {};
  if (statvfs(directory.c_str(), &system) != 0 || system.f_blocks == 0) return std::nullopt;
  const std::uint64_t blocks = geteuid() == 0 ? system.f_bfree : system.f_bavail;
  return blocks * system.f_frsize;
}

}  // namespace emgraph::apps
