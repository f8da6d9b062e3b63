// SPDX-License-Identifier: MIT
// Forests of real graphs against weights computed by two independent tools: those in datasets/, and, where
// there is one, a directory of more with a truth.json.
#include <catch2/catch.hpp>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {
namespace {

/// Every model must find a forest of this weight, and the checker agree.
void check_forest(const Workplace& here, const std::string& input, std::uint64_t weight,
                  std::uint64_t forest_edges) {
  for (const std::string options : {"", " -M 16M --model external"}) {
    INFO(input << options);
    const auto summary = here.summary("emgraph mst " + input + " --weights hash -f -o forest.bin" + options);
    CHECK(summary.at("weight") == weight);
    CHECK(summary.at("forest_edges") == forest_edges);
  }
  here.succeed("emgraph check mst " + input + " forest.bin --weights hash -q");
}

/// The file as an argument, unpacked first if it is packed raw pairs.
std::string readable(const Workplace& here, const std::string& path) {
  if (!path.ends_with(".u32.zst")) return "'" + path + "'";
  here.succeed("zstd -q -d -f '" + path + "' -o unpacked.u32");
  return "unpacked.u32";
}

TEST_CASE("minimum spanning forests of the graphs in datasets/ are the true ones") {
  struct Graph {
    std::string file;
    std::uint64_t weight, forest_edges;  ///< by tools that share nothing with ours
  };
  Workplace here;
  for (const Graph& graph :
       {Graph{"wordnet31.txt.zst", 44569315, 116422}, Graph{"usroads.txt.zst", 52234441, 129108},
        Graph{"osm-monaco.txt.zst", 8575961, 17612}, Graph{"cnr-2000.u32.zst", 80968301, 325556}}) {
    check_forest(here, readable(here, EMGRAPH_DATASETS "/" + graph.file), graph.weight, graph.forest_edges);
  }
}

TEST_CASE("minimum spanning forests of more real graphs are the true ones") {
  const char* directory = std::getenv("EMGRAPH_SHARED_DATASETS");
  if (directory == nullptr) {
    WARN("EMGRAPH_SHARED_DATASETS is not set: nothing compared");
    return;
  }
  const std::filesystem::path datasets = directory;
  const auto truth = nlohmann::json::parse(read_whole(datasets / "truth.json"));
  Workplace here;
  for (const auto& [name, file] :
       {std::pair<std::string, std::string>{"facebook_combined", "facebook_combined.txt.zst"},
        {"email-Enron", "email-Enron.txt.gz"},
        {"wiki-Vote", "wiki-Vote.txt.zst"},
        {"p2p-Gnutella31", "p2p-Gnutella31.txt.zst"},
        {"wordnet31", "wordnet31.txt.zst"},
        {"musae-git", "musae_git_edges.csv.zst"},
        {"cnr-2000", "cnr-2000.u32.zst"}}) {
    const auto& expected = truth.at(name).at("contract");
    check_forest(here, readable(here, (datasets / file).string()), expected.at("mst_hash_weight"),
                 expected.at("forest_edges"));
  }
  // Road networks with weights of their own: "a u v w". From where ids count does not matter to the sum.
  for (const std::string name : {"bremen_dist", "bremen_time", "south_seattle_car", "osm-monaco"}) {
    INFO(name);
    here.succeed("zstd -q -dc '" + (datasets / (name + ".gr.zst")).string() +
                 "' | awk '$1 == \"a\" { print $2, $3, $4 }' > roads.txt");
    const auto& graph = truth.at(name);
    for (const std::string options : {"", " -M 16M --model external"}) {
      const auto summary =
          here.summary("emgraph mst roads.txt --input-format text-u32w -f -o forest.bin" + options);
      CHECK(summary.at("weight") == graph.at("msf_given_weight_min_over_parallels"));
      CHECK(summary.at("forest_edges") == graph.at("msf_edges"));
    }
    here.succeed("emgraph check mst roads.txt forest.bin --input-format text-u32w --forest-format emg -q");
  }
}

}  // namespace
}  // namespace emgraph::tests
