// SPDX-License-Identifier: MIT
// The command plan: its bounds against the runs that follow.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

namespace {

using nlohmann::json;

/// Runs the plan of a command, then the command; returns both summaries.
struct PlanAndRun {
  json plan;
  json run;
};

PlanAndRun plan_and_run(const Workplace& here, const std::string& line) {
  const std::vector<std::string> before = here.files();
  PlanAndRun both;
  both.plan = here.summary("emgraph plan " + line);
  CHECK(here.files() == before);
  both.run = here.summary("emgraph " + line);
  return both;
}

/// The bound of memory holds, and is at most 1.5 times the truth.
void check_memory(const PlanAndRun& both) {
  const auto memory = both.plan.at("memory_peak_bytes").get<double>();
  const auto used = both.run.at("memory_peak_bytes").get<double>();
  CHECK(memory >= used);
  CHECK(memory <= 1.5 * used);
}

/// The same, and that of temporary space.
void check_bounds(const PlanAndRun& both) {
  check_memory(both);
  CHECK(both.plan.at("temp_bytes_peak") >= both.run.at("temp_bytes_peak"));
  CHECK(both.plan.at("edges") == both.run.at("edges"));
}

/// A sample in which each command meets some graphs and memories.
Sample commands_and_memories() {
  return Sample(11, 3);
}

void make_graphs(const Workplace& here) {
  here.succeed("emgraph gen --edges 2M --nodes 300k -o random.bin -q");
  here.succeed("emgraph gen --model kron --scale 16 --edge-factor 16 -o kron.bin -q");
}

/// Returns them as words of a command line.
std::vector<std::string> make_small_graphs(const Workplace& here) {
  here.succeed("emgraph gen --edges 1M --nodes 150k -o random.bin -q");
  here.succeed("emgraph gen --model kron --scale 15 --edge-factor 16 -o kron.bin -q");
  here.succeed("emgraph gen --edges 600k --nodes 1M -o sparse.bin -q");
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
          CHECK(plan.error == run.error);
          continue;
        }
        const PlanAndRun both{plan.json(), run.json()};
        check_memory(both);
        const json& space = both.plan.at("temp_bytes_peak");
        check_space(command, space);
        if (space.is_number()) CHECK(space >= both.run.at("temp_bytes_peak"));
        // Duplicates may make lists shorter than foreseen, and so change the model.
        if (graph != "kron.bin") CHECK(both.plan.at("model") == both.run.at("model"));
      }
    }
  }
}

}  // namespace

TEST_CASE("the plan of a sort bounds its memory and its temporary space") {
  Workplace here;
  make_graphs(here);
  Sample sample = commands_and_memories();
  for (const std::string graph : {"random.bin", "kron.bin"}) {
    for (const std::string command : {"sort", "dedup", "sort --symmetrize -u"}) {
      for (const std::string memory : {"16M", "24M", "128M", "40M"}) {
        if (!sample.takes()) continue;
        const std::string line = command + " " + graph + " -o sorted.bin -f --spill-codec none -M " + memory;
        INFO(line);
        check_bounds(plan_and_run(here, line));
      }
    }
  }
}

TEST_CASE("where most of the edges are spilled, the bound of the space is at most 1.5 times what is used") {
  Workplace here;
  here.succeed("emgraph gen --edges 4M --nodes 300k -o random.bin -q");
  for (const std::string line : {"sort random.bin -o sorted.bin -M 16M --spill-codec none",
                                 "sort --symmetrize random.bin -o both.bin -M 24M --spill-codec none"}) {
    INFO(line);
    const PlanAndRun both = plan_and_run(here, line);
    check_bounds(both);
    const auto used = both.run.at("temp_bytes_peak").get<double>();
    CHECK(used > 0);
    CHECK(both.plan.at("temp_bytes_peak").get<double>() <= 1.5 * used);
    CHECK(both.plan.at("temp_bytes_expected").get<double>() <= 1.25 * used);
    CHECK(both.plan.at("temp_bytes_expected").get<double>() >= 0.75 * used);
  }
}

TEST_CASE("plans of cc and mis bound memory and space, and foresee model and passes") {
  Workplace here;
  make_graphs(here);
  Sample sample = commands_and_memories();
  for (const std::string graph : {"random.bin", "kron.bin", "gen:random,edges=1M"}) {
    for (const std::string memory : {"16M", "64M"}) {
      for (const std::string command : {"cc", "cc --model external", "mis", "mis --single-pass"}) {
        if (!sample.takes()) continue;
        const std::string line = command + " " + graph + " -M " + memory + " --spill-codec none";
        INFO(line);
        const PlanAndRun both = plan_and_run(here, line);
        check_bounds(both);
        CHECK(both.plan.at("model") == both.run.at("model"));
        if (command.starts_with("mis")) CHECK(both.plan.at("passes") >= both.run.at("passes"));
      }
    }
  }
}

TEST_CASE("plans of bfs, mst and triangles bound memory and space in every model") {
  Workplace here;
  const std::vector<std::string> graphs = make_small_graphs(here);
  const std::vector<std::string> commands = {"bfs",
                                             "bfs --directed --root 5 -o levels.npy -f",
                                             "bfs --model semi-external -o levels.npy -f",
                                             "bfs --model external --parents parents.npy -f",
                                             "bfs --model internal",
                                             "mst --weights hash",
                                             "mst --weights unit -o forest.bin -f",
                                             "mst --weights hash --model semi-external",
                                             "mst --weights hash --model external",
                                             "triangles",
                                             "triangles --per-node counts.npy -f",
                                             "triangles --model semi-external",
                                             "triangles --model external",
                                             "triangles --list list.npy -f"};
  check_plans(here, graphs, commands, [](const std::string& command, const json& space) {
    // How many triangles are listed is not known.
    CHECK(space.is_null() == (command.find("--list") != std::string::npos));
  });
}

TEST_CASE("plans of sssp and weighted pagerank bound memory and space in every model") {
  Workplace here;
  here.succeed("emgraph gen --edges 1M --nodes 150k -o random.bin -q --weights 1:1000");
  here.succeed("emgraph gen --model graph500 --scale 15 --edge-factor 16 -o kron.bin -q --weights float");
  here.succeed("emgraph gen --model grid --dims 400x400 -o grid.bin -q --weights 1:100");
  here.succeed("emgraph convert random.bin -o wide.u64w -q");
  check_plans(
      here, {"random.bin", "kron.bin", "grid.bin", "wide.u64w --nodes 150k"},
      {"sssp --root 5", "sssp --root 5 -o d.npy --parents p.npy -f", "sssp --directed --root 7 -o d.npy -f",
       "sssp --root 5 --weights hash", "sssp --root 5 --model semi-external -o d.npy -f",
       "sssp --root 5 --model external -o d.npy --parents p.npy -f", "sssp --root 5 --model internal",
       "pagerank --weighted --iterations 3 -o d.npy -f",
       "pagerank --weighted --undirected --iterations 2 --model semi-external",
       "pagerank --weighted --iterations 2 --model external -o d.npy -f"},
      [](const std::string&, const json& space) { CHECK(space.is_number()); });
}

TEST_CASE("plans of pagerank, cdlp, kcore and lcc bound memory and space in every model") {
  Workplace here;
  const std::vector<std::string> graphs = make_small_graphs(here);
  here.write("seeds.txt", "5\n7\n");
  const std::vector<std::string> commands = {"pagerank --iterations 3",
                                             "pagerank --undirected --iterations 3 -o r.npy -f",
                                             "pagerank --iterations 3 --model semi-external",
                                             "pagerank --iterations 3 --model external -o r.npy -f",
                                             "pagerank --iterations 3 --sources seeds.txt",
                                             "cdlp --iterations 3",
                                             "cdlp --iterations 3 --directed -o l.npy -f",
                                             "cdlp --iterations 3 --model semi-external",
                                             "cdlp --iterations 2 --model external -o l.npy -f",
                                             "kcore",
                                             "kcore --model semi-external -o k.npy -f",
                                             "kcore --model external -o k.npy -f",
                                             "lcc -o c.npy -f",
                                             "lcc --directed",
                                             "lcc --model external"};
  check_plans(here, graphs, commands, [](const std::string& command, const json& space) {
    // Counts of nodes without a counter in memory, as in the external model, take space per triangle.
    CHECK((space.is_number() || command.starts_with("lcc ")));
  });
}

TEST_CASE("plans of scc bound memory and space in every model") {
  Workplace here;
  const std::vector<std::string> graphs = make_small_graphs(here);
  check_plans(here, graphs,
              {"scc", "scc -o l.npy -f", "scc --model semi-external -o l.npy -f", "scc --model internal",
               "scc --model external -o l.npy -f"},
              [](const std::string&, const json& space) { CHECK(space.is_number()); });
}

TEST_CASE("the plan of filter bounds its memory and its output, and knows the edges") {
  Workplace here;
  here.succeed("emgraph gen --edges 1M --nodes 150k -o edges.bin -q --weights 1:1000");
  here.write("nodes.txt", "5\n7\n100000\n");
  for (const std::string line :
       {"filter edges.bin --sample 0.9 -o x.bin", "filter edges.bin --min-weight 3 -o x.u32w",
        "filter edges.bin --nodes-in nodes.txt -o x.bin"}) {
    INFO(line);
    const PlanAndRun both = plan_and_run(here, line + " -f -M 24M -j 2");
    check_bounds(both);
    const json& output = both.plan.at("outputs").at(0);
    CHECK(output.at("bytes") >= std::filesystem::file_size(here.path(output.at("path").get<std::string>())));
    std::filesystem::remove(here.path(output.at("path").get<std::string>()));
  }
  CHECK(here.summary("emgraph plan cc edges.bin --min-weight 500").at("edges") == 1000000);
}

TEST_CASE(
    "where memory is short, the space of pagerank, cdlp, kcore and scc is at most 1.5 times what is used") {
  Workplace here;
  here.succeed("emgraph gen --edges 2M --nodes 300k -o random.bin -q");
  for (const std::string line :
       {"pagerank random.bin --iterations 2", "cdlp random.bin --iterations 2",
        "pagerank random.bin --iterations 2 --model external", "kcore random.bin --model external",
        "cdlp random.bin --iterations 2 --model external",
        "scc gen:random,edges=2M,nodes=100k --model semi-external"}) {
    INFO(line);
    const PlanAndRun both = plan_and_run(here, line + " -M 16M --spill-codec none -j 2");
    check_bounds(both);
    const auto used = both.run.at("temp_bytes_peak").get<double>();
    CHECK(used > 0);
    CHECK(both.plan.at("temp_bytes_peak").get<double>() <= 1.5 * used);
  }
}

TEST_CASE("the space of external sssp and scc is at most 1.5 times what is used") {
  Workplace here;
  here.succeed("emgraph gen --edges 2M --nodes 300k --weights 1:1000 -o random.bin -q");
  here.succeed("emgraph gen --model kron --scale 17 --edge-factor 16 --weights 1:1000 -o kron.bin -q");
  here.succeed("emgraph gen --model grid --dims 1000x1000 --weights 1:1000 -o grid.bin -q");
  here.succeed("emgraph gen --model grid --dims 1x1500000 --weights 1:1000 -o path.bin -q");
  for (const std::string graph : {"random.bin", "kron.bin", "grid.bin", "path.bin"}) {
    for (const std::string command : {"sssp --root 1", "sssp --root 1 -o d.npy --parents p.npy -f", "scc"}) {
      // The nodes of a grid are not contracted. The queue of a path is far shorter than it could be.
      if (graph == "grid.bin" && command == "scc") continue;
      if (graph == "path.bin" && command == "sssp --root 1") continue;
      const std::string line = command + " " + graph + " --model external -M 16M --spill-codec none -j 2";
      INFO(line);
      const PlanAndRun both = plan_and_run(here, line);
      check_bounds(both);
      CHECK(both.plan.at("temp_bytes_peak").get<double>() <=
            1.5 * both.run.at("temp_bytes_peak").get<double>());
      if (command.ends_with("-f"))
        here.succeed("emgraph check sssp " + graph + " d.npy --root 1 --parents p.npy");
    }
  }
}

TEST_CASE("where memory is short, the space of bfs and triangles is at most 1.5 times what is used") {
  Workplace here;
  here.succeed("emgraph gen --edges 3M --nodes 500k -o random.bin -q");
  for (const std::string line : {"bfs random.bin", "bfs random.bin --directed --root 5",
                                 "triangles random.bin", "triangles random.bin --model external"}) {
    INFO(line);
    const PlanAndRun both = plan_and_run(here, line + " -M 16M --spill-codec none -j 2");
    check_bounds(both);
    const auto used = both.run.at("temp_bytes_peak").get<double>();
    CHECK(used > 0);
    CHECK(both.plan.at("temp_bytes_peak").get<double>() <= 1.5 * used);
  }
}

TEST_CASE("plans of graphs in order, of paths and of small graphs bound memory and space") {
  Workplace here;
  here.succeed("emgraph gen --model grid --dims 1000x1000 --weights 1:1000 -o grid.bin -q");
  here.succeed("emgraph gen --model grid --dims 1x1500000 --weights 1:1000 -o path.bin -q");
  here.succeed("emgraph gen --edges 1k --nodes 200 --weights 1:1000 -o small.bin -q");
  here.succeed("emgraph gen --edges 1M --nodes 150k -o random.bin -q");
  here.succeed("emgraph gen --edges 1 --nodes 10 -o one.bin -q");
  here.succeed("emgraph gen --edges 600k --nodes 1M -o sparse.bin -q");
  here.succeed("emgraph gen --edges 2M --nodes 3k -o repeated.bin -q");
  here.succeed("emgraph gen --model kron --scale 17 --edge-factor 12 -o kron.bin -q");
  for (const std::string line :
       {"sssp one.bin --root 5 --weights hash -o distances.npy",
        "sssp sparse.bin --root 5 --weights hash --model semi-external -o d.npy --parents p.npy -M 64M",
        "bfs one.bin --model external -o levels.npy", "lcc one.bin --model external -M 20M",
        "bfs repeated.bin --model internal -M 24M", "cdlp kron.bin -M 18M",
        "mis random.bin --model external -o set.npy", "mis random.bin -o set.npy",
        "bfs path.bin --directed --root 1 --model external -o levels.npy",
        "bfs grid.bin --directed --root 1 --model external -o levels.npy",
        "bfs grid.bin --directed --root 1 -o levels.npy", "bfs small.bin --directed --root 1 -o levels.npy",
        "kcore small.bin -o cores.npy", "mst grid.bin -o forest.bin", "mst path.bin -o forest.bin -M 64M",
        "sort --symmetrize -u path.bin -o sorted.bin"}) {
    const bool memory_given = line.find("-M") != std::string::npos;
    const std::string whole = line + (memory_given ? "" : " -M 16M") + " -f --spill-codec none -j 2";
    INFO(whole);
    const PlanAndRun both = plan_and_run(here, whole);
    CHECK(both.plan.at("memory_peak_bytes") >= both.run.at("memory_peak_bytes"));
    CHECK(both.plan.at("temp_bytes_peak") >= both.run.at("temp_bytes_peak"));
    // Duplicates change the model of cdlp.
    if (!line.starts_with("sort") && !line.starts_with("cdlp"))
      CHECK(both.plan.at("model") == both.run.at("model"));
  }
}

TEST_CASE("plans of a graph without nodes name the model of the run") {
  Workplace here;
  here.write("empty.u32", "");
  for (const std::string command : {"kcore", "cdlp"}) {
    for (const std::string model : {"external", "semi-external", "internal"}) {
      const std::string line = command + " empty.u32 --nodes 0 --model " + model;
      INFO(line);
      const Outcome run = here.run("emgraph " + line + " --json");
      const Outcome plan = here.run("emgraph plan " + line + " --json");
      REQUIRE(run.exit_code == 0);
      CHECK(plan.json().at("model") == run.json().at("model"));
    }
  }
}

TEST_CASE("outputs are planned with their size and their memory, and not written") {
  Workplace here;
  make_graphs(here);
  for (const std::string line :
       {"cc random.bin -o labels.npy -M 16M", "mis random.bin -o set.npy -M 16M",
        "convert random.bin -o copy.bin -M 16M", "convert random.bin -o copy.u32 -M 16M",
        "gen --edges 1M -o made.bin -M 16M"}) {
    INFO(line);
    const PlanAndRun both = plan_and_run(here, line);
    check_bounds(both);
    CHECK(both.plan.at("model") == both.run.at("model"));
    const json& output = both.plan.at("outputs").at(0);
    const auto size = std::filesystem::file_size(here.path(output.at("path").get<std::string>()));
    CHECK(output.at("bytes") >= size);
    if (!line.starts_with("mis")) CHECK(output.at("bytes").get<double>() <= 1.1 * static_cast<double>(size));
  }
}

}  // namespace emgraph::tests
