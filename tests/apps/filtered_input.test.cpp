// SPDX-License-Identifier: MIT
// --min-weight, --max-weight and --nodes-in before commands, against the same edges filtered by awk.
#include <string>
#include <vector>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

namespace {

const std::string hits = "A\tB\t98.2\nB\tC\t29.9\nC\tD\t30\nE\tE\t100\nD\tF\t1e1\n";

}  // namespace

TEST_CASE("single linkage of protein hits at a threshold: all proteins stay") {
  const Workplace here;
  here.write("hits.tsv", hits);
  here.succeed("gzip -k hits.tsv");
  const std::string input = "hits.tsv.gz --labels --cols 1,2,3 --weight-type f64 ";
  const auto summary = here.summary("emgraph cc " + input + "--min-weight 30 --sizes sizes.tsv");
  CHECK(summary.at("nodes") == 6);
  CHECK(summary.at("edges") == 3);
  CHECK(summary.at("components") == 4);
  CHECK(summary.at("edges_filtered_out") == 2);
  CHECK_THAT(here.succeed("emgraph cc " + input + "--min-weight 30 -j 2").out,
             Catch::Contains("edges filtered out  2"));
  CHECK_FALSE(here.summary("emgraph cc " + input).contains("edges_filtered_out"));
  CHECK(here.read("sizes.tsv") == "A\t2\nC\t2\nE\t1\nF\t1\n");
  here.succeed("emgraph convert " + input + "--min-weight 29.95 --max-weight 98.2 -q -o part.tsv");
  CHECK(here.read("part.tsv") == "A\tB\t98.2\nC\tD\t30\n");
  here.write("list.txt", "B\r\nC\nD\nnobody\n");
  const Outcome listed = here.succeed("emgraph convert " + input + "--nodes-in list.txt -o listed.tsv");
  CHECK(here.read("listed.tsv") == "B\tC\t29.9\nC\tD\t30\n");
  CHECK_THAT(listed.error, Catch::Contains("1 of 4 names"));
  // A result of the same input is a list, too: as names, and as numbers.
  here.succeed("emgraph mis " + input + "-q -o set.txt && emgraph mis " + input + "-q -o set.npy");
  here.succeed("emgraph convert " + input + "-q --nodes-in set.txt -o a.tsv");
  here.succeed("emgraph convert " + input + "-q --nodes-in set.npy -o b.tsv && cmp a.tsv b.tsv");
  CHECK(here.read("a.tsv") == "E\tE\t100\n");
}

TEST_CASE("no integer weight is above or below a bound beyond 64 bits") {
  const Workplace here;
  here.write("g.txt", "1 1 9223372036854775807\n2 2 -9223372036854775808\n");
  const auto kept = [&](const std::string& bounds) {
    return here.summary("emgraph cc g.txt --cols 1,2,3 " + bounds).at("edges").get<int>();
  };
  CHECK(kept("--min-weight 1e30") == 0);
  CHECK(kept("--min-weight 9223372036854775808") == 0);
  CHECK(kept("--max-weight=-1e30") == 0);
  CHECK(kept("--min-weight=-1e30 --max-weight 1e30") == 2);
  CHECK(kept("--min-weight 9223372036854775807") == 1);
  CHECK(kept("--max-weight=-9223372036854775808") == 1);
}

TEST_CASE("a bound with a fraction is exact for integer weights") {
  const Workplace here;
  here.write("g.txt", "1 1 9007199254740992\n2 2 9007199254740993\n3 3 -9007199254740992\n4 4 1\n");
  const auto kept = [&](const std::string& bounds) {
    return here.summary("emgraph cc g.txt --cols 1,2,3 " + bounds).at("edges").get<int>();
  };
  CHECK(kept("--min-weight 9007199254740992.5") == 1);
  CHECK(kept("--min-weight 90071992547409925e-1") == 1);
  CHECK(kept("--min-weight 9.0071992547409920001E+15") == 1);
  CHECK(kept("--min-weight 9007199254740992.0") == 2);
  CHECK(kept("--max-weight 9007199254740991.5") == 2);
  CHECK(kept("--max-weight=-9007199254740991.5") == 1);
  CHECK(kept("--max-weight=-9007199254740992.5") == 0);
  CHECK(kept("--max-weight 0.99999999999999999999") == 1);
  CHECK(kept("--min-weight .5e1 --max-weight 9007199254740992.5") == 1);
  CHECK(kept("--min-weight=-inf --max-weight inf") == 4);
  CHECK(kept("--min-weight 9223372036854775807.5") == 0);
  require_failure(here.run("emgraph cc g.txt --cols 1,2,3 --min-weight 0.5 --max-weight 0"), 2, {"above"});
}

TEST_CASE("lists of nodes: any order, no second column, fractions far down") {
  const Workplace here;
  here.write("g.txt", "0 1\n0 2\n1 2\n");
  here.write("all.txt", "2\n1\n0\n");
  CHECK(here.summary("emgraph cc g.txt --nodes-in all.txt").at("edges") == 3);
  here.write("marked.txt",
             "\xef\xbb\xbf"
             "1\n2\n");
  CHECK(here.summary("emgraph cc g.txt --nodes-in marked.txt").at("edges") == 1);
  CHECK(here.summary("emgraph cc g.txt --labels --nodes-in marked.txt").at("edges") == 1);
  here.succeed("emgraph pagerank g.txt --sources marked.txt -q");
  here.succeed("emgraph pagerank g.txt --labels --sources marked.txt -q");
  here.write("twice.txt", "2\n1\n2\n");
  require_failure(here.run("emgraph cc g.txt --nodes-in twice.txt"), 3, {"repetitions", "=VALUE"});
  here.write("pairs.txt", "0 1\n1 2\n");
  require_failure(here.run("emgraph cc g.txt --nodes-in pairs.txt"), 3, {"line 1", "second column"});
  std::string path;
  for (int i = 0; i < 30000; ++i) {
    path += std::to_string(i) + "\t" + std::to_string(i + 1) + (i < 29999 ? "\t1\n" : "\t.5\n");
  }
  here.write("path.tsv", path);
  const std::string graph = "path.tsv --cols 1,2,3 --weight-type f64 ";
  here.succeed("emgraph sssp " + graph + "--root 0 -q -o d.tsv && gzip -k d.tsv");
  for (const std::string list : {"d.tsv", "d.tsv.gz"}) {
    CHECK(here.summary("emgraph cc " + graph + "--nodes-in " + list + "=29999.5").at("edges") == 0);
  }
}

TEST_CASE("a filter gives what the filtered file gives, whatever command, format, memory and threads") {
  const Workplace here;
  here.succeed(
      "emgraph gen --model kron --scale 12 --weights 1:100 -o g.emg -q && emgraph cat g.emg -q > g.tsv");
  here.succeed(
      "emgraph gen --model random --nodes 4096 --edges 800 -o other.emg -q && "
      "emgraph mis other.emg --nodes 4096 -q -o set.npy && emgraph cat set.npy -q > set.txt && "
      "emgraph mis other.emg --nodes 4096 -q -o set.bin");
  here.succeed("awk '$3 >= 20 && $3 <= 60' g.tsv > weights.tsv");
  here.succeed("awk 'NR == FNR {s[$1]; next} ($1 in s) && ($2 in s)' set.txt g.tsv > nodes.tsv");
  here.succeed("awk '$3 >= 20 && $3 <= 60' nodes.tsv > both.tsv");
  Sample sample(2);
  struct Case {
    std::string filter;
    std::string file;
  };
  for (const auto& [filter, file] :
       {Case{"--min-weight 20 --max-weight 60", "weights.tsv"}, Case{"--nodes-in set.npy", "nodes.tsv"},
        Case{"--nodes-in set.txt", "nodes.tsv"},
        Case{"--nodes-in set.bin --min-weight 19.5 --max-weight 60.9", "both.tsv"}}) {
    CAPTURE(filter);
    here.succeed("emgraph convert g.emg " + filter + " -q -f -o got.tsv");
    CHECK((here.read("got.tsv") == here.read(file)));
    here.succeed("emgraph convert " + file +
                 " --cols 1,2,3 --weight-type u32 --nodes 4096 -q -f -o want.emg");
    const std::vector<std::string> hows{"", "-j 1", "-j 4 -M 24M -T ."};
    for (const std::string command : {"mis", "cc", "bfs --root 3", "stats"}) {
      CAPTURE(command);
      here.succeed("emgraph " + command + " want.emg -q -f -o want.npy");
      for (const std::string& how : hows) {
        if (!sample.takes()) continue;
        CAPTURE(how);
        here.succeed("emgraph " + command + " g.emg " + filter + " " + how +
                     " -q -f -o got.npy && cmp got.npy want.npy");
      }
    }
    here.succeed("emgraph mst want.emg -q -f -o forest.emg && emgraph cat forest.emg > forest.txt");
    for (const std::string& how : hows) {
      if (!sample.takes()) continue;
      CAPTURE(how);
      here.succeed("emgraph mst g.tsv --cols 1,2,3 --weight-type u32 --nodes 4096 " + filter + " " + how +
                   " -q -f -o got.emg && emgraph cat got.emg | cmp - forest.txt");
    }
  }
  here.succeed(
      "emgraph cc g.emg --min-weight 90 -q -o c.npy && emgraph check cc g.emg --min-weight 90 c.npy");
}

TEST_CASE("a filter does not wait for a thread of mst that has stopped within a batch") {
  const Workplace here;
  here.succeed("emgraph gen --edges 1200K --nodes 80K -q -o g.bin && emgraph convert g.bin -q -o g.adj");
  std::string list;
  for (int i = 0; i < 80000; ++i) list += i % 5 == 0 ? "" : std::to_string(i) + "\n";
  here.write("list.txt", list);
  // More edges pass than mst takes before it reduces them. The lanes of both inputs give a batch in pieces.
  for (const std::string input : {"g.adj", "g.bin --relabel"}) {
    CAPTURE(input);
    const std::string command = "emgraph mst " + input + " --weights hash --nodes-in list.txt -q -f ";
    here.succeed(command + "-j 1 -o one.bin && " + command + "-j 4 -o four.bin && cmp one.bin four.bin");
  }
}

TEST_CASE("n stays, also of files and pipes that do not declare it") {
  const Workplace here;
  here.write("e.csv", "0,1,5\n1,2,9\n8,9,1\n");
  const std::string how = " --cols 1,2,3 --min-weight 5";
  const auto summary = here.summary("emgraph cc e.csv" + how);
  CHECK(summary.at("nodes") == 10);
  CHECK(summary.at("components") == 8);
  CHECK(here.summary("cat e.csv | emgraph cc -" + how).at("components") == 8);
  CHECK(here.summary("emgraph cc e.csv --cols 1,2,3 --max-weight -1").at("components") == 10);
  here.write("wide.csv", "0,1,5\n6000000000,2,1\n");
  CHECK(here.summary("emgraph bfs wide.csv --relabel --root 0" + how).at("reached") == 2);
  here.succeed("emgraph sort wide.csv" + how + " -q -o - --output-format text | grep -qx '0.1.5'");
  // An adjacency is read as edges then.
  here.succeed("emgraph convert e.csv --cols 1,2,3 -q -o e.adj");
  CHECK(here.summary("emgraph bfs e.adj --root 1 --max-weight 5").at("reached") == 2);
}

TEST_CASE("filters that cannot be meant are refused") {
  const Workplace here;
  here.write("e.txt", "0 1\n1 2\n");
  require_failure(here.run("emgraph cc e.txt --min-weight 3"), 2, {"has no weights", "--cols 1,2,3"});
  require_failure(here.run("emgraph cc e.txt --min-weight 3 --max-weight 2.5"), 2, {"--min-weight 3", "2.5"});
  require_failure(here.run("emgraph cc e.txt --min-weight many"), 2, {"--min-weight", "'many'"});
  require_failure(here.run("emgraph cc e.txt --max-weight nan"), 2, {"--max-weight"});
  require_failure(here.run("emgraph cc e.txt --nodes-in none.txt"), 4, {"none.txt"});
  require_failure(here.run("emgraph cc e.txt --nodes-in -"), 2, {"--nodes-in"});
  here.write("list.txt", "0\n7\n");
  require_failure(here.run("emgraph cc e.txt --nodes 3 --nodes-in list.txt"), 3,
                  {"list.txt", "node 7", "below 3"});
  require_failure(here.run("emgraph cc e.txt --nodes-in list.txt -f -o list.txt"), 2, {"is the input"});
  // A few nodes far apart are a short list.
  here.write("far.txt", "0\n1\n90000000000\n");
  CHECK(here.summary("emgraph mis e.txt --nodes 100G --nodes-in far.txt -M 64M").at("edges") == 1);
}

TEST_CASE("--nodes-in reads a pipe, also if edges are read again with wider ids") {
  const Workplace here;
  here.write("g.txt", "0 1\n1 2\n5 6\n2 0\n");
  here.write("wide.txt", "0 1\n1 2\n9000000000 0\n");
  here.write("list.txt", "0\n1\n2\n");
  here.succeed("mkfifo p");
  const auto piped = [&](const std::string& command) {
    return here.summary("(cat list.txt > p &); emgraph " + command + " --nodes-in p");
  };
  CHECK(piped("cc g.txt").at("edges") == 3);
  CHECK(piped("filter wide.txt -o out.bin").at("edges_out") == 2);
  here.write("list.txt", "a\nb\n");
  here.write("names.txt", "a b\nb c\n");
  CHECK(piped("cc names.txt --labels").at("edges") == 1);
  here.write("list.txt", "0\n1x\n");
  require_failure(here.run("(cat list.txt > p &); emgraph cc g.txt --nodes-in p -T ."), 3, {"p: line 2"});
  CHECK(here.files() ==
        std::vector<std::string>{"g.txt", "list.txt", "names.txt", "out.bin", "p", "wide.txt"});
}

}  // namespace emgraph::tests
