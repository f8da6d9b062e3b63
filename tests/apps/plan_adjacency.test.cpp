// SPDX-License-Identifier: MIT
// The command plan on adjacency files: searches of them, and their making.
#include <catch2/catch.hpp>

#include "tests/apps/plan_and_run.hpp"

namespace emgraph::tests {

using nlohmann::json;

TEST_CASE("plans of searches of adjacency files bound memory and space, and foresee model and phases") {
  Workplace here;
  here.succeed("emgraph gen --nodes 150k --weights 1:1000 -o random.bin -q --edges " +
               std::string(sized("1M", "400k")));
  here.succeed("emgraph gen --model grid --dims 500x500 --weights 1:100 -o grid.bin -q");
  here.succeed("emgraph convert random.bin -o random.adj -q");
  here.succeed("emgraph convert random.bin --directed -o directed.adj -q");
  here.succeed("emgraph convert grid.bin -o grid.adj -q");
  here.succeed("emgraph convert random.bin -o wide.u64w -q && emgraph convert wide.u64w -o wide.adj -q");
  const std::vector<std::string> searches = {
      "bfs random.adj",
      "bfs random.adj -o l.npy --parents p.npy -f",
      "bfs grid.adj --model semi-external -o l.npy -f",
      "bfs random.adj --model external -o l.npy --parents p.npy -f",
      "bfs wide.adj --root 5",
      "bfs directed.adj --directed --root 7 -o l.npy -f",
      "bfs random.adj --root 1 --root 2 --root 3 --root 4 --root 5 --root 6",
      "sssp random.adj --root 5 -o d.npy -f",
      "sssp grid.adj --root 5 --model semi-external -o d.npy --parents p.npy -f",
      "sssp directed.adj --directed --root 7 --model external -o d.npy --parents p.npy -f",
      "sssp wide.adj --root 5",
      "sssp grid.adj --root 5 --to 900",
      "sssp random.adj --root 5 --to 900 --model external"};
  Sample sample = Sample(9, 2);
  for (const std::string memory : {"16M", "32M", "128M"}) {
    for (const std::string& search : searches) {
      if (!sample.takes()) continue;
      const std::string line = search + " -M " + memory + " --spill-codec none -j 2";
      INFO(line);
      const PlanAndRun both = plan_and_run(here, line);
      check_memory(both, most_memory(line));
      CHECK(both.plan.at("temp_bytes_peak") >= both.run.at("temp_bytes_peak"));
      CHECK(both.plan.at("edges") == both.run.at("edges"));
      CHECK(both.plan.at("model") == both.run.at("model"));
      CHECK(both.plan.at("nodes") == both.run.at("nodes"));
      const json& planned = both.plan.at("phases");
      const json& phases = both.run.at("phases");
      // "write" and "sort results" are several phases of a run.
      for (std::size_t i = 0; i < planned.size() && i < 2; ++i) {
        const auto name = planned[i].at("name").get<std::string>();
        if (name != "write" && name != "sort results") CHECK(name == phases[i].at("name"));
      }
    }
  }
}

TEST_CASE("a filtered adjacency of a forced internal search goes to pages first, as its plan foresees") {
  Workplace here;
  here.succeed("emgraph gen --model kron -o kron.bin -q --scale " + std::string(sized("17", "14")));
  here.succeed("emgraph convert kron.bin -o kron.adj -q && seq 0 9000 > nodes.txt");
  for (const std::string command : {"bfs", "sssp --weights hash"}) {
    const std::string search = command + " kron.adj --root 5 --nodes-in nodes.txt --model internal -M ";
    INFO(search);
    const PlanAndRun both = plan_and_run(here, search + "32M -j 1");
    CHECK(both.plan.at("memory_peak_bytes") >= both.run.at("memory_peak_bytes"));
    CHECK(both.run.at("temp_bytes_peak") > 0);
    CHECK(both.plan.at("temp_bytes_peak") >= both.run.at("temp_bytes_peak"));
    if (sanitized) continue;  // all rows of its smaller graph fit
    const json notes = here.summary("emgraph plan " + search + "16M -j 1").at("notes");
    CHECK(notes.dump().find("all edges that may come need about") != std::string::npos);
  }
}

TEST_CASE("the plan of an adjacency bounds memory, space and the file") {
  Workplace here;
  here.succeed("emgraph gen --nodes 150k --weights 1:1000 -o random.bin -q --edges " +
               std::string(sized("1M", "400k")));
  here.succeed("emgraph gen --model grid --dims 300x300 -o grid.bin -q");
  here.succeed("emgraph gen --edges 1k --nodes 200 -o small.bin -q");
  here.succeed("emgraph gen --model kron --edge-factor 16 -o kron.bin -q --scale " +
               std::string(sized("15", "14")));
  here.succeed("emgraph convert random.bin -o wide.u64w -q");
  const std::vector<std::string> lines = {"convert random.bin -o made.adj",
                                          "convert random.bin --directed -o made.adj",
                                          "convert grid.bin -o made.adj",
                                          "convert kron.bin -o made.adj",
                                          "convert kron.bin --directed -o made.adj",
                                          "convert wide.u64w --nodes 150k -o made.adj",
                                          "convert random.bin -o made.sg",
                                          "convert kron.bin --directed -o made.sg",
                                          "convert grid.bin --directed -o made.sg",
                                          "convert small.bin --directed -o made.sg",
                                          "convert random.bin -o made.wsg",
                                          "convert random.bin --directed -o made.wsg",
                                          "convert wide.u64w --nodes 150k --directed -o made.wsg",
                                          "convert random.bin -o made.graph",
                                          "convert grid.bin -o made.graph",
                                          "sort --symmetrize --unique --no-loops random.bin -o made.sg"};
  Sample sample = Sample(8, 2);
  for (const std::string memory : {"16M", "96M"}) {
    for (const std::string& words : lines) {
      if (!sample.takes()) continue;
      const std::string line = words + " -f -M " + memory + " --spill-codec none";
      INFO(line);
      const PlanAndRun both = plan_and_run(here, line);
      check_bounds(both);
      if (words.starts_with("convert")) {
        CHECK(both.plan.at("model") == both.run.at("model"));
        CHECK(both.plan.at("model_reason") == both.run.at("model_reason"));
      }
      CHECK(both.plan.at("outputs")[0].at("bytes") >= both.run.at("output_bytes"));
      // The next plan finds the files there, too.
      for (const char* output : {"made.adj", "made.sg", "made.wsg", "made.graph"}) here.write(output, "");
    }
  }
}

}  // namespace emgraph::tests
