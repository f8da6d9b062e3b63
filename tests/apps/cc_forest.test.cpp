// SPDX-License-Identifier: MIT
// cc --forest: the lexicographically first spanning forest, and the same labels as without it.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("cc --forest writes the first spanning forest and the same labels") {
  Workplace here;
  for (const std::string model : {"--edges 3000", "--edges 500 --nodes 900", "--model grid --dims 13x17",
                                  "--model kron --scale 8 --edge-factor 2", "--edges 0 --nodes 5"}) {
    INFO(model);
    here.succeed("emgraph gen " + model + " -f -q");
    const auto plain = here.summary("emgraph cc edges.bin -f -o labels.npy");
    here.succeed("emgraph mst edges.bin --weights unit -f -q -o unit.bin");
    here.succeed("emgraph cat unit.bin | cut -f1,2 > expected.txt");
    std::string first;
    for (const std::string how : {"", "--model external -M 16M", "--model semi-external -j 1"}) {
      INFO(how);
      const auto summary = here.summary("emgraph cc edges.bin -f -o again.npy --forest forest.bin " + how);
      for (const char* key : {"nodes", "edges", "components", "isolated_nodes", "largest_component"}) {
        CHECK(summary.at(key) == plain.at(key));
      }
      CHECK(here.read("again.npy") == here.read("labels.npy"));
      CHECK(here.succeed("emgraph cat forest.bin").out == here.read("expected.txt"));
      if (first.empty()) first = here.read("forest.bin");
      CHECK(here.read("forest.bin") == first);
    }
    here.succeed("emgraph check cc edges.bin again.npy");
    here.succeed("emgraph check sorted --unique forest.bin");
  }
}

TEST_CASE("cc --forest: --output-format is for -o; where there is none, for the forest") {
  Workplace here;
  here.write("path.txt", "1 0\n2 1\n");
  here.succeed("emgraph cc path.txt -q --forest forest --output-format tsv");
  CHECK(here.read("forest") == "0\t1\n1\t2\n");
  here.succeed("emgraph cc path.txt -q --forest forest.csv -o labels --output-format tsv");
  CHECK(here.read("forest.csv") == "0,1\n1,2\n");
  CHECK(here.read("labels") == "0\t0\n1\t0\n2\t0\n");
}

TEST_CASE("cc --forest reads a pipe once, and refuses names that clash") {
  Workplace here;
  here.succeed("emgraph gen --edges 3000 -q");
  here.succeed("emgraph cat edges.bin | emgraph cc --input-format text - --nodes 480 -q --forest forest.txt");
  here.succeed("emgraph cc edges.bin -q --forest again.txt");
  CHECK(here.read("forest.txt") == here.read("again.txt"));
  require_failure(here.run("emgraph cc edges.bin --forest edges.bin -f"), 2, {"output is the input"});
  for (const std::string name : {"a.npy", "./a.npy", "there/a.npy"}) {
    require_failure(here.run("ln -sfn . there; emgraph cc edges.bin -f -o a.npy --forest " + name), 2,
                    {"-o and --forest both go to a.npy"});
  }
  require_failure(here.run("emgraph cc edges.bin --forest again.txt"), 2, {"exists already"});
  here.succeed("printf '1 2\\n3 4\\n5 x\\n' > bad.txt");
  require_failure(here.run("emgraph cc bad.txt -o labels.npy --forest bad.bin"), 3, {"bad.txt", "line 3"});
  CHECK(!here.exists("labels.npy"));
  CHECK(!here.exists("bad.bin"));
}

}  // namespace emgraph::tests
