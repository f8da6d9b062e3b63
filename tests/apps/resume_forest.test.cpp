// SPDX-License-Identifier: MIT
// mst with --checkpoint: killed, stopped and resumed with other memory and threads it writes the same bytes.
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/apps/killed_runs.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

TEST_CASE("a state of mst in memory is the edges so far, without a reduction to their forest") {
  Workplace here;
  here.succeed("emgraph gen --edges 6M --nodes 1K -q -o edges.bin");
  const std::string line =
      "mst edges.bin --weights hash --model semi-external -q -o x.bin -M 100M --checkpoint kept";
  Outcome outcome;
  REQUIRE(kill_midway(here, line + " --checkpoint-period 0", SIGKILL, 2, {"x.bin"}, outcome));
  // The forest would take 8 KB.
  CHECK(std::filesystem::file_size(here.path("kept/emgraph.journal")) > 100000);
  here.succeed("emgraph " + line + " --resume");
  here.succeed("emgraph check mst edges.bin --weights hash x.bin -q");
}

TEST_CASE("spanning forests that are killed again and again are the minimum ones") {
  Workplace here;
  here.succeed("emgraph gen --edges 900K --nodes 60K --weights 1:999999 -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv");
  here.succeed("emgraph cat edges.bin --head 200000 | awk '{print $1, $2, $3 / 7}' > wide.txt");
  const std::vector<std::string> commands = {
      "mst edges.bin",
      "mst edges.tsv --cols 1,2,3 --model semi-external",
      "mst edges.bin --maximum --model external",
      "mst gen:kron,scale=14,edge-factor=40 --weights hash --model external",
      "mst wide.txt --cols 1,2,3 --weight-type f64 --model external",
  };
  for (const std::string& command : sampled(commands)) {
    const int times =
        survive_kills(here, command + " -o x.bin", {"x.bin"}, {"-M 64M -j 2", "-M 100M -j 1", "-M 64M -j 3"});
    INFO(command);
    CHECK(times > 0);
  }
}

TEST_CASE("a forest by ranges of nodes is resumed") {
  Workplace here;
  here.succeed("emgraph gen --edges 3M --nodes 2M --weights 1:999999 -q -o sparse.bin");
  here.succeed("emgraph gen --edges 6M --nodes 1M --weights 1:999999 -q -o dense.bin");
  for (const std::string input : {"sparse.bin", "dense.bin"}) {
    CHECK(survive_kills(here, "mst " + input + " --model external -o x.bin", {"x.bin"},
                        {"-M 17M -j 2", "-M 17M -j 1", "-M 18M -j 2", "-M 16M"}) > 0);
  }
}

TEST_CASE("a forest goes on however often it was stopped while edges were united") {
  // Each stop adds a run of edges to every range of nodes; they were more than memory could merge at once.
  Workplace here;
  const std::string line =
      "mst gen:random,nodes=3M,edges=11M --weights hash --model external -M 16M -j 2 -q -o x.bin";
  here.succeed("emgraph " + line + " && mv x.bin right.bin");
  const std::string kept = line + " --checkpoint kept --checkpoint-period 0";
  REQUIRE(kill_at(here, kept, {"uniting light edges"}));
  Outcome outcome;
  for (int stop = 0; stop < 6; ++stop) {
    REQUIRE(kill_after_seals(here, kept + " --resume", SIGKILL, 1, outcome));
  }
  here.succeed("emgraph " + line + " --checkpoint kept --resume");
  CHECK((here.read("x.bin") == here.read("right.bin")));
}

TEST_CASE("an id of 2^64 - 1 is refused by mst and sort --orient degree, whatever the threads") {
  Workplace here;
  std::string edges;
  for (std::uint64_t i = 0; i < 400000; ++i) {
    const std::uint64_t ends[] = {i % 997, i % 200000 == 7 ? ~std::uint64_t{0} : i % 991};
    edges.append(reinterpret_cast<const char*>(ends), sizeof ends);
  }
  here.write("e.u64", edges);
  for (const std::string threads : {"1", "4"}) {
    require_failure(here.run("emgraph mst e.u64 --weights unit -M 100M -o x.bin -j " + threads), 3,
                    {"18446744073709551615"});
    require_failure(here.run("emgraph sort e.u64 --orient degree -M 100M -o x.bin -j " + threads), 3,
                    {"18446744073709551615"});
  }
}

}  // namespace emgraph::tests
