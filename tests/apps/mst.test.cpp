// SPDX-License-Identifier: MIT
// The commands mst and check mst: answers, options, files, verdicts.
#include <catch2/catch.hpp>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

TEST_CASE("mst of a small graph, with its own weights and with made-up ones") {
  Workplace here;
  here.write("w.txt", "0 1 5\n1 0 2\n1 2 2\n2 0 2\n3 3 0\n4 5 7\n");
  const std::string mst = "emgraph mst w.txt --output-format tsv -q -o - ";
  CHECK(here.succeed(mst + "--input-format text-u32w").out == "0\t1\t2\n0\t2\t2\n4\t5\t7\n");
  CHECK(here.succeed(mst + "--weights unit").out == "0\t1\t1\n0\t2\t1\n4\t5\t1\n");
  CHECK(here.succeed(mst + "--weights hash:1").out == "0\t1\t1\n0\t2\t1\n4\t5\t1\n");
  // 0·a xor 1·b, 0·a xor 2·b, 1·a xor 2·b, 4·a xor 5·b, each mod 1000 + 1
  CHECK(here.succeed(mst + "--weights hash").out ==
        "0\t1\t504\n0\t2\t7\n4\t5\t" + std::to_string((4 * 2654435761ULL ^ 5 * 40503ULL) % 1000 + 1) + "\n");
  const auto summary = here.summary("emgraph mst w.txt --input-format text-u32w --nodes 10");
  CHECK(summary.at("weight") == 11);
  CHECK(summary.at("forest_edges") == 3);
  CHECK(summary.at("trees") == 7);
  CHECK(summary.at("nodes") == 10);
  CHECK(summary.at("edges") == 6);
}

TEST_CASE("mst needs weights; the error explains how to get them") {
  Workplace here;
  here.write("plain.txt", "0 1\n");
  require_failure(here.run("emgraph mst plain.txt"), 2, {"has no weights", "--weights hash", "unit"});
  require_failure(here.run("emgraph mst plain.txt --weights huge"), 2, {"hash", "unit"});
  require_failure(here.run("emgraph mst plain.txt --weights hash:0"), 2, {"4294967295"});
  // 0 1 1.0, 1 2 NaN
  using namespace std::string_literals;
  here.write("nan.f32w", "\0\0\0\0\1\0\0\0\0\0\x80\x3f\1\0\0\0\2\0\0\0\0\0\xc0\x7f"s);
  require_failure(here.run("emgraph mst nan.f32w -o forest.bin"), 3, {"edge 1", "NaN"});
  CHECK_FALSE(here.exists("forest.bin"));
}

TEST_CASE("mst gives the same bytes from every model, memory, threads, file or pipe") {
  Workplace here;
  here.succeed(
      "emgraph gen --model kron --scale 15 --weights 1:40 -q && emgraph mst edges.bin -o want.bin -q");
  const auto summary = here.summary("emgraph mst edges.bin");
  Sample sample(2);
  for (const std::string options :
       {"--model internal", "--model semi-external", "--model external", "--model external -M 16M -j 1",
        "-M 16M -j 2", "-j 1", "--model external -j 3"}) {
    if (!sample.takes()) continue;
    INFO(options);
    here.succeed("emgraph mst edges.bin -f -o got.bin -q " + options);
    CHECK((here.read("got.bin") == here.read("want.bin")));
    CHECK(here.summary("emgraph mst edges.bin " + options).at("weight") == summary.at("weight"));
  }
  here.succeed(
      "emgraph cat edges.bin | emgraph mst - --input-format text-u32w --nodes 32768 -q -f -o got.bin");
  CHECK((here.read("got.bin") == here.read("want.bin")));
  here.succeed("emgraph mst - -f -o got.bin -q --model external < edges.bin");
  CHECK((here.read("got.bin") == here.read("want.bin")));
  here.succeed("emgraph check mst edges.bin want.bin -q && emgraph check sorted --unique want.bin -q");
  CHECK(here.summary("emgraph info want.bin").contains("command"));
}

TEST_CASE("mst reads generators, large ids and all weight types, and prints exact sums") {
  Workplace here;
  CHECK(here.summary("emgraph mst gen:grid,dims=40x40 --weights hash").at("forest_edges") == 1599);
  here.write("far.txt",
             "0 5000000000 -3\n5000000000 7 9223372036854775807\n7 8 9223372036854775807\n"
             "8 9 9223372036854775807\n9 10 9223372036854775807\n");
  // All ids below 5,000,000,001 are nodes; a few ranges of them at a time.
  const auto far = here.summary("emgraph mst far.txt --input-format text-i64w --nodes 5000000001 -M 1500M");
  CHECK(far.at("weight") == "36893488147419103225");
  CHECK(far.at("forest_edges") == 5);
  CHECK(far.at("trees") == 4999999996);
  here.write("f.txt", "0 1 0.5\n1 2 -0.0\n2 0 1e308\n3 4 1e30\n");
  CHECK(here.summary("emgraph mst f.txt --input-format text-f64w").at("weight") == 1e30);
  CHECK(here.summary("emgraph mst f.txt --input-format text-f64w --weights unit").at("weight") == 3);
  CHECK(here.succeed("emgraph mst f.txt --input-format text-f64w --output-format tsv -o - -q").out ==
        "0\t1\t0.5\n1\t2\t0\n3\t4\t1e+30\n");
}

TEST_CASE("check mst names what is wrong") {
  Workplace here;
  here.write("graph.txt", "0 1 2\n2 1 2\n0 2 2\n3 2 4\n");
  const auto verdict = [&](const std::string& forest) {
    here.write("forest.txt", forest);
    const Outcome outcome = here.run(
        "emgraph check mst graph.txt forest.txt --input-format text-u32w --forest-format text-u32w --json");
    INFO(outcome.error);
    CHECK(outcome.json().at("ok") == (outcome.exit_code == 0));
    return outcome.exit_code;
  };
  CHECK(verdict("0 1 2\n0 2 2\n2 3 4\n") == 0);
  CHECK(verdict("0 1 2\n1 2 2\n2 3 4\n") == 1);
  CHECK(verdict("0 1 2\n0 2 2\n") == 1);
  CHECK(verdict("0 1 2\n0 2 2\n2 3 5\n") == 1);
  require_failure(here.run("emgraph check mst graph.txt forest.txt --input-format text-u32w "
                           "--forest-format text-u32w"),
                  1, {"(2, 3) with weight 4"});
  require_failure(here.run("emgraph check mst graph.txt forest.txt"), 2, {"has no weights"});
  here.write("weighted.txt", "0 1 2.5\n1 2 0.5\n0 2 3\n");
  const std::string weighted = " weighted.txt --cols 1,2,3 --weight-type f64";
  here.succeed("emgraph mst" + weighted + " -q -o weighted.csv");
  here.succeed("emgraph check mst" + weighted + " weighted.csv");
  here.succeed("emgraph plan check mst" + weighted + " weighted.csv -q");
  here.succeed("emgraph check mst" + weighted + " weighted.csv --forest-format text-f64w");
  here.write("pairs.txt", "0 1\n1 2\n");
  require_failure(here.run("emgraph check mst" + weighted + " pairs.txt"), 3, {"pairs.txt: line 1"});
  here.succeed("emgraph convert pairs.txt -o pairs.u32 -q");
  require_failure(here.run("emgraph check mst" + weighted + " pairs.u32"), 2,
                  {"pairs.u32 has no weights", "--forest-format text-u32w", "-f64w"});
}

TEST_CASE("mst: the bytes of the links of nearly 2^64 nodes wrapped around to none") {
  Workplace here;
  here.write("graph.txt", "0 18446744073709551614\n3 0\n");
  require_failure(here.run("emgraph mst graph.txt --weights unit -M 64M -o forest.bin"), 4,
                  {"a spanning forest of 18,446,744,073,709,551,615 nodes needs about"});
  CHECK(!here.exists("forest.bin"));
}

}  // namespace emgraph::tests
