// SPDX-License-Identifier: MIT
// The commands triangles and check triangles: answers, options, files, verdicts.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

namespace {

/// Two triangles that share an edge, with loops and duplicates; node 5 alone.
constexpr const char* two_triangles = "0 1\n1 2\n2 0\n2 2\n3 1\n3 2\n2 3\n4 3\n5 5\n";

}  // namespace

TEST_CASE("triangles counts, counts by node and lists") {
  Workplace here;
  here.write("graph.txt", two_triangles);
  for (const std::string model : {"auto", "internal", "semi-external", "external"}) {
    INFO(model);
    const auto summary = here.summary("emgraph triangles graph.txt -f --model " + model +
                                      " --per-node counts.npy --list list.tsv");
    CHECK(summary.at("triangles") == 2);
    CHECK(summary.at("wedges") == 1 + 3 + 3 + 3);
    CHECK(summary.at("clustering") == Approx(0.6));
    CHECK(summary.at("nodes") == 6);
    CHECK(summary.at("edges") == 9);
    CHECK(summary.at("simple_edges") == 6);
    CHECK(npy_ids(here.read("counts.npy")) == std::vector<std::uint64_t>{1, 2, 2, 1, 0, 0});
    CHECK(here.read("list.tsv") == "0\t1\t2\n1\t2\t3\n");
    CHECK(here.files() == std::vector<std::string>{"counts.npy", "graph.txt", "list.tsv"});
    if (model != "auto") CHECK(summary.at("model") == model);
  }
}

TEST_CASE("a graph without wedges has clustering 0") {
  Workplace here;
  here.write("path.txt", "0 1\n");
  CHECK(here.summary("emgraph triangles path.txt").at("clustering") == 0);
}

TEST_CASE("triangle files of every format hold the same") {
  Workplace here;
  here.write("graph.txt", two_triangles);
  here.succeed("emgraph triangles graph.txt -q --per-node a.tsv --list a.bin");
  here.succeed("emgraph triangles graph.txt -q --nodes 8 --per-node b.bin --list b.npy");
  CHECK(here.read("a.tsv") == "0\t1\n1\t2\n2\t2\n3\t1\n4\t0\n5\t0\n");
  CHECK(here.read("a.bin") == raw_u32({0, 1, 2, 1, 2, 3}));
  CHECK(here.read("b.bin") == raw_u32({1, 0, 2, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  const std::string npy = here.read("b.npy");
  CHECK_THAT(npy, Catch::Contains("'shape': (2, 3)"));
  CHECK(npy_ids(npy) == std::vector<std::uint64_t>{0, 1, 2, 1, 2, 3});
  CHECK(here.succeed("emgraph triangles graph.txt -q --list - | cat").out == npy);
  CHECK(here.succeed("cat graph.txt | emgraph triangles - -q -M 16M --list c.npy; cat c.npy").out == npy);
  here.write("none.txt", "0 1\n1 2\n");
  here.succeed("emgraph triangles none.txt -q --list none.npy");
  CHECK_THAT(here.read("none.npy"), Catch::Contains("'shape': (0, 3)"));
  here.succeed("emgraph check triangles graph.txt a.tsv --list a.bin");
  here.succeed("emgraph check triangles graph.txt b.bin --nodes 8 --list b.npy");
  here.succeed(
      "emgraph triangles none.txt -q --per-node none.tsv && "
      "emgraph check triangles none.txt none.tsv --list none.npy");
}

TEST_CASE("triangles took no notice of --output-format") {
  Workplace here;
  here.write("graph.txt", two_triangles);
  CHECK(here.succeed("emgraph triangles graph.txt -q --list - --output-format tsv").out ==
        "0\t1\t2\n1\t2\t3\n");
  here.succeed("emgraph triangles graph.txt -q --per-node a --list b --output-format bin");
  CHECK(here.read("b") == raw_u32({0, 1, 2, 1, 2, 3}));
  CHECK(here.read("a").size() == 6 * 8);
  require_failure(here.run("emgraph triangles graph.txt --list c --output-format emg"), 2,
                  {"npy, tsv, csv, bin"});
}

TEST_CASE("triangles of ids beyond 2^32") {
  Workplace here;
  here.write("far.txt",
             "6000000000 7000000000\n7000000000 8000000001\n8000000001 6000000000\n1 6000000000\n");
  here.succeed("emgraph triangles far.txt -q --list far.tsv");
  CHECK(here.read("far.tsv") == "6000000000\t7000000000\t8000000001\n");
}

TEST_CASE("triangles refuses outputs that make no sense") {
  Workplace here;
  here.write("graph.txt", two_triangles);
  require_failure(here.run("emgraph triangles graph.txt -o out.npy"), 2, {"--per-node", "--list"});
  require_failure(here.run("emgraph triangles graph.txt --per-node - --list -"), 2, {"standard output"});
  require_failure(here.run("emgraph triangles graph.txt --list graph.txt -f"), 2,
                  {"the output is the input"});
  here.write("there.npy", "x");
  require_failure(here.run("emgraph triangles graph.txt --per-node there.npy"), 2, {"exists already"});
  require_failure(here.run("emgraph triangles graph.txt --per-node same.npy --list same.npy"), 2,
                  {"same.npy"});
  require_failure(here.run("emgraph triangles graph.txt --nodes 3 --per-node n.npy --list l.npy"), 3,
                  {"graph.txt: line ", "at most 2"});
  CHECK(here.files() == std::vector<std::string>{"graph.txt", "there.npy"});
}

TEST_CASE("triangles does not depend on the machine") {
  Workplace here;
  here.succeed("emgraph gen --model kron --scale 12 -q && emgraph convert edges.bin -q -o edges.u32");
  here.succeed("emgraph triangles edges.bin -q --per-node want.npy --list want.bin");
  std::filesystem::create_directory(here.path("one"));
  std::filesystem::create_directory(here.path("two"));
  Sample sample(3);
  for (const std::string machine :
       {"-j 1 -M 16M", "-j 2 -M 16M --model external", "-j 3 -M 24M -T one -T two --model semi-external",
        "-j 2 -M 512M --model internal",
        "-M 32M --disk one,io=pread --disk two,io=memory --model external"}) {
    for (const std::string input : {"edges.bin", "edges.u32 --nodes 4096", "- --nodes 4096 < edges.bin"}) {
      if (!sample.takes()) continue;
      INFO(machine << " " << input);
      here.succeed("emgraph triangles -f -q --per-node got.npy --list got.bin " + machine + " " + input);
      CHECK((here.read("got.npy") == here.read("want.npy")));
      CHECK((here.read("got.bin") == here.read("want.bin")));
    }
  }
  here.succeed("emgraph check triangles edges.bin want.npy --list want.bin -q");
}

TEST_CASE("a list far larger than memory is that of a large machine, within the limit") {
  Workplace here;
  // 47 MB as they are listed, many runs as they are sorted.
  const std::string graph = "gen:kron,scale=13,edge-factor=32";
  const auto want = here.summary("emgraph triangles " + graph + " -M 1G --per-node want.npy --list want.bin");
  CHECK(want.at("triangles") == 3913359);
  for (const std::string machine : {"--model semi-external -j 9", "--model external"}) {
    INFO(machine);
    const auto got = here.summary("emgraph triangles " + graph +
                                  " -M 16M -f --per-node got.npy --list got.bin " + machine);
    CHECK(got.at("memory_peak_bytes") <= got.at("memory_limit_bytes"));
    CHECK((here.read("got.npy") == here.read("want.npy")));
    CHECK((here.read("got.bin") == here.read("want.bin")));
  }
}

TEST_CASE("check triangles names what is wrong") {
  Workplace here;
  here.write("graph.txt", two_triangles);
  here.write("counts.tsv", "1\n2\n2\n1\n0\n0\n");
  here.write("wrong.tsv", "1\n2\n1\n1\n0\n0\n");
  here.write("list.tsv", "0 1 2\n1 2 3\n");
  here.write("wrong_list.tsv", "0 1 2\n1 2 4\n");
  here.succeed("emgraph check triangles graph.txt counts.tsv --list list.tsv");
  require_failure(here.run("emgraph check triangles graph.txt wrong.tsv"), 1,
                  {"wrong.tsv", "node 2: found 1, expected 2"});
  require_failure(here.run("emgraph check triangles graph.txt counts.tsv --list wrong_list.tsv"), 1,
                  {"wrong_list.tsv", "triple 1: 1 2 4"});
  here.write("pairs.tsv", "0 1\n");
  require_failure(here.run("emgraph check triangles graph.txt counts.tsv --list pairs.tsv"), 3, {"columns"});
  here.succeed("emgraph triangles graph.txt -q --per-node counts.npy");
  require_failure(here.run("emgraph check triangles graph.txt counts.tsv --list counts.npy"), 3,
                  {"rows of 3 values"});
  require_failure(here.run("emgraph check triangles graph.txt counts.tsv -o x"), 2, {"-o"});
  const Outcome small = here.run("emgraph check triangles gen:random,edges=2M,nodes=2M counts.tsv -M 16M");
  require_failure(small, 4, {"is the least that would do"});
}

}  // namespace emgraph::tests
