// SPDX-License-Identifier: MIT
// The command cdlp.
#include <map>
#include <sstream>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/real_graphs.hpp"
#include "tests/apps/same_on_machines.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {
namespace {

/// Lines of a node and its label.
std::map<std::string, std::string> labels_of(const std::string& text) {
  std::map<std::string, std::string> labels;
  std::istringstream lines(text);
  for (std::string node, label; lines >> node >> label;) labels[node] = label;
  return labels;
}

}  // namespace

TEST_CASE("cdlp of Graphalytics' validation graphs") {
  const std::filesystem::path sets = shared_datasets();
  if (sets.empty()) return skip("EMGRAPH_SHARED_DATASETS is not set");
  const std::string example = (sets / "graphalytics/example/example-").string();
  const std::string lists = (sets / "graphalytics/cdlp/").string();
  Workplace here;
  for (const std::string name : {"dir", "undir"}) {
    here.write(name + ".e", edges_of_neighbours(whole_file(lists + name + "-input")));
  }
  for (const std::string model : {"internal", "semi-external", "external"}) {
    const auto labels = [&](const std::string& line) {
      here.succeed("emgraph cdlp --relabel -q -f -o labels.tsv --model " + model + " " + line);
      return labels_of(here.read("labels.tsv"));
    };
    CHECK(labels("--iterations 2 --directed " + example + "directed.e") ==
          labels_of(whole_file(example + "directed-CDLP")));
    CHECK(labels("--iterations 2 " + example + "undirected.e") ==
          labels_of(whole_file(example + "undirected-CDLP")));
    CHECK(labels("--iterations 5 --directed dir.e") == labels_of(whole_file(lists + "dir-output")));
    CHECK(labels("--iterations 5 undir.e") == labels_of(whole_file(lists + "undir-output")));
  }
}

TEST_CASE("labels do not depend on the machine, the model or the kind of input") {
  Workplace here;
  const std::string scale = sized("16", "14");
  make_both_kinds(here, "--model kron --scale " + scale);
  Sample sample(3);
  for (const std::string direction : {"", " --directed"}) {
    here.succeed("emgraph cdlp edges.bin -q -f -o want.npy" + direction);
    here.succeed("emgraph check cdlp edges.bin want.npy -q" + direction);
    check_same_on_machines(here,
                           "cdlp -o got.npy --nodes " + std::string(sized("65536", "16384")) + direction,
                           "gen:kron,scale=" + scale, sample);
  }
}

TEST_CASE("cdlp of a small text, and what it refuses") {
  Workplace here;
  here.write("g.txt", "0 1\n1 2\n2 0\n3 0\n3 3\n0 3\n");
  here.succeed("emgraph cdlp g.txt -q -o labels.tsv --nodes 5 --iterations 1");
  CHECK(here.read("labels.tsv") == "0\t1\n1\t0\n2\t0\n3\t0\n4\t4\n");
  here.succeed("emgraph cdlp g.txt -q -f -o labels.tsv --nodes 5 --iterations 1 --directed");
  CHECK(here.read("labels.tsv") == "0\t3\n1\t0\n2\t0\n3\t0\n4\t4\n");
  here.succeed("emgraph check cdlp g.txt labels.tsv -q --nodes 5 --iterations 1 --directed");
  require_failure(here.run("emgraph check cdlp g.txt labels.tsv --nodes 5 --iterations 1"), 1,
                  {"node 0: found label 3, expected 1"});
  require_failure(here.run("emgraph check cdlp g.txt labels.tsv --iterations 1 --directed"), 1,
                  {"found a label for node 4"});
  require_failure(here.run("emgraph check cdlp g.txt labels.tsv --nodes 6 --iterations 1 --directed"), 1,
                  {"found labels for 5 nodes, expected 6"});
  require_failure(here.run("emgraph cdlp g.txt --iterations many"), 2, {"--iterations"});
  require_failure(here.run("emgraph cdlp missing.txt"), 4, {"missing.txt"});
  require_failure(here.run("emgraph cdlp g.txt --nodes 3 -o out.npy"), 3, {"g.txt: line ", "at most 2"});
  here.write("high.txt", "0 1\n1 9223372036854775808\n");
  for (const std::string options : {"", " --directed", " --directed --nodes 9223372036854775809"}) {
    require_failure(here.run("emgraph cdlp high.txt -M 16M" + options), 4, {"high.txt"});
  }
  here.succeed("emgraph cdlp high.txt --directed --relabel -q");
  here.write("empty.u32", "");
  CHECK(here.summary("emgraph cdlp empty.u32").at("communities") == 0);
  CHECK(here.summary("emgraph cdlp empty.u32 --nodes 4 --model external").at("communities") == 4);
}

}  // namespace emgraph::tests
