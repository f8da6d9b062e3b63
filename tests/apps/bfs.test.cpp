// SPDX-License-Identifier: MIT
// The command bfs: answers, options, outputs, adjacency files.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"
#include "tests/oracle/bfs_oracle.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {
namespace {

/// Values of an .npy file; 4-byte all ones become 8-byte all ones.
std::vector<std::uint64_t> answers(const Workplace& here, const std::string& file) {
  std::vector<std::uint64_t> values = npy_ids(here.read(file));
  for (std::uint64_t& value : values) {
    if (value == 0xffffffff) value = ~std::uint64_t{0};
  }
  return values;
}

}  // namespace

TEST_CASE("bfs finds levels and smallest parents") {
  Workplace here;
  for (const std::string model : {"--edges 3000", "--edges 300 --nodes 400", "--model kron --scale 8",
                                  "--model grid --dims 13x17", "--model gnm --edges 500 --nodes 400"}) {
    for (const std::string directed : {"", " --directed"}) {
      INFO(model << directed);
      const auto made = here.summary("emgraph gen " + model + " -f");
      const auto summary =
          here.summary("emgraph bfs edges.bin -f -o levels.npy --parents parents.npy" + directed);
      const auto edges = edge_list(text_edges(here.succeed("emgraph cat edges.bin").out));
      const std::uint64_t nodes = made.at("nodes");
      const std::uint64_t root = default_root(nodes, edges, !directed.empty());
      const BfsAnswer right = breadth_first(nodes, edges, root, !directed.empty());
      CHECK(answers(here, "levels.npy") == right.levels);
      CHECK(answers(here, "parents.npy") == right.parents);
      CHECK(summary.at("root") == root);
      CHECK(summary.at("reached") == right.reached);
      CHECK(summary.at("levels") == right.nodes_per_level.size());
      CHECK(summary.at("nodes_per_level") == right.nodes_per_level);
      CHECK(summary.at("nodes") == nodes);
      CHECK(summary.at("edges") == edges.size());
    }
  }
}

TEST_CASE("bfs: every model, memory, way in and number of threads gives the same bytes") {
  Workplace here;
  here.succeed(
      "emgraph gen --edges 400K -q && emgraph bfs edges.bin -o want.npy --parents want_parents.npy -q");
  here.succeed("emgraph convert edges.bin -o graph.adj -q");
  Sample sample(3);
  for (const std::string options : {"--model internal", "--model semi-external", "--model external", "-M 16M",
                                    "-j 1", "-M 16M -j 2 -T . -T ."}) {
    for (const std::string input : {"edges.bin", "graph.adj", "- --nodes 64K < edges.bin"}) {
      if (!sample.takes()) continue;
      INFO(options << " " << input);
      here.succeed("emgraph bfs " + input + " -f -o got.npy --parents got_parents.npy -q " + options);
      CHECK((here.read("got.npy") == here.read("want.npy")));
      CHECK((here.read("got_parents.npy") == here.read("want_parents.npy")));
    }
  }
  CHECK(here.summary("emgraph bfs edges.bin --model semi-external").at("model") == "semi-external");
  CHECK(here.summary("emgraph bfs edges.bin").at("model") == "internal");
}

TEST_CASE("bfs: first levels by readings of all edges give the same bytes, and the plan bounds them") {
  Workplace here;
  here.succeed("emgraph gen --model kron --scale " + std::string(sized("17", "14")) + " -o kron.bin -q");
  Sample sample(3);
  for (const std::string options : {"", "--root 5", "--root 77 --directed"}) {
    here.succeed("emgraph bfs kron.bin --model internal -f -o want.npy --parents want_parents.npy -q " +
                 options);
    for (const std::string machine : {"-M 64M -j 1", "-M 32M -j 3", "-M 20M --checkpoint kept"}) {
      if (!sample.takes()) continue;
      INFO(options << " " << machine);
      const std::string search =
          "bfs kron.bin --model semi-external -f -o got.npy --parents got_parents.npy " + options + " " +
          machine;
      const auto run = here.summary("emgraph " + search);
      CHECK((here.read("got.npy") == here.read("want.npy")));
      CHECK((here.read("got_parents.npy") == here.read("want_parents.npy")));
      if (machine.ends_with("kept")) continue;
      CHECK_THAT(run.at("method").get<std::string>(), Catch::Contains("by readings of all edges"));
      const auto plan = here.summary("emgraph plan " + search);
      for (const char* key : {"memory_peak_bytes", "temp_bytes_peak"}) CHECK(plan.at(key) >= run.at(key));
      CHECK(plan.at("model") == run.at("model"));
    }
  }
}

TEST_CASE("bfs: several roots share an adjacency and name their outputs") {
  Workplace here;
  here.write("path.txt", "0 1\n1 2\n2 3\n3 4\n");
  const auto summary =
      here.summary("emgraph bfs path.txt --root 4 --root 2 -o 'levels-{root}.tsv' --parents '{root}.tsv'");
  CHECK(here.read("levels-4.tsv") == "0\t4\n1\t3\n2\t2\n3\t1\n4\t0\n");
  CHECK(here.read("levels-2.tsv") == "0\t2\n1\t1\n2\t0\n3\t1\n4\t2\n");
  CHECK(here.read("2.tsv") == "0\t1\n1\t2\n2\t2\n3\t2\n4\t3\n");
  CHECK(summary.at("root") == 4);
  CHECK(summary.at("levels") == 5);
  REQUIRE(summary.at("searches").size() == 2);
  CHECK(!summary.contains("root 2"));
  CHECK(summary.at("searches")[1].at("root") == 2);
  CHECK(summary.at("searches")[1].at("nodes_per_level") == std::vector<int>{1, 2, 2});
  require_failure(here.run("emgraph bfs path.txt --root 4 --root 2 -o levels.tsv"), 2, {"{root}"});
  require_failure(here.run("emgraph bfs path.txt --root 4 --root 4"), 2, {"twice"});
  require_failure(here.run("emgraph bfs path.txt --root 4 --root 2 -o 'levels-{root}.tsv'"), 2, {"exists"});
}

TEST_CASE("bfs: --output-format holds for the files of all roots") {
  Workplace here;
  here.write("path.txt", "0 1\n1 2\n");
  here.succeed(
      "emgraph bfs path.txt --root 0 --root 2 -o 'l-{root}' --parents 'p-{root}' --output-format tsv");
  CHECK(here.read("l-0") == "0\t0\n1\t1\n2\t2\n");
  CHECK(here.read("l-2") == "0\t2\n1\t1\n2\t0\n");
  CHECK(npy_ids(here.read("p-2")) == std::vector<std::uint64_t>{1, 2, 2});  // by its own name
  here.succeed("emgraph bfs path.txt -o 'd-{root}.npy' --output-format tsv");
  CHECK(here.read("d-1.npy") == "0\t1\n1\t0\n2\t1\n");
  CHECK_THAT(here.succeed("emgraph bfs --help").out, Catch::Contains("format by its extension"));
  // Without -o for all there is.
  here.succeed("emgraph bfs path.txt --root 0 --root 2 --parents 'q-{root}' --output-format tsv");
  CHECK(here.read("q-2") == "0\t1\n1\t2\n2\t2\n");
  here.succeed("emgraph bfs path.txt --labels --root 2 --root 0 -o 'n-{root}.tsv' --output-format bin");
  CHECK(here.read("n-2.tsv").size() == 12);
  require_failure(here.run("emgraph bfs path.txt --root 0 --root 2 -o 'x-{root}' --output-format emg"), 2,
                  {"--output-format", "'emg'"});
}

TEST_CASE("bfs: wrong usage and bad data") {
  Workplace here;
  here.write("path.txt", "0 1\n1 2\n");
  here.write("empty.txt", "");
  require_failure(here.run("emgraph bfs path.txt --root 3"), 2, {"root 3", "0 to 2"});
  require_failure(here.run("emgraph bfs path.txt --root x"), 2, {"--root"});
  require_failure(here.run("emgraph bfs path.txt -o a.npy --parents ./a.npy"), 2,
                  {"-o and --parents both go to a.npy"});
  require_failure(here.run("emgraph bfs path.txt -o 'a-{root}' --parents 'a-{root}'"), 2, {"both go to"});
  require_failure(here.run("emgraph bfs path.txt --root 1 -o 'a-{root}' --parents a-1"), 2,
                  {"both go to a-1"});
  require_failure(
      here.run("emgraph bfs path.txt --root 0 --root 1 -o 'a{root}' --parents \"$PWD\"'/a{root}'"), 2,
      {"both go to a0"});
  require_failure(here.run("emgraph bfs path.txt -o - --parents /dev/stdout"), 2, {"standard output"});
  require_failure(here.run("emgraph bfs path.txt -o path.txt -f"), 2, {"output is the input"});
  require_failure(here.run("emgraph bfs path.txt --parents path.txt -f"), 2, {"output is the input"});
  require_failure(here.run("emgraph bfs empty.txt"), 3, {"empty.txt: ", "no nodes"});
  require_failure(here.run("emgraph bfs path.txt --nodes 2"), 3, {"path.txt: line 2", "at most 1"});
  require_failure(here.run("emgraph bfs missing.txt"), 4, {"missing.txt"});
  CHECK(here.files() == std::vector<std::string>{"empty.txt", "path.txt"});
  CHECK(here.summary("emgraph bfs path.txt --nodes 5 --root 4").at("reached") == 1);
  // Options that can be repeated leave standard input alone.
  CHECK(here.summary("cat path.txt | emgraph bfs --root 0 -T . --root 2 -").at("reached") == 3);
}

TEST_CASE("convert writes adjacency files that every command reads") {
  Workplace here;
  here.write("edges.txt", "0 1\n1 0\n2 2\n1 3\n1 3\n5 1\n");
  const auto made = here.summary("emgraph convert edges.txt -o graph.adj");
  CHECK(made.at("edges") == 6);
  CHECK(made.at("edges_out") == 6);
  CHECK(here.succeed("emgraph cat graph.adj").out == "0\t1\n1\t0\n1\t3\n1\t5\n3\t1\n5\t1\n");
  here.succeed("emgraph convert --directed edges.txt -o directed.adj -q");
  CHECK(here.succeed("emgraph cat directed.adj").out == "0\t1\n1\t0\n1\t3\n5\t1\n");
  const auto info = here.summary("emgraph info graph.adj").at("files")[0];
  CHECK(info.at("format") == "adj");
  CHECK(info.at("symmetric") == true);
  CHECK(info.at("largest_degree_node") == "1");
  CHECK(here.summary("emgraph info directed.adj").at("files")[0].at("directed") == true);
  CHECK(here.summary("emgraph mis graph.adj").at("mis_size") ==
        here.summary("emgraph mis edges.txt").at("mis_size"));
  // A directed adjacency serves a directed search, and is symmetrized for another.
  const auto levels = [&](const std::string& line) {
    return here.succeed("emgraph bfs --root 5 -o - --output-format tsv -q " + line).out;
  };
  for (const std::string directed : {"", "--directed "}) {
    CHECK(levels(directed + "directed.adj") == levels(directed + "edges.txt"));
  }
  CHECK(levels("graph.adj") == levels("edges.txt"));
  CHECK(levels("graph.adj --nodes 9") == levels("edges.txt --nodes 9"));
  here.succeed("emgraph sort edges.txt -u --no-loops --symmetrize -o sorted.adj -q");
  require_failure(here.run("emgraph sort edges.txt -o unsorted.adj"), 2, {"emgraph convert"});
  require_failure(here.run("emgraph convert edges.txt --directed -o edges.bin"), 2, {"--directed"});
  require_failure(here.run("cat graph.adj | emgraph bfs -"), 2, {"regular file"});
  std::string bad = here.read("graph.adj");
  bad[4100] = static_cast<char>(bad[4100] ^ 1);
  here.write("bad.adj", bad);
  require_failure(here.run("emgraph bfs bad.adj"), 3, {"bad.adj: offset 4096"});
  here.write("no.adj", "not an adjacency");
  require_failure(here.run("emgraph bfs no.adj"), 3, {"no.adj"});
}

TEST_CASE("convert keeps the declared direction in adjacency files") {
  const Workplace here;
  here.write("x.gr", "p sp 4 4\na 1 2 5\na 2 3 1\na 3 1 2\na 3 4 9\n");
  const auto distances = [&](const std::string& file) {
    return here.succeed("emgraph sssp -q --root 2 -o - --output-format tsv " + file).out;
  };
  const std::string as_declared = distances("x.gr");
  const std::string both_ways = distances("x.gr --undirected");
  CHECK(as_declared != both_ways);
  here.succeed("emgraph convert -q x.gr -o x.emg");
  for (const std::string input : {"x.gr", "x.emg"}) {
    for (const std::string output : {"a.adj", "a.wsg"}) {
      CAPTURE(input, output);
      here.succeed("emgraph convert -q " + input + " -f -o " + output);
      CHECK(distances(output) == as_declared);
      here.succeed("emgraph convert -q --directed " + input + " -f -o b." + output.substr(2));
      CHECK((here.read("b." + output.substr(2)) == here.read(output)));
      here.succeed("emgraph convert -q --undirected " + input + " -f -o " + output);
      CHECK(distances(output) == both_ways);
    }
  }
  here.succeed("emgraph convert -q x.gr -o x.sg");
  CHECK(here.summary("emgraph info x.sg").at("files")[0].at("directed") == true);
  // A METIS graph has no direction.
  CHECK_THAT(here.succeed("emgraph convert x.gr -o x.graph").error,
             Catch::Contains("x.graph: this format has no direction"));
  CHECK(distances("x.graph") == both_ways);
  require_failure(here.run("emgraph convert --directed x.gr -f -o x.graph"), 2,
                  {"x.graph", "without --directed"});
  require_failure(here.run("emgraph convert --undirected x.gr -o y.emg"), 2, {"--undirected"});
  require_failure(here.run("emgraph convert --undirected --directed x.gr -o y.adj"), 2, {"exclude"});
  // Edges without direction, as they were.
  here.write("e.txt", "0 1\n1 2\n");
  CHECK(here.succeed("emgraph convert e.txt -o e.adj").error.empty());
  CHECK(here.succeed("emgraph cat e.adj").out == "0\t1\n1\t0\n1\t2\n2\t1\n");
}

TEST_CASE("undirected edges written as arcs of a .gr file give a warning") {
  const Workplace here;
  here.write("e.wel", "0 1 5\n1 2 7\n");
  const auto warned = Catch::Contains("x.gr: this format declares directed arcs");
  CHECK_THAT(here.succeed("emgraph convert e.wel -o x.gr").error, warned);
  CHECK_THAT(here.succeed("emgraph sort e.wel -f -o x.gr").error, warned);
  CHECK_THAT(here.succeed("emgraph sort --symmetrize e.wel -f -o x.gr").error, !warned);
  CHECK(here.succeed("emgraph cat x.gr").out == "0\t1\t5\n1\t0\t5\n1\t2\t7\n2\t1\t7\n");
  here.succeed("mv x.gr y.gr");
  CHECK_THAT(here.succeed("emgraph convert y.gr -o x.gr").error, !warned);
}

TEST_CASE("edges that sort turns round are not declared directed") {
  const Workplace here;
  here.write("x.gr", "p sp 3 2\na 2 1 5\na 3 2 7\n");
  const auto directed = [&](const std::string& options) {
    here.succeed("emgraph sort x.gr -q -f -o y.emg " + options);
    return here.summary("emgraph info y.emg").at("files")[0].at("directed");
  };
  CHECK(directed("") == true);
  CHECK(directed("--orient low") == false);
  CHECK(directed("--orient degree") == false);
  CHECK(directed("--symmetrize") == true);
  CHECK(here.summary("emgraph sssp y.emg --root 0").at("reached") == 3);
}

TEST_CASE("convert keeps weights in adjacency files, which every command reads with or without them") {
  Workplace here;
  here.write("a.txt", "0 1 5\n1 0 3\n3 3 1\n0 3 7\n1 3 -2\n");
  const std::string weighted = "a.txt --input-format text-i64w";
  const auto cat = [&](const std::string& file) { return here.succeed("emgraph cat -q " + file).out; };
  here.succeed("emgraph convert -q " + weighted + " -o a.adj");
  const std::string both = "0\t1\t3\n0\t3\t7\n1\t0\t3\n1\t3\t-2\n3\t0\t7\n3\t1\t-2\n";
  CHECK(cat("a.adj") == both);
  const auto info = here.summary("emgraph info --check a.adj").at("files")[0];
  CHECK(info.at("weight") == "i64");
  CHECK(info.at("version") == "1.1");
  CHECK(info.at("least_weight") == "-2");
  CHECK(info.at("largest_weight") == "7");
  here.succeed("emgraph convert -q --directed " + weighted + " -o directed.adj");
  CHECK(cat("directed.adj") == "0\t1\t5\n0\t3\t7\n1\t0\t3\n1\t3\t-2\n");
  here.succeed("emgraph convert -q a.adj -o back.bin && emgraph convert -q back.bin -o again.adj");
  CHECK(cat("back.bin") == both);
  CHECK(cat("again.adj") == both);
  // Declared symmetric, but with other weights in the other direction.
  here.succeed("emgraph sort -q --symmetrize " + weighted + " -o symmetric.bin");
  here.succeed("emgraph convert -q symmetric.bin -o symmetric.adj");
  CHECK(cat("symmetric.adj") == both);
  for (const std::string command : {"bfs --root 1", "cc", "mis"}) {
    const auto result = [&](const std::string& file) {
      return here.succeed("emgraph " + command + " -q -o - --output-format tsv " + file).out;
    };
    CHECK(result("a.adj") == result(weighted));
  }
  CHECK(here.summary("emgraph mst a.adj").at("weight") ==
        here.summary("emgraph mst " + weighted).at("weight"));
  require_failure(here.run("emgraph sssp --root 0 a.adj"), 3, {"a.adj: edge 3 (1, 3): weight -2 found"});
  here.succeed("emgraph convert -q a.txt -o bare.adj");
  CHECK(here.summary("emgraph info bare.adj").at("files")[0].at("version") == "1.0");
}

}  // namespace emgraph::tests
