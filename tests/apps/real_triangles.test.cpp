// SPDX-License-Identifier: MIT
// Triangles of real graphs, counted by two tools that share nothing with ours: of those in datasets/, and,
// where there is one, of a directory of more with a truth.json.
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

void check_triangles(const Workplace& here, const std::string& input, std::uint64_t triangles,
                     std::uint64_t wedges, std::uint64_t simple_edges) {
  for (const std::string model : {"auto", "external"}) {
    INFO(input << " " << model);
    const auto summary =
        here.summary("emgraph triangles " + input + " -M 48M -f --per-node counts.npy --model " + model);
    CHECK(summary.at("triangles") == triangles);
    CHECK(summary.at("wedges") == wedges);
    CHECK(summary.at("simple_edges") == simple_edges);
    const auto counts = npy_ids(here.read("counts.npy"));
    CHECK(counts.size() == summary.at("nodes"));
    CHECK(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == 3 * triangles);
  }
  here.succeed("emgraph check triangles " + input + " counts.npy -q");
}

/// Packed raw pairs are unpacked first.
std::string readable(const Workplace& here, const std::string& path) {
  if (!path.ends_with(".u32.zst")) return "'" + path + "'";
  here.succeed("zstd -q -d -f '" + path + "' -o unpacked.u32");
  return "unpacked.u32";
}

}  // namespace

TEST_CASE("triangles of the graphs in datasets/ are the true ones") {
  struct Graph {
    std::string file;
    std::uint64_t triangles, wedges, simple_edges;
  };
  Workplace here;
  for (const Graph& graph :
       {Graph{"wordnet31.txt.zst", 10687, 3769640, 184083}, Graph{"usroads.txt.zst", 4237, 298045, 165435},
        Graph{"osm-monaco.txt.zst", 9, 20274, 18124},
        Graph{"cnr-2000.u32.zst", 20977629, 7861227192, 2738969}}) {
    check_triangles(here, readable(here, EMGRAPH_DATASETS "/" + graph.file), graph.triangles, graph.wedges,
                    graph.simple_edges);
  }
}

TEST_CASE("triangles of more real graphs are the true ones") {
  const char* directory = std::getenv("EMGRAPH_SHARED_DATASETS");
  if (directory == nullptr) {
    WARN("EMGRAPH_SHARED_DATASETS is not set: nothing compared");
    return;
  }
  const std::filesystem::path datasets = directory;
  const auto truth = nlohmann::json::parse(read_whole(datasets / "truth.json"));
  const std::vector<std::pair<std::string, std::string>> graphs = {
      {"facebook_combined", "facebook_combined.txt.zst"},
      {"email-Enron", "email-Enron.txt.gz"},
      {"wiki-Vote", "wiki-Vote.txt.zst"},
      {"p2p-Gnutella31", "p2p-Gnutella31.txt.zst"},
      {"wordnet31", "wordnet31.txt.zst"},
      {"musae-git", "musae_git_edges.csv.zst"},
      {"cnr-2000", "cnr-2000.u32.zst"}};
  Workplace here;
  for (const auto& [name, file] : graphs) {
    const auto& expected = truth.at(name);
    check_triangles(here, readable(here, (datasets / file).string()), expected.at("triangles"),
                    expected.at("wedges"), expected.at("edges_simple"));
  }
}

}  // namespace emgraph::tests
