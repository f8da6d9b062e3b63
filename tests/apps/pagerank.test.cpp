// SPDX-License-Identifier: MIT
// The commands pagerank and check pagerank.
#include <map>
#include <sstream>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/real_graphs.hpp"
#include "tests/apps/same_on_machines.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {
namespace {

/// Lines of a node and a number.
std::map<std::string, double> values_of(const std::string& text) {
  std::map<std::string, double> values;
  std::istringstream lines(text);
  for (std::string node, value; lines >> node >> value;) values[node] = std::stod(value);
  return values;
}

/// A ring of labels.
std::string ring_of_labels(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "p" + std::to_string(i) + ",p" + std::to_string((i + 1) % count) + "\n";
  }
  return text;
}

/// Graphalytics: every value within 1e-4 of the right one, relative to it.
void check_epsilon(const std::string& output, const std::filesystem::path& right) {
  const auto values = values_of(output);
  const auto expected = values_of(whole_file(right));
  REQUIRE(values.size() == expected.size());
  for (const auto& [node, rank] : expected) CHECK(std::abs(values.at(node) - rank) <= 1e-4 * rank);
}

}  // namespace

TEST_CASE("pagerank of Graphalytics' validation graphs") {
  const std::filesystem::path sets = shared_datasets();
  if (sets.empty()) return skip("EMGRAPH_SHARED_DATASETS is not set");
  const std::string example = (sets / "graphalytics/example/example-").string();
  Workplace here;
  for (const std::string model : {"internal", "semi-external", "external"}) {
    const std::string rank = "emgraph pagerank --relabel --iterations 2 -q -f -o ranks.tsv --model " + model;
    here.succeed(rank + " " + example + "directed.e");
    check_epsilon(here.read("ranks.tsv"), example + "directed-PR");
    here.succeed(rank + " --undirected " + example + "undirected.e");
    check_epsilon(here.read("ranks.tsv"), example + "undirected-PR");
  }
  here.write("directed.e", edges_of_neighbours(whole_file(sets / "graphalytics/pr/dir-input")));
  here.write("undirected.e", edges_of_neighbours(whole_file(sets / "graphalytics/pr/undir-input"), true));
  here.succeed("emgraph pagerank directed.e --relabel --iterations 14 -q -o directed.tsv");
  check_epsilon(here.read("directed.tsv"), sets / "graphalytics/pr/dir-output");
  here.succeed("emgraph pagerank undirected.e --undirected --relabel --iterations 26 -q -o undirected.tsv");
  check_epsilon(here.read("undirected.tsv"), sets / "graphalytics/pr/undir-output");
}

TEST_CASE("ranks do not depend on the machine, the model or the kind of input") {
  Workplace here;
  const std::string scale = sized("17", "15");
  make_both_kinds(here, "--model kron --scale " + scale);
  here.succeed("emgraph pagerank edges.bin -q -o want.npy --iterations 5 && emgraph check pagerank -q " +
               std::string("edges.bin want.npy --tolerance 0.1"));
  Sample sample(2);
  check_same_on_machines(
      here, "pagerank -o got.npy --iterations 5 --nodes " + std::string(sized("131072", "32768")),
      "gen:kron,scale=" + scale, sample);
}

TEST_CASE("pagerank without --iterations and --tolerance goes on to a change of 1e-6") {
  Workplace here;
  here.succeed("emgraph gen --edges 20K -q");
  const auto rounds = [&](const std::string& options) {
    return here.summary("emgraph pagerank edges.bin -f -o ranks.npy " + options).at("iterations");
  };
  const auto unasked = rounds("");
  const std::string ranks = here.read("ranks.npy");
  CHECK(rounds("--tolerance 1e-6") == unasked);
  CHECK((here.read("ranks.npy") == ranks));
  CHECK(rounds("--tolerance 1e-7") > unasked);
}

TEST_CASE("pagerank of a small text: values, checks, options") {
  Workplace here;
  here.write("g.txt", "0 1\n1 2\n2 0\n3 0\n");
  here.succeed("emgraph pagerank g.txt -q -o ranks.tsv && emgraph check pagerank g.txt ranks.tsv -q");
  const auto ranks = values_of(here.read("ranks.tsv"));
  CHECK(ranks.at("3") == Approx(0.0375));
  here.succeed("emgraph pagerank g.txt -q -o ranks.npy && emgraph check pagerank g.txt ranks.npy -q");
  here.succeed("emgraph pagerank g.txt -q -o ranks.bin && emgraph check pagerank g.txt ranks.bin -q");
  require_failure(here.run("emgraph check pagerank g.txt ranks.npy --undirected"), 1, {"a round changes"});
  require_failure(here.run("emgraph check pagerank g.txt ranks.npy --damping 0.5"), 1, {"a round changes"});
  const auto before = here.files();
  require_failure(here.run("emgraph pagerank g.txt --damping 1"), 2, {"--damping", "below 1"});
  require_failure(here.run("emgraph pagerank g.txt --damping x"), 2, {"--damping", "'x'"});
  require_failure(here.run("emgraph pagerank g.txt --tolerance 0"), 2, {"--tolerance", "above 0"});
  require_failure(here.run("emgraph pagerank g.txt --iterations -1"), 2, {"--iterations"});
  require_failure(here.run("emgraph pagerank g.txt --nodes 3 -o out.npy"), 3, {"g.txt: line ", "at most 2"});
  require_failure(here.run("emgraph pagerank missing.txt -o out.npy"), 4, {"missing.txt"});
  CHECK(here.files() == before);
  here.write("empty.u32", "");
  CHECK(here.summary("emgraph pagerank empty.u32").at("nodes") == 0);
  CHECK(here.summary("emgraph pagerank empty.u32 --nodes 4").at("sum") == Approx(1));
}

TEST_CASE("the plan of pagerank without edges says the model of the run") {
  Workplace here;
  here.write("empty.u32", "");
  for (const std::string model : {"internal", "semi-external", "external"}) {
    const std::string arguments = "pagerank empty.u32 -j 1 -M 16M --model " + model;
    CHECK(here.summary("emgraph plan " + arguments).at("model") ==
          here.summary("emgraph " + arguments).at("model"));
  }
}

TEST_CASE("pagerank with sources, by number, original id and label") {
  Workplace here;
  here.write("g.txt", "0 1\n1 2\n2 0\n3 0\n4 5\n");
  here.write("sources.txt", "3\n1\n3\n");
  here.succeed("emgraph pagerank g.txt --sources sources.txt --tolerance 1e-9 -q -o ranks.tsv");
  const auto ranks = values_of(here.read("ranks.tsv"));
  CHECK(ranks.at("3") == Approx(0.075));
  CHECK(ranks.at("4") == 0);
  CHECK(ranks.at("5") == 0);
  CHECK(ranks.at("0") + ranks.at("1") + ranks.at("2") == Approx(0.925));
  here.succeed("emgraph check pagerank g.txt ranks.tsv --sources sources.txt -q");
  require_failure(here.run("emgraph check pagerank g.txt ranks.tsv"), 1, {"ranks.tsv"});
  here.succeed("emgraph pagerank g.txt --relabel --sources sources.txt --tolerance 1e-9 -q -o again.tsv");
  CHECK(values_of(here.read("again.tsv")) == ranks);
  here.write("people.csv", "ann,bob\nbob,cyd\n");
  here.write("who.txt", "cyd\r\n");
  here.succeed("emgraph pagerank people.csv --labels --sources who.txt -q -o people.tsv");
  CHECK(values_of(here.read("people.tsv")).at("cyd") == Approx(1));
  here.succeed("emgraph pagerank people.csv --labels --sources who.txt -q -o people.npy");
  here.succeed("emgraph check pagerank people.csv people.npy --labels --sources who.txt -q");
  // A binary list has numbers of the result, as --nodes-in takes it.
  here.write("ids.txt", "1 20\n20 3\n");
  here.succeed("emgraph mis ids.txt --relabel -q -o set.npy && emgraph mis ids.txt --relabel -q -o set.txt");
  here.succeed("emgraph pagerank ids.txt --relabel --sources set.npy -q -o numbers.tsv");
  here.succeed("emgraph pagerank ids.txt --relabel --sources set.txt -q -o names.tsv");
  CHECK(here.read("numbers.tsv") == here.read("names.tsv"));
  here.write("who.txt", "dan\n");
  require_failure(here.run("emgraph pagerank people.csv --labels --sources who.txt"), 3,
                  {"who.txt: source dan", "people.csv"});
  here.write("many.csv", ring_of_labels(40000));
  here.write("who.txt", "p7\np39999\np1\n");
  here.succeed("emgraph pagerank many.csv --labels --sources who.txt -q -o many.tsv");
  here.succeed("emgraph pagerank many.csv --labels --sources who.txt -q -o spilled.tsv -M 16M");
  CHECK(here.read("spilled.tsv") == here.read("many.tsv"));
  here.write("high.txt", "6\n");
  require_failure(here.run("emgraph pagerank g.txt --sources high.txt"), 3,
                  {"high.txt: source 6", "below 6"});
  require_failure(here.run("emgraph check pagerank g.txt ranks.tsv --sources high.txt"), 3,
                  {"high.txt: source 6", "below 6"});
  require_failure(here.run("emgraph pagerank g.txt --relabel --sources high.txt"), 3,
                  {"high.txt: source 6", "g.txt"});
  here.write("none.txt", "# nobody\n");
  require_failure(here.run("emgraph pagerank g.txt --sources none.txt"), 3, {"none.txt"});
  require_failure(here.run("emgraph pagerank g.txt --sources missing.txt"), 4, {"missing.txt"});
  require_failure(here.run("emgraph pagerank g.txt --sources sources.txt -f -o sources.txt"), 2, {"input"});
  CHECK(here.read("sources.txt") == "3\n1\n3\n");
}

TEST_CASE("weighted pagerank: values, its check, and weights that are refused") {
  Workplace here;
  here.write("g.txt", "0 1 3\n0 2 1\n1 0 2\n2 0 0.5\n3 0 0\n");
  const std::string read = " g.txt --cols 1,2,3 --weight-type f64 ";
  here.succeed("emgraph pagerank --weighted" + read + "-q -o ranks.tsv");
  here.succeed("emgraph check pagerank --weighted g.txt ranks.tsv --cols 1,2,3 --weight-type f64 -q");
  require_failure(here.run("emgraph check pagerank g.txt ranks.tsv"), 1, {"a round changes"});
  const auto ranks = values_of(here.read("ranks.tsv"));
  const double all = 0.0375 + 0.85 / 4 * ranks.at("3");
  CHECK(ranks.at("3") == Approx(all).epsilon(1e-4));
  CHECK(ranks.at("1") == Approx(all + 0.85 * 0.75 * ranks.at("0")).epsilon(1e-4));
  CHECK(here.summary("emgraph pagerank --weighted" + read).at("weighted") == true);
  require_failure(here.run("emgraph pagerank --weighted g.txt"), 2, {"g.txt has no weights", "--cols"});
  here.write("bad.txt", "0 1 3\n1 0 -2\n");
  require_failure(here.run("emgraph pagerank --weighted bad.txt --cols 1,2,3 --weight-type f64 -o out.npy"),
                  3, {"bad.txt", "edge 1 (1, 0)", "-2"});
  CHECK(!std::filesystem::exists(here.path("out.npy")));
  here.succeed("emgraph gen --model kron --weights 0:9 -q --scale " + std::string(sized("16", "14")) +
               " && emgraph pagerank edges.bin -q --weighted "
               "-o want.npy --iterations 5");
  for (const std::string line :
       {"edges.bin -j 1 -M 16M", "- < edges.bin", "edges.bin --model external -M 16M",
        "edges.bin --model semi-external -j 3"}) {
    INFO(line);
    here.succeed("emgraph pagerank --weighted --iterations 5 -f -q -o got.npy " + line);
    CHECK((here.read("got.npy") == here.read("want.npy")));
  }
}

}  // namespace emgraph::tests
