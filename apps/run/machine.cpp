// SPDX-License-Identifier: MIT
// Reads /proc and the cgroup file systems.
#include "apps/run/machine.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
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
  const char* soft_limit;  ///< above it the kernel reclaims and delays
  const char* usage;
  const char* reclaimable_active;
  const char* reclaimable_inactive;
};
constexpr CgroupFiles version_1 = {"/memory.limit_in_bytes", "", "/memory.usage_in_bytes",
                                   "total_active_file ", "total_inactive_file "};
constexpr CgroupFiles version_2 = {"/memory.max", "/memory.high", "/memory.current", "active_file ",
                                   "inactive_file "};

std::uint64_t left_in_group(const std::string& directory, const CgroupFiles& files) {
  const std::uint64_t limit = std::min(number_in(directory + files.limit, "").value_or(unlimited),
                                       number_in(directory + files.soft_limit, "").value_or(unlimited));
  if (limit >= unlimited / 4) return unlimited;  // v1 writes "no limit" as a huge number
  const std::uint64_t usage = number_in(directory + files.usage, "").value_or(0);
  const std::string statistics = directory + "/memory.stat";
  const std::uint64_t reclaimable = number_in(statistics, files.reclaimable_active).value_or(0) +
                                    number_in(statistics, files.reclaimable_inactive).value_or(0);
  const std::uint64_t held = usage > reclaimable ? usage - reclaimable : 0;
  return limit > held ? limit - held : 0;
}

/// Processors that the quota of a group is worth; infinity: there is none.
double cores_of_group(const std::string& directory, bool is_version_2) {
  double quota = 0;
  double period = 0;
  if (is_version_2) {
    std::ifstream limit(directory + "/cpu.max");  // "max 100000" or "50000 100000"
    limit >> quota >> period;
  } else {
    std::ifstream(directory + "/cpu.cfs_quota_us") >> quota;  // -1: none
    std::ifstream(directory + "/cpu.cfs_period_us") >> period;
  }
  return quota > 0 && period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

/// Calls take(directory, is version 2) for the cgroup of this process that a controller limits, and for all
/// its ancestors. A path that is not visible (in a container) counts as the root.
template <class Take>
void for_each_group(const std::string& root, const std::string& controller, Take&& take) {
  const auto up_the_tree = [&](const std::string& mount, std::string path, bool is_version_2) {
    take(mount, is_version_2);
    while (path.size() > 1) {
      take(mount + path, is_version_2);
      path.resize(path.find_last_of('/'));
    }
  };
  std::ifstream groups(root + "/proc/self/cgroup");  // lines "id:controllers:path"
  std::string line;
  while (std::getline(groups, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      for (const char* mount : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"})
        up_the_tree(root + mount, path, true);
    } else if (("," + controllers + ",").find("," + controller + ",") != std::string::npos) {
      up_the_tree(root + "/sys/fs/cgroup/" + controller, path, false);
    }
  }
}

/// What a limit of setrlimit leaves; `used_key`: the line of /proc/self/status with the use, in KiB.
std::uint64_t left_in_limit(int resource, const char* used_key) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const std::uint64_t used = number_in("/proc/self/status", used_key).value_or(0) * 1024;
  const std::uint64_t left = limit.rlim_cur > used ? limit.rlim_cur - used : 0;
  return left - std::min(left / 2, threads_room_bytes);
}

}  // namespace

std::uint64_t available_memory_bytes(const std::string& root) {
  const std::uint64_t free = number_in(root + "/proc/meminfo", "MemAvailable:").value_or(1u << 20) * 1024;
  return std::min(free, left_by_limits_bytes(root));
}

std::uint64_t left_by_limits_bytes(const std::string& root) {
  std::uint64_t left = unlimited;
  for_each_group(root, "memory", [&](const std::string& directory, bool is_version_2) {
    left = std::min(left, left_in_group(directory, is_version_2 ? version_2 : version_1));
  });
  left = std::min(left, left_in_limit(RLIMIT_AS, "VmSize:"));
  return std::min(left, left_in_limit(RLIMIT_DATA, "VmData:"));
}

unsigned available_cores(const std::string& root) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  double cores = CPU_COUNT(&set);
  for_each_group(root, "cpu", [&](const std::string& directory, bool is_version_2) {
    cores = std::min(cores, std::ceil(cores_of_group(directory, is_version_2)));
  });
  return static_cast<unsigned>(std::max(1.0, cores));
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
