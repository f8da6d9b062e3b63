// SPDX-License-Identifier: MIT
// The command plan: what it knows of inputs, which other memory it names, what it refuses and leaves alone.
#include <catch2/catch.hpp>

#include "tests/apps/plan_and_run.hpp"

namespace emgraph::tests {

using nlohmann::json;

TEST_CASE("a plan tells what it knows of the input, and from where") {
  Workplace here;
  here.succeed("emgraph gen --edges 200k --nodes 5000 -o edges.bin -q");
  here.succeed("emgraph convert edges.bin -o edges.txt -q");
  here.succeed("gzip -k edges.txt");
  const json declared = here.summary("emgraph plan cc edges.bin");
  CHECK(declared.at("edges_from") == "declared");
  CHECK(declared.at("nodes") == 5000);
  for (const std::string file : {"edges.txt", "edges.txt.gz"}) {
    INFO(file);
    const json sampled = here.summary("emgraph plan cc " + file);
    CHECK(sampled.at("edges_from") == "sample");
    CHECK(sampled.at("edges").get<double>() > 0.9 * 200000);
    CHECK(sampled.at("edges").get<double>() < 1.1 * 200000);
  }
  CHECK(here.summary("emgraph plan cc edges.txt").at("nodes_from") == "sample");
  const json piped = here.summary("cat edges.txt | emgraph plan sort - -o x.bin");
  CHECK(piped.at("edges").is_null());
  CHECK(piped.at("seconds").is_null());
  CHECK(piped.at("temp_bytes_peak").is_null());
}

TEST_CASE("an input of 10^11 edges is planned at once, and too little space is told") {
  Workplace here;
  const json plan = here.summary("emgraph plan cc gen:random,edges=100G -M 1G");
  CHECK(plan.at("model") == "external");
  CHECK(plan.at("edges") == 100000000000);
  CHECK(plan.at("memory_peak_bytes") <= 1 << 30);
  CHECK(plan.at("temp_bytes_expected") > std::uint64_t{100} << 30);
  const json small =
      here.summary("emgraph plan sort gen:random,edges=100M -o x.bin -M 16M --disk .,size=64M");
  CHECK(small.at("temp_space_suffices") == false);
}

TEST_CASE("the space of a file system counts once, and that of numbering ids counts") {
  Workplace here;
  std::filesystem::create_directory(here.path("one"));
  std::filesystem::create_directory(here.path("two"));
  const auto free_of = [&](const std::string& disks) {
    std::uint64_t free = 0;
    const json plan = here.summary("emgraph plan sort gen:random,edges=1M -o x.bin" + disks);
    for (const json& disk : plan.at("temp_disks")) free += disk.at("free_bytes").get<std::uint64_t>();
    return free;
  };
  const std::uint64_t once = free_of(" -T one");
  CHECK(free_of(" -T one -T two") < once + once / 2);  // others write, too
  CHECK(free_of(" --disk one,size=1M --disk two,size=2M") == 3 << 20);
  here.write("far.txt", "99999999999 1\n");
  CHECK(here.summary("emgraph plan convert far.txt -o x.bin").at("temp_disks").empty());
  CHECK(here.summary("emgraph plan convert far.txt --relabel -o x.bin").at("temp_disks").size() == 1);
}

TEST_CASE("a plan says that a search may have many levels, where there are few neighbours per node") {
  Workplace here;
  here.succeed("emgraph gen --model grid --dims 200x200 -o grid.bin -q");
  here.succeed("emgraph gen --model kron --scale 12 -o kron.bin -q");
  const auto notes = [&](const std::string& file) {
    return here.summary("emgraph plan bfs " + file + " --root 0").at("notes").dump();
  };
  CHECK(notes("grid.bin").find("many levels") != std::string::npos);
  CHECK(notes("kron.bin").find("many levels") == std::string::npos);
}

TEST_CASE("a plan takes the limit of a disk from where the run takes the disk") {
  Workplace here;
  here.succeed("emgraph gen --edges 2M -o g.bin -q && mkdir disk");
  const std::string plan = "emgraph plan sort g.bin -o s.bin -M 16M --spill-codec none";
  const auto by_option = here.summary(plan + " --disk disk,limit=1M");
  const auto by_environment = here.summary("export EMGRAPH_DISKS='disk,limit=1M'; " + plan);
  CHECK(by_environment.at("seconds") > 10);
  CHECK(by_option.at("seconds") > 10);
}

TEST_CASE("a plan names the memory with which the model changes") {
  Workplace here;
  here.succeed("emgraph gen --edges 4M --nodes 300k -o edges.bin -q");
  const json plan = here.summary("emgraph plan sort edges.bin -o x.bin -M 16M");
  CHECK(plan.at("model") == "external");
  CHECK(plan.at("next_model").at("model") == "internal");
  const auto enough = plan.at("next_model").at("memory_limit_bytes").get<std::uint64_t>();
  CHECK(enough > std::uint64_t{16} << 20);
  // Near the border the last blocks decide.
  const json run = here.summary("emgraph sort edges.bin -o x.bin -M " + std::to_string(2 * enough));
  CHECK(run.at("model") == "internal");
}

TEST_CASE("a plan fails as the command would") {
  Workplace here;
  here.succeed("emgraph gen --edges 100k -q");
  here.write("empty.txt", "");
  here.write("damaged.adj",
             "\x89"
             "EMA\r\n\x1a\n of an adjacency only its first bytes");
  for (const auto& [code, line] :
       std::vector<CodeAndLine>{{2, "bfs edges.bin --root 1000000000000"},
                                {2, "mst edges.bin"},
                                {2, "triangles edges.bin -o x.npy"},
                                {4, "cc missing.bin"},
                                {2, "sort edges.bin"},
                                {4, "cc edges.bin -M 1"},
                                {2, "mis edges.bin --queue heap --model internal"},
                                {2, "sort edges.bin -o edges.bin"},
                                {2, "cc edges.bin --colour red"},
                                {2, "sssp edges.bin --root 1"},
                                {2, "sssp edges.bin --weights unit"},
                                {2, "sssp edges.bin --weights unit --root 1T"},
                                {3, "bfs empty.txt"},
                                {3, "sssp empty.txt --weights unit --root 0"},
                                {2, "sssp edges.bin --weights unit --root 1 --to 1000000000000"},
                                {4, "sssp edges.bin --weights unit --queries missing.p2p"},
                                {3, "bfs damaged.adj"},
                                {2, "convert edges.bin -o edges.bin"},
                                {2, "convert edges.bin -o made.wsg"},
                                {2, "convert edges.bin --directed -o made.graph"},
                                {4, "check cc edges.bin missing.npy"},
                                {2, "check mst edges.bin edges.bin --weights hash"},
                                {2, "check pagerank edges.bin missing.npy --damping 2"}}) {
    INFO(line);
    const Outcome plan = here.run("emgraph plan " + line);
    const Outcome run = here.run("emgraph " + line);
    CHECK(plan.exit_code == code);
    CHECK(run.exit_code == code);
    CHECK(plan.error == run.error);
  }
  for (const auto& [line, part] : std::vector<std::pair<std::string, std::string>>{
           {"info edges.bin", "not a command that can be planned"},
           {"filter edges.bin --relabel --largest-component -o c.bin", "together with --relabel"}}) {
    const Outcome outcome = here.run("emgraph plan " + line);
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.error, Catch::Contains(part));
  }
  require_failure(here.run("emgraph plan -M 1G --json"), 2, {"emgraph plan: no command found"});
  require_failure(here.run("emgraph plan --json info edges.bin"), 2, {"not a command that can be planned"});
  const nlohmann::json before = here.succeed("emgraph plan -q -M 1G --json -T . cc edges.bin").json();
  CHECK(before.at("planned") == "cc");
  CHECK(before.at("memory_limit_bytes") == 1 << 30);
  CHECK(here.succeed("emgraph plan -q -M 1G --json check sorted edges.bin").json().at("planned") ==
        "check sorted");
  CHECK_THAT(here.succeed("emgraph plan --help").out, Catch::Contains("COMMAND"));
}

TEST_CASE("plans of graph500 bound memory and space in every model, and know the phases") {
  Workplace here;
  for (const std::string& line : sampled<std::string>(
           {"--scale 14 --roots 3 -M 256M", "--scale 15 --roots 2 --kernel bfs -M 24M --model semi-external",
            "--scale 14 --roots 1 -M 40M --model semi-external",
            "--scale 15 --roots 2 -M 16M --model external",
            "--scale 15 --roots 6 --kernel bfs -M 16M --model external"},
           2)) {
    INFO(line);
    const PlanAndRun both = plan_and_run(here, "graph500 -j 2 --spill-codec none " + line);
    CHECK(both.plan.at("memory_peak_bytes") >= both.run.at("memory_peak_bytes"));
    CHECK(both.plan.at("temp_bytes_peak") >= both.run.at("temp_bytes_peak"));
    CHECK(both.plan.at("model") == both.run.at("model"));
    CHECK(both.plan.at("nodes") == both.run.at("nodes"));
    CHECK(both.plan.at("edges") == both.run.at("edges"));
    CHECK(both.plan.at("phases").back().at("name") == both.run.at("phases").back().at("name"));
  }
  CHECK(here.summary("emgraph plan graph500 --scale 27").at("edges") == std::uint64_t{16} << 27);
  for (const auto& [code, line] :
       std::vector<CodeAndLine>{{2, "graph500"},
                                {2, "graph500 --scale 33"},
                                {2, "graph500 --scale 10 --roots 0"},
                                {4, "graph500 --scale 24 --model internal -M 64M"}}) {
    const Outcome plan = here.run("emgraph plan " + line);
    const Outcome run = here.run("emgraph " + line);
    CHECK(plan.exit_code == code);
    CHECK(run.exit_code == code);
    CHECK(plan.error == run.error);
  }
}

TEST_CASE("plans of sssp --order bound memory, and know the phases") {
  Workplace here;
  make_graphs(here);
  std::string coordinates = "p aux sp co 300000\n";
  for (int node = 1; node <= 300'000; ++node) {
    coordinates += "v " + std::to_string(node) + " " + std::to_string(node * 7919 % 10'007) + " " +
                   std::to_string(node * 104'729 % 10'009) + "\n";
  }
  here.write("nodes.co", coordinates);
  Sample sample(4);
  for (const std::string order : {"bfs", "degree", "hilbert --coordinates nodes.co"}) {
    for (const std::string command : {"sssp random.bin --root 1", "sssp random.bin --root 1 -o d.npy",
                                      "sssp random.bin --root 1 --to 7", "sssp kron.bin --root 1"}) {
      if (!sample.takes()) continue;
      const std::string line = command + " --weights hash:100 -f -j 2 -M 256M --order " + order;
      INFO(line);
      const PlanAndRun both = plan_and_run(here, line);
      check_memory(both, most_memory(line));
      CHECK(both.plan.at("model") == both.run.at("model"));
      CHECK(both.plan.at("model") == "internal");
      std::vector<std::string> planned;
      for (const json& phase : both.plan.at("phases")) planned.push_back(phase.at("name"));
      CHECK(std::ranges::count(planned, "order nodes") == 1);
      std::filesystem::remove(here.path("d.npy"));
    }
  }
}

TEST_CASE("the plan of pagerank counts the rounds to a tolerance as the run does") {
  Workplace here;
  here.write("g.txt", "0 1\n1 2\n2 0\n0 3\n");
  const std::string line = "pagerank g.txt --damping 0.5 --tolerance 0.5";
  // The change of round k is at most 2 * 0.5^k.
  CHECK_THAT(here.summary("emgraph plan " + line).at("notes").dump(), Catch::Contains("at most 2\""));
  CHECK(here.summary("emgraph " + line).at("iterations") <= 2);
}

TEST_CASE("plans of sizes near 2^64 are refused, or their numbers do not wrap") {
  Workplace here;
  here.succeed("emgraph gen --edges 1k --nodes 100 -o small.bin -q");
  const std::string huge = "gen:random,edges=9e18,nodes=1e18";
  for (const std::string& line :
       {"sort " + huge + " -o x.bin", "sort --symmetrize " + huge + " -o x.bin", "mis " + huge,
        "bfs " + huge + " --root 1", "sssp " + huge + " --weights hash --root 1", "pagerank " + huge,
        "kcore " + huge, "cdlp " + huge, "stats " + huge, "convert " + huge + " -o x.adj",
        "mst " + huge + " --weights hash", "cc " + huge, "triangles " + huge,
        std::string("gen --edges 9e18 --nodes 1e18")}) {
    INFO(line);
    const Outcome plan = here.run("emgraph plan " + line + " -M 64M --json");
    CHECK((plan.exit_code == 0 || plan.exit_code == 3 || plan.exit_code == 4));
    if (plan.exit_code != 0) continue;
    const json numbers = plan.json();
    constexpr std::uint64_t least = 9'000'000'000'000'000'000U;
    if (line.starts_with("gen")) {
      CHECK(numbers.at("outputs").at(0).at("bytes") >= least);
      continue;
    }
    CHECK(numbers.at("temp_bytes_peak") >= least);
    CHECK(numbers.at("temp_bytes_moved") >= least);
    for (const json& output : numbers.at("outputs")) CHECK(output.at("bytes") >= least);
  }
  CHECK(here.run("emgraph plan mst small.bin --weights unit --nodes 18446744073709551615").exit_code == 2);
  const json sorted = here.summary("emgraph plan sort small.bin --nodes 18446744073709551615 -o x.bin");
  CHECK(sorted.at("temp_bytes_peak") < 1'000'000);
}

TEST_CASE("the plan of pagerank refuses sources that the graph does not have") {
  Workplace here;
  here.write("g.txt", "0 1\n1 2\n");
  here.succeed("emgraph convert g.txt -q -o g.emg");
  here.write("sources.txt", "1\n5\n");
  const Outcome run = here.run("emgraph pagerank g.emg --sources sources.txt");
  const Outcome plan = here.run("emgraph plan pagerank g.emg --sources sources.txt");
  CHECK(run.exit_code == 3);
  CHECK(plan.exit_code == 3);
  CHECK_THAT(plan.error, Catch::Contains("sources.txt: source 5 found"));
}

}  // namespace emgraph::tests
