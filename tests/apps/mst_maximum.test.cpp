// SPDX-License-Identifier: MIT
// mst --maximum: the heaviest spanning forest, ties by ids, of every type of weight; its checker.
#include <string>
#include <vector>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("similarities of proteins: the strongest links that connect all") {
  const Workplace here;
  here.write("hits.csv", "A,B,98.2\nB,C,40.5\nA,C,40.5\nC,D,-1\nC,D,77\nE,E,100\n");
  const std::string input = "hits.csv --labels --cols 1,2,3 --weight-type f64";
  here.succeed("emgraph mst " + input + " --maximum -q -o links.tsv");
  // Of the two edges of 40.5, (A, C) = (0, 2) is before (B, C) = (1, 2).
  CHECK(here.read("links.tsv") == "A\tB\t98.2\nA\tC\t40.5\nC\tD\t77\n");
  const auto summary = here.summary("emgraph mst " + input + " --maximum -o links.emg");
  CHECK(summary.at("weight") == 215.7);
  CHECK(summary.at("trees") == 2);
  here.succeed("emgraph check mst " + input + " links.emg --maximum");
  CHECK(here.run("emgraph check mst " + input + " links.emg").exit_code == 1);
  here.succeed("emgraph mst " + input + " -q -f -o least.emg");
  const Outcome wrong = here.run("emgraph check mst " + input + " least.emg --maximum");
  CHECK(wrong.exit_code == 1);
  CHECK_THAT(wrong.error, Catch::Contains("is larger than edge") && Catch::Contains("with weight 98.2"));
}

TEST_CASE("the maximum spanning forest is the minimum one of negated weights, in every model") {
  const Workplace here;
  here.succeed(
      "emgraph gen --model kron --scale 13 --weights 1:40 -o g.emg -q && emgraph cat g.emg -q > g.txt");
  // 41 - w has the reversed order and is positive, as w is.
  here.succeed("awk '{print $1, $2, 41 - $3}' g.txt > negated.txt");
  here.succeed("emgraph mst negated.txt --cols 1,2,3 --nodes 8192 -q -o least.txt");
  here.succeed("awk '{print $1 \"\\t\" $2 \"\\t\" 41 - $3}' least.txt > want.txt");
  for (const std::string how :
       {"", "--model semi-external", "--model external -M 16M -T .", "-j 1 -M 16M -T ."}) {
    CAPTURE(how);
    here.succeed("emgraph mst g.emg --maximum -q -f -o got.txt " + how);
    CHECK((here.read("got.txt") == here.read("want.txt")));
  }
  for (const std::string type : {"u32", "i64", "f32", "f64"}) {
    CAPTURE(type);
    here.succeed("emgraph mst g.txt --weight-type " + type + " --nodes 8192 --maximum -q -f -o got.emg");
    here.succeed("emgraph cat got.emg > got.txt && cmp got.txt want.txt");
    here.succeed("emgraph check mst g.txt --weight-type " + type + " --nodes 8192 got.emg --maximum");
  }
}

TEST_CASE("weights from ids, and weights at the ends of their range") {
  const Workplace here;
  here.succeed("emgraph gen --model kron --scale 10 -o g.emg -q");
  for (const std::string rule : {"hash", "hash:7", "hash:4294967295", "unit"}) {
    CAPTURE(rule);
    here.succeed("emgraph mst g.emg --maximum --weights " + rule + " -q -f -o max.emg");
    here.succeed("emgraph check mst g.emg max.emg --maximum --weights " + rule);
    here.succeed("emgraph mst g.emg --maximum --weights " + rule +
                 " -q -f -o ext.emg --model external -M 16M");
    here.succeed("cmp max.emg ext.emg");
  }
  here.succeed("emgraph mst g.emg --weights unit -q -f -o min.emg && cmp max.emg min.emg");
  here.write("i.csv", "0,1,-9223372036854775808\n0,1,9223372036854775807\n1,2,-9223372036854775808\n0,2,0\n");
  here.succeed("emgraph mst i.csv --cols 1,2,3 --maximum -q -o i.txt");
  CHECK(here.read("i.txt") == "0\t1\t9223372036854775807\n0\t2\t0\n");
  here.write("f.csv", "0,1,-1e308\n0,1,1e308\n1,2,-0.0\n0,2,0\n");
  here.succeed("emgraph mst f.csv --cols 1,2,3 --weight-type f64 --maximum -q -o f.txt");
  CHECK(here.read("f.txt") == "0\t1\t1e+308\n0\t2\t0\n");
}

}  // namespace emgraph::tests
