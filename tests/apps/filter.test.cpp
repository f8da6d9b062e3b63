// SPDX-License-Identifier: MIT
// The command filter, against awk: components of cc, lists of nodes, weights, samples.
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("filter keeps the largest component, whatever memory, threads, pipe or format") {
  const Workplace here;
  here.succeed(
      "emgraph gen --model random --nodes 3000 --edges 2000 --weights 1:100 -q -o g.emg && "
      "emgraph cc g.emg -q -o l.tsv --sizes s.tsv && emgraph cat g.emg -q > g.tsv");
  here.succeed(
      "awk 'FILENAME == \"s.tsv\" {if (FNR == 1) most = $1; next} FILENAME == \"l.tsv\" {if ($2 == most) "
      "part[$1]; "
      "next} ($1 in part)' s.tsv l.tsv g.tsv > want.tsv && test -s want.tsv");
  for (const std::string how :
       {"filter g.emg", "filter g.emg -j 1", "filter g.emg -j 4 -M 16M -T .", "filter - < g.emg",
        "filter g.tsv --cols 1,2,3", "filter - --cols 1,2,3 < g.tsv"}) {
    CAPTURE(how);
    here.succeed("emgraph " + how +
                 " --largest-component -q -o - --output-format tsv > got.tsv && cmp want.tsv got.tsv");
  }
  const auto summary =
      here.summary("emgraph filter g.emg --largest-component --relabel --map ids.npy -o small.emg");
  CHECK(summary.at("edges") == 2000);
  CHECK(summary.at("edges_out") == std::stoll(here.succeed("wc -l < want.tsv").out));
  CHECK(summary.at("edges_filtered_out").get<int>() + summary.at("edges_out").get<int>() == 2000);
  CHECK(summary.at("nodes") == std::stoll(here.succeed("head -1 s.tsv | cut -f 2").out));
  CHECK(here.summary("emgraph cc small.emg").at("components") == 1);
  here.succeed("emgraph cat small.emg --map ids.npy -q | cmp - want.tsv");
  here.succeed(
      "emgraph cc g.emg -q -o l.npy && most=$(head -1 s.tsv | cut -f 1) && "
      "emgraph filter g.emg --nodes-in l.npy=$most -q -o - --output-format tsv | cmp - want.tsv && "
      "gzip -k l.tsv && emgraph filter g.tsv --cols 1,2,3 --nodes-in l.tsv.gz=$most -q -o - "
      "--output-format tsv | cmp - want.tsv");
}

TEST_CASE("filter into a solver in a pipe, ids and n kept") {
  const Workplace here;
  here.write("hits.csv", "q,t,score\n0,1,90\n1,2,20\n2,3,95\n3,4,99\n9,9,1\n");
  const std::string how = "emgraph filter hits.csv --header --cols q,t,score --min-weight 50 ";
  CHECK(here.summary(how + "-q -o - | emgraph mis -").at("nodes") == 10);
  CHECK(here.summary(how + "-q -o - | emgraph cc -").at("components") == 7);
  // The largest component is that of the edges that the other options leave.
  here.succeed(how + "--largest-component -q -o part.csv");
  CHECK(here.read("part.csv") == "2,3,95\n3,4,99\n");
  const auto summary = here.summary(how + "--largest-component --relabel --map ids.tsv -o part.emg");
  CHECK(summary.at("nodes") == 3);
  CHECK(here.read("ids.tsv") == "0\t2\n1\t3\n2\t4\n");
  here.succeed(
      "emgraph filter hits.csv --header --labels --cols q,t,score --max-weight 95 -q --output-header -o "
      "named.csv");
  CHECK(here.succeed("tail -n +2 named.csv").out == "0,1,90\n1,2,20\n2,3,95\n9,9,1\n");
}

TEST_CASE("filter of ids far apart: the largest component, and lists of a few") {
  const Workplace here;
  here.write("snow.csv", "9000000000000000001,5\n5,7000000000000000003\n8,80000000000\n");
  here.succeed("emgraph filter snow.csv --largest-component -q -o part.csv");
  CHECK(here.read("part.csv") == "9000000000000000001,5\n5,7000000000000000003\n");
  here.write("list.txt", "8\n80000000000\n5\n");
  here.succeed("emgraph filter snow.csv --nodes-in list.txt -q -o listed.csv");
  CHECK(here.read("listed.csv") == "8,80000000000\n");
  // Results of --relabel as text have ids; numbers of an earlier run are not taken for ids.
  here.succeed("emgraph cc snow.csv --relabel -q -o c.tsv && emgraph cc snow.csv --relabel -q -o c.npy");
  here.succeed("emgraph filter snow.csv --relabel --nodes-in c.tsv=8 --map m.tsv -q -o two.emg");
  CHECK(here.read("m.tsv") == "0\t8\n1\t80000000000\n");
  here.succeed("emgraph pagerank snow.csv --relabel --undirected --output-header -q -o r.tsv");
  here.succeed("emgraph filter snow.csv --relabel --nodes-in r.tsv=0.2 -q -o r.csv");
  CHECK(here.read("r.csv") == "8,80000000000\n");
  require_failure(here.run("emgraph filter snow.csv --relabel --nodes-in c.npy=3 -o x.emg"), 3,
                  {"c.npy", "5 values"});
  here.succeed("emgraph mis snow.csv --relabel -q -o set.npy");
  require_failure(here.run("emgraph filter snow.csv --relabel --nodes-in set.npy -o x.emg"), 2,
                  {"set.npy", "text"});
}

TEST_CASE("filter: the largest component has nodes of the list only, if no edge joins two of them, too") {
  const Workplace here;
  here.write("list.txt", "1\n");
  here.write("value.tsv", "0\t7\n1\t8\n2\t7\n");
  here.write("e.tsv", "0 0\n1 2\n");
  here.write("loop.tsv", "0 0\n1 1\n1 2\n");
  for (const std::string list : {"list.txt", "value.tsv=8"}) {
    const std::string how = " --largest-component --nodes-in " + list + " -q -o - --output-format tsv";
    CHECK(here.succeed("emgraph filter e.tsv" + how).out.empty());
    CHECK(here.succeed("emgraph filter loop.tsv" + how).out == "1\t1\n");
  }
  CHECK(here.succeed("emgraph filter loop.tsv --largest-component --nodes-in value.tsv=9 -q -o - "
                     "--output-format tsv")
            .out.empty());
}

TEST_CASE("filter: a list may have nodes above the largest id of the edges, unless n is declared") {
  const Workplace here;
  here.write("e.txt", "100 200\n200 150\n");
  here.write("list.txt", "100\n200\n300\n");
  const Outcome run = here.succeed("emgraph filter e.txt --nodes-in list.txt -o - --output-format tsv");
  CHECK(run.out == "100\t200\n");
  CHECK_THAT(run.error, Catch::Contains("1 of 3 nodes are not below 201"));
  CHECK(here.summary("emgraph stats e.txt --nodes-in list.txt").at("edges") == 1);
  here.succeed("emgraph filter e.txt --nodes 301 --nodes-in list.txt -q -o y.tsv");
  CHECK(here.read("y.tsv") == "100\t200\n");
  require_failure(here.run("emgraph filter e.txt --nodes 201 --nodes-in list.txt -o z.tsv"), 3,
                  {"300", "below 201"});
}

TEST_CASE("a cluster by the name of its component") {
  const Workplace here;
  here.write("hits.tsv", "A\tB\t98.2\nB\tC\t29.9\nD\tE\t30\n");
  here.succeed("emgraph cc hits.tsv --labels -q -o comp.tsv && gzip -k comp.tsv");
  for (const std::string file : {"comp.tsv", "comp.tsv.gz"}) {
    here.succeed("emgraph filter hits.tsv --labels --nodes-in " + file + "=A -q -f -o part.tsv");
    CHECK(here.read("part.tsv") == "A\tB\nB\tC\n");
  }
}

TEST_CASE("a sample is the same for a seed, and has both directions of an edge") {
  const Workplace here;
  here.succeed("emgraph gen --model gnm --nodes 5000 --edges 20000 -q -o g.emg");
  here.succeed("emgraph sort --symmetrize g.emg -q -o both.emg");
  const int kept = here.summary("emgraph filter both.emg --sample 10% -o a.emg").at("edges_out").get<int>();
  CHECK(kept > 3600);
  CHECK(kept < 4400);
  here.succeed("emgraph filter both.emg --sample 0.1 -j 1 -q -o b.emg && cmp a.emg b.emg");
  CHECK(here.summary("emgraph sort --symmetrize -u a.emg -o c.emg").at("edges_out") == kept);
  here.succeed("emgraph filter both.emg --sample 0.1 --seed 2 -q -o e.emg");
  CHECK_FALSE((here.read("e.emg") == here.read("a.emg")));
  CHECK(here.summary("emgraph filter g.emg --sample 1 -o f.emg").at("edges_filtered_out") == 0);
}

TEST_CASE("filter refuses what cannot be meant, and leaves nothing") {
  const Workplace here;
  here.write("e.txt", "0 1\n1 2\n4 3\n");
  here.succeed("emgraph cc e.txt -q -o l.npy");
  require_failure(here.run("emgraph filter e.txt -o x.emg"), 2,
                  {"nothing to filter by", "--largest-component"});
  require_failure(here.run("emgraph filter e.txt --sample 0.5"), 2, {"-o"});
  for (const std::string part : {"0", "2", "-1", "150%", "half", "nan"}) {
    require_failure(here.run("emgraph filter e.txt -o x.emg --sample=" + part), 2, {"--sample", part});
  }
  require_failure(here.run("emgraph filter e.txt --sample 0.5 -o x.adj"), 2, {"x.adj", "convert"});
  require_failure(here.run("emgraph filter e.txt --min-weight 3 -o x.emg"), 2, {"has no weights"});
  require_failure(here.run("emgraph filter e.txt --nodes-in l.npy=yes -o x.emg"), 2, {"l.npy", "'yes'"});
  require_failure(here.run("emgraph filter e.txt --nodes-in l.npy= -o x.emg"), 2, {"FILE=VALUE"});
  require_failure(here.run("emgraph filter e.txt --nodes 9 --nodes-in l.npy=0 -o x.emg"), 3,
                  {"5 values", "9 nodes"});
  // A value per node is no list.
  require_failure(here.run("emgraph filter e.txt --nodes 5 --nodes-in l.npy -o x.emg"), 3, {"l.npy=VALUE"});
  require_failure(here.run("emgraph filter e.txt --largest-component --checkpoint d -o x.emg"), 2,
                  {"--checkpoint"});
  here.succeed("emgraph convert e.txt -q -o e.bin");
  require_failure(here.run("emgraph filter e.txt --nodes-in e.bin -o x.emg"), 3, {"e.bin", "an edge file"});
  require_failure(here.run("emgraph check cc e.txt e.bin"), 3, {"e.bin", "an edge file"});
  CHECK_FALSE(here.exists("x.emg"));
}

TEST_CASE("filter: an id of 2^64 - 1 is refused, whether its edge passes or not") {
  const Workplace here;
  here.write("g.txt", "18446744073709551615 0\n1 2\n");
  for (const std::string sample : {"1", "0.0001"}) {
    require_failure(here.run("emgraph filter g.txt --sample " + sample + " -o out.bin"), 3,
                    {"g.txt", "18446744073709551615"});
  }
  CHECK(here.files() == std::vector<std::string>{"g.txt"});
  here.write("ends.txt", "1\n2\n");
  for (const std::string output : {"out.tsv", "-"}) {
    here.succeed("emgraph filter g.txt --relabel --sample 1 -q --output-format tsv -o " + output);
    const std::string filter =
        "emgraph filter g.txt --relabel --nodes-in ends.txt -q -f --output-format tsv -o ";
    CHECK(here.succeed(filter + output).exit_code == 0);
  }
  CHECK(text_edges(here.read("out.tsv")) == Edges{{1, 2}});
}

TEST_CASE("filter: a list of names is read as results with names are written") {
  const Workplace here;
  here.write("g.csv", "\"Bob, Jr.\",x\nx,\"Bob, Jr.\"\nq,r\n\"Bob, Jr.\",c\n");
  const auto left = [&](const std::string& list) {
    const Outcome run =
        here.run("emgraph filter g.csv --labels --nodes-in '" + list + "' -o left.csv -f --json");
    REQUIRE(run.exit_code == 0);
    return run.json().at("edges_out");
  };
  here.succeed("emgraph cc g.csv --labels -o c.csv -q");
  CHECK(left("c.csv=Bob, Jr.") == 3);
  CHECK(left("c.csv=q") == 1);
  here.write("quoted.csv", "\"Bob, Jr.\",\"1\"\n\"x\",\"1\"\n\"say \"\"c\"\"\",1\n");
  CHECK(left("quoted.csv=1") == 2);
  here.write("list.csv", "\"Bob, Jr.\"\nx\n");
  CHECK(left("list.csv") == 2);
  here.write("list.txt", "Bob, Jr.\nx\n");
  CHECK(left("list.txt") == 2);
  here.succeed("emgraph pagerank g.csv --labels --sources list.csv -q");
  CHECK_THAT(here.run("emgraph filter g.csv --labels --nodes-in c.csv=nope -o left.csv -f").error,
             Catch::Contains("c.csv=nope: no line has this value"));
  here.write("tab.csv", "\"a\tb\",C:\\temp\n\"a\tb\",d\n");
  here.succeed("emgraph cc tab.csv --labels --separator , -o t.tsv -q");
  CHECK(here.summary("emgraph filter tab.csv --labels --separator , --nodes-in 't.tsv=a\\tb' -o left.csv -f")
            .at("edges_out") == 2);
  here.write("eq.csv", "a=b,c\na=b,d\n");
  here.succeed("emgraph cc eq.csv --labels -o e.tsv -q");
  CHECK(here.summary("emgraph filter eq.csv --labels --nodes-in e.tsv=a=b -o left.csv -f").at("edges_out") ==
        2);
}

TEST_CASE("filter: bounds of weights in 4 bytes are rounded as the weights were") {
  Workplace here;
  here.write("e.txt", "0 1 0.1\n1 2 0.3\n");
  const std::string line = "emgraph filter e.txt --cols 1,2,3 -q -o - --output-format tsv --weight-type ";
  for (const std::string type : {"f32", "f64"}) {
    CHECK(here.succeed(line + type + " --max-weight 0.1").out == "0\t1\t0.1\n");
    CHECK(here.succeed(line + type + " --min-weight 0.3").out == "1\t2\t0.3\n");
  }
}

TEST_CASE("filter: a weight that is no number lies within no bounds") {
  const Workplace here;
  const auto edge = [](std::uint64_t source, double weight) {
    const std::uint64_t ids[] = {source, source + 1};
    std::string bytes(24, '\0');
    std::memcpy(bytes.data(), ids, sizeof ids);
    std::memcpy(bytes.data() + sizeof ids, &weight, sizeof weight);
    return bytes;
  };
  here.write("g.f64w", edge(0, std::numeric_limits<double>::quiet_NaN()) + edge(1, 0.5) + edge(2, 7));
  const auto left = [&](const std::string& bounds) {
    here.succeed("emgraph filter g.f64w -q -f -o out.f64w " + bounds);
    return here.read("out.f64w");
  };
  CHECK(left("--min-weight 1") == edge(2, 7));
  CHECK(left("--max-weight 1") == edge(1, 0.5));
  CHECK(left("--min-weight=-inf") == edge(1, 0.5) + edge(2, 7));
}

TEST_CASE("filter: n that one of several inputs declares counts for lists of a value per node") {
  const Workplace here;
  here.write("a.txt", "0 1\n1 2\n");
  here.succeed("emgraph convert a.txt --nodes 6 -o a.bin -q");
  here.write("b.txt", "2 3\n");
  here.write("values.txt", "7\n7\n7\n7\n1\n1\n");
  for (const std::string relabel : {"", " --relabel"}) {
    CAPTURE(relabel);
    here.succeed(
        "emgraph cc a.bin b.txt -q -f -o labels.npy && emgraph filter a.bin b.txt --nodes-in labels.npy=0 -f "
        "-q "
        "-o out.tsv" +
        relabel);
    CHECK(here.read("out.tsv") == "0\t1\n1\t2\n2\t3\n");
  }
}

}  // namespace emgraph::tests
