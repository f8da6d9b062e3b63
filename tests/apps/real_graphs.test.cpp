// SPDX-License-Identifier: MIT
// The answers of every solver for real graphs equal those of two independent tools.
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/apps/graph_text.hpp"
#include "tests/apps/real_graphs.hpp"

namespace emgraph::tests {
namespace {

using Json = nlohmann::json;

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

}  // namespace

TEST_CASE("real graphs: independent sets") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const Json& truth) {
    const Json& right = truth.at("contract");
    const auto summary = here.summary("emgraph mis " + input + " -M 16M -f -o mis.npy");
    CHECK(summary.at("nodes") == right.at("nodes"));
    CHECK(summary.at("edges") == truth.at("lines_or_arcs"));
    CHECK(summary.at("mis_size") == right.at("mis_size"));
    const auto ids = npy_ids(here.read("mis.npy"));
    CHECK(ids.size() == right.at("mis_size"));
    CHECK(sum(ids) == right.at("mis_sum_of_ids"));
    if (thoroughly(truth)) here.succeed("emgraph check mis " + input + " mis.npy -q");
  });
}

TEST_CASE("real graphs: breadth-first searches") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const Json& truth) {
    const Json& right = truth.at("contract");
    const auto summary = here.summary("emgraph bfs " + input + " -M 16M -f -o levels.npy");
    CHECK(summary.at("nodes") == right.at("nodes"));
    CHECK(summary.at("root") == right.at("bfs_root"));
    CHECK(summary.at("reached") == right.at("reached"));
    CHECK(summary.at("levels") == right.at("levels"));
    CHECK(summary.at("nodes_per_level").size() == right.at("levels"));
    const Json& expected = right.at("nodes_per_level");
    for (std::size_t i = 0; i < expected.size() && expected[i].is_number(); ++i) {  // cut where they are long
      CHECK(summary.at("nodes_per_level").at(i) == expected[i]);
    }
    if (thoroughly(truth)) here.succeed("emgraph check bfs " + input + " levels.npy -q");
  });
}

TEST_CASE("real graphs: breadth-first searches from the first node that has edges") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const Json& truth) {
    const Json& right = truth.at("bfs_from_smallest_id");
    const std::string root = std::to_string(shifted(truth, right.at("source")));
    const auto summary =
        here.summary("emgraph bfs " + input + " --root " + root + " --model " + models_for(truth).back());
    CHECK(summary.at("reached") == right.at("reached"));
    CHECK(summary.at("levels") == right.at("levels"));
    const auto widths = summary.at("nodes_per_level").get<std::vector<std::uint64_t>>();
    CHECK(*std::max_element(widths.begin(), widths.end()) == right.at("widest_level"));
    std::uint64_t distances = 0;
    for (std::size_t level = 0; level < widths.size(); ++level) distances += level * widths[level];
    CHECK(distances == right.at("sum_dist"));
  });
}

TEST_CASE("real graphs: components") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const Json& truth) {
    const Json& right = truth.at("contract");
    for (const std::string& model : models_for(truth)) {
      INFO(model);
      const auto summary = here.summary("emgraph cc " + input + " -M 16M -f -o cc.npy --model " + model);
      CHECK(summary.at("nodes") == right.at("nodes"));
      CHECK(summary.at("components") == right.at("components"));
      CHECK(summary.at("isolated_nodes") == right.at("isolated_nodes"));
      CHECK(summary.at("largest_component") == truth.at("largest_component_nodes"));
    }
    if (thoroughly(truth)) here.succeed("emgraph check cc " + input + " cc.npy -q");
  });
}

TEST_CASE("real graphs: minimum spanning forests") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const Json& truth) {
    const Json& right = truth.at("contract");
    for (const std::string& model : models_for(truth)) {
      INFO(model);
      const auto summary =
          here.summary("emgraph mst " + input + " --weights hash -M 16M -f -o forest.emg --model " + model);
      CHECK(summary.at("weight") == right.at("mst_hash_weight"));
      CHECK(summary.at("forest_edges") == right.at("forest_edges"));
      CHECK(summary.at("trees") == right.at("components"));
    }
    if (thoroughly(truth))
      here.succeed("emgraph check mst " + input + " forest.emg --weights hash --forest-format emg -q");
  });
}

TEST_CASE("real graphs: minimum spanning forests by the weights in the file") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const Json& truth) {
    if (!truth.contains("msf_given_weight_min_over_parallels")) return;
    for (const std::string& model : models_for(truth)) {
      INFO(model);
      const auto summary = here.summary("emgraph mst " + input + " -f -o forest.gr -M 16M --model " + model);
      CHECK(summary.at("weight") == truth.at("msf_given_weight_min_over_parallels"));
      CHECK(summary.at("forest_edges") == truth.at("msf_edges"));
    }
    if (thoroughly(truth)) here.succeed("emgraph check mst " + input + " forest.gr --forest-format gr -q");
  });
}

TEST_CASE("real graphs: triangles") {
  for_each_real_graph([](const Workplace& here, const std::string& input, const Json& truth) {
    const Json& right = truth.at("contract");
    for (const std::string& model : models_for(truth)) {
      INFO(model);
      const auto summary =
          here.summary("emgraph triangles " + input + " -M 48M -f --per-node counts.npy --model " + model);
      CHECK(summary.at("nodes") == right.at("nodes"));
      CHECK(summary.at("triangles") == right.at("triangles"));
      CHECK(summary.at("wedges") == right.at("wedges"));
      CHECK(summary.at("simple_edges") == truth.at("edges_simple"));
      CHECK(summary.at("clustering").get<double>() == Approx(right.at("clustering").get<double>()));
      const auto counts = npy_ids(here.read("counts.npy"));
      CHECK(counts.size() == right.at("nodes"));
      CHECK(sum(counts) == 3 * right.at("triangles").get<std::uint64_t>());
    }
    if (thoroughly(truth)) here.succeed("emgraph check triangles " + input + " counts.npy -q");
  });
}

}  // namespace emgraph::tests
