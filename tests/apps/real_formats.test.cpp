// SPDX-License-Identifier: MIT
// Real graphs taken from one format to the next, and what is special about some of their files.
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/real_graphs.hpp"

namespace emgraph::tests {

TEST_CASE("real graphs: the same through many formats") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    const auto simple_edges = truth.at("edges_simple").get<std::uint64_t>();
    // Large ones show nothing new here, ones with loops do.
    if (simple_edges > (truth.at("self_loops") > 0 ? 50000 : 30000)) return;
    const auto convert = [&](const std::string& from, const std::string& to) {
      here.succeed("emgraph convert " + from + " -f -q -o " + to);
    };
    // The edges as they stand: lists keep their order.
    convert(input, "list.emg");
    convert("list.emg", "list.mtx");
    convert("list.mtx", "list.csv.zst");
    convert("list.csv.zst", "list.npy");
    here.succeed("emgraph convert list.npy -f -q -o list.500 --output-format graph500");
    here.succeed("emgraph convert list.500 --input-format graph500 -f -q -o list.u64");
    convert("list.emg", "right.u64");
    here.succeed("cmp list.u64 right.u64");
    // The simple graph: adjacencies are all the same.
    convert(input, "graph.graph");
    convert("graph.graph", "graph.emg");
    convert("graph.emg", "graph.mtx");
    convert("graph.mtx", "again.graph");
    here.succeed("cmp graph.graph again.graph");
    convert("again.graph", "graph.sg");
    convert("graph.sg", "graph.adj");
    convert("graph.adj", "graph.gr");
    const auto mis = here.summary("emgraph mis graph.gr");
    CHECK(mis.at("nodes") == truth.at("contract").at("nodes"));
    CHECK(mis.at("edges") == 2 * simple_edges);
    CHECK(mis.at("mis_size") == truth.at("contract").at("mis_size"));
  });
}

TEST_CASE("real graphs: a web graph is what it is as raw pairs") {
  const std::filesystem::path more = shared_datasets();
  if (more.empty()) return skip("EMGRAPH_SHARED_DATASETS is not set");
  const Workplace here;
  here.succeed("zstd -q -d '" + (more / "cnr-2000.u32.zst").string() + "' -o right.u32");
  here.succeed("emgraph convert '" EMGRAPH_DATASETS
               "/cnr-2000.graph' -o web.u32 -q && cmp web.u32 right.u32");
}

TEST_CASE("real graphs: numbered from 1 without saying so") {
  const std::filesystem::path more = shared_datasets();
  if (more.empty()) return skip("EMGRAPH_SHARED_DATASETS is not set");
  const auto truths = nlohmann::json::parse(whole_file(more / "truth.json"));
  const Workplace here;
  for (const RealGraph& graph : real_graphs()) {
    const nlohmann::json& truth = truths.at(graph.name);
    const bool shifted_by_reader = truth.at("contract").at("id_shift_applied") != 0;
    if (truth.at("id_base") != 1 || shifted_by_reader) continue;
    INFO(graph.name);
    const std::string input = "'" + (more / graph.file).string() + "'" + graph.options + " --id-base 1";
    const auto summary = here.summary("emgraph mis " + input + " -f -o mis.npy");
    CHECK(summary.at("nodes") == truth.at("max_id"));
    CHECK(summary.at("mis_size") == truth.at("mis_greedy_by_id_over_seen"));
    const auto ids = npy_ids(here.read("mis.npy"));
    CHECK(std::accumulate(ids.begin(), ids.end(), std::uint64_t{0}) == truth.at("mis_sum_of_seen_ranks"));
    CHECK(here.summary("emgraph cc " + input).at("components") == truth.at("components_over_seen"));
  }
}

TEST_CASE("real graphs: a file without its header, and one that is cut") {
  const std::filesystem::path more = shared_datasets();
  if (more.empty()) return skip("EMGRAPH_SHARED_DATASETS is not set");
  const Workplace here;
  require_failure(here.run("emgraph cc '" + (more / "luxembourg_osm.mtx.zst").string() + "'"), 3,
                  {"luxembourg_osm.mtx", "--input-format text --id-base 1"});
  require_failure(here.run("emgraph cc '" + (more / "bremen_dist.gr.zst").string() + "'"), 3,
                  {"bremen_dist.gr", "--input-format gr --id-base 0"});
  const std::string cut = "'" + (more / "soc-Epinions1.TRUNCATED.txt.gz").string() + "'";
  for (const std::string command : {"convert", "sort", "dedup"}) {
    require_failure(here.run("emgraph " + command + " " + cut + " -o x.u32"), 3,
                    {"TRUNCATED", "truncated gzip data"});
  }
  for (const std::string command : {"mis", "cc", "bfs", "triangles", "stats", "mst --weights hash"}) {
    require_failure(here.run("emgraph " + command + " " + cut), 3, {"TRUNCATED", "truncated gzip data"});
  }
  CHECK(here.files().empty());
}

}  // namespace emgraph::tests
