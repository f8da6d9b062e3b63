// SPDX-License-Identifier: MIT
// What the process may use, by /proc and cgroups of a tree of files that stands for "/".
#include "apps/run/machine.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/temporary_directory.hpp"

namespace emgraph::tests {
namespace {

constexpr std::uint64_t one_mib = std::uint64_t{1} << 20;
const std::string cgroups = "sys/fs/cgroup";

/// A tree with 1000 MiB of free memory. Names are paths below it.
class FakeRoot {
 public:
  explicit FakeRoot(const std::vector<std::pair<std::string, std::string>>& files) {
    write("proc/meminfo", "MemTotal: 9000000 kB\nMemFree: 5 kB\nMemAvailable: 1024000 kB\n");
    for (const auto& [name, content] : files) write(name, content);
  }
  std::uint64_t memory_mib() const {
    const std::uint64_t bytes = apps::available_memory_bytes(directory_.path());
    CHECK(bytes % one_mib == 0);
    return bytes / one_mib;
  }
  unsigned cores() const { return apps::available_cores(directory_.path()); }

 private:
  void write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(std::filesystem::path(directory_.file(name)).parent_path());
    directory_.write(name, content + "\n");
  }
  TemporaryDirectory directory_;
};

std::string text_of_mib(std::uint64_t count) {
  return std::to_string(count * one_mib);
}

}  // namespace

TEST_CASE("machine: without cgroups memory is what the kernel has, and cores those of the affinity") {
  const FakeRoot plain({});
  CHECK(plain.memory_mib() == 1000);
  CHECK(plain.cores() >= 1);
  const FakeRoot unlimited({{"proc/self/cgroup", "0::/a"},
                            {cgroups + "/a/memory.max", "max"},
                            {cgroups + "/a/memory.high", "max"},
                            {cgroups + "/a/memory.current", text_of_mib(77)},
                            {cgroups + "/a/cpu.max", "max 100000"}});
  CHECK(unlimited.memory_mib() == 1000);
  CHECK(unlimited.cores() == plain.cores());
}

TEST_CASE("machine: memory of cgroups version 2 is the least of what max and high of all ancestors leave") {
  using Files = std::vector<std::pair<std::string, std::string>>;
  const auto memory = [](Files files) {
    files.emplace_back("proc/self/cgroup", "0::/a/b");
    return FakeRoot(files).memory_mib();
  };
  const Files inner = {{cgroups + "/a/b/memory.max", text_of_mib(300)},
                       {cgroups + "/a/b/memory.current", text_of_mib(40)}};
  const auto and_also = [&](const Files& more) {
    Files files = inner;
    files.insert(files.end(), more.begin(), more.end());
    return memory(files);
  };
  CHECK(memory(inner) == 260);
  CHECK(memory({{cgroups + "/a/b/memory.max", text_of_mib(3000)}}) == 1000);
  CHECK(and_also({{cgroups + "/a/b/memory.high", text_of_mib(200)}}) == 160);
  CHECK(and_also({{cgroups + "/a/b/memory.high", text_of_mib(400)}}) == 260);
  CHECK(and_also({{cgroups + "/a/memory.max", text_of_mib(100)},
                  {cgroups + "/a/memory.current", text_of_mib(60)}}) == 40);
  CHECK(and_also({{cgroups + "/a/memory.high", text_of_mib(50)}}) == 50);
  CHECK(and_also({{cgroups + "/memory.max", text_of_mib(25)}}) == 25);
  CHECK(and_also({{cgroups + "/other/memory.max", text_of_mib(10)},
                  {cgroups + "/a/b/c/memory.max", text_of_mib(10)}}) == 260);
  // More is used than may be, as after a limit was lowered.
  CHECK(and_also({{cgroups + "/a/memory.max", text_of_mib(10)},
                  {cgroups + "/a/memory.current", text_of_mib(20)}}) == 0);
  // Page cache of files can be had back; that of shared memory cannot.
  const std::string statistics = "anon " + text_of_mib(5) + "\nfile " + text_of_mib(39) + "\nshmem " +
                                 text_of_mib(9) + "\ninactive_anon " + text_of_mib(3) + "\nactive_file " +
                                 text_of_mib(10) + "\ninactive_file " + text_of_mib(20);
  CHECK(and_also({{cgroups + "/a/b/memory.stat", statistics}}) == 290);
  // Where both versions are mounted.
  CHECK(memory({{cgroups + "/unified/a/memory.max", text_of_mib(30)}}) == 30);
}

TEST_CASE("machine: memory of cgroups version 1 is the least of what the limits of all ancestors leave") {
  const auto memory = [](std::vector<std::pair<std::string, std::string>> files) {
    files.emplace_back("proc/self/cgroup", "12:cpu,cpuacct:/x\n3:memory:/job/step\n1:name=systemd:/y\n0::/z");
    return FakeRoot(files).memory_mib();
  };
  const std::string step = cgroups + "/memory/job/step";
  CHECK(memory({{step + "/memory.limit_in_bytes", "9223372036854771712"}}) == 1000);
  CHECK(memory({{step + "/memory.limit_in_bytes", text_of_mib(300)},
                {step + "/memory.usage_in_bytes", text_of_mib(100)}}) == 200);
  CHECK(memory({{step + "/memory.limit_in_bytes", text_of_mib(300)},
                {step + "/memory.usage_in_bytes", text_of_mib(100)},
                {step + "/memory.stat", "active_file 1\ninactive_file 1\ntotal_active_file " +
                                            text_of_mib(30) + "\ntotal_inactive_file " + text_of_mib(40)}}) ==
        270);
  CHECK(memory({{step + "/memory.limit_in_bytes", text_of_mib(300)},
                {cgroups + "/memory/job/memory.limit_in_bytes", text_of_mib(90)}}) == 90);
  // In a container the path is that of the host.
  CHECK(memory({{cgroups + "/memory/memory.limit_in_bytes", text_of_mib(80)}}) == 80);
  CHECK(memory({{cgroups + "/memory/x/memory.limit_in_bytes", text_of_mib(10)}}) == 1000);
}

TEST_CASE("machine: quotas of cgroups count as cores, rounded up, and at least one") {
  const unsigned all = FakeRoot({}).cores();
  for (const auto& [quota, cores] : std::vector<std::pair<std::string, unsigned>>{
           {"100000", 1}, {"20000", 1}, {"100001", 2}, {"150000", 2}, {"200000", 2}, {"99900000", 999}}) {
    CAPTURE(quota);
    const unsigned expected = std::min(all, cores);
    CHECK(
        FakeRoot({{"proc/self/cgroup", "0::/a/b"}, {cgroups + "/a/b/cpu.max", quota + " 100000"}}).cores() ==
        expected);
    CHECK(FakeRoot({{"proc/self/cgroup", "0::/a/b"},
                    {cgroups + "/a/cpu.max", quota + " 100000"},
                    {cgroups + "/a/b/cpu.max", "max 100000"}})
              .cores() == expected);
    CHECK(FakeRoot({{"proc/self/cgroup", "4:cpuset:/x\n5:cpuacct,cpu:/job"},
                    {cgroups + "/cpu/job/cpu.cfs_quota_us", quota},
                    {cgroups + "/cpu/job/cpu.cfs_period_us", "100000"}})
              .cores() == expected);
  }
  CHECK(FakeRoot({{"proc/self/cgroup", "5:cpu:/job"},
                  {cgroups + "/cpu/job/cpu.cfs_quota_us", "-1"},
                  {cgroups + "/cpu/job/cpu.cfs_period_us", "100000"}})
            .cores() == all);
}

}  // namespace emgraph::tests
