// SPDX-License-Identifier: MIT
// Matrix Market, DIMACS and METIS files from the command line.
#include <catch2/catch.hpp>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {
namespace {

/// The edges of any file as text, with their weights.
std::string edges_of(const Workplace& here, const std::string& file) {
  return here.succeed("emgraph cat -q " + file).out;
}

}  // namespace

TEST_CASE("line formats: undirected edges that are stored once are not followed one way without a warning") {
  const Workplace here;
  const std::string path = "2 1\n3 2\n4 3\n";
  here.write("sym.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n" + path);
  here.write("skew.mtx",
             "%%MatrixMarket matrix coordinate integer skew-symmetric\n4 4 3\n2 1 1\n3 2 1\n4 3 1\n");
  here.write("out.sym", "% sym unweighted\n% 3 4 4\n" + path);
  here.write("out.bip", "% bip unweighted\n% 3 2 2\n1 1\n1 2\n2 2\n");
  here.write("path.col", "p col 4 3\ne 2 1\ne 3 2\ne 4 3\n");
  here.succeed("emgraph convert sym.mtx -q -o sym.emg");
  const auto warned = Catch::Contains("followed from source to target only");
  for (const std::string file : {"sym.mtx", "skew.mtx", "out.sym", "out.bip", "path.col", "sym.emg"}) {
    for (const std::string command : {"scc ", "pagerank ", "bfs --directed ", "cdlp --directed ",
                                      "lcc --directed ", "sssp --directed --weights unit --root 0 "}) {
      CAPTURE(command, file);
      CHECK_THAT(here.succeed("emgraph " + command + file).error, warned && Catch::Contains(file));
    }
    for (const std::string command :
         {"pagerank --undirected ", "bfs ", "cdlp ", "sssp --weights unit --root 0 "}) {
      CAPTURE(command, file);
      CHECK_THAT(here.succeed("emgraph " + command + file).error, !warned);
    }
    here.succeed("emgraph sort --symmetrize " + file + " -f -q -o both.emg");
    const Outcome both = here.succeed("emgraph scc both.emg --json");
    CHECK(both.json().at("components") == 1);
    CHECK_THAT(both.error, !warned);
  }
  here.write("asym.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n" + path);
  here.write("out.asym", "% asym unweighted\n% 3 4 4\n" + path);
  for (const std::string file : {"asym.mtx", "out.asym"}) {
    CHECK_THAT(here.succeed("emgraph scc " + file).error, !warned);
  }
}

TEST_CASE("convert: to mtx, gr and graph and back") {
  const Workplace here;
  here.write("a.txt", "0 1 5\n1 0 3\n3 3 1\n0 3 7\n");
  const std::string weighted = "a.txt --input-format text-i64w";
  here.succeed("emgraph convert -q " + weighted + " -o a.mtx && emgraph convert -q " + weighted + " -o a.gr");
  CHECK(edges_of(here, "a.mtx") == edges_of(here, weighted));
  CHECK(edges_of(here, "a.gr") == edges_of(here, weighted));
  CHECK(here.read("a.gr").starts_with("p sp 4 4 "));
  // An adjacency: both directions, sorted, the lightest of parallel edges, no loops.
  here.succeed("emgraph convert -q " + weighted + " -o a.graph");
  CHECK(edges_of(here, "a.graph") == "0\t1\t3\n0\t3\t7\n1\t0\t3\n3\t0\t7\n");
  CHECK(here.read("a.graph").starts_with("4 2 001 "));
  here.succeed("emgraph convert -q a.txt -o bare.graph");
  CHECK(edges_of(here, "bare.graph") == "0\t1\n0\t3\n1\t0\n3\t0\n");
  here.succeed("emgraph sort -q -u --no-loops --orient low " + weighted + " -o low.mtx");
  CHECK(here.read("low.mtx").starts_with("%%MatrixMarket matrix coordinate integer symmetric\n4 4 2 "));
  CHECK(edges_of(here, "low.mtx") == "0\t1\t3\n0\t3\t7\n");
  here.succeed("emgraph sort -q -u --no-loops --symmetrize a.txt -o sorted.graph");
  CHECK(here.read("sorted.graph") == here.read("bare.graph"));
  CHECK_THAT(here.succeed("emgraph info a.graph").out, Catch::Contains("graph"));
}

TEST_CASE("convert: nodes without edges stay") {
  const Workplace here;
  here.write("a.txt", "0 1\n");
  for (const std::string format : {"mtx", "gr", "graph"}) {
    INFO(format);
    here.succeed("emgraph convert -q a.txt --nodes 9 -o a." + format);
    here.succeed("emgraph convert -q a." + format + " -o back." + format + ".emg");
    CHECK(here.summary("emgraph mis back." + format + ".emg").at("nodes") == 9);
  }
}

TEST_CASE("convert: mtx, gr and graph through pipes") {
  const Workplace here;
  here.succeed("emgraph gen --model gnm --nodes 100 --edges 300 -q -o a.emg");
  for (const std::string format : {"mtx", "gr"}) {
    INFO(format);
    here.succeed("emgraph convert -q a.emg -o a." + format);
    here.succeed("emgraph convert -q a.emg --output-format " + format + " -o - > piped." + format);
    CHECK(here.read("piped." + format) == here.read("a." + format));
    const std::string direct = here.succeed("emgraph mis -q -o - a." + format).out;
    CHECK(here.succeed("cat a." + format + " | emgraph mis -q -o - -").out == direct);
    here.succeed("zstd -q a." + format);
    CHECK(here.succeed("emgraph mis -q -o - a." + format + ".zst").out == direct);
    CHECK(here.succeed("cat a." + format + ".zst | emgraph mis -q -o - -").out == direct);
  }
  here.succeed("emgraph convert -q a.emg -o a.graph");
  const std::string direct = here.succeed("emgraph mis -q -o - a.graph").out;
  CHECK(here.succeed("cat a.graph | emgraph mis -q -o - --input-format graph -").out == direct);
  require_failure(here.run("emgraph convert a.emg --output-format graph -o -"), 2, {"write to a file"});
  here.write("a.txt", "0 1\n");
  for (const std::string format : {"mtx", "gr", "graph"}) {
    require_failure(here.run("emgraph convert a.txt --output-format " + format + " -o -"), 2,
                    {"not known before the end", "write to a file"});
  }
}

TEST_CASE("outputs that mtx, gr and graph cannot hold") {
  const Workplace here;
  here.write("a.txt", "0 1 0.5\n");
  const auto before = here.files();
  require_failure(here.run("emgraph convert a.txt --input-format text-f64w -o a.gr"), 2,
                  {"a.gr", "integers"});
  require_failure(here.run("emgraph convert a.txt --input-format text-f64w -o a.graph"), 2,
                  {"a.graph", "integers"});
  require_failure(here.run("emgraph convert a.txt --directed -o a.graph"), 2, {"without --directed"});
  require_failure(here.run("emgraph gen --edges 10 -o a.graph"), 2,
                  {"emgraph convert makes it of any edges"});
  here.write("minus.txt", "0 1 -5\n");
  require_failure(here.run("emgraph convert minus.txt --input-format text-i64w -o a.graph"), 3,
                  {"a.graph", "-5", "0 or more"});
  std::filesystem::remove(here.path("minus.txt"));
  CHECK(here.files() == before);
}

TEST_CASE("undirected edges in a general matrix are told") {
  const Workplace here;
  here.write("e.col", "p edge 4 2\ne 3 1\ne 2 4\n");
  CHECK_THAT(here.succeed("emgraph convert e.col -o e.mtx").error, Catch::Contains("--orient low"));
  here.write("out.bip", "% bip unweighted\n% 2 2 1\n1 1\n2 1\n");
  CHECK(here.succeed("emgraph convert out.bip -o b.mtx -q").error.empty());  // left to right: symmetric
  CHECK_THAT(here.read("b.mtx"), Catch::Contains(" symmetric\n"));
}

TEST_CASE("a .wel file of weights with fractions says what reading it takes") {
  const Workplace here;
  here.write("g.csv", "0,1,0.5\n");
  here.succeed("emgraph convert g.csv --cols 1,2,3 --weight-type f64 -o g.f64w -q");
  CHECK_THAT(here.succeed("emgraph convert g.f64w -o g.wel").error, Catch::Contains("--weight-type f64"));
  CHECK(here.succeed("emgraph cat g.wel --weight-type f64").out == "0\t1\t0.5\n");
  here.write("g.csv", "0,1,5\n");
  CHECK(here.succeed("emgraph convert g.csv --cols 1,2,3 -f -o g.wel").error.find("--weight-type") ==
        std::string::npos);
}

TEST_CASE("an unknown output format is refused with those that are written") {
  const Workplace here;
  const Outcome outcome = here.run("emgraph gen --edges 9 -o x --output-format foo");
  require_failure(outcome, 2, {"'foo'", "emg, adj, npy, mtx"});
  CHECK_THAT(outcome.error, !Catch::Contains("galois"));
  here.write("e.tsv", "0 1\n");
  require_failure(here.run("emgraph mis e.tsv --output-format foo"), 2, {"'foo'"});
  require_failure(here.run("emgraph mis gen:random,edges=9 --input-format foo"), 2, {"'foo'"});
}

TEST_CASE("damaged mtx, gr and graph files: every command names the error and leaves no files") {
  const Workplace here;
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  struct Broken {
    std::string name, content;
    std::vector<std::string> words;
  };
  const std::vector<Broken> cases = {
      {"a.mtx", "1 2\n", {"a.mtx", "--input-format text --id-base 1"}},
      {"a.mtx", banner + "pattern general\n3 3 2\n1 2\n", {"a.mtx: line 3", "found 1 edges", "2 declared"}},
      {"a.mtx", banner + "pattern general\n3 3 1\n1 2\n1 3\n", {"a.mtx: line 4", "one edge more"}},
      {"a.mtx", banner + "pattern general\n3 3 1\n4 2\n", {"a.mtx: line 3", "'4'", "from 1 to 3"}},
      {"a.mtx", banner + "real general\n3 3 1\n1 2 nan\n", {"a.mtx: line 3", "'nan'", "finite"}},
      {"a.mtx", banner + "complex general\n3 3 1\n1 2 1 1\n", {"a.mtx: line 1", "complex"}},
      {"a.gr", "a 0 1 2\n", {"a.gr: line 1", "--input-format gr --id-base 0"}},
      {"a.gr", "p sp 3 1\na 0 1 2\n", {"a.gr: line 2", "'0'", "--input-format gr --id-base 0"}},
      {"a.gr", "p sp 3 2\na 1 2 3\n", {"a.gr: line 2", "found 1 edges"}},
      {"a.gr", "p sp 3 1\na 1 2 x\n", {"a.gr: line 2", "'x'", "an integer"}},
      {"a.gr", std::string("\1\0\0\0\0\0\0\0", 8), {"a.gr", "no gr header"}},
      {"a.graph", "3 1\n2\n1", {"a.graph: line 3", "found 2 adjacency lines"}},
      {"a.graph", "3 2\n2\n1\n\n", {"a.graph: line 4", "found 2 entries"}},
      {"a.graph", "3 1\n2\n-1\n\n", {"a.graph: line 3", "'-1'", "from 1 to 3"}},
      {"a.graph", "3 1 001\n2 7\n1\n\n", {"a.graph: line 3", "weight"}},
      {"a.graph", std::string("\xff\xfe\x33\0", 4), {"a.graph", "UTF-16"}},
      {"a.graph", std::string(10000000, '1'), {"a.graph: line 1", "64 KiB"}},
      {"a.graph", "2 1\n" + std::string(10000000, '1') + "\n1\n", {"a.graph: line 2"}},
  };
  for (const Broken& broken : cases) {
    here.write(broken.name, broken.content);
    const auto before = here.files();
    for (const std::string command :
         {"mis -o out.npy", "sort -o out.bin", "convert -o out.bin", "check sorted"}) {
      INFO(broken.name << " " << broken.content.substr(0, 100) << " " << command);
      require_failure(here.run("emgraph " + command + " " + broken.name + " -M 16M"), 3, broken.words);
    }
    CHECK(here.files() == before);
  }
}

TEST_CASE("--bipartite: the columns of a matrix are numbered after its rows") {
  const Workplace here;
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  here.write("r.mtx", banner + "integer general\n3 5 4\n1 1 7\n2 5 8\n3 4 9\n3 1 2\n");
  require_failure(here.run("emgraph cc r.mtx"), 3, {"r.mtx: line 2", "3 rows and 5 columns", "--bipartite"});
  CHECK(here.succeed("emgraph cat r.mtx --bipartite -q").out == "0\t3\t7\n1\t7\t8\n2\t6\t9\n2\t3\t2\n");
  const auto summary = here.summary("emgraph cc r.mtx --bipartite -o labels.npy");
  CHECK(summary.at("nodes") == 8);
  CHECK(summary.at("components") == 4);
  here.succeed("emgraph check cc r.mtx --bipartite labels.npy -q");
  here.succeed("emgraph convert r.mtx --bipartite -q -o r.emg && emgraph mst r.emg -q -o a.csv");
  here.succeed("emgraph mst r.mtx --bipartite -j 1 -q -o b.csv && cmp a.csv b.csv");
  // A square matrix has two sides, too; among several inputs the option is for those that are matrices.
  here.write("q.mtx", banner + "pattern general\n2 2 2\n1 1\n2 1\n");
  here.write("e.txt", "0 9\n");
  CHECK(here.succeed("emgraph cat q.mtx --bipartite -q").out == "0\t2\n1\t2\n");
  CHECK(here.summary("emgraph cc q.mtx e.txt --bipartite").at("nodes") == 10);
  require_failure(here.run("emgraph cc e.txt --bipartite"), 2, {"--bipartite", "text"});
  require_failure(here.run("emgraph cc gen:grid,dims=2x2 --bipartite"), 2, {"--bipartite", "generator"});
  here.write("s.mtx", banner + "pattern symmetric\n2 2 1\n2 1\n");
  require_failure(here.run("emgraph cc s.mtx --bipartite"), 3, {"s.mtx: line 1", "symmetric"});
  here.write("wrong.mtx", banner + "pattern general\n3 5 1\n4 1\n");
  require_failure(here.run("emgraph cc wrong.mtx --bipartite"), 3, {"line 3", "'4'", "1 to 3"});
  here.write("wrong.mtx", banner + "pattern general\n3 5 1\n3 6\n");
  require_failure(here.run("emgraph cc wrong.mtx --bipartite"), 3, {"line 3", "'6'", "1 to 5"});
  here.write("large.mtx", banner + "pattern general\n3 18446744073709551615 1\n3 6\n");
  require_failure(here.run("emgraph cc large.mtx --bipartite"), 3, {"line 2", "2^64"});
}

TEST_CASE("option --id-base sets the number of the first node") {
  const Workplace here;
  here.write("a.gr", "a 0 1 2\na 7 0 3\n");
  CHECK(edges_of(here, "a.gr --input-format gr --id-base 0") == "0\t1\t2\n7\t0\t3\n");
  here.write("a.graph", "2 1\n1\n0\n");
  CHECK(edges_of(here, "a.graph --id-base 0") == "0\t1\n1\t0\n");
  here.write("a.u32", "12345678");
  require_failure(here.run("emgraph cat a.u32 --id-base 1"), 2, {"--id-base", "u32"});
  require_failure(here.run("emgraph cat a.gr --id-base x"), 2, {"--id-base", "'x'"});
}

}  // namespace emgraph::tests
