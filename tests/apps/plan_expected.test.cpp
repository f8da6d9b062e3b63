// SPDX-License-Identifier: MIT
// The command plan: what it expects of repeated edges, of edges in order and of dense graphs; the range of
// times.
#include <catch2/catch.hpp>

#include "tests/apps/run_binary.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {

namespace {

using nlohmann::json;

/// Writes a file with `times` copies of 300,000 edges, one copy after the other.
void write_repeated(const Workplace& here, int times) {
  here.succeed("emgraph gen --edges 300k --nodes 40k -o once.u32 -q");
  for (int i = 0; i < times; ++i) here.succeed("cat once.u32 >> repeated.u32");
}

/// The bounds hold, and the expected space is within 1.5 times what is used and a few blocks.
void check_expected(const Workplace& here, const std::string& line) {
  INFO(line);
  const json plan = here.summary("emgraph plan " + line);
  const json run = here.summary("emgraph " + line);
  CHECK(plan.at("memory_peak_bytes") >= run.at("memory_peak_bytes"));
  CHECK(plan.at("temp_bytes_peak") >= run.at("temp_bytes_peak"));
  constexpr double blocks = 2.0 * 1024 * 1024;
  const auto expected = plan.at("temp_bytes_expected").get<double>();
  const auto used = run.at("temp_bytes_peak").get<double>();
  CHECK(expected <= 1.5 * used + blocks);
  CHECK(used <= 1.5 * expected + blocks);
}

/// CPU seconds on the processor that plans refer to.
double work(const json& plan) {
  return plan.at("cpu_seconds").get<double>() * plan.at("cpu_speed").get<double>();
}

}  // namespace

TEST_CASE("edges that are stored several times are expected to take the space of one") {
  Workplace here;
  write_repeated(here, 8);
  Sample sample(6);
  for (const std::string command :
       {"cdlp --iterations 2 --model external", "kcore --model external", "triangles --model external",
        "mst --weights hash --model external", "cdlp --iterations 2 --model semi-external",
        "bfs --model semi-external"}) {
    if (!sample.takes()) continue;
    check_expected(here, command + " repeated.u32 --nodes 40k -M 18M --spill-codec none -j 2");
  }
}

TEST_CASE("the space of cdlp holds for edges in order, whose messages go to few buckets at first") {
  Workplace here;
  here.succeed("emgraph gen --model grid -o grid.bin -q --dims " +
               std::string(sized("1000x1000", "700x700")));
  check_expected(here, "cdlp grid.bin --iterations 2 --model external -M 20M --spill-codec none -j 2");
}

TEST_CASE("the sorted levels of a path are expected beside its lists") {
  Workplace here;
  here.succeed("emgraph gen --model grid -o path.bin -q --dims " +
               std::string(sized("1x2000000", "1x1000000")));
  check_expected(here,
                 "bfs path.bin --root 0 --model external -o levels.npy -f -M 18M --spill-codec none -j 2");
}

TEST_CASE("cdlp frees what wrote the lists, as its plan foresees") {
  Workplace here;
  here.succeed("emgraph gen --edges 400k --nodes 2M -o sparse.bin -q");
  for (const std::string memory : {"20M", "24M", "28M"}) {
    const std::string line = "cdlp sparse.bin --iterations 2 --model semi-external -j 2 --json -M " + memory;
    INFO(line);
    const Outcome plan = here.run("emgraph plan " + line);
    const Outcome run = here.run("emgraph " + line);
    REQUIRE(plan.exit_code == run.exit_code);
    if (run.exit_code == 0) {
      CHECK(plan.json().at("memory_peak_bytes") >= run.json().at("memory_peak_bytes"));
    } else {
      CHECK(plan.error == run.error);
    }
  }
}

TEST_CASE("a plan tells between which times a run may end, where that depends on the graph") {
  Workplace here;
  here.succeed("emgraph gen --model kron --scale 14 --edge-factor 16 -o kron.bin -q");
  here.succeed("emgraph gen --model grid --dims 200x200 -o grid.bin -q");
  const json known = here.summary("emgraph plan cc kron.bin");
  CHECK(known.at("seconds_least") == known.at("seconds"));
  CHECK(known.at("seconds_most") == known.at("seconds"));
  const json rounds = here.summary("emgraph plan pagerank kron.bin --tolerance 1e-6");
  CHECK(rounds.at("seconds_least") < rounds.at("seconds"));
  CHECK(rounds.at("seconds_most") > rounds.at("seconds"));
  const json reached = here.summary("emgraph plan bfs kron.bin --root 1 --directed");
  CHECK(reached.at("seconds_least") < reached.at("seconds"));
  CHECK(reached.at("seconds_most") == reached.at("seconds"));
  for (const std::string line : {"bfs grid.bin --root 1", "kcore grid.bin --model external"}) {
    INFO(line);
    const json levels = here.summary("emgraph plan " + line);
    CHECK(levels.at("seconds_most").is_null());
    CHECK(here.succeed("emgraph plan " + line).out.find("(by the graph from") != std::string::npos);
  }
}

TEST_CASE("the sorted results of a search of a path in an adjacency file stay below the bound") {
  Workplace here;
  here.succeed("emgraph gen --model grid -o path.bin -q --dims " +
               std::string(sized("1x2533600", "1x1000000")));
  here.succeed("emgraph convert path.bin -o path.adj -q");
  check_expected(here, "bfs path.adj -o levels.npy --parents parents.npy -f --spill-codec none -j 2 -M " +
                           std::string(sized("44129440", "20M")));
}

TEST_CASE("the two sorts by ends and by weight are expected to overlap") {
  Workplace here;
  here.succeed("emgraph gen --nodes 300k --weights 1:1000 -o weighted.bin -q --edges " +
               std::string(sized("4M", "1M")));
  for (const std::string options : {"", " --symmetrize", " --orient degree"}) {
    check_expected(here,
                   "sort weighted.bin -u --by weight -f -o x.bin -M 18M --spill-codec none -j 2" + options);
  }
}

TEST_CASE("a plan counts what each reading of a generated graph takes") {
  Workplace here;
  const auto planned = [&](const std::string& model) {
    return work(here.summary("emgraph plan cc gen:" + model + " -M 64M"));
  };
  const double random = planned("random,edges=1M,nodes=64K");
  CHECK(planned("kron,scale=16,edge-factor=16") > random);
  CHECK(planned("gnm,edges=1M,nodes=64K") > 1.2 * random);
  CHECK(planned("graph500,scale=16") > 1.5 * random);
}

TEST_CASE("only times depend on the speed of the processor, which is measured") {
  Workplace here;
  here.succeed("emgraph gen --edges 400k --nodes 20k -o random.bin -q");
  json first = here.summary("emgraph plan cc random.bin -M 64M");
  json second = here.summary("emgraph plan cc random.bin -M 64M");
  CHECK(first.at("cpu_speed_from") == "measured");
  CHECK(first.at("cpu_speed") >= 0.5);
  CHECK(first.at("cpu_speed") <= 4);
  CHECK(work(first) == Approx(work(second)));
  for (json* plan : {&first, &second}) {
    for (const char* key : {"seconds", "seconds_least", "seconds_most", "cpu_seconds", "cpu_speed", "phases",
                            "temp_disks", "outputs"}) {
      plan->erase(key);
    }
  }
  CHECK(first == second);
}

TEST_CASE("the time of triangles grows with the lists, not with the edges alone") {
  Workplace here;
  here.succeed("emgraph gen --edges 400k --nodes 2k -o dense.bin -q");
  here.succeed("emgraph gen --edges 400k --nodes 100k -o sparse.bin -q");
  const auto cpu = [&](const std::string& graph) {
    const json plan = here.summary("emgraph plan lcc " + graph);
    // The speed is measured, so it differs from plan to plan.
    return plan.at("cpu_seconds").get<double>() * plan.at("cpu_speed").get<double>();
  };
  CHECK(cpu("dense.bin") > 4 * cpu("sparse.bin"));
}

}  // namespace emgraph::tests
