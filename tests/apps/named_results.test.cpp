// SPDX-License-Identifier: MIT
// Text results after --labels and --relabel name nodes as the input does; --ids numbers leaves numbers.
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

const std::string people =
    "from,to,since\n\"Bob, Jr.\",Ann,2015\nAnn,Zoe,2019\nEve,\"Dan \"\"D\"\" Doe\",2020\n";
const std::string read_people = " --labels --skip-lines 1 -q ";

/// A tab-separated edge list of `edges` hits between `names` proteins, as a search program writes it.
std::string hits(int edges, int names) {
  std::string text;
  unsigned state = 7;
  const auto next = [&](int below) {
    state = state * 1664525U + 1013904223U;
    return static_cast<int>((state >> 8) % static_cast<unsigned>(below));
  };
  for (int i = 0; i < edges; ++i) {
    text += "ENSP" + std::to_string(next(names)) + "\tENSP" + std::to_string(next(names)) + "\t" +
            std::to_string(next(100)) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("cc of a CSV file of names writes names, with quotes only in CSV") {
  const Workplace here;
  here.write("people.csv", people);
  here.succeed("emgraph cc people.csv" + read_people + "-o comp.tsv");
  CHECK(here.read("comp.tsv") ==
        "Bob, Jr.\tBob, Jr.\nAnn\tBob, Jr.\nZoe\tBob, Jr.\nEve\tEve\nDan \"D\" Doe\tEve\n");
  here.succeed("emgraph cc people.csv" + read_people + "-o comp.csv");
  CHECK(
      here.read("comp.csv") ==
      "\"Bob, Jr.\",\"Bob, Jr.\"\nAnn,\"Bob, Jr.\"\nZoe,\"Bob, Jr.\"\nEve,Eve\n\"Dan \"\"D\"\" Doe\",Eve\n");
  here.succeed("emgraph cc people.csv" + read_people + "--ids numbers -o numbers.csv");
  CHECK(here.read("numbers.csv") == "0,0\n1,0\n2,0\n3,3\n4,3\n");
  here.succeed("emgraph cc people.csv" + read_people + "-o comp.npy && emgraph cc people.csv" + read_people +
               "--ids numbers -o same.npy && cmp comp.npy same.npy");
  here.succeed("emgraph cc people.csv" + read_people + "-o - --output-format tsv > out && cmp out comp.tsv");
}

TEST_CASE("--output-header names the columns of results with names") {
  const Workplace here;
  here.write("n.csv", "from,to,w\nann,bob,3\nbob,\"c, y\",4\nann,\"c, y\",9\n");
  const std::string input = " n.csv --labels --header --output-header -q ";
  here.succeed("emgraph cc" + input + "-o c.csv --sizes s.tsv --groups g.csv --map names.txt");
  CHECK(here.read("c.csv") == "node,value\nann,ann\nbob,ann\n\"c, y\",ann\n");
  CHECK(here.read("s.tsv") == "component\tsize\nann\t3\n");
  CHECK(here.read("g.csv").starts_with("component,node\nann,ann\n"));
  here.succeed("emgraph mis" + input + "-o m.txt");
  CHECK(here.read("m.txt") == "node\nann\n");
  here.succeed("emgraph mst" + input + "--cols from,to,w -o f.tsv");
  CHECK(here.read("f.tsv") == "source\ttarget\tweight\nann\tbob\t3\nbob\tc, y\t4\n");
  here.succeed("emgraph triangles" + input + "--list t.csv");
  CHECK(here.read("t.csv") == "node,node_2,node_3\nann,bob,\"c, y\"\n");
  here.succeed("emgraph sssp" + input + "--cols from,to,w --root ann --to 'c, y' -o q.csv");
  CHECK(here.read("q.csv") == "source,target,distance\nann,\"c, y\",7\n");
  here.succeed("emgraph cc n.csv --labels --header -q -o l.npy");
  CHECK(here.succeed("emgraph cat l.npy --map names.txt --as labels --output-header -q").out ==
        "node\tvalue\nann\tann\nbob\tann\nc, y\tann\n");
}

TEST_CASE("a tab in a name is written as \\t where tabs separate columns") {
  const Workplace here;
  here.write("tab.csv", "\"x\ty\",b\n");
  here.succeed("emgraph cc tab.csv --labels --separator , -q -o comp.tsv --map names.txt");
  CHECK(here.read("comp.tsv") == "x\\ty\tx\\ty\nb\tx\\ty\n");
  CHECK(here.read("names.txt") == "x\ty\nb\n");
  here.succeed("emgraph cc tab.csv --labels --separator , -q -o comp.csv");
  CHECK(here.read("comp.csv") == "\"x\ty\",\"x\ty\"\nb,\"x\ty\"\n");
}

TEST_CASE("sets, levels, parents and triangles have names") {
  const Workplace here;
  here.write("people.csv", people);
  here.succeed("emgraph mis people.csv" + read_people + "-o set.txt");
  CHECK(here.read("set.txt") == "Bob, Jr.\nZoe\nEve\n");
  const auto search =
      here.summary("emgraph bfs people.csv" + read_people + "-o levels.tsv --parents parents.tsv");
  CHECK(search.at("root") == 1);
  CHECK(search.at("root_label") == "Ann");
  CHECK(here.read("levels.tsv") ==
        "Bob, Jr.\t1\nAnn\t0\nZoe\t1\nEve\t4294967295\nDan \"D\" Doe\t4294967295\n");
  CHECK(here.read("parents.tsv") == "Bob, Jr.\tAnn\nAnn\tAnn\nZoe\tAnn\n");
  here.write("ids.txt", "99999999999 7\n7 4200\n4200 99999999999\n");
  here.succeed("emgraph triangles ids.txt --relabel --list list.tsv --per-node count.csv -q");
  CHECK(here.read("list.tsv") == "7\t4200\t99999999999\n");
  CHECK(here.read("count.csv") == "7,1\n4200,1\n99999999999,1\n");
  CHECK(here.summary("emgraph bfs ids.txt --relabel").at("root_id") == 7);
  CHECK_FALSE(here.summary("emgraph bfs ids.txt --relabel --ids numbers").contains("root_id"));
}

TEST_CASE("edges of sort, convert, mst and cc --forest have names") {
  const Workplace here;
  here.write("people.csv", people);
  here.succeed("emgraph convert people.csv" + read_people + "-o e.csv");
  CHECK(here.read("e.csv") == "\"Bob, Jr.\",Ann\nAnn,Zoe\nEve,\"Dan \"\"D\"\" Doe\"\n");
  // What was written can be read again, and gives the same numbers.
  here.succeed("emgraph cc e.csv --labels -q -o again.npy && emgraph cc people.csv" + read_people +
               "-o first.npy && cmp again.npy first.npy");
  here.succeed("emgraph mst people.csv" + read_people + "--cols 1,2,3 -o forest.tsv");
  CHECK(here.read("forest.tsv") == "Bob, Jr.\tAnn\t2015\nAnn\tZoe\t2019\nEve\tDan \"D\" Doe\t2020\n");
  here.succeed("emgraph cc people.csv" + read_people +
               "--forest cc.tsv && cut -f 1,2 forest.tsv | cmp - cc.tsv");
  here.succeed("emgraph sort people.csv" + read_people + "-o s.tsv.gz && zcat s.tsv.gz | cmp - cc.tsv");
  here.succeed("emgraph convert people.csv" + read_people + "--ids numbers -o n.txt");
  CHECK(here.read("n.txt") == "0\t1\n1\t2\n3\t4\n");
  // GAPBS reads .el: numbers.
  here.succeed("emgraph convert people.csv" + read_people + "-o n.el");
  CHECK(here.read("n.el") == "0 1\n1 2\n3 4\n");
}

TEST_CASE("names in results are those of cat --map, whatever the memory and the model") {
  const Workplace here;
  here.write("hits.tsv", hits(60000, 40000));
  here.succeed("gzip -k hits.tsv");
  here.succeed("emgraph cc hits.tsv.gz --labels --map names.txt -q -o comp.npy");
  here.succeed("emgraph cat comp.npy --map names.txt --as labels > wanted.tsv");
  for (const std::string how : {"", "-M 16M -T .", "--model external -M 32M -j 1", "-j 1"}) {
    CAPTURE(how);
    here.succeed("emgraph cc hits.tsv.gz --labels -f -q -o comp.tsv " + how + " && cmp comp.tsv wanted.tsv");
  }
  here.succeed("emgraph mst hits.tsv --labels --cols 1,2,3 -q -o f.emg");
  here.succeed("emgraph cat f.emg --map names.txt > wanted_forest.tsv");
  here.succeed("emgraph mst hits.tsv --labels --cols 1,2,3 -q -o f.tsv -M 16M -T .");
  CHECK(here.read("f.tsv") == here.read("wanted_forest.tsv"));
  here.succeed(
      "cat hits.tsv | emgraph convert - --separator tab --labels -q -o - --output-format tsv > c.tsv");
  here.succeed("cut -f 1,2 hits.tsv | cmp - c.tsv");
}

TEST_CASE("hubs of stats have names on screen, in JSON and in the page") {
  const Workplace here;
  here.write("people.csv", people);
  const auto json = here.summary("emgraph stats people.csv" + read_people + "--html page.html");
  CHECK(json.at("hubs").at(0).at("label") == "Ann");
  CHECK(json.at("hubs").at(0).at("node") == 1);
  CHECK_THAT(here.read("page.html"), Catch::Contains("Bob, Jr."));
  const std::string screen = here.succeed("emgraph stats people.csv --labels --skip-lines 1").out;
  CHECK_THAT(screen, Catch::Contains("Ann, degree 2"));
  here.write("ids.txt", "99999999999 7\n7 4200\n");
  CHECK(here.summary("emgraph stats ids.txt --relabel").at("hubs").at(0).at("id") == 7);
  const auto plain = here.summary("emgraph stats people.csv" + read_people + "--ids numbers");
  CHECK_FALSE(plain.at("hubs").at(0).contains("label"));
}

TEST_CASE("paths of sssp have names") {
  const Workplace here;
  here.write("people.csv", people);
  here.succeed("emgraph sssp people.csv" + read_people +
               "--cols 1,2,3 --undirected --root 'Bob, Jr.' --to Zoe --path path.txt -o d.txt");
  CHECK(here.read("path.txt") == "Bob, Jr.\tAnn\tZoe\n");
  CHECK(here.read("d.txt") == "Bob, Jr.\tZoe\t4034\n");
  here.write("tabs.csv", "\"a\tb\",\"c, d\",5\n");
  const std::string way =
      "emgraph sssp tabs.csv -q --labels --separator , --cols 1,2,3 "
      "--root \"$(printf 'a\\tb')\" --to 'c, d' ";
  CHECK(here.succeed(way + "--path path.tsv").out == "a\\tb\tc, d\t5\n");
  CHECK(here.read("path.tsv") == "a\\tb\tc, d\n");
  CHECK(here.succeed(way + "--path path.csv --output-format csv").out == "\"a\tb\",\"c, d\",5\n");
  CHECK(here.read("path.csv") == "\"a\tb\",\"c, d\"\n");
}

TEST_CASE("a name that no node result can have is refused before any work") {
  const Workplace here;
  here.write("e.txt", "0 1\n");
  for (const std::string extension : {"json", "parquet", "npz", "tsv.gz", "csv.bz2"}) {
    CAPTURE(extension);
    require_failure(here.run("emgraph cc e.txt -o r." + extension), 2, {"r." + extension, ".npy", ".csv"});
  }
  here.succeed("emgraph bfs e.txt -q -o levels.csv");
  CHECK(here.read("levels.csv") == "0,0\n1,1\n");
  CHECK(here.files() == std::vector<std::string>{"e.txt", "levels.csv"});
}

TEST_CASE("labels of up to 64 KiB in a graph of few nodes") {
  Workplace here;
  const std::string name(60000, 'x');
  const std::string quotes(65000, '"');
  here.write("long.tsv", name + "\tb\n" + quotes + "\tb\n");
  here.succeed("timeout 60 \"" + tested_program() + "\" cc long.tsv --labels -o out.tsv -q --map map.txt");
  CHECK(here.read("out.tsv") == name + "\t" + name + "\nb\t" + name + "\n" + quotes + "\t" + name + "\n");
  here.succeed("emgraph cc long.tsv --labels -o out.csv -q");
  const std::string quoted = "\"" + quotes + quotes + "\"";
  CHECK(here.read("out.csv") == name + "," + name + "\nb," + name + "\n" + quoted + "," + name + "\n");
}

}  // namespace emgraph::tests
