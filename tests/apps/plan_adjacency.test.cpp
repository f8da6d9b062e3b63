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

TEST_CASE("the plan of an adjacency bounds memory, space and the file") {
  Workplace here;
  here.succeed("emgraph gen --nodes 150k --weights 1:1000 -o random.bin -q --edges " +
               std::string(sized("1M", "400k")));
  here.succeed("emgraph gen --model grid --dims 300x300 -o grid.bin -q");
  here.succeed("emgraph gen --model kron --edge-factor 16 -o kron.bin -q --scale " +
               std::string(sized("15", "14")));
  here.succeed("emgraph convert random.bin -o wide.u64w -q");
  Sample sample = Sample(4, 1);
  for (const std::string memory : {"16M", "96M"}) {
    for (const std::string input : {"random.bin", "random.bin --directed", "grid.bin", "kron.bin",
                                    "kron.bin --directed", "wide.u64w --nodes 150k"}) {
      if (!sample.takes()) continue;
      const std::string line = "convert " + input + " -o made.adj -f -M " + memory + " --spill-codec none";
      INFO(line);
      const PlanAndRun both = plan_and_run(here, line);
      check_bounds(both);
      CHECK(both.plan.at("model") == both.run.at("model"));
      CHECK(both.plan.at("model_reason") == both.run.at("model_reason"));
      CHECK(both.plan.at("outputs")[0].at("bytes") >= both.run.at("output_bytes"));
      here.succeed(
          "emgraph convert random.bin -o made.adj -f -q");  // the next plan finds the file there, too
    }
  }
}

}  // namespace emgraph::tests
