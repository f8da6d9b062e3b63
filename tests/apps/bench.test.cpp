// SPDX-License-Identifier: MIT
// The commands bench sort, bench queue and bench mis: figures with bounds, refused options, memory, traces.
#include <catch2/catch.hpp>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {
namespace {

/// Checks the keys that all figures have, and that every bound fits its bytes. Bandwidth: 1 GB/s.
void check_figures(const nlohmann::json& summary, const std::string& unit) {
  for (const char* key : {"command", "seconds", "phases", "read_bytes", "write_bytes", "io_wait_seconds",
                          "temp_bytes_peak", "memory_limit_bytes", "memory_peak_bytes"}) {
    INFO(key);
    CHECK(summary.contains(key));
  }
  CHECK(summary.at("memory_peak_bytes") <= summary.at("memory_limit_bytes"));
  CHECK(summary.at("disk_read_bytes_per_second") == 1e9);
  for (const auto& figure : summary.at("results")) {
    INFO(figure.dump());
    CHECK(figure.at("seconds") > 0);
    CHECK(figure.at(unit) > 0);
    CHECK(figure.at(unit + "_per_second") > 0);
    CHECK(figure.at("bytes_per_second") > 0);
    CHECK(figure.contains("subject"));
    const std::uint64_t bound_bytes = figure.at("bound_bytes");
    CHECK(figure.contains("bound_seconds") == (bound_bytes > 0));
    const std::string name = figure.at("name");
    if (bound_bytes > 0 && !name.starts_with("in memory")) {
      CHECK(figure.at("bound_seconds").get<double>() == Approx(static_cast<double>(bound_bytes) / 1e9));
    }
  }
}

const nlohmann::json& figure(const nlohmann::json& summary, const std::string& name,
                             const std::string& subject) {
  for (const auto& entry : summary.at("results")) {
    if (entry.at("name") == name && entry.at("subject") == subject) return entry;
  }
  FAIL("no figure " << name << " of " << subject);
  return summary;
}

constexpr const char* bandwidth = " --disk-bandwidth 1GB -T .";

TEST_CASE("bench sort measures kernel, files and pipeline of every kind of record") {
  Workplace here;
  const auto summary = here.summary(std::string("emgraph bench sort --size 24M -M 16M -j 2") + bandwidth);
  check_figures(summary, "records");
  CHECK(summary.at("results").size() == 12);
  for (const std::string kind : {"u32-pair", "u64-pair", "64B"}) {
    const std::uint64_t record_bytes = kind == "u32-pair" ? 8 : kind == "u64-pair" ? 16 : 64;
    const std::uint64_t size = 24 << 20;
    const auto& pipeline = figure(summary, "pipeline", kind);
    CHECK(pipeline.at("records") == size / record_bytes);
    CHECK(pipeline.at("bytes") == size);
    const std::uint64_t spilled = size - summary.at("sorter_memory_bytes").get<std::uint64_t>();
    CHECK(pipeline.at("bound_bytes") == 2 * spilled);
    CHECK(pipeline.at("write_bytes") > 0);
    const auto& file = figure(summary, "file to file", kind);
    CHECK(file.at("bound_bytes") == 2 * (size + spilled));
    CHECK(file.at("read_bytes").get<std::uint64_t>() > size);
    CHECK(file.at("write_bytes").get<std::uint64_t>() > size);
    figure(summary, "in memory, 1 thread", kind);
    figure(summary, "in memory, 2 threads", kind);
  }
  CHECK(here.files().empty());
  const auto one = here.summary(std::string("emgraph bench sort --size 1M --record 64B -j 1") + bandwidth);
  CHECK(one.at("results").size() == 3);
  CHECK(!figure(one, "pipeline", "64B").contains("bound_seconds"));
  // One thread measures the disk first, in a table for people.
  const Outcome table = here.succeed("emgraph bench sort --size 1M --record u32-pair -j 1 -T . --quick");
  for (const char* word : {"bound s", "of bound", "pipeline", "disks  "}) {
    CHECK_THAT(table.out, Catch::Contains(word));
  }
}

TEST_CASE("bench queue measures fill, drain, intermix and messages") {
  Workplace here;
  const auto summary = here.summary(std::string("emgraph bench queue --size 32M -M 16M") + bandwidth);
  check_figures(summary, "records");
  CHECK(summary.at("results").size() == 8);
  const std::uint64_t spilled = (32 << 20) - summary.at("queue_memory_bytes").get<std::uint64_t>();
  for (const std::string size : {"8 bytes", "16 bytes"}) {
    CHECK(figure(summary, "fill", size).at("bound_bytes") == spilled);
    CHECK(figure(summary, "drain", size).at("bound_bytes") == spilled);
    CHECK(figure(summary, "intermix", size).at("bound_bytes") == 2 * spilled);
    CHECK(figure(summary, "fill", size).at("write_bytes") > 0);
    figure(summary, "messages", size);
  }
  CHECK(here.files().empty());
}

TEST_CASE("bench mis does the paper's job") {
  Workplace here;
  const auto summary =
      here.summary(std::string("emgraph bench mis --scale 0.03 -M 16M --seed 5") + bandwidth);
  check_figures(summary, "edges");
  CHECK(summary.at("edges") == 3'932'160);
  CHECK(summary.at("nodes") == 629'145);
  CHECK(summary.at("model") == "semi-external");
  const auto solved = here.summary("emgraph mis gen:random,edges=3932160,seed=5 -T .");
  CHECK(summary.at("mis_size") == solved.at("mis_size"));
  CHECK(summary.at("nodes") == solved.at("nodes"));
  CHECK(figure(summary, "all edges sorted", "8 bytes").at("bound_bytes") == 2 * (3'932'160 * 8 - (16 << 20)));
  CHECK(figure(summary, "all sorted, with payload", "16 bytes").at("bound_bytes") ==
        2 * (3'932'160 * 16 - (16 << 20)));
  figure(summary, "as mis does it", "8 bytes");
  CHECK(here.files().empty());
  CHECK(here.summary(std::string("emgraph bench mis --edges 10K") + bandwidth).at("memory_limit_bytes") <=
        512 << 20);
}

TEST_CASE("bench sort, queue and mis refuse what makes no sense") {
  Workplace here;
  const auto refused = [&](const std::string& line, const std::vector<std::string>& words) {
    INFO(line);
    require_failure(here.run("emgraph bench " + line + " -T ."), 2, words);
  };
  refused("sort --size 1000", {"--size", "1 MiB"});
  refused("sort --record u16", {"--record", "u16"});
  refused("sort --disk-bandwidth 0", {"--disk-bandwidth"});
  refused("sort -o x", {"-o"});
  refused("queue --size 0", {"--size"});
  refused("queue --disk-bandwidth fast", {"--disk-bandwidth"});
  refused("mis --scale 0", {"--scale"});
  refused("mis --scale two", {"--scale", "two"});
  refused("mis --scale 1e-9", {"--scale"});
  refused("mis --edges 0", {"--edges"});
  CHECK(here.files().empty());
}

TEST_CASE("bench sort, queue and mis end on a full disk and leave nothing") {
  Workplace here;
  here.succeed("mkdir temp");
  for (const std::string what : {"sort --size 32M", "queue --size 64M", "mis --edges 6M"}) {
    INFO(what);
    require_failure(here.run("emgraph bench " + what + " -M 16M --disk temp,size=2M"), 4, {"temp", "full"});
  }
  CHECK(here.succeed("ls -A temp").out.empty());
}

}  // namespace
}  // namespace emgraph::tests
