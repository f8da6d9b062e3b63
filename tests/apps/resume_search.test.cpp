// SPDX-License-Identifier: MIT
// bfs and sssp with --checkpoint: killed, stopped and resumed with other memory and threads they write the
// same bytes.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/apps/killed_runs.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

TEST_CASE("breadth-first searches that are killed again and again end with the right levels") {
  Workplace here;
  here.succeed("emgraph gen --edges 300K --nodes 60K -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.tsv");
  here.succeed("emgraph sort -u --symmetrize --no-loops edges.bin -q -o sorted.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.adj");
  here.succeed("emgraph gen --model grid --dims 120x150 -q -o grid.bin");
  const std::vector<std::string> commands = {
      "bfs edges.bin",
      "bfs edges.tsv --model semi-external",
      "bfs edges.bin --directed --root 5 --model external",
      "bfs sorted.bin --model external",
      "bfs edges.adj --model semi-external",
      "bfs grid.bin --root 0 --model external",
      "bfs grid.bin --root 77 --model internal",
  };
  for (const std::string& command : sampled(commands)) {
    const int times = survive_kills(here, command + " -o x.npy --parents p.npy", {"x.npy", "p.npy"},
                                    {"-M 64M -j 2", "-M 100M -j 1", "-M 48M -j 3"});
    INFO(command);
    CHECK(times > 0);
  }
}

TEST_CASE("an external search in little memory is resumed") {
  Workplace here;
  here.succeed("emgraph gen --edges 400K --nodes 300K -q -o edges.bin");
  for (const std::string directed : {"", " --directed"}) {
    CHECK(survive_kills(here, "bfs edges.bin --root 3 --model external -o x.npy --parents p.npy" + directed,
                        {"x.npy", "p.npy"}, {"-M 18M -j 1", "-M 17M -j 2", "-M 400M"}) > 0);
  }
}

TEST_CASE("shortest paths that are killed again and again end with the right distances") {
  Workplace here;
  here.succeed("emgraph gen --edges 300K --nodes 60K --weights 1:99 -q -o edges.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.adj");
  here.succeed("emgraph gen --model grid --dims 120x150 -q -o grid.bin");
  const std::vector<std::string> commands = {
      "sssp edges.bin --root 3 --model semi-external",
      "sssp edges.bin --root 3 --directed --model internal",
      "sssp edges.adj --root 3 --undirected --model semi-external",
      "sssp grid.bin --root 0 --weights hash:50 --model semi-external",
      "sssp edges.bin --root 3 --model external",
  };
  for (const std::string& command : sampled(commands)) {
    const int times = survive_kills(here, command + " -o x.npy --parents p.npy", {"x.npy", "p.npy"},
                                    {"-M 64M -j 2", "-M 100M -j 1", "-M 48M -j 3"});
    INFO(command);
    CHECK(times > 0);
  }
}

TEST_CASE("the external search for shortest paths stops on request, and begins again from its pages") {
  Workplace here;
  here.succeed("emgraph gen --model grid --dims 600x600 --weights 1:99 -q -o grid.bin");
  const std::string line = "sssp grid.bin --root 0 --model external -M 20M -q -o x.npy";
  here.succeed("emgraph " + line + " && mv x.npy right");
  // Nothing is sealed behind the adjacency: it is the search that sees the request.
  const Outcome outcome =
      signal_at(here, line + " --checkpoint kept --checkpoint-period 0", SIGTERM, {"the adjacency is built"});
  require_failure(outcome, 75, {"--resume goes on"});
  here.succeed("emgraph " + line + " --checkpoint kept --resume");
  CHECK((here.read("x.npy") == here.read("right")));
}

TEST_CASE("a search is resumed only if it is the same one") {
  Workplace here;
  here.succeed("emgraph gen --edges 300K --nodes 60K --weights 1:99 -q -o edges.bin");
  Outcome outcome;
  const std::string kept = " -q --checkpoint kept --checkpoint-period 0";
  REQUIRE(kill_midway(here, "bfs edges.bin --model semi-external -o x.npy" + kept, SIGTERM, 2, {"x.npy"},
                      outcome));
  require_failure(outcome, 75, {"kept in kept", "--resume goes on"});
  const auto file = here.summary("emgraph info kept")["files"][0];
  CHECK(file["command"] == "bfs");
  const std::string resume = kept + " --resume";
  require_failure(here.run("emgraph bfs edges.bin --model semi-external --root 7 -o x.npy" + resume), 2,
                  {"--root", "7"});
  require_failure(here.run("emgraph bfs edges.bin --model semi-external --directed -o x.npy" + resume), 2,
                  {"--directed"});
  require_failure(here.run("emgraph bfs edges.bin --model semi-external --parents p.npy -o x.npy" + resume),
                  2, {"--parents"});
  require_failure(here.run("emgraph sssp edges.bin --root 0 -o x.npy" + resume), 2, {"the command was"});
  here.succeed("touch -d 2001-01-01 edges.bin");
  require_failure(here.run("emgraph bfs edges.bin --model semi-external -o x.npy" + resume), 2,
                  {"INPUT was", "changed at"});
}

TEST_CASE("a search on rows in memory writes no temporary data for its checkpoint") {
  Workplace here;
  here.succeed("emgraph gen --edges 300K --nodes 60K --weights 1:99 -q -o edges.bin");
  here.succeed("emgraph gen --model grid --dims 900x900 -q -o grid.bin");
  for (const std::string command :
       {"bfs edges.bin", "sssp edges.bin --root 3", "pagerank edges.bin --iterations 9"}) {
    INFO(command);
    const auto plain = here.summary("emgraph " + command);
    const auto kept = here.summary("emgraph " + command + " --checkpoint kept --checkpoint-period 0");
    CHECK(kept["temp_bytes_peak"] == plain["temp_bytes_peak"]);
    CHECK(kept["model"] == plain["model"]);
    CHECK(!here.exists("kept"));
  }
  // Stopped where nothing is kept, it begins again.
  here.succeed("emgraph bfs grid.bin --root 0 -q -o right.npy");
  Outcome outcome;
  const std::string line = "bfs grid.bin --root 0 -q -o x.npy --checkpoint kept --checkpoint-period 0";
  REQUIRE(kill_midway(here, line, SIGTERM, 1, {"x.npy"}, outcome));
  require_failure(outcome, 75, {"begins again"});
  CHECK(here.summary("emgraph info kept")["files"][0]["command"] == "bfs");
  here.succeed("emgraph " + line + " --resume");
  CHECK((here.read("x.npy") == here.read("right.npy")));
  CHECK(!here.exists("kept"));
}

TEST_CASE("what a checkpoint of a search does not keep is refused") {
  Workplace here;
  here.succeed("emgraph gen --edges 3K --nodes 600 --weights 1:9 -q -o edges.bin");
  require_failure(here.run("emgraph bfs edges.bin --root 1 --root 2 --checkpoint kept"), 2,
                  {"--checkpoint", "several roots"});
  require_failure(here.run("emgraph sssp edges.bin --root 1 --to 2 --checkpoint kept"), 2,
                  {"--checkpoint", "one --root"});
  require_failure(here.run("cat edges.bin | emgraph bfs - --checkpoint kept"), 2, {"standard input"});
  CHECK(!here.exists("kept"));
  here.succeed("emgraph gen --model grid --dims 9x9 --weights 1:9 -q -o- | emgraph convert - -q -o g.tsv");
  here.succeed("sed -i '7s/[0-9]*$/-1/' g.tsv");
  require_failure(here.run("emgraph sssp g.tsv --cols 1,2,3 --weight-type i64 --root 0 --checkpoint kept "
                           "--checkpoint-period 0"),
                  3, {"weight -1 found"});
}

}  // namespace emgraph::tests
