// SPDX-License-Identifier: MIT
// Limits of batch queues (ulimit), shares of memory, forms of numbers; ids are no counts.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests {

TEST_CASE("limits: every command answers on one edge under ulimit -v and -d") {
  if (sanitized) return skip("sanitizers reserve address space without end");
  Workplace here;
  here.write("one.txt", "0 1\n");
  here.write("weighted.txt", "0 1 7\n");
  for (const std::string limit : {"-v 4000000", "-v 600000", "-d 600000"}) {
    for (const std::string command :
         {"mis one.txt", "cc one.txt", "bfs one.txt", "sort one.txt -f -o s.bin", "dedup one.txt -f -o d.bin",
          "convert one.txt -f -o c.npy", "triangles one.txt", "stats one.txt",
          "mst weighted.txt --cols 1,2,3", "sssp weighted.txt --cols 1,2,3 --root 0", "cc one.txt --labels",
          "cc one.txt --relabel", "mis one.txt --model external", "cc one.txt --model external",
          "gen --edges 1k -f -o g.bin"}) {
      INFO(limit + ": " + command);
      here.succeed("ulimit " + limit + "; emgraph " + command + " -q");
    }
  }
}

TEST_CASE("limits: -M is taken as what they leave, with room for the process itself") {
  if (sanitized) return skip("sanitizers reserve address space without end");
  Workplace here;
  const auto limit_of = [&](const std::string& asked) {
    const nlohmann::json summary = here.summary("ulimit -v 900000; emgraph cc gen:random,edges=1k" +
                                                (asked.empty() ? "" : " -M " + asked));
    return summary.at("memory_limit_bytes").get<std::uint64_t>();
  };
  CHECK(static_cast<double>(limit_of("")) == Approx(static_cast<double>(limit_of("50%"))).epsilon(0.05));
  CHECK(limit_of("") < std::uint64_t{450} << 20);
  CHECK(limit_of("64M") == std::uint64_t{64} << 20);
  CHECK(limit_of("1G") < std::uint64_t{900} << 20);
  const Outcome outcome = here.run("ulimit -v 900000; emgraph cc gen:random,edges=1k -M 1G");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.error.find("-M 1.00 GiB is taken as") != std::string::npos);
}

TEST_CASE("limits: -M of a whole cgroup leaves room for the process itself") {
  if (sanitized) return skip("sanitizers take more memory than the cgroup has");
  Workplace here;
  const std::string in_cgroup = "bash " EMGRAPH_DATASETS "/../scripts/cgroup_run.sh 64M " + tested_program();
  const Outcome outcome = here.run(in_cgroup + " cc gen:random,edges=1k -M 64M --json");
  if (outcome.error.find("without a limit") != std::string::npos) return skip("no memory cgroup can be made");
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.json().at("memory_limit_bytes").get<std::uint64_t>() < std::uint64_t{62} << 20);
  const Outcome half = here.run(in_cgroup + " cc gen:random,edges=1k --json");
  REQUIRE(half.exit_code == 0);
  CHECK(half.json().at("memory_limit_bytes") <= 32 << 20);
}

TEST_CASE("limits: what a small file takes follows from its size, not from the machine's") {
  Workplace here;
  std::string text;
  for (int i = 0; i < 4000; ++i) text += std::to_string(i) + " " + std::to_string((i * 7 + 1) % 4000) + "\n";
  here.write("small.txt", text);
  const std::uint64_t bound = std::uint64_t{256} << 20;
  for (const std::string command : {"bfs", "triangles", "sort -f -o s.bin"}) {
    INFO(command);
    CHECK(here.summary("emgraph " + command + " small.txt").at("memory_peak_bytes") < bound);
  }
}

TEST_CASE("numbers: shares of memory, small letters, exponents, underscores") {
  Workplace here;
  here.write("one.txt", "0 1\n");
  CHECK(here.summary("emgraph cc one.txt -M 64m").at("memory_limit_bytes") == 64 << 20);
  CHECK(here.summary("emgraph cc one.txt -M 2g").at("memory_limit_bytes") == std::uint64_t{2} << 30);
  const std::uint64_t half = here.summary("emgraph cc one.txt -M 50%").at("memory_limit_bytes");
  const std::uint64_t quarter = here.summary("emgraph cc one.txt -M 25%").at("memory_limit_bytes");
  // What is available changes while other programs run.
  CHECK(half > quarter);
  for (const char* wrong : {"0%", "101%", "%", "-5%", "5.5%", "x%"}) {
    require_failure(here.run(std::string("emgraph cc one.txt -M ") + wrong), 2, {"-M", wrong});
  }
  CHECK(here.summary("emgraph gen --edges 1e3 --nodes 1_000 -f -o g.bin").at("edges") == 1000);
  CHECK(here.summary("emgraph gen --edges 1.5e3 -f -o g.bin").at("edges") == 1500);
}

TEST_CASE("limits: rows of 2^64 - 1 nodes are refused, not allocated") {
  Workplace here;
  here.write("h.txt", "18446744073709551614 5\n");
  require_failure(here.run("emgraph bfs h.txt --model internal"), 4, {"emgraph bfs"});
  require_failure(
      here.run("emgraph sssp h.txt --weights unit --root 5 --to 18446744073709551614 --model internal"), 4,
      {"emgraph sssp"});
}

TEST_CASE("limits: values of 2^60 nodes are refused with the space that they would take") {
  Workplace here;
  here.write("g.txt", "0 1\n1 2\n");
  for (const char* command : {"cdlp", "kcore", "lcc", "bfs --directed", "sssp --weights unit --root 0"}) {
    require_failure(here.run(std::string("emgraph ") + command + " g.txt -M 64M --nodes 1152921504606846976"),
                    4, {"1,152,921,504,606,846,976 nodes", "temporary space", "--relabel"});
  }
}

TEST_CASE("numbers: raw files may begin with any id") {
  Workplace here;
  for (const std::string id : {"65534", "65279", "35615", "40223"}) {  // as UTF-16, gzip and compress begin
    for (const std::string raw : {"e.u32", "e.u64"}) {
      here.write("e.txt", id + " 1\n");
      here.succeed("emgraph convert e.txt -f -q -o " + raw);
      CHECK(here.succeed("emgraph cat " + raw).out == id + "\t1\n");
    }
  }
}

TEST_CASE("numbers: a root is an id, not a count") {
  Workplace here;
  here.write("path.txt", "0 1\n1 2\n1000 1\n");
  CHECK(here.summary("emgraph bfs path.txt --root 1000").at("reached") == 4);
  for (const char* wrong : {"abc", "1k", "1e3", "1.0", "-1", "18446744073709551616"}) {
    INFO(wrong);
    require_failure(here.run(std::string("emgraph bfs path.txt --root ") + wrong), 2,
                    {"--root", "is not an id"});
  }
}

}  // namespace emgraph::tests
