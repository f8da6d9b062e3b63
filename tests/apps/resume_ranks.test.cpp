// SPDX-License-Identifier: MIT
// pagerank with --checkpoint, and filters before commands that have one: killed, stopped and resumed with
// other memory and threads they write the same bytes.
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/apps/killed_runs.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

TEST_CASE("ranks that are killed again and again end with the same bits") {
  Workplace here;
  here.succeed("emgraph gen --edges 300K --nodes 60K --weights 0:99 -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv");
  here.write("list.txt", "17\n5\n59999\n");
  const std::vector<std::string> commands = {
      "pagerank edges.bin",
      "pagerank edges.tsv --undirected --model internal --iterations 20",
      "pagerank edges.tsv --model semi-external",
      "pagerank edges.bin --model external --iterations 15",
      "pagerank edges.bin --sources list.txt --weighted --model external --iterations 12",
      "pagerank edges.bin --sources list.txt --weighted --undirected",
  };
  for (const std::string& command : sampled(commands)) {
    const int times =
        survive_kills(here, command + " -o x.npy", {"x.npy"}, {"-M 64M -j 2", "-M 100M -j 1", "-M 48M -j 3"});
    INFO(command);
    CHECK(times > 0);
  }
  Outcome outcome;
  const std::string line = "pagerank edges.bin --sources list.txt -q --checkpoint kept";
  REQUIRE(kill_midway(here, line + " --checkpoint-period 0", SIGTERM, 1, {}, outcome));
  here.write("list.txt", "17\n");
  require_failure(here.run("emgraph " + line + " --resume"), 2, {"list of nodes", "list.txt"});
}

TEST_CASE("ranks in several ranges of nodes are resumed, also where memory would hold all") {
  Workplace here;
  here.succeed("emgraph gen --edges 1500K --nodes 1200K -q -o edges.bin");
  CHECK(survive_kills(here, "pagerank edges.bin --iterations 4 -o x.npy", {"x.npy"},
                      {"-M 17M -j 1", "-M 18M -j 2", "-M 400M"}) > 0);
  here.succeed("emgraph gen --edges 1500K --nodes 1200K --weights 1:9 -q -f -o edges.bin");
  CHECK(survive_kills(here, "pagerank edges.bin --weighted --iterations 3 -o x.npy", {"x.npy"},
                      {"-M 17M -j 1", "-M 18M -j 2", "-M 400M"}) > 0);
}

TEST_CASE("ranks that are stopped in their rounds go on where no state was sealed before") {
  Workplace here;
  here.succeed("emgraph gen --edges 100K -q -o edges.bin");
  const std::string line =
      "pagerank edges.bin -M 24M -q -o x.npy --iterations " + std::string(sized("600", "250"));
  for (const std::string model : {"semi-external", "external"}) {
    INFO(model);
    const std::string command = line + " --model " + model;
    here.succeed("emgraph " + command);
    const std::string right = here.read("x.npy");
    std::filesystem::remove(here.path("x.npy"));
    // The default period is a minute; the stop itself seals the first state, mostly between rounds.
    Outcome outcome;
    outcome.exit_code = 0;
    for (auto wait = std::chrono::milliseconds(800); outcome.exit_code == 0 && wait.count() > 0; wait /= 2) {
      std::filesystem::remove(here.path("x.npy"));
      const pid_t process = here.start(command + " --checkpoint kept");
      std::this_thread::sleep_for(wait);
      kill(process, SIGTERM);
      outcome = here.finish(process);
    }
    REQUIRE(outcome.exit_code == 75);
    here.succeed("emgraph " + command + " --checkpoint kept --resume");
    CHECK((here.read("x.npy") == right));
    std::filesystem::remove(here.path("x.npy"));
  }
}

TEST_CASE("ranks of lists in memory go on, also where the lists do not fit any more") {
  Workplace here;
  here.succeed("emgraph gen --edges 1500K --nodes 1200K -q -o edges.bin");
  for (const std::string& undirected : sampled<std::string>({" --undirected", ""})) {
    CHECK(survive_kills(here, "pagerank edges.bin --iterations 30 -o x.npy" + undirected, {"x.npy"},
                        {"-M 400M -j 1", "-M 400M -j 2", "-M 18M -j 1"}) > 2);
  }
}

TEST_CASE("rounds of pagerank use the space of a checkpoint again") {
  Workplace here;
  here.succeed("emgraph gen --edges 200K --nodes 1M -q -o edges.bin");
  const std::string line =
      "pagerank edges.bin --model semi-external -q -o x.npy --iterations 100000 --checkpoint kept";
  Outcome outcome;
  int left = 0;
  REQUIRE(kill_after_seals(here, line + " --checkpoint-period 0", SIGKILL, 40, outcome, &left));
  if (left > 0) return skip("this machine is too slow for 40 rounds");
  // 40 rounds with 8 MB of ranks each; the file holds keys, lists, degrees and three sets of ranks.
  CHECK(std::filesystem::file_size(here.path("kept/emgraph.data")) <= std::uint64_t{128} << 20);
}

TEST_CASE("runs with a filter are resumed, and count what it has left out") {
  Workplace here;
  here.succeed("emgraph gen --edges 150K --nodes 60K --weights 1:9 -q -o edges.bin");
  std::string list;
  for (int i = 0; i < 60000; i += 2) list += std::to_string(i) + "\n";
  here.write("list.txt", list);
  const std::vector<std::string> commands = {
      "sort -u edges.bin --min-weight 4 -o x.bin",
      "cc edges.bin --nodes-in list.txt -o x.bin",
      "mis edges.bin --max-weight 5 --nodes-in list.txt -o x.bin",
      "convert edges.bin --min-weight 2 -o x.bin",
  };
  for (const std::string& command : sampled(commands)) {
    INFO(command);
    CHECK(survive_kills(here, command, {"x.bin"}, {"-M 64M -j 2", "-M 100M -j 1", "-M 48M -j 3"}) > 0);
  }
  const auto left_out = here.summary("emgraph cc edges.bin --min-weight 4")["edges_filtered_out"];
  Outcome outcome;
  REQUIRE(kill_midway(here, "cc edges.bin --min-weight 4 -q --checkpoint kept --checkpoint-period 0", SIGTERM,
                      1, {}, outcome));
  CHECK(
      here.summary("emgraph cc edges.bin --min-weight 4 --checkpoint kept --resume")["edges_filtered_out"] ==
      left_out);
  REQUIRE(kill_midway(here, "cc edges.bin --nodes-in list.txt -q --checkpoint kept --checkpoint-period 0",
                      SIGTERM, 1, {}, outcome));
  here.write("list.txt", "5\n");
  require_failure(here.run("emgraph cc edges.bin --nodes-in list.txt -q --checkpoint kept --resume"), 2,
                  {"--nodes-in", "list.txt"});
}

TEST_CASE("pauses for a checkpoint lose no edges of lanes that give their batches in pieces") {
  Workplace here;
  here.succeed(
      "emgraph gen --edges 400K --nodes 80K -q -o edges.bin && emgraph convert edges.bin -q -o edges.adj");
  std::string list;
  for (int i = 0; i < 80000; ++i) list += i % 3 == 0 ? "" : std::to_string(i) + "\n";
  here.write("list.txt", list);
  // The lanes of mst took no edges while the others held earlier ones: an endless loop. Those of a filter
  // waited for pieces of a lane that had paused.
  for (const std::string command :
       {"sort -u edges.adj --by target", "sort edges.adj --by target",
        "sort edges.adj --by target --nodes-in list.txt", "sort edges.bin --nodes-in list.txt",
        "mst edges.adj --weights hash --model external",
        "mst edges.adj --weights hash --model external --nodes-in list.txt"}) {
    here.succeed("emgraph " + command + " -q -f -o right.bin -M 64M -j 2");
    for (int i = 0; i < 3; ++i) {
      here.succeed("emgraph " + command +
                   " -q -f -o x.bin -M 64M -j 2 --checkpoint kept --checkpoint-period 0.02");
      INFO(command);
      CHECK((here.read("x.bin") == here.read("right.bin")));
    }
  }
}

TEST_CASE("an empty directory is a checkpoint that has not begun, and one of a finished run is known") {
  Workplace here;
  std::filesystem::create_directory(here.path("kept"));
  here.succeed("emgraph gen --edges 1000 -q --checkpoint kept --resume");
  CHECK(here.files() == std::vector<std::string>{"edges.bin"});
  std::filesystem::create_directory(here.path("kept"));
  here.write("kept/notes.txt", "of somebody\n");
  require_failure(here.run("emgraph gen --edges 10 -o x.bin --checkpoint kept --resume"), 2,
                  {"kept holds no checkpoint"});
}

}  // namespace emgraph::tests
