// SPDX-License-Identifier: MIT
// The command check sssp: what it accepts, what it finds, how it takes weights, directions and files.
#include <catch2/catch.hpp>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {
namespace {

/// Arcs 1 -> 2 (3), 2 -> 3 (1), 3 -> 4 (1), 2 -> 5 (1), 5 -> 4 (1), 6 -> 7 (2), from 1 in the file.
const std::string arcs = "p sp 7 6\na 1 2 3\na 2 3 1\na 3 4 1\na 2 5 1\na 5 4 1\na 6 7 2\n";
const std::string none = "18446744073709551615\n";

}  // namespace

TEST_CASE("check sssp names what is wrong") {
  Workplace here;
  here.write("g.gr", arcs);
  const auto verdict = [&](const std::string& distances, const std::string& options,
                           const std::string& word) {
    here.write("d.tsv", distances);
    const Outcome outcome = here.run("emgraph check sssp g.gr d.tsv " + options);
    INFO(outcome.out << outcome.error);
    CHECK(outcome.exit_code == (word.empty() ? 0 : 1));
    CHECK_THAT(outcome.error, Catch::Contains(word));
  };
  const std::string right = "0\n3\n4\n5\n4\n" + none + none;
  verdict(right, "", "");
  verdict(right, "--root 0", "");
  verdict(right, "--undirected", "");
  verdict(right, "--root 1", "root 1 has distance 3, expected distance 0");
  verdict(none + "0\n1\n2\n1\n" + none + none, "", "");
  verdict(none + "0\n1\n2\n1\n" + none + none, "--undirected", "edge 1 -> 0: node 0 is unreached");
  verdict("3\n0\n1\n2\n1\n" + none + none, "--undirected", "");
  verdict("0\n3\n4\n6\n4\n" + none + none, "", "node 3 has distance 6, expected at most 5");
  verdict("0\n3\n4\n5\n4\n7\n9\n", "", "node 5 has a distance that no path from the root has");
  verdict("0\n3\n4\n5\n", "", "there are 4 distances for 7 nodes");
  here.write("p.tsv", "0\n0\n1\n2\n1\n" + none + none);
  verdict(right, "--parents p.tsv", "");
  here.write("p.tsv", "0\n0\n1\n2\n1\n4294967295\n4294967295\n");  // all ones of 4-byte ids
  verdict(right, "--parents p.tsv", "");
  here.write("p.tsv", "0\n0\n1\n4\n1\n" + none + none);
  verdict(right, "--parents p.tsv", "node 3 has parent 4, but 2 is smaller");
  const auto summary = here.run("emgraph check sssp g.gr d.tsv --parents p.tsv --json").json();
  CHECK(summary.at("ok") == false);
  CHECK(summary.at("directed") == true);
  CHECK(summary.at("reached") == 5);
  require_failure(here.run("emgraph check sssp g.gr nowhere.npy"), 4, {"nowhere.npy"});
  require_failure(here.run("emgraph check sssp g.gr d.tsv --root x"), 2, {"--root"});
  require_failure(here.run("emgraph check sssp g.gr d.tsv --directed --undirected"), 2, {"--undirected"});
  require_failure(here.run("emgraph check sssp g.gr d.tsv --weights heavy"), 2, {"--weights"});
}

TEST_CASE("check sssp: weights 0 and several nodes of distance 0") {
  Workplace here;
  here.write("g.gr", "p sp 3 3\na 2 1 0\na 1 3 4\na 3 1 4\n");
  here.write("d.tsv", "0\n0\n4\n");
  CHECK(here.summary("emgraph check sssp g.gr d.tsv").at("root") == 1);
  CHECK(here.summary("emgraph check sssp g.gr d.tsv --root 1").at("root") == 1);
  CHECK(here.run("emgraph check sssp g.gr d.tsv --root 0").exit_code == 1);
  CHECK(here.summary("emgraph check sssp g.gr d.tsv --undirected").at("root") == 0);
}

TEST_CASE("check sssp takes distances of the kind of the weights") {
  Workplace here;
  here.write("g.txt", "0 1 0.1\n1 2 0.2\n");
  here.write("whole.txt", "0 1 1\n1 2 2\n");
  here.write("d.tsv", "0\n0.1\n0.30000000000000004\n");
  here.write("bad.tsv", "0\n0.1\n0.3\n");
  const std::string check = "emgraph check sssp --weight-type f64 g.txt ";
  here.succeed(check + "d.tsv");
  CHECK_THAT(here.run(check + "bad.tsv").error, Catch::Contains("node 2 has a distance that no path"));
  here.write("whole.tsv", "0\n1\n3\n");
  here.succeed("emgraph check sssp --weight-type f64 whole.txt whole.tsv");
  here.succeed("emgraph check sssp --weight-type u32 whole.txt whole.tsv");
  require_failure(here.run("emgraph check sssp --weight-type u32 whole.txt d.tsv"), 3,
                  {"d.tsv: line 2", "found '0.1', expected a whole number"});
  here.succeed("emgraph bfs whole.txt -o levels.npy -q");
  require_failure(here.run(check + "levels.npy"), 3, {"levels.npy", "integers, expected floating-point"});
  here.write("minus.txt", "0 1 0.1\n1 2 -0.2\n");
  require_failure(here.run("emgraph check sssp --weight-type f64 minus.txt d.tsv"), 3,
                  {"minus.txt: edge 1 (1, 2): weight -0.2 found"});
  here.write("plain.txt", "0 1\n1 2\n");
  require_failure(here.run("emgraph check sssp plain.txt whole.tsv"), 2,
                  {"plain.txt has no weights", "--weights"});
}

// With unit weights the distances are the levels of bfs, and so are the parents.
TEST_CASE("check sssp in little memory") {
  Workplace here;
  here.succeed("emgraph gen --model grid -o grid.bin -q --dims " +
               std::string(sized("1500x1500", "1300x1300")));
  here.succeed("emgraph gen --model kron -o kron.bin -q --scale " + std::string(sized("16", "14")));
  Sample sample(3);
  for (const std::string graph : {"grid.bin", "kron.bin"}) {
    for (const std::string direction : {" --directed", ""}) {
      if (!sample.takes()) continue;
      INFO(graph << direction);
      here.succeed("emgraph bfs " + graph + direction + " -q -f -o levels.npy --parents parents.npy");
      const std::string check =
          "emgraph check sssp " + graph + direction + " levels.npy --parents parents.npy --weights unit";
      CHECK(here.summary(check).at("model") == "semi-external");
      const auto little = here.summary(check + " -M 16M");
      CHECK(little.at("model") == (graph == "grid.bin" ? "external" : "semi-external"));
      CHECK(little.at("ok") == true);
    }
  }
  here.succeed(
      "emgraph bfs grid.bin -q -f --parents parents.npy && emgraph bfs grid.bin --root 7 -q -f -o other.npy");
  CHECK(here.run("emgraph check sssp grid.bin other.npy --parents parents.npy --weights unit -M 16M")
            .exit_code == 1);
}

}  // namespace emgraph::tests
