// SPDX-License-Identifier: MIT
// The command graphalytics.
#include <fstream>
#include <sstream>

#include "tests/apps/real_graphs.hpp"

namespace emgraph::tests {
namespace {

/// Properties as the benchmark's data sets have them.
std::string properties(const std::string& name, bool directed, const std::string& root,
                       const std::string& more = "") {
  const std::string prefix = "graph." + name + ".";
  return "# A comment\n" + prefix + "vertex-file = " + name + ".v\n" + prefix + "edge-file = " + name +
         ".e\n" + prefix + "directed = " + (directed ? "true" : "false") + "\n" + prefix +
         "edge-properties.names = weight\n" + prefix + "edge-properties.types = real\n" + prefix +
         "algorithms = bfs, cdlp, lcc, pr, sssp, wcc\n" + prefix + "bfs.source-vertex = " + root + "\n" +
         prefix + "cdlp.max-iterations = 2\n" + prefix + "pr.damping-factor = 0.85\n" + prefix +
         "pr.num-iterations = 2\n" + prefix + "sssp.weight-property = weight\n" + prefix +
         "sssp.source-vertex = " + root + "\n" + more;
}

/// A path of three vertices with large numbers, and a vertex without edges.
void write_small_set(Workplace& here) {
  std::filesystem::create_directory(here.path("set"));
  here.write("set/p.properties",
             properties("p", false, "20", "graph.p.meta.vertices = 4\ngraph.p.meta.edges = 2\n"));
  here.write("set/p.v", "5000000000\n10\n20\n7\n");
  here.write("set/p.e", "20 10 0.5\n10 5000000000 0.25\n");
  here.write("set/p-BFS", "7 9223372036854775807\n10 1\n20 0\n5000000000 2\n");
  here.write("set/p-SSSP", "20 0\n7 infinity\n10 5.0E-1\n5000000000 0.75\n");
  here.write("set/p-WCC", "7 1\n10 99\n20 99\n5000000000 99\n");
  here.write("set/p-CDLP", "7 7\n10 10\n20 20\n5000000000 20\n");
  here.write("set/p-LCC", "7 0.0\n10 0.0\n20 0.0\n5000000000 0.0\n");
}

}  // namespace

TEST_CASE("graphalytics passes the example sets in every model") {
  const std::filesystem::path sets = shared_datasets();
  if (sets.empty()) return skip("EMGRAPH_SHARED_DATASETS is not set");
  const std::filesystem::path example = sets / "graphalytics/example";
  Workplace here;
  for (const auto& file : std::filesystem::directory_iterator(example)) {
    std::filesystem::copy(file.path(), here.path(file.path().filename().string()));
  }
  here.write("example-directed.properties", properties("example-directed", true, "1"));
  here.write("example-undirected.properties", properties("example-undirected", false, "2"));
  for (const std::string model : {"auto", "internal", "semi-external", "external"}) {
    for (const std::string name : {"example-directed", "example-undirected"}) {
      INFO(model << " " << name);
      const auto summary =
          here.summary("emgraph graphalytics " + name + ".properties -M 64M --model " + model);
      CHECK(summary.at("ok") == true);
      REQUIRE(summary.at("algorithms").size() == 6);
      for (const auto& job : summary.at("algorithms")) {
        INFO(job.at("algorithm"));
        CHECK(job.at("result") == "passed");
        CHECK(job.at("evps") > 0);
      }
    }
  }
  require_failure(here.run("emgraph graphalytics ."), 2, {"2 data sets", "example-directed.properties"});
}

TEST_CASE("graphalytics on a set with large numbers and a vertex without edges") {
  Workplace here;
  write_small_set(here);
  const auto summary = here.summary("emgraph graphalytics set --csv figures.csv");
  CHECK(summary.at("nodes") == 4);
  CHECK(summary.at("edges") == 2);
  CHECK(summary.at("directed") == false);
  for (const auto& job : summary.at("algorithms")) {
    INFO(job.at("algorithm"));
    CHECK(job.at("result") == (job.at("algorithm") == "pr" ? "no reference output" : "passed"));
  }
  CHECK(here.read("figures.csv").starts_with("algorithm,load_seconds,makespan_seconds,"));
  require_failure(here.run("emgraph graphalytics set -f --csv set/p.e"), 2, {"the output is the input"});
  const auto some = here.summary("emgraph graphalytics set/p.properties --algorithm wcc --algorithm bfs");
  REQUIRE(some.at("algorithms").size() == 2);
  CHECK(some.at("algorithms")[0].at("algorithm") == "bfs");
  for (const char* shown : {"algorithm", "makespan", "processing", "EVPS", "passed"}) {
    INFO(shown);
    CHECK(here.succeed("emgraph graphalytics set").out.find(shown) != std::string::npos);
  }
}

TEST_CASE("graphalytics tells what is wrong with a result") {
  Workplace here;
  write_small_set(here);
  const auto fails = [&](const std::string& file, const std::string& lines,
                         const std::vector<std::string>& says) {
    const std::string right = here.read("set/" + file);
    here.write("set/" + file, lines);
    require_failure(here.run("emgraph graphalytics set"), 1, says);
    here.write("set/" + file, right);
  };
  fails("p-BFS", "7 9223372036854775807\n10 1\n20 0\n5000000000 3\n",
        {"bfs", "vertex 5000000000: found 2, expected 3"});
  fails("p-SSSP", "7 infinity\n10 0.5002\n20 0\n5000000000 0.75\n", {"sssp", "vertex 10: found 0.5"});
  fails("p-SSSP", "7 infinity\n10 infinity\n20 0\n5000000000 0.75\n",
        {"sssp", "vertex 10: found 0.5", "expected inf"});
  fails("p-WCC", "7 99\n10 99\n20 99\n5000000000 99\n", {"wcc", "several classes"});
  fails("p-WCC", "7 1\n10 99\n20 98\n5000000000 99\n", {"wcc", "more than one in the reference"});
  fails("p-CDLP", "7 7\n10 10\n20 20\n5000000000 10\n", {"cdlp", "label 20, expected label 10"});
}

TEST_CASE("graphalytics refuses data sets that are not whole") {
  Workplace here;
  write_small_set(here);
  const auto refuses = [&](const std::string& file, const std::string& text, int code,
                           const std::vector<std::string>& says) {
    const std::string right = here.read("set/" + file);
    here.write("set/" + file, text);
    require_failure(here.run("emgraph graphalytics set"), code, says);
    here.write("set/" + file, right);
  };
  const std::string right = here.read("set/p.properties");
  refuses("p.v", "10\n20\n7\n", 3, {"p.v", "3 vertices, expected 4"});
  refuses("p.v", "10\n20\n7\n10\n", 3, {"each vertex once"});
  refuses("p.v", "10\n20\n7\n8\n", 3, {"p.e", "1 vertices that", "p.v"});
  refuses("p.v", "10\nx\n7\n8\n", 3, {"p.v", "line 2", "'x'"});
  refuses("p.e", "20 10 0.5\n", 3, {"p.e", "1 edges, expected 2"});
  refuses("p.e", "20 10\n10 5000000000\n", 3, {"p.e", "line 1"});
  refuses("p-BFS", "7 9223372036854775807\n10 1\n20 0\n", 3, {"p-BFS", "no line for vertex 5000000000"});
  refuses("p-BFS", "7 9223372036854775807\n7 9223372036854775807\n10 1\n20 0\n5000000000 2\n", 3,
          {"p-BFS", "vertex 7"});
  refuses("p-BFS", "7 0\n10 one\n20 0\n5000000000 2\n", 3, {"p-BFS", "line 2", "'one'"});
  refuses("p.properties", right + "graph.p.directed = maybe\n", 3,
          {"p.properties", "'maybe'", "true or false"});
  refuses("p.properties", right + "graph.p.bfs.source-vertex = 8\n", 3, {"bfs.source-vertex is 8"});
  refuses("p.properties", right + "graph.p.algorithms = bfs, tc\n", 3, {"'bfs, tc'"});
  refuses("p.properties", right + "graph.p.algorithms = \n", 3, {"algorithms", "at least one of"});
  refuses("p.properties", right + "graph.p.sssp.weight-property = length\n", 3, {"'length'"});
  refuses("p.properties", "a = b\n", 3, {"no graph.NAME.vertex-file"});
  require_failure(here.run("emgraph graphalytics missing"), 4, {"missing"});
  std::filesystem::create_directory(here.path("empty"));
  require_failure(here.run("emgraph graphalytics empty"), 2, {"no .properties file"});
  require_failure(here.run("emgraph graphalytics set --algorithm tc"), 2, {"--algorithm", "tc"});
  CHECK(here.files().size() == 2);
}

}  // namespace emgraph::tests
