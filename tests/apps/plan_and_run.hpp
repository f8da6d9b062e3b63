// SPDX-License-Identifier: MIT
// The plan of a command beside the run that follows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

/// A line that fails, behind its exit code.
using CodeAndLine = std::pair<int, std::string>;

/// Runs the plan of a command, then the command; returns both summaries.
struct PlanAndRun {
  nlohmann::json plan;
  nlohmann::json run;
};

inline PlanAndRun plan_and_run(const Workplace& here, const std::string& line) {
  const std::vector<std::string> before = here.files();
  PlanAndRun both;
  both.plan = here.summary("emgraph plan " + line);
  CHECK(here.files() == before);
  both.run = here.summary("emgraph " + line);
  return both;
}

/// The bound of memory holds, and is at most 1.5 times the truth, or `most` times.
inline void check_memory(const PlanAndRun& both, double most = 1.5) {
  const auto memory = both.plan.at("memory_peak_bytes").get<double>();
  const auto used = both.run.at("memory_peak_bytes").get<double>();
  CHECK(memory >= used);
  CHECK(memory <= most * used);
}
/// What a queue of a query may take, and the sort of a condensation, which may have few arcs, counts in full.
/// Of the small graphs of sanitizers the buffers of scans are more than the rest.
inline double most_memory(const std::string& line) {
  if (sanitized) return 2.5;
  const bool unknown = line.find("--queries") != std::string::npos ||
                       line.find("--to ") != std::string::npos ||
                       line.find("--condensation") != std::string::npos;
  return unknown ? 2.5 : 1.5;
}

/// The same, and that of temporary space.
inline void check_bounds(const PlanAndRun& both) {
  check_memory(both);
  CHECK(both.plan.at("temp_bytes_peak") >= both.run.at("temp_bytes_peak"));
  CHECK(both.plan.at("edges") == both.run.at("edges"));
}

/// A sample in which each command meets some graphs and memories.
inline Sample commands_and_memories() {
  return Sample(48, 12);
}

inline void make_graphs(const Workplace& here) {
  here.succeed("emgraph gen -o random.bin -q " +
               std::string(sized("--edges 2M --nodes 300k", "--edges 1M --nodes 150k")));
  here.succeed("emgraph gen --model kron --edge-factor 16 -o kron.bin -q --scale " +
               std::string(sized("16", "15")));
}

/// Returns them as words of a command line.
inline std::vector<std::string> make_small_graphs(const Workplace& here) {
  here.succeed("emgraph gen --nodes 150k -o random.bin -q --edges " + std::string(sized("1M", "500k")));
  here.succeed("emgraph gen --model kron --edge-factor 16 -o kron.bin -q --scale " +
               std::string(sized("15", "14")));
  here.succeed("emgraph gen --nodes 1M -o sparse.bin -q --edges " + std::string(sized("600k", "300k")));
  here.succeed("emgraph convert random.bin -o wide.u64 -q");
  return {"random.bin", "kron.bin", "sparse.bin", "wide.u64 --nodes 150k"};
}

/// A sample of the commands on the graphs: plan and run end alike, and the plan bounds memory and space.
/// `check_space(command, space)` sees the plan's bound of the space, a number or null.
template <class CheckSpace>
void check_plans(const Workplace& here, const std::vector<std::string>& graphs,
                 const std::vector<std::string>& commands, CheckSpace&& check_space) {
  Sample sample = commands_and_memories();
  for (const std::string& graph : graphs) {
    for (const std::string memory : {"24M", "96M"}) {
      for (const std::string& command : commands) {
        if (!sample.takes()) continue;
        const std::string line = command + " " + graph + " -M " + memory + " --spill-codec none -j 2";
        INFO(line);
        const Outcome plan = here.run("emgraph plan " + line + " --json");
        const Outcome run = here.run("emgraph " + line + " --json");
        CHECK(plan.exit_code == run.exit_code);
        if (run.exit_code != 0) {
          CHECK(run.exit_code == 4);  // too little memory
          CHECK(plan.error == run.error);
          continue;
        }
        const PlanAndRun both{plan.json(), run.json()};
        check_memory(both, most_memory(line));
        const nlohmann::json& space = both.plan.at("temp_bytes_peak");
        check_space(command, space);
        if (space.is_number()) CHECK(space >= both.run.at("temp_bytes_peak"));
        // Duplicates may make lists shorter than foreseen, and so change the model.
        if (graph != "kron.bin") CHECK(both.plan.at("model") == both.run.at("model"));
      }
    }
  }
}

}  // namespace emgraph::tests
