// SPDX-License-Identifier: MIT
// Facts of real graphs, as two independent tools computed them: those in datasets/, and, where there is one,
// a directory of more with a truth.json.
#include <catch2/catch.hpp>

#include "tests/apps/run_binary.hpp"

namespace emgraph::tests {

namespace {

/// A command's input for a file of `directory`; raw pairs are unpacked first.
std::string input_of(const Workplace& here, const std::string& directory, const std::string& file) {
  const std::string input = "'" + directory + "/" + file + "'";
  if (!file.ends_with(".u32.zst")) return input;
  here.succeed("zstd -q -d -f " + input + " -o unpacked.u32");
  return "unpacked.u32";
}

}  // namespace

TEST_CASE("stats of the graphs in datasets/ are the true ones") {
  struct Graph {
    std::string file;
    std::uint64_t nodes, edges, loops, duplicate_arcs, undirected_duplicates, simple_edges, isolated, wedges,
        max_degree, max_degree_node;
  };
  const std::vector<Graph> graphs = {
      {"wordnet31.txt.zst", 117791, 378203, 19, 16003, 194101, 184083, 1004, 3769640, 674, 46364},
      {"usroads.txt.zst", 129164, 165435, 0, 0, 0, 165435, 0, 298045, 7, 58610},
      {"cnr-2000.u32.zst", 325557, 3216152, 87442, 0, 389741, 2738969, 0, 7861227192, 18236, 60598}};
  Workplace here;
  for (const Graph& graph : graphs) {
    const std::string input = input_of(here, EMGRAPH_DATASETS, graph.file);
    for (const std::string machine : {"-M 16M", "-M 16M --model external", "-M 512M --model internal"}) {
      INFO(graph.file << " " << machine);
      const auto summary = here.summary("emgraph stats " + input + " " + machine);
      CHECK(summary.at("nodes") == graph.nodes);
      CHECK(summary.at("edges") == graph.edges);
      CHECK(summary.at("loops") == graph.loops);
      CHECK(summary.at("duplicate_arcs") == graph.duplicate_arcs);
      CHECK(summary.at("undirected_duplicates") == graph.undirected_duplicates);
      CHECK(summary.at("simple_edges") == graph.simple_edges);
      CHECK(summary.at("isolated_nodes") == graph.isolated);
      CHECK(summary.at("wedges") == graph.wedges);
      CHECK(summary.at("max_degree") == graph.max_degree);
      CHECK(summary.at("max_degree_node") == graph.max_degree_node);
    }
  }
}

TEST_CASE("stats of more real graphs are the true ones") {
  const char* directory = std::getenv("EMGRAPH_SHARED_DATASETS");
  if (directory == nullptr) {
    WARN("EMGRAPH_SHARED_DATASETS is not set: nothing compared");
    return;
  }
  const auto truth = nlohmann::json::parse(read_whole(std::filesystem::path(directory) / "truth.json"));
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
    const auto& expected = truth.at(name);
    const auto summary = here.summary("emgraph stats -M 16M " + input_of(here, directory, file));
    CHECK(summary.at("edges") == expected.at("lines_or_arcs"));
    CHECK(summary.at("loops") == expected.at("self_loops"));
    CHECK(summary.at("duplicate_arcs") == expected.at("exact_duplicate_arcs"));
    CHECK(summary.at("undirected_duplicates") == expected.at("undirected_duplicates"));
    CHECK(summary.at("simple_edges") == expected.at("edges_simple"));
    CHECK(summary.at("wedges") == expected.at("wedges"));
    CHECK(summary.at("max_degree") == expected.at("max_degree"));
    CHECK(summary.at("max_degree_node") == expected.at("max_degree_id"));
    CHECK(summary.at("smallest_id") == expected.at("min_id"));
    CHECK(summary.at("largest_id") == expected.at("max_id"));
    CHECK(summary.at("nodes") == expected.at("contract").at("nodes"));
    // Nodes with an edge, and those that are alone at loops or beside others.
    CHECK(summary.at("isolated_nodes").get<std::uint64_t>() ==
          summary.at("nodes").get<std::uint64_t>() - expected.at("nodes_seen").get<std::uint64_t>() +
              expected.at("seen_isolated").get<std::uint64_t>());
  }
}

}  // namespace emgraph::tests
