// SPDX-License-Identifier: MIT
// The command check bfs, and bfs with too little memory for a level per node.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("check bfs and check sssp name the file of parents if that is wrong") {
  Workplace here;
  here.write("g.txt", "0 1\n0 2\n1 2\n");
  here.succeed("emgraph bfs g.txt --root 0 -q -o levels.tsv --parents parents.tsv");
  here.write("wrong.tsv", "0\t0\n1\t0\n2\t1\n");
  for (const std::string check : {"check bfs", "check sssp --weights unit"}) {
    require_failure(here.run("emgraph " + check + " g.txt levels.tsv --parents wrong.tsv"), 1,
                    {": wrong.tsv: node 2 has parent 1"});
    here.write("far.tsv", "0\t0\n1\t1\n2\t2\n");
    require_failure(here.run("emgraph " + check + " g.txt far.tsv --parents parents.tsv"), 1,
                    {": far.tsv: edge"});
    require_failure(here.run("emgraph " + check + " g.txt levels.tsv --root 3"), 2,
                    {"root 3", "nodes are 0 to 2"});
    require_failure(here.run("emgraph " + check + " g.txt --nodes 3 far.tsv --root 3"), 2, {"root 3"});
  }
}

TEST_CASE(
    "a failed check names the root that was asked for, and has no numbers of edges that it did not read") {
  Workplace here;
  here.write("g.tsv", "0 1\n2 3\n");
  here.succeed("emgraph bfs g.tsv --root 0 -o levels.npy -q");
  const Outcome wrong = here.run("emgraph check bfs g.tsv levels.npy --root 3 --json");
  CHECK(wrong.exit_code == 1);
  CHECK(wrong.json().at("root") == 3);
  CHECK(wrong.json().at("edges").is_null());
  CHECK(wrong.json().at("model_reason") != "");
}

TEST_CASE("check bfs names what is wrong") {
  constexpr std::uint32_t none = 0xffffffff;
  Workplace here;
  here.write("path.txt", "0 1\n2 1\n2 3\n3 3\n4 5\n");
  const auto verdict = [&](const std::vector<std::uint32_t>& levels, const std::string& options,
                           const std::string& word) {
    here.write("claim.bin", raw_u32(levels));
    const Outcome outcome = here.run("emgraph check bfs path.txt claim.bin " + options);
    INFO(outcome.out << outcome.error);
    CHECK(outcome.exit_code == (word.empty() ? 0 : 1));
    CHECK_THAT(outcome.error, Catch::Contains(word));
  };
  verdict({0, 1, 2, 3, none, none}, "", "");
  verdict({1, 0, 1, 2, none, none}, "--root 1", "");
  verdict({0, 1, none, none, none, none}, "--directed", "");
  verdict({1, 0, 1, 2, none, none}, "--root 0", "root 0 has level 1");
  verdict({0, 1, 2, 4, none, none}, "", "edge 2 - 3");
  verdict({0, 1, 2, 2, none, none}, "", "node 3 has level 2, but no neighbour on the level above");
  verdict({0, 1, 2, 3, 4, none}, "", "edge 4 - 5: node 4 has level 4, node 5 is unreached");
  verdict({0, 1, 2, 3, none, 0}, "", "only one can be the root");
  verdict({0, 1, 2, 3, none}, "", "there are 5 levels for 6 nodes");
  here.write("parents.bin", raw_u32({0, 0, 1, 2, none, none}));
  verdict({0, 1, 2, 3, none, none}, "--parents parents.bin", "");
  here.write("parents.bin", raw_u32({0, 0, 1, 1, none, none}));
  verdict({0, 1, 2, 3, none, none}, "--parents parents.bin", "node 3 has parent 1");
  CHECK(here.run("emgraph check bfs path.txt claim.bin --parents parents.bin --json").json().at("ok") ==
        false);
  require_failure(here.run("emgraph check bfs path.txt nowhere.npy"), 4, {"nowhere.npy"});
  require_failure(here.run("emgraph check bfs path.txt claim.bin --root x"), 2, {"--root"});
}

TEST_CASE("bfs in the external model gives the bytes of the others") {
  Workplace here;
  here.succeed("emgraph gen --model kron --scale 15 -o kron.bin -q");
  here.succeed("emgraph gen --model grid --dims 300x500 -o grid.bin -q");
  for (const std::string graph : {"kron.bin", "grid.bin"}) {
    for (const std::string direction : {"", " --directed"}) {
      INFO(graph << direction);
      const std::string bfs = "emgraph bfs " + graph + direction + " -f ";
      const auto want = here.summary(bfs + "-o want.npy --parents want_parents.npy");
      const auto got = here.summary(bfs + "--model external -M 16M -o got.npy --parents got_parents.npy");
      CHECK(got.at("model") == "external");
      for (const char* key : {"root", "reached", "levels", "nodes_per_level"})
        CHECK(got.at(key) == want.at(key));
      CHECK((here.read("got.npy") == here.read("want.npy")));
      CHECK((here.read("got_parents.npy") == here.read("want_parents.npy")));
      here.succeed("emgraph check bfs " + graph + " got.npy --parents got_parents.npy -q" + direction);
    }
  }
}

}  // namespace emgraph::tests
