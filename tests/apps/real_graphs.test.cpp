// SPDX-License-Identifier: MIT
// Real graphs with answers computed by two independent tools: those in datasets/, and, where there is one, a
// directory of more with a truth.json.
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("independent sets of the graphs in datasets/ are the true ones") {
  struct Graph {
    std::string file;
    std::uint64_t nodes, mis_size, mis_sum_of_ids;  ///< by tools that share nothing with ours
  };
  const std::vector<Graph> graphs = {{"wordnet31.txt.zst", 117791, 60847, 3509312788},
                                     {"usroads.txt.zst", 129164, 60090, 3888860126},
                                     {"osm-monaco.txt.zst", 17623, 7998, 63533806},
                                     {"cnr-2000.u32.zst", 325557, 176373, 29060471297}};
  Workplace here;
  for (const Graph& graph : graphs) {
    INFO(graph.file);
    std::string input = "'" EMGRAPH_DATASETS "/" + graph.file + "'";
    if (graph.file.ends_with(".u32.zst")) {  // packed raw pairs are unpacked first
      here.succeed("zstd -q -d -f " + input + " -o unpacked.u32");
      input = "unpacked.u32";
    }
    const auto summary = here.summary("emgraph mis " + input + " -M 16M -f -o mis.npy");
    CHECK(summary.at("nodes") == graph.nodes);
    CHECK(summary.at("mis_size") == graph.mis_size);
    const auto ids = npy_ids(here.read("mis.npy"));
    CHECK(std::accumulate(ids.begin(), ids.end(), std::uint64_t{0}) == graph.mis_sum_of_ids);
    here.succeed("emgraph check mis " + input + " mis.npy -q");
  }
}

TEST_CASE("independent sets of more real graphs are the true ones") {
  const char* directory = std::getenv("EMGRAPH_SHARED_DATASETS");
  if (directory == nullptr) {
    WARN("EMGRAPH_SHARED_DATASETS is not set: nothing compared");
    return;
  }
  const std::filesystem::path datasets = directory;
  const auto truth = nlohmann::json::parse(read_whole(datasets / "truth.json"));
  struct Graph {
    std::string name;
    std::string file;
    bool unpack;  ///< no extension of ours after .zst: unpacked first
  };
  const std::vector<Graph> graphs = {{"facebook_combined", "facebook_combined.txt.zst", false},
                                     {"email-Enron", "email-Enron.txt.gz", false},
                                     {"wiki-Vote", "wiki-Vote.txt.zst", false},
                                     {"p2p-Gnutella31", "p2p-Gnutella31.txt.zst", false},
                                     {"wordnet31", "wordnet31.txt.zst", false},
                                     {"musae-git", "musae_git_edges.csv.zst", false},
                                     {"cnr-2000", "cnr-2000.u32.zst", true}};
  Workplace here;
  for (const Graph& graph : graphs) {
    INFO(graph.name);
    std::string input = "'" + (datasets / graph.file).string() + "'";
    if (graph.unpack) {
      here.succeed("zstd -q -d " + input + " -o unpacked.u32");
      input = "unpacked.u32";
    }
    const auto& expected = truth.at(graph.name).at("contract");
    const auto summary = here.summary("emgraph mis " + input + " -M 16M -f -o mis.npy");
    CHECK(summary.at("nodes") == expected.at("nodes"));
    CHECK(summary.at("mis_size") == expected.at("mis_size"));
    const auto ids = npy_ids(here.read("mis.npy"));
    CHECK(ids.size() == expected.at("mis_size"));
    CHECK(std::accumulate(ids.begin(), ids.end(), std::uint64_t{0}) == expected.at("mis_sum_of_ids"));
    here.succeed("emgraph check mis " + input + " mis.npy -q");
  }
}

TEST_CASE("searches of more real graphs reach what they should") {
  const char* directory = std::getenv("EMGRAPH_SHARED_DATASETS");
  if (directory == nullptr) {
    WARN("EMGRAPH_SHARED_DATASETS is not set: nothing compared");
    return;
  }
  const std::filesystem::path datasets = directory;
  const auto truth = nlohmann::json::parse(read_whole(datasets / "truth.json"));
  Workplace here;
  for (const auto& [name, file] :
       std::vector<std::pair<std::string, std::string>>{{"facebook_combined", "facebook_combined.txt.zst"},
                                                        {"email-Enron", "email-Enron.txt.gz"},
                                                        {"wiki-Vote", "wiki-Vote.txt.zst"},
                                                        {"p2p-Gnutella31", "p2p-Gnutella31.txt.zst"},
                                                        {"wordnet31", "wordnet31.txt.zst"},
                                                        {"musae-git", "musae_git_edges.csv.zst"},
                                                        {"cnr-2000", "cnr-2000.u32.zst"}}) {
    INFO(name);
    std::string input = "'" + (datasets / file).string() + "'";
    if (file.ends_with(".u32.zst")) {
      here.succeed("zstd -q -d -f " + input + " -o unpacked.u32");
      input = "unpacked.u32";
    }
    const auto& expected = truth.at(name).at("contract");
    here.succeed("emgraph convert " + input + " -f -o graph.adj -q");
    for (const std::string& run :
         std::vector<std::string>{input + " -M 16M", input + " --model internal", "graph.adj -M 16M"}) {
      const auto summary = here.summary("emgraph bfs " + run);
      CHECK(summary.at("nodes") == expected.at("nodes"));
      CHECK(summary.at("root") == expected.at("bfs_root"));
      CHECK(summary.at("reached") == expected.at("reached"));
      CHECK(summary.at("levels") == expected.at("levels"));
      if (expected.at("nodes_per_level").back().is_number()) {
        CHECK(summary.at("nodes_per_level") == expected.at("nodes_per_level"));
      }
    }
  }
}

}  // namespace emgraph::tests
