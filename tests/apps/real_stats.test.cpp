// SPDX-License-Identifier: MIT
// The counts of stats and dedup for real graphs equal those of two independent tools.
#include <catch2/catch.hpp>

#include "tests/apps/real_graphs.hpp"

namespace emgraph::tests {

TEST_CASE("real graphs: stats") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    for (const std::string& model : models_for(truth)) {
      INFO(model);
      const auto summary = here.summary("emgraph stats " + input + " -M 16M --model " + model);
      CHECK(summary.at("nodes") == truth.at("contract").at("nodes"));
      CHECK(summary.at("edges") == truth.at("lines_or_arcs"));
      CHECK(summary.at("loops") == truth.at("self_loops"));
      CHECK(summary.at("duplicate_arcs") == truth.at("exact_duplicate_arcs"));
      CHECK(summary.at("undirected_duplicates") == truth.at("undirected_duplicates"));
      CHECK(summary.at("simple_edges") == truth.at("edges_simple"));
      CHECK(summary.at("isolated_nodes") == truth.at("contract").at("isolated_nodes"));
      CHECK(summary.at("wedges") == truth.at("wedges"));
      CHECK(summary.at("max_degree") == truth.at("max_degree"));
      CHECK(summary.at("max_degree_node") == shifted(truth, truth.at("max_degree_id")));
      CHECK(summary.at("smallest_id") == shifted(truth, truth.at("min_id")));
      CHECK(summary.at("largest_id") == shifted(truth, truth.at("max_id")));
    }
  });
}

TEST_CASE("real graphs: dedup") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const nlohmann::json& truth) {
    const auto summary = here.summary("emgraph dedup " + input + " --orient low -M 16M -f -o simple.emg");
    CHECK(summary.at("nodes") == truth.at("contract").at("nodes"));
    CHECK(summary.at("loops_removed") == truth.at("self_loops"));
    CHECK(summary.at("edges_out") == truth.at("edges_simple"));
    if (thoroughly(truth) && truth.contains("arcs_simple")) {
      CHECK(here.summary("emgraph dedup " + input + " -M 16M -f -o simple.emg").at("edges_out") ==
            truth.at("arcs_simple"));
    }
  });
}

}  // namespace emgraph::tests
