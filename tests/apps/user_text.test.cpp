// SPDX-License-Identifier: MIT
// Text as people have it: protein hits, database dumps, spreadsheets. How its lines are understood, and said.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

const char* const hits =
    "query\ttarget\tscore\nENSP A\tENSP B\t0.5\nENSP B\tENSP C\t0.9\nENSP D\tENSP E\t0.1\n";

bool says(const Outcome& outcome, const std::string& words) {
  return outcome.error.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("user text: the name of a file or a pipe does not change what separates its columns") {
  Workplace here;
  for (const char* name : {"hits.tsv", "hits.txt", "hits.csv", "hits"}) here.write(name, hits);
  here.succeed("gzip -k hits.tsv");
  for (const std::string input : {"hits.tsv", "hits.txt", "hits.csv", "hits", "hits.tsv.gz", "- < hits"}) {
    const auto summary = here.succeed("emgraph cc --labels --header --json -q " + input).json();
    CHECK(summary.at("nodes") == 5);
    CHECK(summary.at("components") == 2);
  }
  here.write("towns.txt", "New York,San Jose\nSan Jose,Los Angeles\n");
  here.succeed("emgraph convert towns.txt --labels -o t.txt --map names.txt -q");
  CHECK(here.read("names.txt") == "New York\nSan Jose\nLos Angeles\n");
  here.write("words.csv", "alice bob\nbob carol\n");
  CHECK(here.summary("emgraph cc words.csv --labels").at("nodes") == 3);
  // Ids: an empty column between tabs is a column, too.
  here.write("holes.txt", "1\t2\t3\n4\t\t5\n");
  require_failure(here.run("emgraph cc holes.txt"), 3, {"holes.txt", "line 2"});
}

TEST_CASE("user text: what can be read in two ways is refused with the option to say") {
  Workplace here;
  const auto refused = [&](const std::string& text, const std::string& arguments,
                           const std::vector<std::string>& words) {
    INFO(text);
    here.write("in.txt", text);
    require_failure(here.run("emgraph cc in.txt " + arguments), 3, words);
  };
  refused("a;b,c\nd;e,f\n", "--labels", {"line 1", "--separator , or --separator ';'"});
  refused("Smith,J Doe,K\nRoe,R Poe,P\n", "--labels", {"line 1", "--separator blanks"});
  refused("1 2\t3\n", "", {"line 1", "--separator tab or --separator blanks"});
  refused("1;2;3,5\n", "--cols 1,2,3", {"line 1", "--separator , or --separator ';'"});
  here.write("in.txt", "Smith,J Doe,K\nDoe,K Poe,P\n");
  CHECK(here.summary("emgraph cc in.txt --labels --separator blanks").at("nodes") == 3);
  here.write("in.txt", "a;b,c\nd;b,c\n");
  CHECK(here.summary("emgraph cc in.txt --labels --separator ';'").at("nodes") == 3);
}

TEST_CASE("user text: --header skips the first line and names columns") {
  Workplace here;
  here.write("hits.tsv", hits);
  here.succeed(
      "emgraph convert hits.tsv --labels --header --cols target,query,score --weight-type f64 -o e.txt --map "
      "names.txt -q");
  CHECK(here.read("e.txt") == "ENSP B\tENSP A\t0.5\nENSP C\tENSP B\t0.9\nENSP E\tENSP D\t0.1\n");
  CHECK(here.read("names.txt") == "ENSP B\nENSP A\nENSP C\nENSP E\nENSP D\n");
  here.write("export.csv", "# export of today\n\"id\",\"from_id\",\"to_id\"\n1,7,8\n2,8,9\n");
  CHECK(here.succeed("emgraph cat export.csv --header --cols from_id,to_id").out == "7\t8\n8\t9\n");
  CHECK(here.succeed("cat export.csv | emgraph cat - --header --cols 2,to_id").out == "7\t8\n8\t9\n");
  require_failure(here.run("emgraph cc export.csv --header --cols from,to_id"), 2,
                  {"--cols", "no column 'from'", "id, from_id, to_id"});
  require_failure(here.run("emgraph cc export.csv --cols from_id,to_id"), 2, {"--cols", "--header"});
  here.write("plain.txt", "1 2\n2 3\n");
  require_failure(here.run("emgraph cc plain.txt --header"), 3, {"line 1", "--header"});
  require_failure(here.run("emgraph cc gen:random,edges=5 --header"), 2, {"generator"});
}

TEST_CASE("user text: the first line with data decides, however far it is from the start") {
  const Workplace here;
  std::string comments;
  for (int i = 0; i < 7000; ++i) comments += i % 10 == 0 ? " \t\r\n" : "# comment\n";
  const std::string mark = "\xef\xbb\xbf";
  const std::string before[] = {comments, "# " + std::string(300000, 'c') + "\n"};
  const auto reads = [&](const std::string& text, const std::string& arguments, const std::string& expected) {
    here.write("in.txt", text);
    REQUIRE(here.run("gzip -kf in.txt").exit_code == 0);
    for (const std::string input : {"emgraph cat in.txt", "emgraph cat in.txt.gz",
                                    "cat in.txt | emgraph cat -", "cat in.txt.gz | emgraph cat -"}) {
      CAPTURE(input, arguments);
      const Outcome outcome = here.run(input + arguments);
      CHECK(outcome.error.empty());
      CHECK(outcome.out == expected);
    }
  };
  for (const std::string& start : before) {
    reads(start + "1\t\t7\t2\n", " --cols 1,3", "1\t7\n");
    reads(mark + start + "1\t\t7\t2\n", " --cols 1,3", "1\t7\n");
    reads(start + "from,to\n" + start + "1,2\n", " --header --cols to,from", "2\t1\n");
    reads(start + "from,to,at\n" + start + "1\t\t2\n", " --cols 1,3", "1\t2\n");
    here.write("labels.tsv", start + "New York\tLos Angeles\n");
    CHECK(here.run("cat labels.tsv | emgraph convert - --labels -o - --output-format csv -q").out ==
          "New York,Los Angeles\n");
    here.write("wrong.txt", start + "1 2\n3\n");
    const auto line = std::to_string(std::ranges::count(start, '\n') + 2);
    require_failure(here.run("emgraph cat wrong.txt"), 3, {"line " + line});
    here.write("labels.csv", "from,to\n" + start + "New York\tLos Angeles\n");
    CHECK(here.run("emgraph convert labels.csv --labels --header -o - --output-format csv -q").out ==
          "New York,Los Angeles\n");
  }
  reads("sep=;\n" + comments + "1;7\n", "", "1\t7\n");
  const std::string wide(70000, 'x');
  reads("1\t\t7\t2\t" + wide + "\n3\t\t9\t4\n", " --cols 1,3", "1\t7\n3\t9\n");
  reads("from,to," + wide + "\n1,2,3\n", " --header --cols to,from", "2\t1\n");
  reads("from,to," + wide + "\n1\t\t2\n", " --cols 1,3", "1\t2\n");
  here.write("none.txt", comments);
  require_failure(here.run("emgraph cat none.txt --header"), 3, {"no line", "header"});
  CHECK(here.run("emgraph cat none.txt").out.empty());
}

TEST_CASE("user text: a header that becomes an edge of labels is a warning") {
  Workplace here;
  here.write("hits.tsv", hits);
  const Outcome warned = here.succeed("emgraph cc hits.tsv --labels");
  CHECK(says(warned, "line 1 (query, target, score) may be a header"));
  CHECK(says(warned, "--header"));
  CHECK_FALSE(says(here.succeed("emgraph cc hits.tsv --labels --header"), "may be a header"));
  here.write("ring.txt", "a b\nb c\nc a\n");
  CHECK(here.succeed("emgraph cc ring.txt --labels").error.empty());
}

TEST_CASE("user text: columns that nobody asked for are said once") {
  Workplace here;
  here.write("adj.adjlist", "0 1 2 3\n1 2 3\n2 3\n");
  const Outcome outcome = here.succeed("emgraph cc adj.adjlist");
  CHECK(
      says(outcome, "lines have 4 columns; taken are 1 as source, 2 as target (--cols 1,2,3 takes column 3"));
  CHECK(outcome.error.find("lines have") == outcome.error.rfind("lines have"));
  CHECK(here.succeed("emgraph cc adj.adjlist -q").error.empty());
  CHECK(here.succeed("emgraph cc adj.adjlist --cols 1,2").error.empty());
  here.write("weighted.txt", "1 2 5\n2 3 7\n");
  const Outcome refused = here.run("emgraph mst weighted.txt");
  require_failure(refused, 2, {"--cols 1,2,3", "--weights hash"});
  CHECK(refused.error.rfind("--cols 1,2,3") < refused.error.find("--weights hash"));
}

TEST_CASE("user text: info says what it saw") {
  Workplace here;
  here.write("README.md", "# Tool\n\nThis is a tool\nthat reads graphs\n");
  const std::string page = here.succeed("emgraph info README.md").out;
  CHECK(page.find("no numbers: labels (--labels), or no edges") != std::string::npos);
  here.write("notes.md", "# Tool\n# only a heading\n");
  CHECK(here.succeed("emgraph info notes.md").out.find("none: only comments") != std::string::npos);
  here.write("export.csv", "from_id,to_id,score\n7,8,1\n");
  const std::string about = here.succeed("emgraph info export.csv --header --cols to_id,from_id").out;
  CHECK(about.find("source column       2 (to_id)") != std::string::npos);
  CHECK(about.find("columns found       3") != std::string::npos);
  CHECK(about.find("line 2: '8', '7'") != std::string::npos);
  here.write("hits.tsv", hits);
  const auto head =
      here.succeed("emgraph info hits.tsv --header --cols query,target,score --head 2 --json").json();
  CHECK(head.at("files")[0].at("separator") == "tab");
  CHECK(head.at("files")[0].at("header") == "query, target, score");
  CHECK(head.at("files")[0].at("first_edge") == "line 2: 'ENSP A', 'ENSP B', '0.5'");
  CHECK(head.at("files")[0].at("edge_2") == "line 3: 'ENSP B', 'ENSP C', '0.9'");
  require_failure(here.run("emgraph cc README.md"), 3, {"--labels"});
}

TEST_CASE("user text: cat --map of triangles translates three nodes") {
  Workplace here;
  here.write("abc.txt", "a b\nb c\na c\n");
  here.succeed("emgraph triangles abc.txt --labels --map names.txt --list tl.npy -q");
  require_failure(here.run("emgraph cat tl.npy --map names.txt"), 2,
                  {"tl.npy", "--as triples", "--as edges"});
  require_failure(here.run("emgraph cat - --map names.txt < tl.npy"), 2, {"--as triples"});
  CHECK(here.succeed("emgraph cat tl.npy --map names.txt --as triples").out == "a\tb\tc\n");
  CHECK(here.succeed("emgraph cat tl.npy --map names.txt --as edges").out == "a\tb\t2\n");
  CHECK(here.succeed("emgraph cat tl.npy --map names.txt --as triples --head 0").out.empty());
  here.write("far.txt", "70 50\n50 900\n900 70\n70 1\n");
  for (const char* map : {"ids.npy", "ids.tsv", "ids.bin"}) {
    here.succeed(std::string("emgraph triangles far.txt --relabel -f --list tl.npy -q --map ") + map);
    CHECK(here.succeed(std::string("emgraph cat tl.npy --as triples --map ") + map).out == "50\t70\t900\n");
    require_failure(here.run(std::string("emgraph cat tl.npy --map ") + map), 2, {"--as triples"});
  }
  here.write("short.txt", "a\nb\n");
  require_failure(here.run("emgraph cat tl.npy --as triples --map short.txt"), 3, {"is it the map"});
}

TEST_CASE("user text: outputs are what their names say, or refused") {
  Workplace here;
  here.write("in.txt", "0 1\n1 2\n3 4\n");
  for (const char* name : {"x.csv.lz4", "x.graphml", "x.json", "x.xlsx"}) {
    INFO(name);
    require_failure(here.run(std::string("emgraph convert in.txt -o ") + name), 2, {name, "emg", ".csv"});
    CHECK_FALSE(here.exists(name));
  }
  require_failure(here.run("emgraph convert in.txt -o x.npz"), 2, {"'npz' cannot be written", "npy", "text"});
  CHECK_FALSE(here.exists("x.npz"));
  for (const char* name : {"res.json", "res.tsv.gz", "res.mtx", "res.parquet", "res.xz"}) {
    INFO(name);
    require_failure(here.run(std::string("emgraph cc in.txt -o ") + name), 2, {name, ".npy, .tsv, .csv"});
    CHECK_FALSE(here.exists(name));
  }
  here.succeed(
      "emgraph cc in.txt -o x.csv -q && emgraph cc in.txt -o x.tsv -q && emgraph cc in.txt -o x.txt -q");
  CHECK(here.read("x.csv") == "0,0\n1,0\n2,0\n3,3\n4,3\n");
  CHECK(here.read("x.tsv") == "0\t0\n1\t0\n2\t0\n3\t3\n4\t3\n");
  CHECK(here.read("x.txt") == here.read("x.tsv"));
  here.succeed("emgraph cc in.txt -f -o x.csv --output-header -q && emgraph check cc in.txt x.csv -q");
  CHECK(here.read("x.csv") == "node,value\n0,0\n1,0\n2,0\n3,3\n4,3\n");
  here.succeed("emgraph mis in.txt -o mis.csv --output-header -q && emgraph check mis in.txt mis.csv -q");
  CHECK(here.read("mis.csv") == "node\n0\n2\n3\n");
  here.succeed("emgraph convert in.txt -o e.csv --output-header -q");
  CHECK(here.read("e.csv") == "source,target\n0,1\n1,2\n3,4\n");
  CHECK(here.succeed("emgraph cat e.csv --header --cols source,target").out == "0\t1\n1\t2\n3\t4\n");
  require_failure(here.run("emgraph cc in.txt -o x.npy --output-header"), 2, {"--output-header"});
  require_failure(here.run("emgraph convert in.txt -o x.bin --output-header"), 2, {"--output-header"});
}

TEST_CASE("user text: files of other programs are named, with the tool that converts them") {
  Workplace here;
  const auto refused = [&](const std::string& name, const std::string& bytes,
                           const std::vector<std::string>& words) {
    INFO(name);
    here.write(name, bytes);
    require_failure(here.run("emgraph cc " + name), 3, words);
  };
  refused("a.zip", "PK\x03\x04 rest of it", {"zip archive", "unzip -p"});
  refused("a.npz", "PK\x03\x04 rest of it", {"a.npz", "directory"});
  // The locator of a large directory names an offset of 2^63.
  const std::string far = std::string("PK\x06\x07") + std::string(11, '\0') + '\x80' + std::string(4, '\0');
  refused("far.npz", "PK\x03\x04" + far + "PK\x05\x06" + std::string(18, '\0'), {"far.npz", "directory"});
  refused("a.7z", "7z\xbc\xaf\x27\x1c rest", {"7z e -so"});
  refused("a.feather", std::string("ARROW1\0\0", 8), {"Feather", "read_feather"});
  refused("a.orc", "ORC\x01\x02", {"ORC", "read_orc"});
  refused("a.graphml", "<?xml version='1.0'?>\n<graphml xmlns='x'>\n", {"GraphML", "read_graphml"});
  refused("noname", "<?xml version='1.0'?>\n<graphml xmlns='x'>\n", {"GraphML", "read_graphml"});
  refused("a.gexf", "<gexf version='1.2'>\n", {"GEXF", "read_gexf"});
  refused("a.gml", "graph [\n  node [ id 0 ]\n]\n", {"GML", "read_gml"});
  refused("b.gml", "Creator \"x\"\ngraph\n[\n  node [ id 0 ]\n]\n", {"GML", "read_gml"});
  refused("a.net", "*Vertices 3\n1 \"a\"\n", {"Pajek", "read_pajek"});
  refused("a.g6", "DqK\n", {"graph6", "read_graph6"});
  refused("a.json", "[[0, 1], [1, 2]]\n", {"JSON", "jq"});
  refused("a.parquet", "PAR1....", {"Parquet"});
}

}  // namespace emgraph::tests
