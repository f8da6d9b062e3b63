// SPDX-License-Identifier: MIT
// Plans of checks beside the checks: bounds, model and phases; the same errors.
#include <catch2/catch.hpp>
#include <optional>

#include "tests/apps/plan_and_run.hpp"

namespace emgraph::tests {

namespace {

using nlohmann::json;

std::vector<std::string> names_of(const json& phases) {
  std::vector<std::string> names;
  for (const json& phase : phases) names.push_back(phase.at("name"));
  return names;
}

/// Plan and check end alike; the bounds hold, and the expected space is within 1.5 times what is used and a
/// few blocks. Returns both summaries, or nothing if the check did not end well.
std::optional<PlanAndRun> check_plan_of(const Workplace& here, const std::string& line) {
  INFO(line);
  const Outcome plan = here.run("emgraph plan " + line + " --json");
  const Outcome run = here.run("emgraph " + line + " --json");
  CHECK(plan.exit_code == run.exit_code);
  if (run.exit_code != 0) {
    CHECK(run.exit_code == 4);
    // Loops and duplicates are found by the run.
    const auto start = [](const std::string& error) { return error.substr(0, error.find(" needs ")); };
    CHECK(start(plan.error) == start(run.error));
    return std::nullopt;
  }
  PlanAndRun both{plan.json(), run.json()};
  check_bounds(both);
  CHECK(both.plan.at("model") == both.run.at("model"));
  CHECK(both.plan.at("model_reason") == both.run.at("model_reason"));
  CHECK(names_of(both.plan.at("phases")) == names_of(both.run.at("phases")));
  constexpr double blocks = 4.0 * 1024 * 1024;
  const auto expected = both.plan.at("temp_bytes_expected").get<double>();
  const auto used = both.run.at("temp_bytes_peak").get<double>();
  CHECK(expected <= 1.5 * used + blocks);
  CHECK(used <= 1.5 * expected + blocks);
  return both;
}

void solve(const Workplace& here, const std::string& graph) {
  here.succeed("emgraph bfs " + graph + " --root 5 -o levels.npy --parents above.npy -fq");
  here.succeed("emgraph mis " + graph + " -o set.npy -fq");
  here.succeed("emgraph sssp " + graph +
               " --root 5 --weights hash -o distances.npy --parents before.npy -fq");
  here.succeed("emgraph kcore " + graph + " -o cores.npy -fq");
  here.succeed("emgraph scc " + graph + " -o classes.npy -fq");
  here.succeed("emgraph triangles " + graph + " --per-node counts.npy --list list.npy -fq");
  here.succeed("emgraph lcc " + graph + " --directed -o lcc.npy -fq");
  here.succeed("emgraph cdlp " + graph + " --iterations 2 -o communities.npy -fq");
}

}  // namespace

TEST_CASE("plans of checks of solvers bound memory and space, and know model and phases") {
  Workplace here;
  Sample sample(24, 2);
  unsigned passed = 0;
  for (const std::string& graph : make_small_graphs(here)) {
    solve(here, graph);
    for (const std::string memory : {"16M", "44M", "160M"}) {
      for (const std::string& command :
           {"bfs " + graph + " levels.npy --root 5", "bfs " + graph + " levels.npy --parents above.npy",
            "mis " + graph + " set.npy", "sssp " + graph + " distances.npy --weights hash",
            "sssp " + graph + " distances.npy --parents before.npy --weights hash",
            "kcore " + graph + " cores.npy", "scc " + graph + " classes.npy",
            "triangles " + graph + " counts.npy --list list.npy", "lcc " + graph + " lcc.npy --directed",
            "cdlp " + graph + " communities.npy --iterations 2"}) {
        if (!sample.takes()) continue;
        const auto both =
            check_plan_of(here, "check " + command + " -M " + memory + " --spill-codec none -j 2");
        if (both) ++passed;
      }
    }
  }
  CHECK(passed > 0);
}

TEST_CASE("plans of checks whose values of nodes do not fit bound memory and space") {
  Workplace here;
  here.succeed("emgraph gen --model grid --dims 1400x1400 --weights 1:1000 -o grid.bin -q");
  here.succeed("emgraph gen --edges 1500k --nodes 2500k --weights 1:1000 -o sparse.bin -q");
  Sample sample(4);
  for (const std::string graph : {"grid.bin", "sparse.bin"}) {
    for (const bool levels : {true, false}) {
      if (!sample.takes()) continue;
      const std::string solver = (levels ? "bfs " : "sssp ") + graph;
      here.succeed("emgraph " + solver + " --root 5 -o values.npy --parents parents.npy -fq");
      const std::string line = "check " + solver + " values.npy --parents parents.npy" +
                               (levels ? " -M 16M" : " --root 5 -M 24M") + " --spill-codec none -j 2";
      const auto both = check_plan_of(here, line);
      REQUIRE(both);
      CHECK(both->plan.at("model") == "external");
      // Distances of unreached nodes are passed on to no neighbour.
      if (solver == "sssp sparse.bin") continue;
      CHECK(both->plan.at("temp_bytes_peak").get<double>() <=
            1.5 * both->run.at("temp_bytes_peak").get<double>());
    }
  }
}

TEST_CASE("the plan of check sssp bounds the search along arcs of weight 0") {
  Workplace here;
  here.succeed("emgraph gen --edges 300k --nodes 100k --weights 0:3 -o zeros.bin -q");
  here.succeed("emgraph gen --model grid --dims 300x300 --weights 0:0 -o level.bin -q");
  for (const std::string graph : {"zeros.bin", "level.bin"}) {
    here.succeed("emgraph sssp " + graph + " --root 5 -o distances.npy --parents before.npy -fq");
    for (const std::string memory : {"16M", "64M"}) {
      for (const std::string rest : {"", " --parents before.npy"}) {
        const std::string line = "check sssp " + graph + " distances.npy --root 5 -j 2 -M " + memory + rest;
        INFO(line);
        const PlanAndRun both = plan_and_run(here, line);
        CHECK(both.plan.at("memory_peak_bytes") >= both.run.at("memory_peak_bytes"));
        CHECK(both.plan.at("temp_bytes_peak") >= both.run.at("temp_bytes_peak"));
      }
    }
  }
}

TEST_CASE("a plan of a check does not read its result, and fails as the check does") {
  Workplace here;
  here.succeed("emgraph gen --edges 100k --nodes 10k --weights 1:9 -o edges.bin -q");
  here.succeed("emgraph bfs edges.bin --root 1 -o wrong.npy -q");
  for (const std::string line :
       {"kcore edges.bin wrong.npy", "scc edges.bin wrong.npy", "cdlp edges.bin wrong.npy",
        "mis edges.bin wrong.npy", "triangles edges.bin wrong.npy", "sssp edges.bin wrong.npy --root 1"}) {
    INFO(line);
    CHECK(here.run("emgraph plan check " + line).exit_code == 0);
    CHECK(here.run("emgraph check " + line).exit_code == 1);
  }
  for (const auto& [code, line] :
       std::vector<CodeAndLine>{{4, "bfs edges.bin missing.npy"},
                                {2, "bfs edges.bin wrong.npy --root 1T"},
                                {4, "mis edges.bin missing.npy"},
                                {4, "sssp edges.bin missing.npy"},
                                {2, "sssp edges.bin wrong.npy --weights squares"},
                                {4, "sssp edges.bin wrong.npy --parents missing.npy"},
                                {4, "kcore edges.bin missing.npy"},
                                {4, "triangles edges.bin missing.npy"},
                                {3, "triangles edges.bin wrong.npy --list wrong.npy"},
                                {3, "lcc edges.bin wrong.npy"},
                                {2, "cdlp edges.bin wrong.npy --iterations x"},
                                {4, "scc missing.bin wrong.npy"},
                                {4, "triangles edges.bin wrong.npy -M 1"}}) {
    INFO(line);
    const Outcome plan = here.run("emgraph plan check " + line);
    const Outcome run = here.run("emgraph check " + line);
    CHECK(plan.exit_code == code);
    CHECK(run.exit_code == code);
    CHECK(plan.error == run.error);
  }
}

}  // namespace emgraph::tests
