// SPDX-License-Identifier: MIT
// The command bench disks: figures of every disk and of all, refused options, full disks, memory, traces.
#include <catch2/catch.hpp>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {
namespace {

const nlohmann::json& result(const nlohmann::json& summary, const std::string& name,
                             const std::string& disk) {
  for (const auto& entry : summary.at("results")) {
    if (entry.at("name") == name && entry.at("disk") == disk) return entry;
  }
  FAIL("no result " << name << " of " << disk);
  return summary;
}

TEST_CASE("bench disks measures one disk") {
  Workplace here;
  here.succeed("mkdir temp");
  const auto summary = here.summary(
      "emgraph bench disks -T temp --size 2M --block 64K --batch 4 --random-reads 100 --depth 4");
  CHECK(summary.at("command") == "bench disks");
  CHECK(summary.at("results").size() == 3);
  for (const std::string name : {"write", "read"}) {
    const auto& rate = result(summary, name, "temp");
    CHECK(rate.at("block_bytes") == 65536);
    CHECK(rate.at("depth") == 4);
    CHECK(rate.at("bytes") == 2 << 20);
    CHECK(rate.at("batches") == 8);
    CHECK(rate.at("seconds") > 0);
    CHECK(rate.at("least_bytes_per_second") <= rate.at("median_bytes_per_second"));
    CHECK(rate.at("median_bytes_per_second") <= rate.at("most_bytes_per_second"));
    CHECK(!rate.contains("bound_seconds"));
  }
  const auto& random = result(summary, "random read", "temp");
  CHECK(random.at("reads") == 100);
  CHECK(random.at("block_bytes") == 4096);
  CHECK(random.at("latency_seconds").at("median") <= random.at("latency_seconds").at("p99"));
  CHECK(random.at("latency_seconds").at("p99") <= random.at("latency_seconds").at("most"));
  for (const char* key :
       {"seconds", "phases", "io_wait_seconds", "memory_limit_bytes", "memory_peak_bytes", "area_bytes"}) {
    INFO(key);
    CHECK(summary.contains(key));
  }
  CHECK(summary.at("write_bytes") == 2 << 20);
  CHECK(summary.at("read_bytes") == (2 << 20) + 100 * 4096);
  CHECK(summary.at("temp_bytes_peak") == 2 << 20);
  CHECK(here.succeed("ls -A temp").out.empty());
  CHECK(here.files() == std::vector<std::string>{"temp"});
}

TEST_CASE("bench disks measures several disks one by one and together") {
  Workplace here;
  here.succeed("mkdir one two");
  const auto summary = here.summary(
      "emgraph bench disks --disk one,io=pread --disk two,io=uring,direct=off -q --size 1M --random-reads 20 "
      "--io auto");
  CHECK(summary.at("results").size() == 9);
  CHECK(summary.at("disks") == 2);
  const auto& together = result(summary, "write", "all 2 disks");
  CHECK(together.at("bytes") == 2 << 20);
  CHECK(together.at("bound_seconds") > 0);
  CHECK(result(summary, "random read", "all 2 disks").at("reads") == 40);
  CHECK(here.succeed("ls -A one two | grep -v : ; true").out == "\n");
  const auto memory =
      here.summary("emgraph bench disks --disk x,io=memory --size 1M -M 16M --random-reads 9");
  CHECK(memory.at("memory_peak_bytes") >= 1 << 20);
}

TEST_CASE("bench disks has a table for people and a line per batch with -v") {
  Workplace here;
  const Outcome outcome =
      here.succeed("emgraph bench disks -T . --size 1M --block 128K --batch 2 --random-reads 10 -v");
  for (const char* word : {"MB/s", "median", "write", "read", "random", "p99"}) {
    CHECK_THAT(outcome.out, Catch::Contains(word));
  }
  CHECK_THAT(outcome.error, Catch::Contains("write .: 256 KiB in "));
  const Outcome sequential = here.succeed("emgraph bench disks -T . --size 1M --random-reads 0");
  CHECK_THAT(sequential.out, !Catch::Contains("p99"));
}

TEST_CASE("bench disks holds -M") {
  Workplace here;
  const auto summary = here.summary("emgraph bench disks -T . --size 64M -M 16M --random-reads 100");
  CHECK(summary.at("memory_peak_bytes") <= 16 << 20);
  here.succeed("emgraph bench disks -T . --size 8M -M 16M --random-reads 20 --random-block 512K");
  require_failure(here.run("emgraph bench disks -T . --size 8M -M 16M --random-block 4M"), 4, {"-M"});
  require_failure(here.run("emgraph bench disks -T . --size 64M -M 16M --block 4M"), 4, {"-M", "blocks"});
  require_failure(here.run("emgraph bench disks --disk x,io=memory --size 64M -M 16M"), 4, {"-M"});
  CHECK(here.files().empty());
}

TEST_CASE("bench disks refuses what makes no sense") {
  Workplace here;
  const auto refused = [&](const std::string& options, const std::vector<std::string>& words) {
    INFO(options);
    require_failure(here.run("emgraph bench disks -T . --size 1M " + options), 2, words);
  };
  refused("--block 1000", {"--block", "multiple of 4.00 KiB"});
  refused("--block 0", {"--block"});
  refused("--block 2M", {"holds no block"});
  refused("--random-block 512", {"--random-block"});
  refused("--random-block 2M", {"at random"});
  refused("--batch 0", {"--batch"});
  refused("--depth 0", {"--depth"});
  refused("--depth 129", {"--depth", "128"});
  refused("--io tape", {"--io", "tape"});
  refused("-o x", {"-o"});
  refused("--sizes 3", {"--size"});
  refused("INPUT", {"INPUT"});
  require_failure(here.run("emgraph bench"), 2, {"bench what?", "disks"});
  require_failure(here.run("emgraph bench discs"), 2, {"did you mean 'disks'"});
  CHECK_THAT(here.succeed("emgraph bench --help").out, Catch::Contains("bench disks"));
  require_failure(here.run("emgraph bench disks -T missing"), 4, {"missing"});
}

TEST_CASE("bench disks names the full disk and leaves no files") {
  Workplace here;
  here.succeed("mkdir one two");
  require_failure(here.run("emgraph bench disks --disk one --disk two,size=1M --size 2M"), 4,
                  {"two", "full"});
  // Without --size the area is as large as the smallest disk.
  CHECK(here.summary("emgraph bench disks --disk one,size=3M --disk two,size=2M --random-reads 9")
            .at("area_bytes") == 2 << 20);
  CHECK(here.files() == std::vector<std::string>{"one", "two"});
  CHECK(here.succeed("ls -A one two | grep -v : ; true").out == "\n");
}

}  // namespace
}  // namespace emgraph::tests
