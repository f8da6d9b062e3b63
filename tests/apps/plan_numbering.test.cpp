// SPDX-License-Identifier: MIT
// Plans of commands with --relabel and --labels, whose numbers of nodes are estimates.
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <set>

#include "tests/apps/plan_and_run.hpp"

namespace emgraph::tests {

using nlohmann::json;

namespace {

/// Edges in text, each id as `spell` writes it.
template <class Spell>
std::string spelled_edges(std::uint64_t nodes, std::uint64_t edges, Spell&& spell) {
  std::string text;
  std::uint64_t state = 1;
  for (std::uint64_t i = 0; i < 2 * edges; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    text += spell((state >> 33) % nodes);
    text += i % 2 == 0 ? '\t' : '\n';
  }
  return text;
}

std::string name_of(std::uint64_t node) {
  return "name of " + std::to_string(node * 7919);
}

/// A few ids of 60 bits, far apart.
std::string wide_id_of(std::uint64_t node) {
  return std::to_string(node * 1000003 * 10007);
}

/// The phases before those of the solver.
std::vector<std::string> numbering_phases(const json& phases) {
  const std::set<std::string> known = {"read labels",     "sort labels",   "number labels",
                                       "mark ids",        "collect ids",   "sort ids",
                                       "distribute ends", "translate ids", "join edges"};
  std::vector<std::string> names;
  for (const json& phase : phases) {
    if (phase.at("name") == "read list of nodes") continue;
    if (!known.contains(phase.at("name"))) break;
    names.push_back(phase.at("name"));
  }
  return names;
}

void check_numbering_plan(const PlanAndRun& both) {
  CHECK(both.plan.at("nodes_from") == "sample");
  const auto nodes = both.run.at("nodes").get<double>();
  CHECK(both.plan.at("nodes").get<double>() > 0.5 * nodes);
  CHECK(both.plan.at("nodes").get<double>() < 2 * nodes);
  CHECK(both.plan.at("edges").get<double>() > 0.95 * both.run.at("edges").get<double>());
  CHECK(both.plan.at("edges").get<double>() < 1.05 * both.run.at("edges").get<double>());
  CHECK(both.plan.at("memory_peak_bytes") >= both.run.at("memory_peak_bytes"));
  CHECK(both.plan.at("temp_bytes_peak") >= both.run.at("temp_bytes_peak"));
  // Of a sort the model says whether its last block has left memory.
  if (both.plan.at("planned") != "sort") CHECK(both.plan.at("model") == both.run.at("model"));
  CHECK(both.plan.at("relabel") == both.run.at("relabel"));
  CHECK(numbering_phases(both.plan.at("phases")) == numbering_phases(both.run.at("phases")));
}

}  // namespace

TEST_CASE("plans of inputs that are numbered first bound memory and space, and foresee model and phases") {
  Workplace here;
  here.write("named.tsv", spelled_edges(60'000, 400'000, name_of));
  here.write("wide.txt", spelled_edges(60'000, 400'000, wide_id_of));
  here.succeed("emgraph convert wide.txt -o wide.u64 -q");
  here.succeed("emgraph gen --model kron --scale 15 --edge-factor 16 -o kron.bin -q");
  Sample sample(5, 3);
  for (const std::string line :
       {"cc named.tsv --labels", "cc named.tsv --labels -o c.npy -f", "mis named.tsv --labels -o set.tsv -f",
        "pagerank named.tsv --labels --iterations 2 -o ranks.csv -f", "cc wide.txt --relabel",
        "cc wide.u64 --relabel -o c.tsv -f", "mis wide.u64 --relabel --map ids.npy -f",
        "cc kron.bin --relabel", "sort wide.u64 --relabel -o sorted.bin -f", "kcore wide.u64 --relabel",
        "sort named.tsv --labels -o sorted.txt -f"}) {
    for (const std::string memory : {"16M", "20M", "64M"}) {
      if (!sample.takes()) continue;
      const std::string whole = line + " --spill-codec none -j 2 -M " + memory;
      INFO(whole);
      check_numbering_plan(plan_and_run(here, whole));
      for (const char* output :
           {"c.npy", "set.tsv", "ranks.csv", "c.tsv", "ids.npy", "sorted.bin", "sorted.txt"})
        std::filesystem::remove(here.path(output));
    }
  }
}

TEST_CASE("the plan of a numbered input foresees passes, and no more nodes than are declared") {
  Workplace here;
  here.succeed("emgraph gen --edges 1500k --nodes 240k --weights 1:100 -o random.bin -q");
  for (const std::string line :
       {"mis random.bin --relabel -M 16M", "mis random.bin --relabel -M 24M",
        "mis random.bin --relabel -M 300M", "mst random.bin --relabel --model semi-external -M 24M"}) {
    CAPTURE(line);
    const PlanAndRun both = plan_and_run(here, line + " --spill-codec none -j 2");
    CHECK(both.plan.at("memory_peak_bytes") >= both.run.at("memory_peak_bytes"));
    CHECK(both.plan.at("temp_bytes_peak") >= both.run.at("temp_bytes_peak"));
  }
}

TEST_CASE("plans of packed and of several inputs that are numbered bound memory, and refuse nothing") {
  Workplace here;
  here.write("wide.tsv", spelled_edges(5000, 4000, wide_id_of));
  here.write("few.tsv", "5 7\n7 9\n");
  here.succeed("gzip -k wide.tsv few.tsv && emgraph convert few.tsv -q -o few.u32");
  for (const std::string line : {"cc wide.tsv.gz --relabel -M 64M", "bfs few.tsv.gz --relabel --root 5",
                                 "cc few.tsv few.u32 --relabel -j 5 -M 64M",
                                 "mst few.tsv few.u32 --relabel --weights hash -j 5 -M 16M"}) {
    CAPTURE(line);
    const PlanAndRun both = plan_and_run(here, line);
    CHECK(both.plan.at("memory_peak_bytes") >= both.run.at("memory_peak_bytes"));
    CHECK(both.plan.at("edges").get<double>() == Approx(both.run.at("edges").get<double>()).epsilon(0.1));
  }
}

TEST_CASE("where ids do not fit in memory, the plan foresees that they are joined") {
  Workplace here;
  here.write("wide.txt", spelled_edges(8'000'000, 1'000'000, wide_id_of));
  here.succeed("emgraph convert wide.txt -o wide.u64 -q");
  const PlanAndRun both = plan_and_run(here, "cc wide.u64 --relabel --spill-codec none -j 2 -M 16M");
  CHECK(both.run.at("relabel") == "joined");
  check_numbering_plan(both);
  CHECK(both.plan.at("temp_bytes_expected").get<double>() >
        0.5 * both.run.at("temp_bytes_peak").get<double>());
}

TEST_CASE("plans of a filter together with --relabel or --labels bound memory and space") {
  Workplace here;
  here.write("named.tsv", spelled_edges(60'000, 400'000, name_of));
  here.write("wide.txt", spelled_edges(60'000, 400'000, wide_id_of));
  here.succeed("emgraph convert wide.txt -o wide.u64 -q");
  std::string names;
  std::string ids;
  for (std::uint64_t node = 0; node < 60'000; node += 2) {
    names += name_of(node) + "\n";
    ids += wide_id_of(node) + "\n";
  }
  here.write("names.txt", names);
  here.write("ids.txt", ids);
  Sample sample(4);
  for (const std::string line :
       {"filter wide.u64 --relabel --sample 0.5 -o x.bin",
        "filter wide.u64 --relabel --nodes-in ids.txt -o x.bin",
        "filter wide.txt --relabel --sample 0.9 -o x.bin", "filter named.tsv --labels --sample 0.5 -o x.bin",
        "filter named.tsv --labels --nodes-in names.txt -o x.bin",
        "filter named.tsv --labels --largest-component -o x.bin",
        "cc named.tsv --labels --nodes-in names.txt", "cc wide.u64 --relabel --nodes-in ids.txt -o x.tsv",
        "sort wide.u64 --relabel --nodes-in ids.txt -o x.bin"}) {
    for (const std::string memory : {"20M", "64M"}) {
      if (!sample.takes()) continue;
      const std::string whole = line + " -f --spill-codec none -j 2 -M " + memory;
      INFO(whole);
      const PlanAndRun both = plan_and_run(here, whole);
      CHECK(both.plan.at("memory_peak_bytes") >= both.run.at("memory_peak_bytes"));
      CHECK(both.plan.at("temp_bytes_peak") >= both.run.at("temp_bytes_peak"));
      CHECK(both.plan.at("relabel") == both.run.at("relabel"));
      CHECK(numbering_phases(both.plan.at("phases")) == numbering_phases(both.run.at("phases")));
      for (const char* output : {"x.bin", "x.tsv"}) std::filesystem::remove(here.path(output));
    }
  }
}

TEST_CASE("the plan of labels in very short lines counts all lines") {
  Workplace here;
  here.write("short.txt", spelled_edges(10, 1'500'000, [](std::uint64_t node) {
               return std::string(1, static_cast<char>('a' + node));
             }));
  const json plan = here.summary("emgraph plan cc short.txt --labels -M 16M");
  CHECK(plan.at("edges") == 1'500'000);
  CHECK(plan.at("nodes") == 10);
}

TEST_CASE("the plan of --relabel begins with the method of the run where memory makes the difference") {
  Workplace here;
  here.write("wide.txt", spelled_edges(600'000, 1'000'000, wide_id_of));
  here.succeed("emgraph convert wide.txt -o wide.u64 -q");
  Sample sample(2);
  for (const std::string graph : {"wide.u64", "wide.txt"}) {
    for (const std::string memory : {"16M", "22M", "26M", "40M"}) {
      if (!sample.takes()) continue;
      const std::string line = "cc " + graph + " --relabel --spill-codec none -j 2 -M " + memory;
      INFO(line);
      const PlanAndRun both = plan_and_run(here, line);
      CHECK(both.plan.at("memory_peak_bytes") >= both.run.at("memory_peak_bytes"));
      CHECK(both.plan.at("temp_bytes_peak") >= both.run.at("temp_bytes_peak"));
      // Whether the ids collected fit in the end is seen by the run only.
      CHECK(both.plan.at("phases").at(0).at("name") == both.run.at("phases").at(0).at("name"));
    }
  }
}

TEST_CASE("a plan of numbered inputs says what is not known, and knows roots and maps") {
  Workplace here;
  here.write("named.tsv", "a\tb\nb\tc\n");
  const json plan = here.summary("emgraph plan bfs named.tsv --labels --root a --map map.txt -o levels.tsv");
  CHECK(plan.at("nodes") == 3);
  REQUIRE(plan.at("outputs").size() == 2);
  CHECK(plan.at("outputs").at(0).at("bytes").is_null());
  CHECK(plan.at("outputs").at(1).at("path") == "map.txt");
  CHECK(here.files() == std::vector<std::string>{"named.tsv"});
  const json piped = here.summary("cat named.tsv | emgraph plan cc - --labels");
  CHECK(piped.at("edges").is_null());
  CHECK(piped.at("temp_bytes_peak").is_null());
  const json several = here.summary("emgraph plan cc named.tsv named.tsv --labels");
  CHECK(several.at("edges") == 4);
  here.succeed("gzip named.tsv");
  CHECK(here.summary("emgraph plan cc named.tsv.gz --labels").at("nodes") == 3);
}

}  // namespace emgraph::tests
