// SPDX-License-Identifier: MIT
// The command plan: its bounds against the runs that follow.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/apps/plan_and_run.hpp"

namespace emgraph::tests {

using nlohmann::json;

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
  here.succeed("emgraph gen --nodes 150k -o random.bin -q --weights 1:1000 --edges " +
               std::string(sized("1M", "500k")));
  here.succeed("emgraph gen --model graph500 --scale " + std::string(sized("15", "14")) +
               " --edge-factor 16 -o kron.bin -q --weights float");
  here.succeed("emgraph gen --model grid --dims 400x400 -o grid.bin -q --weights 1:100");
  here.succeed("emgraph convert random.bin -o wide.u64w -q");
  here.write("q.p2p", "p aux sp p2p 3\nq 1 2\nq 5 9\nq 7 1000\n");
  check_plans(
      here, {"random.bin", "kron.bin", "grid.bin", "wide.u64w --nodes 150k"},
      {"sssp --root 5", "sssp --root 5 -o d.npy --parents p.npy -f", "sssp --directed --root 7 -o d.npy -f",
       "sssp --root 5 --weights hash", "sssp --root 5 --model semi-external -o d.npy -f",
       "sssp --root 5 --model external -o d.npy --parents p.npy -f", "sssp --root 5 --model internal",
       "sssp --root 5 --to 77", "sssp --directed --queries q.p2p --model internal -o lines.txt -f",
       "sssp --root 5 --to 77 --model semi-external --path way.txt -f",
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

TEST_CASE("plans of forests and lists of components bound memory and space in every model") {
  Workplace here;
  const std::vector<std::string> graphs = make_small_graphs(here);
  check_plans(
      here, graphs,
      {"cc --forest f.bin -f", "cc --forest f.bin -o l.npy --model external -f", "cc --sizes s.npy -f",
       "cc --groups g.npy -f", "cc --sizes s.npy --groups g.npy -o l.npy --model external -f",
       "cc --forest f.bin --sizes s.npy --groups g.npy -f"},
      [](const std::string&, const json& space) { CHECK(space.is_number()); });
}

TEST_CASE("plans of scc bound memory and space in every model") {
  Workplace here;
  const std::vector<std::string> graphs = make_small_graphs(here);
  check_plans(here, graphs,
              {"scc", "scc -o l.npy -f", "scc --model semi-external -o l.npy -f", "scc --model internal",
               "scc --model external -o l.npy -f", "scc --condensation c.bin -f",
               "scc --condensation c.bin --model semi-external -f",
               "scc --condensation c.bin --model external -o l.npy -f"},
              [](const std::string&, const json& space) { CHECK(space.is_number()); });
}

TEST_CASE("plans of checks bound memory and space, and know model and phases") {
  Workplace here;
  Sample sample(16, 1);
  for (const std::string& graph : make_small_graphs(here)) {
    here.succeed("emgraph cc " + graph + " -o labels.npy -fq");
    here.succeed("emgraph pagerank " + graph + " --iterations 3 -o ranks.npy -fq");
    here.succeed("emgraph mst " + graph + " --weights hash -o forest.bin -fq");
    for (const std::string memory : {"24M", "96M"}) {
      for (const std::string& command :
           {"cc " + graph + " labels.npy", "pagerank " + graph + " ranks.npy --tolerance 1",
            "mst " + graph + " forest.bin --weights hash", std::string("sorted -u forest.bin")}) {
        if (!sample.takes()) continue;
        const std::string line = "check " + command + " -M " + memory + " -j 2";
        INFO(line);
        const PlanAndRun both = plan_and_run(here, line);
        check_bounds(both);
        CHECK(both.plan.at("model") == both.run.at("model"));
        CHECK(both.plan.at("model_reason") == both.run.at("model_reason"));
        const json& planned = both.plan.at("phases");
        const json& phases = both.run.at("phases");
        REQUIRE(planned.size() == phases.size());
        for (std::size_t i = 0; i < planned.size(); ++i) CHECK(planned[i].at("name") == phases[i].at("name"));
      }
    }
  }
}

TEST_CASE("plans of stats bound memory and space in every model, of inputs in any order and in order") {
  Workplace here;
  std::vector<std::string> graphs = make_small_graphs(here);
  here.succeed("emgraph sort random.bin -u --orient low -o sorted.bin -q");
  here.succeed("emgraph sort random.bin -u --symmetrize -o both.bin -q");
  here.succeed("emgraph convert random.bin -o random.u32 -q");
  for (const std::string graph : {"sorted.bin", "both.bin", "random.u32", "wide.u64"})
    graphs.push_back(graph);
  check_plans(here, graphs,
              {"stats", "stats --directed -o d.npy -f", "stats --model external",
               "stats --model external --directed -o d.npy -f",
               "stats --model semi-external --html p.html -f", "stats --model internal --directed"},
              [](const std::string&, const json& space) { CHECK(space.is_number()); });
}

TEST_CASE("the plan of a page with results of other solvers bounds memory and space, and names all phases") {
  Workplace here;
  here.succeed("emgraph gen --nodes 2M -o sparse.bin -q --edges " + std::string(sized("600k", "300k")));
  here.succeed("emgraph cc sparse.bin -o labels.npy -q");
  here.succeed("emgraph bfs sparse.bin -o levels.npy -q");
  here.succeed("emgraph pagerank sparse.bin --iterations 2 -o ranks.npy -q");
  const auto names = [](const json& phases) {
    std::vector<std::string> all;
    for (const json& phase : phases) all.push_back(phase.at("name"));
    return all;
  };
  for (const std::string memory : {"16M", "128M"}) {
    if (sized(false, memory == "128M")) continue;
    INFO(memory);
    const std::string line =
        "stats sparse.bin --html p.html -o degrees.npy --components labels.npy --levels levels.npy "
        "--ranks ranks.npy --spill-codec none -j 2 -M ";
    const PlanAndRun both = plan_and_run(here, line + memory);
    check_bounds(both);
    CHECK(both.plan.at("outputs").size() == 2);
    std::vector<std::string> planned = names(both.plan.at("phases"));
    planned.emplace_back("finish output");
    CHECK(planned == names(both.run.at("phases")));
    for (const char* output : {"p.html", "degrees.npy"}) std::filesystem::remove(here.path(output));
  }
}

TEST_CASE("the plan of filter bounds its memory and its output, and knows the edges") {
  Workplace here;
  here.succeed("emgraph gen --edges 1M --nodes 150k -o edges.bin -q --weights 1:1000");
  here.write("nodes.txt", "5\n7\n100000\n");
  for (const std::string line :
       {"filter edges.bin --sample 0.9 -o x.bin", "filter edges.bin --min-weight 3 -o x.u32w",
        "filter edges.bin --min-weight 3 -o x.tsv", "filter edges.bin --nodes-in nodes.txt -o x.bin",
        "filter edges.bin --largest-component -o x.bin",
        "filter edges.bin --largest-component --min-weight 300 -o x.bin --spill-codec none"}) {
    INFO(line);
    const PlanAndRun both = plan_and_run(here, line + " -f -M 24M -j 2");
    check_bounds(both);
    const json& output = both.plan.at("outputs").at(0);
    const std::string path = here.path(output.at("path").get<std::string>());
    // How long weights are as text is not known.
    if (!output.at("bytes").is_null()) CHECK(output.at("bytes") >= std::filesystem::file_size(path));
    std::filesystem::remove(path);
  }
  CHECK(here.summary("emgraph plan cc edges.bin --min-weight 500").at("edges") == 1000000);
}

TEST_CASE("the plan of --largest-component bounds the space of components and labels") {
  Workplace here;
  here.succeed("emgraph gen --edges 1500k --nodes 7M -o edges.bin -q");
  for (const std::string memory : {"16M", "64M"}) {
    const std::string line =
        "filter edges.bin --largest-component -f -o x.bin -j 2 --spill-codec none -M " + memory;
    INFO(line);
    const PlanAndRun both = plan_and_run(here, line);
    check_bounds(both);
    CHECK(both.plan.at("model") == both.run.at("model"));
    CHECK(both.plan.at("temp_bytes_expected").get<double>() >
          0.5 * both.run.at("temp_bytes_peak").get<double>());
    std::filesystem::remove(here.path("x.bin"));
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

TEST_CASE("outputs of every format are planned with their size, and with the memory for lines of text") {
  Workplace here;
  here.succeed("emgraph gen --edges 300k --nodes 50k -o edges.bin -q");
  here.succeed("emgraph gen --edges 300k --nodes 50k --weights 1:1000 -o weighted.bin -q");
  here.succeed("emgraph sort weighted.bin -u --symmetrize -o sorted.bin -q");
  const std::string gen = "gen --edges 1M --nodes 100k --weights 1:9 -o ";
  Sample sample(6);
  for (const std::string& line :
       {gen + "x.tsv", gen + "x.gr", gen + "x.u64", gen + "x.npy", gen + "x.mtx",
        std::string("gen --edges 1M --nodes 100k -o x.csv"), std::string("sort sorted.bin -o x.tsv"),
        std::string("dedup sorted.bin -o x.tsv.gz"), std::string("sort edges.bin -o x.gr"),
        std::string("convert edges.bin -o x.graph500 --output-format graph500"),
        std::string("convert weighted.bin -o x.graph"), std::string("convert weighted.bin -o x.wsg")}) {
    if (!sample.takes()) continue;
    INFO(line);
    const PlanAndRun both = plan_and_run(here, line + " -M 16M -j 2 -q");
    check_bounds(both);
    const json& output = both.plan.at("outputs").at(0);
    const std::string path = here.path(output.at("path").get<std::string>());
    CHECK(output.at("bytes") >= std::filesystem::file_size(path));
    std::filesystem::remove(path);
  }
}

TEST_CASE("values of nodes as text are planned with all their digits") {
  Workplace here;
  here.succeed("emgraph gen --edges 2k --nodes 2000 -o thin.bin -q");
  for (const std::string line :
       {"pagerank thin.bin --iterations 3 -o x.tsv", "lcc thin.bin -o x.csv",
        "sssp thin.bin --weights hash --root 0 --directed -o x.tsv",
        "bfs thin.bin --root 0 --directed -o x.tsv", "triangles thin.bin --per-node x.tsv"}) {
    CAPTURE(line);
    const PlanAndRun both = plan_and_run(here, line);
    const json& output = both.plan.at("outputs").at(0);
    const std::filesystem::path path = here.path(output.at("path").get<std::string>());
    CHECK(output.at("bytes") >= std::filesystem::file_size(path));
    std::filesystem::remove(path);
  }
}

TEST_CASE("packed text that is numbered needs no second decoder") {
  Workplace here;
  here.write("few.txt", "0 1\n1 2\n");
  here.succeed("xz -9 -k few.txt");  // 64 MiB
  for (const std::string line : {"cc few.txt.xz --relabel -M 80M", "cc few.txt.xz --labels -M 80M",
                                 "mst few.txt.xz --relabel --weights unit -M 80M"}) {
    CAPTURE(line);
    const PlanAndRun both = plan_and_run(here, line);
    CHECK(both.plan.at("memory_peak_bytes") >= both.run.at("memory_peak_bytes"));
  }
}

TEST_CASE("packed text: the plan accepts and refuses the memory that the run does") {
  Workplace here;
  here.write("few.txt", "0 1 2.5\n1 2 3.5\n");
  here.succeed("xz -k few.txt && gzip -k few.txt && zstd -q --ultra -22 few.txt");
  for (const std::string line :
       {"mis few.txt.xz -M 20M", "sort few.txt.xz -M 20M -o s.bin",
        "pagerank few.txt.gz --cols 1,2,3 --weight-type f32 --weighted --model internal --iterations 2",
        "triangles few.txt.gz --model external --list l.npy -M 64M"}) {
    CAPTURE(line);
    const PlanAndRun both = plan_and_run(here, line);
    CHECK(both.plan.at("memory_peak_bytes") >= both.run.at("memory_peak_bytes"));
    CHECK(both.plan.at("edges") == 2);
  }
}

TEST_CASE("packed text: without the number of nodes no time is the most, and none is absurd") {
  Workplace here;
  here.succeed("emgraph gen --edges 200k --nodes 30k -o random.txt -q && gzip random.txt");
  for (const std::string line :
       {"lcc random.txt.gz", "triangles random.txt.gz --list l.bin", "kcore random.txt.gz -M 17M"}) {
    CAPTURE(line);
    const json plan = here.summary("emgraph plan " + line);
    CHECK(plan.at("nodes").is_null());
    CHECK(plan.at("seconds") < 1e3);
    CHECK(plan.at("seconds_most").is_null());
  }
}

TEST_CASE("a plan says only once what there is to say of its input") {
  Workplace here;
  here.write("rows.csv", "0,1,7\n1,2,9\n");
  for (const std::string line : {"mis rows.csv", "mis rows.csv --relabel"}) {
    CAPTURE(line);
    const std::string error = here.run("emgraph plan " + line).error;
    const std::size_t first = error.find("lines have 3 columns");
    CHECK(first != std::string::npos);
    CHECK(error.find("lines have 3 columns", first + 1) == std::string::npos);
  }
}

TEST_CASE("too little memory: the message says the least for all steps, and that does") {
  Workplace here;
  here.write("few.txt", "0 1 2\n1 2 3\n");
  here.succeed("xz -9 -k few.txt");
  for (const std::string line :
       {"sort few.txt.xz -o s.bin -f", "mis few.txt.xz", "cc few.txt.xz --relabel"}) {
    CAPTURE(line);
    const Outcome small = here.run("emgraph " + line + " -q -j 2 -M 20M");
    const std::string& error = small.error;
    REQUIRE(small.exit_code == 4);
    const std::size_t end = error.find(" is the least that is foreseen for all steps");
    REQUIRE(end != std::string::npos);
    const std::size_t start = error.rfind("-M ", end);
    here.succeed("emgraph " + line + " -q -j 2 " + error.substr(start, end - start));
  }
  // Standard input cannot be read again.
  CHECK(here.run("emgraph mis - -M 20M < few.txt.xz").error.find("foreseen") == std::string::npos);
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
