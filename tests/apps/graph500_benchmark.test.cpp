// SPDX-License-Identifier: MIT
// The command graph500: the reference code's answers, its block, files of figures, refused options.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("graph500 refuses a benchmark without searches") {
  const Workplace here;
  require_failure(here.run("emgraph graph500 --scale 6 --roots 0"), 2, {"--roots: found 0, expected 1"});
}

TEST_CASE("graph500 benchmark: roots, reached nodes, edges and distances of the reference code") {
  const char* directory = std::getenv("EMGRAPH_SHARED_DATASETS");
  const std::filesystem::path truth =
      directory == nullptr ? "" : std::filesystem::path(directory) / "graph500.json";
  if (!std::filesystem::exists(truth)) return skip("the answers of the reference code are not here");
  const auto all = nlohmann::json::parse(whole_file(truth));
  Workplace here;
  for (const auto& graph : all.at("graphs")) {
    const auto roots = graph.at("roots").size();
    const auto summary = here.summary("emgraph graph500 -j 1 --scale " + graph.at("scale").dump() +
                                      " --roots " + std::to_string(roots));
    CHECK(summary.at("edges") == 16u << graph.at("scale").get<unsigned>());
    REQUIRE(summary.at("sssp_searches").size() == roots);
    for (std::size_t i = 0; i < roots; ++i) {
      CHECK(summary.at("bfs_searches").at(i).at("root") == graph.at("roots").at(i));
    }
    for (std::size_t i = 0; i < graph.at("searches").size(); ++i) {
      const auto& expected = graph.at("searches").at(i);
      for (const char* kernel : {"bfs_searches", "sssp_searches"}) {
        const auto& search = summary.at(kernel).at(i);
        CHECK(search.at("root") == expected.at("root"));
        CHECK(search.at("reached") == expected.at("reached"));
        CHECK(search.at("edges_without_loops") == expected.at("edges_without_loops"));
        CHECK(search.at("loops") == expected.at("loops_in_component"));
      }
      CHECK(summary.at("bfs_searches").at(i).at("levels") == expected.at("levels"));
      CHECK(summary.at("sssp_searches").at(i).at("max_distance") == expected.at("max_f64"));
    }
  }
}

TEST_CASE("graph500 benchmark: the block of the reference code on standard output") {
  Workplace here;
  const std::string out = here.succeed("emgraph graph500 --scale 6 --roots 3").out;
  CHECK_THAT(out, Catch::Contains("\nSCALE:                          6\nedgefactor:                     16\n"
                                  "NBFS:                           3\ngraph_generation:               "));
  CHECK_THAT(out, Catch::Contains("\nnum_mpi_processes:              1\n"));
  CHECK_THAT(out, Catch::Contains("\nbfs  harmonic_mean_TEPS:     !  "));
  CHECK_THAT(out, Catch::Contains("\nsssp stddev_validate:           "));
  CHECK_THAT(out, Catch::Contains("by the specification") && Catch::Contains("as the reference code"));
  const std::string one = here.succeed("emgraph graph500 --scale 6 --roots 3 --kernel bfs").out;
  CHECK_THAT(one, !Catch::Contains("sssp"));
}

TEST_CASE("graph500 benchmark: every model, thread count and memory finds the same") {
  Workplace here;
  const auto facts = [&](const std::string& more) {
    auto summary = here.summary("emgraph graph500 --scale 12 --roots 5 --edge-factor 4 --seed 7 " + more);
    nlohmann::json found;
    for (const char* kernel : {"bfs_searches", "sssp_searches"}) {
      for (auto& search : summary.at(kernel)) {
        search.erase("seconds");
        search.erase("validation_seconds");
        found.push_back(search);
      }
    }
    found.push_back(summary.at("bfs_checksums"));
    found.push_back(summary.at("sssp_checksums"));
    CHECK(summary.at("memory_peak_bytes") <= summary.at("memory_limit_bytes"));
    return found;
  };
  const auto expected = facts("-j 1");
  CHECK(expected.size() == 12);
  CHECK(facts("-j 3") == expected);
  CHECK(facts("--model semi-external -M 32M") == expected);
  CHECK(facts("--model external -M 16M -j 1") == expected);
  CHECK(facts("--model external -M 24M -j 3") == expected);
}

TEST_CASE("graph500 benchmark: larger than the memory, the external model is chosen") {
  Workplace here;
  const std::string run = "emgraph graph500 --scale 20 --edge-factor 1 --roots 1 --kernel bfs ";
  const auto external = here.summary(run + "-M 16M");
  CHECK(external.at("model") == "external");
  CHECK(external.at("temp_bytes_peak") > 0);
  CHECK(external.at("memory_peak_bytes") <= 16 << 20);
  const auto internal = here.summary(run);
  CHECK(internal.at("model") == "internal");
  CHECK(external.at("bfs_checksums") == internal.at("bfs_checksums"));
}

TEST_CASE("graph500 benchmark: figures in files") {
  Workplace here;
  here.succeed("emgraph graph500 --scale 7 --roots 4 --csv a.csv --plot a.html -q");
  const std::string csv = here.read("a.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 1 + 2 * 4);
  CHECK_THAT(csv, Catch::StartsWith("kernel,search,root,seconds,edges_without_loops,"));
  CHECK_THAT(here.read("a.html"), Catch::Contains("<svg") && Catch::Contains("Shortest paths"));
  require_failure(here.run("emgraph graph500 --scale 7 --csv a.csv"), 2, {"a.csv"});
  here.succeed("emgraph graph500 --scale 7 --roots 5 --csv a.csv --plot a.html -q -f");
  CHECK(here.read("a.csv") != csv);
}

TEST_CASE("graph500 benchmark: roots are fewer where the graph has fewer") {
  Workplace here;
  const auto summary = here.summary("emgraph graph500 --scale 2 --edge-factor 1 --kernel bfs");
  // Of the four nodes one has an edge to another and is found.
  REQUIRE(summary.at("bfs_searches").size() == 1);
  CHECK(summary.at("bfs_searches")[0].at("root") == 1);
}

TEST_CASE("graph500 benchmark: refused options") {
  Workplace here;
  require_failure(here.run("emgraph graph500"), 2, {"--scale"});
  require_failure(here.run("emgraph graph500 --scale 33"), 2, {"33", "32"});
  require_failure(here.run("emgraph graph500 --scale 0"), 2, {"scale"});
  require_failure(here.run("emgraph graph500 --scale 5 --roots 0"), 2, {"roots"});
  require_failure(here.run("emgraph graph500 --scale 5 --edge-factor 0"), 2, {"edge factor"});
  require_failure(here.run("emgraph graph500 --scale 5 --kernel dfs"), 2, {"kernel", "bfs"});
  require_failure(here.run("emgraph graph500 --scale 5 -o x"), 2, {"-o"});
  require_failure(here.run("emgraph graph500 --scale 28 --model internal -M 64M"), 4, {"64"});
  require_failure(here.run("emgraph graph500 --scale 26 -M 64M --model semi-external"), 4,
                  {"scale 26", "--model external"});
  require_failure(here.run("emgraph graph500 --scale 32 -M 16M"), 4, {"scale 32"});
  CHECK(here.files().empty());
}

}  // namespace emgraph::tests
