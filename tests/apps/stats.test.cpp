// SPDX-License-Identifier: MIT
// The command stats: facts, keys, table, degrees, refusals.
#include <catch2/catch.hpp>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

using Json = nlohmann::json;

/// A loop twice, an arc three times, an arc both ways; node 6 alone at a loop, node 5 at nothing.
constexpr const char* small_graph = "0 1\n0 1\n0 1\n1 0\n2 1\n3 1\n3 4\n6 6\n6 6\n";

/// The summary without what a machine decides.
Json facts(Json summary) {
  for (const char* key : {"model",
                          "model_reason",
                          "seconds",
                          "cpu_seconds",
                          "threads",
                          "phases",
                          "read_bytes",
                          "write_bytes",
                          "io_wait_seconds",
                          "temp_bytes_peak",
                          "memory_limit_bytes",
                          "memory_peak_bytes",
                          "resident_peak_bytes",
                          "spill_codec",
                          "huge_pages",
                          "huge_pages_mode",
                          "huge_pages_reason",
                          "hugetlb_peak_bytes",
                          "input",
                          "output"}) {
    summary.erase(key);
  }
  return summary;
}

}  // namespace

TEST_CASE("stats reports the facts of a full scan") {
  Workplace here;
  here.write("graph.txt", small_graph);
  const Json want = {{"command", "stats"},
                     {"nodes", 7},
                     {"edges", 9},
                     {"loops", 2},
                     {"duplicate_arcs", 3},
                     {"undirected_duplicates", 3},
                     {"simple_edges", 4},
                     {"mutual_pairs", 1},
                     {"smallest_id", 0},
                     {"largest_id", 6},
                     {"isolated_nodes", 2},
                     {"wedges", 4},
                     {"min_degree", 0},
                     {"max_degree", 3},
                     {"mean_degree", 8.0 / 7},
                     {"median_degree", 1.0},
                     {"degree_histogram", {{0, 2}, {1, 3}, {2, 1}, {3, 1}}},
                     {"min_out_degree", 0},
                     {"max_out_degree", 2},
                     {"mean_out_degree", 5.0 / 7},
                     {"median_out_degree", 1.0},
                     {"out_degree_histogram", {{0, 3}, {1, 3}, {2, 1}}},
                     {"min_in_degree", 0},
                     {"max_in_degree", 3},
                     {"mean_in_degree", 5.0 / 7},
                     {"median_in_degree", 0.0},
                     {"in_degree_histogram", {{0, 4}, {1, 2}, {3, 1}}},
                     {"max_degree_node", 1},
                     {"hubs", {{{"node", 1}, {"degree", 3}}, {{"node", 3}, {"degree", 2}}}}};
  for (const std::string model : {"auto", "internal", "semi-external", "external"}) {
    INFO(model);
    const auto summary = here.summary("emgraph stats graph.txt --directed --top 2 --model " + model);
    CHECK(facts(summary) == want);
    if (model != "auto") CHECK(summary.at("model") == model);
  }
}

TEST_CASE("stats for people: hubs and degrees in ranges that double") {
  Workplace here;
  here.write("graph.txt", small_graph);
  const std::string table = here.succeed("emgraph stats graph.txt").out;
  for (const char* row :
       {"loops               2\n", "duplicate edges     3\n", "isolated nodes      2 (28.6 %)\n",
        "degree              0 to 3, median 1, mean 1.14286\n",
        "hubs                node 1, degree 3\n                    node 3, degree 2\n",
        "nodes by degree     0                                  2      28.6 %\n",
        "                    2-3                                2      28.6 %\n"}) {
    CHECK_THAT(table, Catch::Contains(row));
  }
  CHECK_THAT(here.succeed("emgraph stats graph.txt --top 0").out, !Catch::Contains("hubs"));
  CHECK(here.succeed("emgraph stats graph.txt -q").out.empty());
  here.write("empty.txt", "# nothing\n");
  const auto empty = here.summary("emgraph stats empty.txt");
  CHECK(empty.at("nodes") == 0);
  CHECK(empty.at("wedges") == 0);
  CHECK(empty.at("degree_histogram").empty());
  CHECK(empty.at("hubs").empty());
  CHECK(!empty.contains("smallest_id"));
  here.succeed("emgraph stats empty.txt");
  CHECK(here.summary("emgraph stats empty.txt --nodes 5").at("isolated_nodes") == 5);
}

TEST_CASE("stats writes the degree of every node") {
  Workplace here;
  here.write("graph.txt", small_graph);
  here.succeed("emgraph stats graph.txt -q -o degrees.tsv");
  CHECK(here.read("degrees.tsv") == "0\t1\n1\t3\n2\t1\n3\t2\n4\t1\n5\t0\n6\t0\n");
  here.succeed("emgraph stats graph.txt -q --nodes 9 --model external -o degrees.npy");
  CHECK(npy_ids(here.read("degrees.npy")) == std::vector<std::uint64_t>{1, 3, 1, 2, 1, 0, 0, 0, 0});
  const Outcome piped = here.run("cat graph.txt | emgraph stats - --nodes 9 -o - | cat");
  CHECK(piped.out == here.read("degrees.npy"));
  CHECK_THAT(piped.error, Catch::Contains("simple edges"));
  here.write("far.txt", "6000000000 1\n");
  CHECK(here.summary("emgraph stats far.txt --model external").at("isolated_nodes") == 5999999999);
}

TEST_CASE("stats of weights, exact") {
  Workplace here;
  here.write("graph.txt", "0 1 5\n1 2 7\n2 0 4294967295\n");
  const auto weights = here.summary("emgraph stats graph.txt --input-format text-u32w").at("weights");
  CHECK(weights == Json{{"type", "u32"},
                        {"count", 3},
                        {"min", 5},
                        {"max", 4294967295},
                        {"sum", 4294967307},
                        {"not_finite", 0}});
  here.write("large.txt", "0 1 9223372036854775807\n1 2 9223372036854775807\n2 0 9223372036854775807\n");
  CHECK(here.summary("emgraph stats large.txt --input-format text-i64w").at("weights").at("sum") ==
        "27670116110564327421");
  here.write("real.txt", "0 1 1e300\n1 2 0.5\n2 0 -1e300\n");
  const auto real = here.summary("emgraph stats real.txt --input-format text-f64w").at("weights");
  CHECK(real.at("sum") == 0.5);
  CHECK(real.at("max") == 1e300);
  CHECK_THAT(here.succeed("emgraph stats real.txt --input-format text-f64w").out,
             Catch::Contains("weights             f64, -1e+300 to 1e+300, sum 0.5\n"));
  CHECK(!here.summary("emgraph stats gen:random,edges=10").contains("weights"));
  here.succeed("emgraph gen --edges 20K --weights 1:9 --payload 4 -q");
  CHECK(here.summary("emgraph stats edges.bin").at("weights").at("count") == 20000);
}

TEST_CASE("stats does not depend on the machine, the format or the order of the edges") {
  Workplace here;
  here.succeed("emgraph gen --model kron --scale 13 -q && emgraph convert edges.bin -q -o edges.u32");
  here.succeed("emgraph sort edges.bin -q -o sorted.bin");
  const Json want = facts(here.summary("emgraph stats edges.bin --directed -o want.npy"));
  std::filesystem::create_directory(here.path("one"));
  std::filesystem::create_directory(here.path("two"));
  for (const std::string machine :
       {"-j 1 -M 16M", "-j 2 -M 16M --model external", "-j 3 -M 24M -T one -T two --model semi-external",
        "-j 2 -M 512M --model internal",
        "-M 32M --disk one,io=pread --disk two,io=memory --model external"}) {
    for (const std::string input :
         {"edges.bin", "edges.u32 --nodes 8192", "- --nodes 8192 < edges.bin", "sorted.bin"}) {
      INFO(machine << " " << input);
      CHECK(facts(here.summary("emgraph stats --directed -f -o got.npy " + machine + " " + input)) == want);
      CHECK((here.read("got.npy") == here.read("want.npy")));
    }
  }
}

TEST_CASE("stats of the simple graph are the same however it is stored") {
  Workplace here;
  here.succeed(
      "emgraph gen --model kron --scale 12 -q && emgraph sort -u --no-loops --orient low edges.bin -q -o "
      "low.bin");
  here.succeed("emgraph sort -u --no-loops --symmetrize edges.bin -q -o both.bin");
  here.succeed("emgraph convert edges.bin -q -o edges.adj");
  const auto simple = [](Json all) {
    Json some;
    for (const char* key :
         {"nodes", "simple_edges", "isolated_nodes", "wedges", "degree_histogram", "hubs"}) {
      some[key] = all.at(key);
    }
    return some;
  };
  const Json want = simple(here.summary("emgraph stats edges.bin -M 32M"));
  for (const std::string input : {"low.bin", "low.bin --model external -M 16M", "both.bin", "edges.adj"}) {
    INFO(input);
    const Json summary = here.summary("emgraph stats " + input);
    CHECK(simple(summary) == want);
    CHECK(summary.at("duplicate_arcs") == 0);
    CHECK(summary.at("loops") == 0);
  }
  CHECK_THAT(here.summary("emgraph stats low.bin").at("model_reason").get<std::string>(),
             Catch::Contains("not sorted again"));
  CHECK(here.summary("emgraph stats both.bin").at("write_bytes") == 0);
  CHECK(here.summary("emgraph stats both.bin").at("mutual_pairs") == want.at("simple_edges"));
}

TEST_CASE("stats refuses what makes no sense") {
  Workplace here;
  here.write("graph.txt", small_graph);
  here.write("there.npy", "x");
  require_failure(here.run("emgraph stats graph.txt -o there.npy"), 2, {"exists already"});
  require_failure(here.run("emgraph stats graph.txt -f -o graph.txt"), 2, {"the output is the input"});
  require_failure(here.run("emgraph stats graph.txt --top 10001"), 2, {"--top", "10000"});
  require_failure(here.run("emgraph stats graph.txt --top many"), 2, {"--top"});
  require_failure(here.run("emgraph stats graph.txt --nodes 3"), 3, {"graph.txt: line ", "at most 2"});
  require_failure(here.run("emgraph stats missing.txt"), 4, {"missing.txt"});
  require_failure(here.run("emgraph stats gen:random,edges=10K,nodes=100M -M 16M --model internal"), 4,
                  {"needs at least", "--model external"});
  CHECK(here.files() == std::vector<std::string>{"graph.txt", "there.npy"});
  // Edges in order are not sorted, and their ids may be as sparse as those of others.
  here.write("sparse.txt", "0 1\n1 2\n2 1000000000\n");
  here.succeed("emgraph sort sparse.txt --orient low -q -o sparse.emg");
  for (const std::string input : {"sparse.txt", "sparse.emg"}) {
    require_failure(here.run("emgraph stats -o d.bin " + input), 4, {input, "--relabel"});
  }
}

TEST_CASE("stats of loops alone: the node of the largest degree is the first") {
  Workplace here;
  here.write("loops.txt", "3 3\n");
  const auto summary = here.summary("emgraph stats loops.txt");
  CHECK(summary.at("max_degree") == 0);
  CHECK(summary.at("max_degree_node") == 0);
}

}  // namespace emgraph::tests
