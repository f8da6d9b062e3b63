// SPDX-License-Identifier: MIT
// Real graphs with answers computed by two independent tools that share nothing with ours: those in
// datasets/, and, where there is one, a directory of more with a truth.json.
#include <catch2/catch.hpp>
#include <numeric>
#include <optional>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {
namespace {

/// What is known of a graph in datasets/.
struct Dataset {
  std::string file;
  std::uint64_t nodes, simple_edges;
  std::uint64_t mis_size, mis_sum_of_ids;
  std::uint64_t components, isolated_nodes, largest_component;
  std::uint64_t forest_edges, forest_weight;  ///< with hash weights
  std::uint64_t triangles, wedges;
};

const std::vector<Dataset> datasets = {{.file = "wordnet31.txt.zst",
                                        .nodes = 117791,
                                        .simple_edges = 184083,
                                        .mis_size = 60847,
                                        .mis_sum_of_ids = 3509312788,
                                        .components = 1369,
                                        .isolated_nodes = 1004,
                                        .largest_component = 115579,
                                        .forest_edges = 116422,
                                        .forest_weight = 44569315,
                                        .triangles = 10687,
                                        .wedges = 3769640},
                                       {.file = "usroads.txt.zst",
                                        .nodes = 129164,
                                        .simple_edges = 165435,
                                        .mis_size = 60090,
                                        .mis_sum_of_ids = 3888860126,
                                        .components = 56,
                                        .isolated_nodes = 0,
                                        .largest_component = 126146,
                                        .forest_edges = 129108,
                                        .forest_weight = 52234441,
                                        .triangles = 4237,
                                        .wedges = 298045},
                                       {.file = "osm-monaco.txt.zst",
                                        .nodes = 17623,
                                        .simple_edges = 18124,
                                        .mis_size = 7998,
                                        .mis_sum_of_ids = 63533806,
                                        .components = 11,
                                        .isolated_nodes = 0,
                                        .largest_component = 17067,
                                        .forest_edges = 17612,
                                        .forest_weight = 8575961,
                                        .triangles = 9,
                                        .wedges = 20274},
                                       {.file = "cnr-2000.u32.zst",
                                        .nodes = 325557,
                                        .simple_edges = 2738969,
                                        .mis_size = 176373,
                                        .mis_sum_of_ids = 29060471297,
                                        .components = 1,
                                        .isolated_nodes = 0,
                                        .largest_component = 325557,
                                        .forest_edges = 325556,
                                        .forest_weight = 80968301,
                                        .triangles = 20977629,
                                        .wedges = 7861227192}};

/// The file as an argument; packed raw pairs are unpacked first.
std::string readable(const Workplace& here, const std::string& path) {
  if (!path.ends_with(".u32.zst")) return "'" + path + "'";
  here.succeed("zstd -q -d -f '" + path + "' -o unpacked.u32");
  return "unpacked.u32";
}

/// check(here, input, dataset) for every graph in datasets/.
template <class Check>
void for_each_dataset(Check&& check) {
  const Workplace here;
  for (const Dataset& dataset : datasets) {
    INFO(dataset.file);
    check(here, readable(here, EMGRAPH_DATASETS "/" + dataset.file), dataset);
  }
}

/// The directory of more graphs; empty, with a warning, where there is none.
std::filesystem::path shared_directory() {
  const char* directory = std::getenv("EMGRAPH_SHARED_DATASETS");
  if (directory != nullptr) return directory;
  WARN("EMGRAPH_SHARED_DATASETS is not set: nothing compared");
  return {};
}

nlohmann::json truth_in(const std::filesystem::path& directory) {
  return nlohmann::json::parse(read_whole(directory / "truth.json"));
}

/// check(here, input, truth) for every graph of the directory that has a truth for all solvers.
template <class Check>
void for_each_shared_graph(Check&& check) {
  const std::filesystem::path directory = shared_directory();
  if (directory.empty()) return;
  const nlohmann::json truth = truth_in(directory);
  const Workplace here;
  for (const auto& [name, file] :
       std::vector<std::pair<std::string, std::string>>{{"facebook_combined", "facebook_combined.txt.zst"},
                                                        {"email-Enron", "email-Enron.txt.gz"},
                                                        {"wiki-Vote", "wiki-Vote.txt.zst"},
                                                        {"p2p-Gnutella31", "p2p-Gnutella31.txt.zst"},
                                                        {"wordnet31", "wordnet31.txt.zst"},
                                                        {"musae-git", "musae_git_edges.csv.zst"},
                                                        {"cnr-2000", "cnr-2000.u32.zst"}}) {
    INFO(name);
    check(here, readable(here, (directory / file).string()), truth.at(name));
  }
}

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

void check_set(const Workplace& here, const std::string& input, std::uint64_t nodes, std::uint64_t size,
               std::uint64_t sum_of_ids) {
  const auto summary = here.summary("emgraph mis " + input + " -M 16M -f -o mis.npy");
  CHECK(summary.at("nodes") == nodes);
  CHECK(summary.at("mis_size") == size);
  const auto ids = npy_ids(here.read("mis.npy"));
  CHECK(ids.size() == size);
  CHECK(sum(ids) == sum_of_ids);
  here.succeed("emgraph check mis " + input + " mis.npy -q");
}

void check_components(const Workplace& here, const std::string& input, std::uint64_t nodes,
                      std::uint64_t components, std::uint64_t largest,
                      const std::optional<std::uint64_t>& isolated) {
  for (const std::string model : {"auto", "external"}) {
    INFO(model);
    const auto summary = here.summary("emgraph cc " + input + " -M 16M -f -o cc.npy --model " + model);
    CHECK(summary.at("nodes") == nodes);
    CHECK(summary.at("components") == components);
    CHECK(summary.at("largest_component") == largest);
    if (isolated) CHECK(summary.at("isolated_nodes") == *isolated);
    here.succeed("emgraph check cc " + input + " cc.npy -q");
  }
}

/// `reading`: options that say how to read the input.
void check_forest(const Workplace& here, const std::string& input, std::uint64_t weight,
                  std::uint64_t forest_edges, const std::string& reading = " --weights hash") {
  for (const std::string options : {"", " -M 16M --model external"}) {
    INFO(options);
    const auto summary = here.summary("emgraph mst " + input + reading + " -f -o forest.emg" + options);
    CHECK(summary.at("weight") == weight);
    CHECK(summary.at("forest_edges") == forest_edges);
  }
  here.succeed("emgraph check mst " + input + " forest.emg" + reading + " --forest-format emg -q");
}

void check_triangles(const Workplace& here, const std::string& input, std::uint64_t triangles,
                     std::uint64_t wedges, std::uint64_t simple_edges) {
  for (const std::string model : {"auto", "external"}) {
    INFO(model);
    const auto summary =
        here.summary("emgraph triangles " + input + " -M 48M -f --per-node counts.npy --model " + model);
    CHECK(summary.at("triangles") == triangles);
    CHECK(summary.at("wedges") == wedges);
    CHECK(summary.at("simple_edges") == simple_edges);
    const auto counts = npy_ids(here.read("counts.npy"));
    CHECK(counts.size() == summary.at("nodes"));
    CHECK(sum(counts) == 3 * triangles);
  }
  here.succeed("emgraph check triangles " + input + " counts.npy -q");
}

TEST_CASE("independent sets of the graphs in datasets/ are the true ones") {
  for_each_dataset([](const Workplace& here, const std::string& input, const Dataset& right) {
    check_set(here, input, right.nodes, right.mis_size, right.mis_sum_of_ids);
  });
}

TEST_CASE("independent sets of more real graphs are the true ones") {
  for_each_shared_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    const auto& right = truth.at("contract");
    check_set(here, input, right.at("nodes"), right.at("mis_size"), right.at("mis_sum_of_ids"));
  });
}

TEST_CASE("searches of more real graphs reach what they should") {
  for_each_shared_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    const auto& right = truth.at("contract");
    here.succeed("emgraph convert " + input + " -f -o graph.adj -q");
    for (const std::string& run :
         std::vector<std::string>{input + " -M 16M", input + " --model internal", "graph.adj -M 16M"}) {
      INFO(run);
      const auto summary = here.summary("emgraph bfs " + run);
      CHECK(summary.at("nodes") == right.at("nodes"));
      CHECK(summary.at("root") == right.at("bfs_root"));
      CHECK(summary.at("reached") == right.at("reached"));
      CHECK(summary.at("levels") == right.at("levels"));
      if (right.at("nodes_per_level").back().is_number()) {  // long ones are cut short there
        CHECK(summary.at("nodes_per_level") == right.at("nodes_per_level"));
      }
    }
  });
}

TEST_CASE("components of the graphs in datasets/ are the true ones") {
  for_each_dataset([](const Workplace& here, const std::string& input, const Dataset& right) {
    check_components(here, input, right.nodes, right.components, right.largest_component,
                     right.isolated_nodes);
  });
}

TEST_CASE("components of more real graphs are the true ones") {
  for_each_shared_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    const auto& right = truth.at("contract");
    check_components(here, input, right.at("nodes"), right.at("components"),
                     truth.at("largest_component_nodes"), std::nullopt);
  });
}

TEST_CASE("minimum spanning forests of the graphs in datasets/ are the true ones") {
  for_each_dataset([](const Workplace& here, const std::string& input, const Dataset& right) {
    check_forest(here, input, right.forest_weight, right.forest_edges);
  });
}

TEST_CASE("minimum spanning forests of more real graphs are the true ones") {
  for_each_shared_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    const auto& right = truth.at("contract");
    check_forest(here, input, right.at("mst_hash_weight"), right.at("forest_edges"));
  });
}

TEST_CASE("minimum spanning forests of road networks with weights of their own are the true ones") {
  const std::filesystem::path directory = shared_directory();
  if (directory.empty()) return;
  const nlohmann::json truth = truth_in(directory);
  const Workplace here;
  // Lines "a u v w". From where ids count does not matter to the sum.
  for (const std::string name : {"bremen_dist", "bremen_time", "south_seattle_car", "osm-monaco"}) {
    INFO(name);
    here.succeed("zstd -q -dc '" + (directory / (name + ".gr.zst")).string() +
                 "' | awk '$1 == \"a\" { print $2, $3, $4 }' > roads.txt");
    check_forest(here, "roads.txt", truth.at(name).at("msf_given_weight_min_over_parallels"),
                 truth.at(name).at("msf_edges"), " --input-format text-u32w");
  }
}

TEST_CASE("triangles of the graphs in datasets/ are the true ones") {
  for_each_dataset([](const Workplace& here, const std::string& input, const Dataset& right) {
    check_triangles(here, input, right.triangles, right.wedges, right.simple_edges);
  });
}

TEST_CASE("triangles of more real graphs are the true ones") {
  for_each_shared_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    check_triangles(here, input, truth.at("triangles"), truth.at("wedges"), truth.at("edges_simple"));
  });
}

}  // namespace
}  // namespace emgraph::tests
