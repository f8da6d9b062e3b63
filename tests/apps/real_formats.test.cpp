// SPDX-License-Identifier: MIT
// Real graphs in Matrix Market, DIMACS and METIS files: what every solver says of them, straight from the
// packed file, against a truth.json computed by two independent tools.
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {
namespace {

struct Graph {
  std::string name;  ///< in truth.json
  std::string file;
  std::string options = "";
};

const std::vector<Graph>& graphs() {
  static const std::string from_zero = " --input-format gr --id-base 0";
  // Without a header line, and counted in truth.json as if nothing were subtracted.
  static const std::string as_text = " --input-format text";
  static const std::vector<Graph> all = {{"4elt", "4elt.graph.zst"},
                                         {"PGPgiantcompo", "PGPgiantcompo.graph.zst"},
                                         {"astro-ph", "astro-ph.graph.zst"},
                                         {"mdual", "mdual.graph.zst"},
                                         {"wing", "wing.graph.zst"},
                                         {"usroads", "usroads.mtx.zst"},
                                         {"delaunay_n16", "delaunay_n16.mtx.zst", as_text},
                                         {"luxembourg_osm", "luxembourg_osm.mtx.zst", as_text},
                                         {"osm-liechtenstein", "osm-liechtenstein.gr.zst"},
                                         {"osm-monaco", "osm-monaco.gr.zst"},
                                         {"bremen_dist", "bremen_dist.gr.zst", from_zero},
                                         {"bremen_time", "bremen_time.gr.zst", from_zero},
                                         {"south_seattle_car", "south_seattle_car.gr.zst", from_zero}};
  return all;
}

/// The first of the levels, where truth.json gives only these.
void check_levels(const nlohmann::json& levels, const nlohmann::json& expected) {
  for (std::size_t i = 0; i < expected.size() && expected[i].is_number(); ++i) {
    CHECK(levels.at(i) == expected[i]);
  }
}

template <class Check>
void for_each_graph(Check&& check) {
  const char* directory = std::getenv("EMGRAPH_SHARED_DATASETS");
  if (directory == nullptr) {
    WARN("EMGRAPH_SHARED_DATASETS is not set: nothing compared");
    return;
  }
  const std::filesystem::path datasets = directory;
  const auto truth = nlohmann::json::parse(read_whole(datasets / "truth.json"));
  const Workplace here;
  for (const Graph& graph : graphs()) {
    INFO(graph.name);
    check(here, "'" + (datasets / graph.file).string() + "'" + graph.options, truth.at(graph.name));
  }
}

}  // namespace

TEST_CASE("mtx, gr and graph files of real graphs: every solver finds what is true") {
  for_each_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    const auto& expected = truth.at("contract");
    const auto mis = here.summary("emgraph mis " + input + " -M 16M -f -o mis.npy");
    CHECK(mis.at("nodes") == expected.at("nodes"));
    CHECK(mis.at("edges") == truth.at("lines_or_arcs"));
    CHECK(mis.at("mis_size") == expected.at("mis_size"));
    const auto ids = npy_ids(here.read("mis.npy"));
    CHECK(std::accumulate(ids.begin(), ids.end(), std::uint64_t{0}) == expected.at("mis_sum_of_ids"));

    const auto cc = here.summary("emgraph cc " + input + " -M 16M");
    CHECK(cc.at("components") == expected.at("components"));
    CHECK(cc.at("isolated_nodes") == expected.at("isolated_nodes"));

    const auto bfs = here.summary("emgraph bfs " + input + " -M 16M");
    CHECK(bfs.at("root") == expected.at("bfs_root"));
    CHECK(bfs.at("reached") == expected.at("reached"));
    CHECK(bfs.at("levels") == expected.at("levels"));
    check_levels(bfs.at("nodes_per_level"), expected.at("nodes_per_level"));

    const auto mst = here.summary("emgraph mst " + input + " --weights hash -M 16M");
    CHECK(mst.at("weight") == expected.at("mst_hash_weight"));
    CHECK(mst.at("forest_edges") == expected.at("forest_edges"));

    const auto triangles = here.summary("emgraph triangles " + input + " -M 48M");
    CHECK(triangles.at("triangles") == expected.at("triangles"));
    CHECK(triangles.at("wedges") == expected.at("wedges"));
  });
}

TEST_CASE("gr files of real road networks: forests by the weights in the file") {
  for_each_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    if (!truth.contains("msf_given_weight_min_over_parallels")) return;
    for (const std::string model : {"auto", "external"}) {
      const auto mst = here.summary("emgraph mst " + input + " -f -o forest.gr -M 16M --model " + model);
      CHECK(mst.at("weight") == truth.at("msf_given_weight_min_over_parallels"));
      CHECK(mst.at("forest_edges") == truth.at("msf_edges"));
    }
    here.succeed("emgraph check mst " + input + " forest.gr --forest-format gr -q");
  });
}

TEST_CASE("mtx, gr and graph files of real graphs: the same through any other of them") {
  for_each_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    if (truth.at("edges_simple") > 100000) return;  // large ones show nothing new here
    const auto& expected = truth.at("contract");
    here.succeed("emgraph convert " + input + " -f -q -o graph.graph");
    here.succeed("emgraph convert graph.graph -f -q -o graph.emg");
    here.succeed("emgraph convert graph.emg -f -q -o graph.mtx");
    here.succeed("emgraph convert graph.mtx -f -q -o again.graph");
    here.succeed("cmp graph.graph again.graph");
    here.succeed("emgraph convert graph.emg -f -q -o graph.gr");
    const auto mis = here.summary("emgraph mis graph.gr");
    CHECK(mis.at("nodes") == expected.at("nodes"));
    CHECK(mis.at("edges") == 2 * truth.at("edges_simple").get<std::uint64_t>());
    CHECK(mis.at("mis_size") == expected.at("mis_size"));
  });
}

}  // namespace emgraph::tests
