// SPDX-License-Identifier: MIT
// sssp --keep-landmarks: the file is made once, read later, replaced when it does not fit, and never believed
// when it is damaged.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {
namespace {

const std::string queries = "emgraph sssp graph.adj --queries q.p2p -f -o got.txt ";
const std::string keep = queries + "--landmarks 3 --keep-landmarks ";

/// A graph with its adjacency, pairs of nodes, and the answers without landmarks in want.txt.
void prepare(Workplace& here, const std::string& weights = "1:300", const std::string& options = "") {
  here.succeed("emgraph gen --edges 20K --nodes 6K -f -q --weights " + weights +
               " && emgraph convert edges.bin -f -q -o graph.adj " + options);
  std::string pairs = "p aux sp p2p 20\n";
  for (int i = 1; i <= 20; ++i) pairs += "q " + std::to_string(i) + " " + std::to_string(6000 - 7 * i) + "\n";
  here.write("q.p2p", pairs);
  here.succeed("emgraph sssp graph.adj --queries q.p2p -f -o want.txt -q");
}

/// A run with --json; its answers must be those of want.txt.
auto answered(Workplace& here, const std::string& line) {
  INFO(line);
  auto summary = here.summary(line);
  CHECK(here.read("got.txt") == here.read("want.txt"));
  return summary;
}

}  // namespace

TEST_CASE("kept landmarks are made once and read by later runs, whatever their threads and queries") {
  Workplace here;
  for (const std::string options : {"", "--directed"}) {
    INFO(options);
    prepare(here, "1:300", options);
    const auto first = answered(here, keep + "-j 1");
    CHECK(first.at("landmarks") == 3);
    CHECK(first.at("landmarks_read") == false);
    CHECK(first.at("landmarks_file") == "graph.adj.landmarks");
    const std::string kept = here.read("graph.adj.landmarks");
    const auto second = answered(here, keep + "-j 2");
    CHECK(second.at("landmarks_read") == true);
    CHECK(second.at("settled") == first.at("settled"));
    CHECK(here.read("graph.adj.landmarks") == kept);
    here.succeed(
        "rm graph.adj.landmarks && emgraph sssp graph.adj --root 5 --to 9 --landmarks 3 "
        "--keep-landmarks -q -j 2 -o other.txt -f");
    CHECK(here.read("graph.adj.landmarks") == kept);
    answered(here, queries + "--landmarks 3");
    here.succeed("rm graph.adj.landmarks");
  }
  CHECK_FALSE(here.exists("graph.adj.landmarks"));
}

TEST_CASE("kept landmarks of floating weights") {
  Workplace here;
  prepare(here);
  here.succeed(
      "emgraph cat edges.bin | awk '{ print $1, $2, $3 / 7 }' > edges.wel && emgraph convert edges.wel "
      "--weight-type f64 -f -q -o graph.adj && emgraph sssp graph.adj --queries q.p2p -f -o want.txt -q");
  CHECK(answered(here, keep).at("landmarks_read") == false);
  CHECK(answered(here, keep).at("landmarks_read") == true);
}

TEST_CASE("a file of landmarks that does not fit is replaced, and the summary says why") {
  Workplace here;
  prepare(here);
  answered(here, keep);
  for (const std::string options :
       {"--landmarks 2 --keep-landmarks", "--landmarks 2 --keep-landmarks --order bfs"}) {
    CHECK(answered(here, queries + options).at("landmarks_read") == false);
    CHECK(answered(here, queries + options).at("landmarks_read") == true);
  }
  CHECK_THAT(here.succeed(keep).out, Catch::Contains("it has 2 landmarks, not 3"));
  prepare(here, "1:299");  // the same edges with other weights
  CHECK_THAT(here.succeed(keep).out, Catch::Contains("it belongs to another graph"));
  CHECK(here.read("got.txt") == here.read("want.txt"));
}

TEST_CASE("a damaged file of landmarks is named and replaced") {
  Workplace here;
  prepare(here);
  answered(here, keep);
  const std::string right = here.read("graph.adj.landmarks");
  std::vector<std::string> wrong;
  for (const std::size_t at : {std::size_t{9}, std::size_t{40}, std::size_t{140}, right.size() - 1}) {
    wrong.push_back(right);
    wrong.back()[at] = static_cast<char>(wrong.back()[at] ^ 4);
  }
  wrong.push_back(right.substr(0, 100));
  wrong.push_back(right.substr(0, right.size() - 1));
  wrong.push_back(right + "x");
  for (const std::string& bytes : wrong) {
    here.write("graph.adj.landmarks", bytes);
    const Outcome outcome = here.succeed(keep);
    CHECK_THAT(outcome.error, Catch::Contains("graph.adj.landmarks") && Catch::Contains("it is replaced"));
    CHECK(here.read("got.txt") == here.read("want.txt"));
    CHECK((here.read("graph.adj.landmarks") == right));
  }
}

TEST_CASE("--keep-landmarks replaces no other file, and refuses what it cannot keep") {
  Workplace here;
  prepare(here);
  const std::string line = "emgraph sssp graph.adj --root 5 --to 9 -q ";
  const auto files = here.files();
  require_failure(here.run(line + "--keep-landmarks"), 2, {"--landmarks K"});
  require_failure(here.run(line + "--landmarks 2 --keep-landmarks --weights hash"), 2, {"its own weights"});
  require_failure(here.run(line + "--landmarks 2 --keep-landmarks --directed"), 2, {"direction"});
  require_failure(here.run(line + "--landmarks 2 --keep-landmarks --min-weight 3"), 2, {"filters"});
  require_failure(here.run("emgraph sssp edges.bin --root 5 --to 9 --landmarks 2 --keep-landmarks"), 2,
                  {".adj", "convert"});
  CHECK(here.files() == files);
  const auto paged = here.summary(line + "--landmarks 2 --keep-landmarks --model semi-external");
  CHECK(paged.at("landmarks") == 0);
  CHECK(here.files() == files);
  here.write("graph.adj.landmarks", "my notes");
  require_failure(here.run(line + "--landmarks 2 --keep-landmarks"), 2, {"graph.adj.landmarks", "-f"});
  CHECK(here.read("graph.adj.landmarks") == "my notes");
  here.succeed(line + "--landmarks 2 --keep-landmarks -f");
  CHECK(here.read("graph.adj.landmarks") != "my notes");
  require_failure(here.run(line + "--landmarks 2 --keep-landmarks -o graph.adj.landmarks -f"), 2,
                  {"--keep-landmarks", "-o"});
}

}  // namespace emgraph::tests
