// SPDX-License-Identifier: MIT
// Real graphs with answers computed by two independent tools (a directory with truth.json).
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

TEST_CASE("independent sets of real graphs are the true ones") {
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
    const auto summary = here.summary("emgraph mis " + input + " -M 32M -f -o mis.npy");
    CHECK(summary.at("nodes") == expected.at("nodes"));
    CHECK(summary.at("mis_size") == expected.at("mis_size"));
    const auto ids = npy_ids(here.read("mis.npy"));
    CHECK(ids.size() == expected.at("mis_size"));
    CHECK(std::accumulate(ids.begin(), ids.end(), std::uint64_t{0}) == expected.at("mis_sum_of_ids"));
    here.succeed("emgraph check mis " + input + " mis.npy -q");
  }
}

}  // namespace emgraph::tests
