// SPDX-License-Identifier: MIT
// Asks the file system. Blocks that it reserves for root are not counted, as by df.
#include "apps/files/free_space.hpp"

#include <sys/statvfs.h>

namespace emgraph::apps {

std::optional<std::uint64_t> free_bytes_at(const std::string& directory) {
  struct statvfs system {};
  if (statvfs(directory.c_str(), &system) != 0 || system.f_blocks == 0) return std::nullopt;
  return system.f_bavail * system.f_frsize;
}

}  // namespace emgraph::apps
