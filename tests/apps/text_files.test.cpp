// SPDX-License-Identifier: MIT
// Text edge lists from the command line: options for reading, weights, packing, what is refused.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("text files: columns, lines to skip, separators, the first id") {
  Workplace here;
  here.write("trades.csv", "day,buyer,seller,price\n\"a, b\",1,2,0.5\nx,3,\"4\",1.5\n\"\",2,3,2\n");
  here.succeed("emgraph convert trades.csv --cols 2,3 --id-base 1 -o a.txt -q");
  CHECK(here.read("a.txt") == "0\t1\n2\t3\n1\t2\n");
  here.succeed("emgraph convert trades.csv --cols 3,2,4 --weight-type f64 -o b.csv -q");
  CHECK(here.read("b.csv") == "2,1,0.5\n4,3,1.5\n3,2,2\n");
  CHECK(here.summary("emgraph cc trades.csv --cols 2,3 --id-base 1").at("nodes") == 4);
  here.write("heading.txt", "made by hand\n3 nodes\n0|1\n1|2\n");
  here.succeed("emgraph cat heading.txt --skip-lines 2 --separator '|'");
  CHECK(here.summary("emgraph mis heading.txt --skip-lines 2 --separator '|'").at("mis_size") == 2);
  here.write("holes.tsv", "1\t\t2\n");
  here.succeed("emgraph convert holes.tsv --cols 1,3 --separator tab -o c.txt -q");
  CHECK(here.read("c.txt") == "1\t2\n");
  // Given for a pipe, too.
  const auto piped =
      here.succeed("emgraph convert - --cols 2,3 --id-base 1 -o - < trades.csv | emgraph cat -");
  CHECK(piped.out == "0\t1\n2\t3\n1\t2\n");
  // Solvers with a checker: it reads the same way.
  here.succeed("emgraph mis trades.csv --cols 2,3 --id-base 1 -o mis.npy -q");
  here.succeed("emgraph check mis trades.csv mis.npy --cols 2,3 --id-base 1 -q");
}

TEST_CASE("text files: options that are wrong or mean nothing") {
  Workplace here;
  here.write("a.csv", "1,2\n");
  here.write("a.u32", raw_u32({0, 1}));
  const auto refused = [&](const std::string& arguments, int code, const std::vector<std::string>& words) {
    INFO(arguments);
    require_failure(here.run("emgraph cc " + arguments), code, words);
  };
  refused("a.csv --cols 1", 2, {"--cols"});
  refused("a.csv --cols 1,1", 2, {"--cols", "twice"});
  refused("a.csv --cols 0,1", 2, {"--cols"});
  refused("a.csv --cols 1,2,3,4", 2, {"--cols"});
  refused("a.csv --cols 1,x", 2, {"--cols"});
  refused("a.csv --weight-type u8", 2, {"--weight-type", "u8"});
  refused("a.csv --separator ab", 2, {"--separator"});
  refused("a.csv --separator 1", 2, {"--separator"});
  refused("a.csv --skip-lines -1", 2, {"--skip-lines"});
  refused("a.csv --id-base x", 2, {"--id-base"});
  refused("a.u32 --cols 1,2", 2, {"u32"});
  refused("a.u32 --id-base 1", 2, {"u32"});
  refused("gen:random,edges=10 --skip-lines 1", 2, {"generator"});
  refused("a.csv --cols 1,3", 3, {"a.csv", "line 1", "found 2 columns, expected at least 3"});
  refused("a.csv --id-base 2", 3, {"a.csv", "line 1", "found '1' as the first id", "2 or more"});
  refused("a.csv --skip-lines 2", 3, {"a.csv", "expected 2 to skip"});
  refused("a.csv --weight-type i64", 3, {"a.csv", "line 1", "as the weight"});
  require_failure(here.run("emgraph gen --edges 10 --cols 1,2"), 2, {"--cols"});
}

TEST_CASE("text files: the number of nodes in a comment of SNAP is not n") {
  Workplace here;
  here.write("snap.txt", "# Directed graph\n# Nodes: 100 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\n7\t2\n");
  const auto summary = here.summary("emgraph cc snap.txt");
  CHECK(summary.at("nodes") == 8);
  CHECK(summary.at("edges") == 2);
}

TEST_CASE("text files: weights, by name and by option, reach mst") {
  Workplace here;
  here.write("a.wel", "0 1 5\n1 2 7\n0 2 -3\n");
  CHECK(here.summary("emgraph mst a.wel").at("weight") == 2);
  here.write("a.txt", "0 1 5\n1 2 7\n0 2 -3\n");
  CHECK(here.summary("emgraph mst a.txt --weight-type i64").at("weight") == 2);
  CHECK(here.summary("emgraph mst a.txt --cols 1,2,3").at("weight") == 2);
  CHECK(here.summary("emgraph mst a.txt --input-format wel").at("weight") == 2);
  require_failure(here.run("emgraph mst a.txt"), 2, {"weight"});
  here.write("half.wel", "0 1 5\n1 2\n");
  require_failure(here.run("emgraph mst half.wel"), 3, {"half.wel", "line 2", "as the weight"});
  here.succeed("emgraph convert a.wel -o b.emg -q && emgraph convert b.emg -o b.wel -q");
  CHECK(here.read("b.wel") == here.read("a.wel"));
  require_failure(here.run("emgraph convert a.txt -o c.wel"), 2, {"c.wel", "weights"});
  CHECK_FALSE(here.exists("c.wel"));
}

TEST_CASE("text files: konect by its first line") {
  Workplace here;
  here.write("out.moreno", "% bip unweighted\n% 3 2 3\n1 1\n2 3\n2 1\n");
  const auto summary = here.summary("emgraph cc out.moreno");
  CHECK(summary.at("nodes") == 5);
  CHECK(summary.at("components") == 2);
  here.succeed("emgraph convert out.moreno -o a.el -q");
  CHECK(here.read("a.el") == "0 2\n1 4\n1 2\n");
  here.write("out.short", "% bip unweighted\n1 1\n");
  require_failure(here.run("emgraph cc out.short"), 3, {"out.short", "line 2", "second line"});
  here.write("out.few", "% sym unweighted\n% 3 2 2\n1 2\n");
  require_failure(here.run("emgraph sort out.few -o x.bin"), 3, {"out.few", "found 1 edges, expected the 3"});
  CHECK_FALSE(here.exists("x.bin"));
}

TEST_CASE("text files: packed while written, as gzip and zstd read it") {
  Workplace here;
  here.succeed("emgraph gen --model gnm --edges 200K -o a.txt -q");
  for (const std::string run :
       {"zst -j 1", "zst -j 4 -M 16M", "zst --codec zstd:1", "gz", "gz -j 3 --codec gzip:9"}) {
    INFO(run);
    const bool gzip = run.starts_with("gz");
    const std::string name = gzip ? "b.txt.gz" : "b.txt.zst";
    here.succeed("emgraph convert a.txt -f -q -o b.txt." + run);
    here.succeed((gzip ? "gzip -dc " : "zstd -dqc ") + name + " | cmp - a.txt");
    here.succeed("emgraph convert " + name + " -f -q -o c.txt -M 16M && cmp c.txt a.txt");
  }
  for (const std::string command : {"sort a.txt", "dedup a.txt", "gen --model gnm --edges 200K"}) {
    INFO(command);
    here.succeed("emgraph " + command + " -f -q -o d.csv.zst && zstd -dqc d.csv.zst | head -1 | grep -q ,");
  }
  require_failure(here.run("emgraph convert a.txt -o x.u32.zst"), 2, {"x.u32.zst", "not written packed"});
  require_failure(here.run("emgraph convert a.txt -o x.txt.zst --codec gzip"), 2, {"--codec", "gzip"});
  require_failure(here.run("emgraph convert a.txt -o x.txt.zst --codec zstd:99"), 2, {"--codec", "zstd:99"});
  require_failure(here.run("emgraph convert a.txt -o x.txt --codec zstd"), 2, {"--codec", "text"});
  here.write("bad.txt", here.read("a.txt") + "1 x\n");
  require_failure(here.run("emgraph convert bad.txt -o x.txt.zst"), 3, {"bad.txt", "line 200001"});
  for (const std::string& file : here.files()) CHECK_FALSE(file.starts_with("x."));
}

TEST_CASE("text files: many small streams of xz and bzip2") {
  const Workplace here;
  here.succeed(
      "python3 -c 'import bz2, lzma; edge = b\"1 2\\n\"\n"
      "for name, packed in ((\"x\", lzma.compress(edge)), (\"b\", bz2.compress(edge))):\n"
      "  open(name, \"wb\").write(packed * 7000)'");
  for (const std::string name : {"x", "b"}) {
    for (const std::string& input : {"cat " + name + " | emgraph cat -", "emgraph cat " + name}) {
      CHECK(here.succeed(input + " | sort | uniq -c | tr -s ' '").out == " 7000 1\t2\n");
    }
  }
}

TEST_CASE("text files: edges come out the same for any threads and memory") {
  Workplace here;
  here.succeed("emgraph gen --edges 300K --nodes 1M -o a.bin -q");
  here.succeed("emgraph convert a.bin -o a.txt -j 1 -q");
  here.succeed("emgraph convert a.bin -o b.txt -j 4 -M 16M -q && cmp a.txt b.txt");
  here.succeed(
      "emgraph convert a.txt -o c.u32 -j 4 -q && emgraph convert a.bin -o d.u32 -q && cmp c.u32 d.u32");
  here.succeed("emgraph convert a.txt -f -o c.u32 -M 16M -j 1 -q && cmp c.u32 d.u32");
}

TEST_CASE("text files: a list of Graphs.jl is not read with its counts as an edge") {
  Workplace here;
  here.write("g.jlg", "3,2,u,graph\n1,2\n2,3\n");
  require_failure(here.run("emgraph cc g.jlg"), 3, {"g.jlg: line 1", "--skip-lines 1", "--id-base 1"});
  const auto summary = here.summary("emgraph cc g.jlg --skip-lines 1 --id-base 1");
  CHECK(summary.at("nodes") == 3);
  CHECK(summary.at("components") == 1);
}

TEST_CASE("formats without weights leave them out and say so; GAPBS lists have two columns") {
  const Workplace here;
  here.write("in.wel", "0 1 5\n1 2 6\n");
  for (const std::string name : {"out.el", "out.u32", "out.sg", "out.graph500", "out.npy"}) {
    CAPTURE(name);
    CHECK_THAT(here.succeed("emgraph convert in.wel -o " + name).error,
               Catch::Contains(name + ": this format has no weights"));
    CHECK(here.summary("emgraph cc " + name).at("components") == 1);
  }
  CHECK(here.read("out.el") == "0 1\n1 2\n");
  for (const std::string name : {"out.wel", "out.txt", "out.adj", "out.u64w", "out.mtx"}) {
    CHECK(here.succeed("emgraph convert in.wel -o " + name).error.empty());
  }
}

}  // namespace emgraph::tests
