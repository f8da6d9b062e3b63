// SPDX-License-Identifier: MIT
// Reads /proc and the cgroup file systems.
#include "apps/run/machine.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

namespace emgraph::apps {

namespace {

constexpr std::uint64_t unlimited = ~std::uint64_t{0};
/// Address space that threads take besides -M: 8 MiB of stack each, and some arenas of the allocator of 64
/// MiB.
constexpr std::uint64_t threads_room_bytes = std::uint64_t{256} << 20;

/// First number after `key` at the start of a line ("" = the first line), in the file's unit.
std::optional<std::uint64_t> number_in(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(key)) continue;
    std::istringstream rest(line.substr(key.size()));
    std::uint64_t value = 0;
    if (rest >> value) return value;
    return std::nullopt;  // "max"
  }
  return std::nullopt;
}

struct CgroupFiles {
  const char* limit;
  const char* usage;
  const char* reclaimable_active;
  const char* reclaimable_inactive;
};
constexpr CgroupFiles version_1 = {"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_active_file ",
                                   "total_inactive_file "};
constexpr CgroupFiles version_2 = {"/memory.max", "/memory.current", "active_file ", "inactive_file "};

std::uint64_t left_in_group(const std::string& directory, const CgroupFiles& files) {
  const auto limit = number_in(directory + files.limit, "");
  if (!limit || *limit >= unlimited / 4) return unlimited;  // v1 writes "no limit" as a huge number
  const std::uint64_t usage = number_in(directory + files.usage, "").value_or(0);
  const std::string statistics = directory + "/memory.stat";
  const std::uint64_t reclaimable = number_in(statistics, files.reclaimable_active).value_or(0) +
                                    number_in(statistics, files.reclaimable_inactive).value_or(0);
  const std::uint64_t held = usage > reclaimable ? usage - reclaimable : 0;
  return *limit > held ? *limit - held : 0;
}

/// The minimum over a cgroup and all its ancestors. A path that is not visible (in a container) counts as the
/// root.
std::uint64_t left_up_the_tree(const std::string& mount, std::string path, const CgroupFiles& files) {
  std::uint64_t left = left_in_group(mount, files);
  while (path.size() > 1) {
    left = std::min(left, left_in_group(mount + path, files));
    path.resize(path.find_last_of('/'));
  }
  return left;
}

/// What a limit of setrlimit leaves; `used_key`: the line of /proc/self/status with the use, in KiB.
std::uint64_t left_in_limit(int resource, const char* used_key) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const std::uint64_t used = number_in("/proc/self/status", used_key).value_or(0) * 1024;
  const std::uint64_t left = limit.rlim_cur > used ? limit.rlim_cur - used : 0;
  return left - std::min(left / 2, threads_room_bytes);
}

bool lists_memory(const std::string& controllers) {
  return ("," + controllers + ",").find(",memory,") != std::string::npos;
}

}  // namespace

std::uint64_t available_memory_bytes(const std::string& root) {
  const std::uint64_t free = number_in(root + "/proc/meminfo", "MemAvailable:").value_or(1u << 20) * 1024;
  return std::min(free, left_by_limits_bytes(root));
}

std::uint64_t left_by_limits_bytes(const std::string& root) {
  std::uint64_t left = unlimited;
  std::ifstream groups(root + "/proc/self/cgroup");  // lines "id:controllers:path"
  std::string line;
  while (std::getline(groups, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      for (const char* mount : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
        left = std::min(left, left_up_the_tree(root + mount, path, version_2));
      }
    } else if (lists_memory(controllers)) {
      left = std::min(left, left_up_the_tree(root + "/sys/fs/cgroup/memory", path, version_1));
    }
  }
  left = std::min(left, left_in_limit(RLIMIT_AS, "VmSize:"));
  return std::min(left, left_in_limit(RLIMIT_DATA, "VmData:"));
}

unsigned available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

std::uint64_t resident_peak_bytes() {
  return number_in("/proc/self/status", "VmHWM:").value_or(0) * 1024;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace emgraph::apps
