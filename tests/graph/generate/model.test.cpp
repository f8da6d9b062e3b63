// SPDX-License-Identifier: MIT
// From text and specification to model: defaults, facts, and errors that name what was found.
#include "graph/generate/model.hpp"

#include <stdexcept>

#include "core/base/error.hpp"
#include "graph/generate/model_text.hpp"
#include "tests/graph/generate/checks.hpp"

namespace emgraph::graph::generate {
namespace {

ModelFacts facts_of(std::string_view text) {
  return facts(make_model(parse_model_text(text)));
}

TEST_CASE("model text: the examples of the contract") {
  const ModelSpec random = parse_model_text("random,edges=100M");
  REQUIRE((random.name == "random" && random.edges == 100'000'000u && !random.nodes && random.seed == 1));
  REQUIRE((parse_model_text("edges=100M") == random));
  const ModelSpec kron = parse_model_text("kron,scale=22,edge-factor=16,seed=3");
  REQUIRE((kron.name == "kron" && kron.scale == 22u && kron.edge_factor == 16u && kron.seed == 3));
  const ModelSpec grid = parse_model_text("grid,dims=4096x4096,torus,weights=1:1k,payload=8");
  REQUIRE((grid.dims == std::vector<std::uint64_t>{4096, 4096} && grid.torus));
  REQUIRE((grid.attachments == AttachmentSpec{WeightRange{1, 1000}, 8}));
  REQUIRE(describe(grid.attachments) == "weights=1:1000,payload=8");
  REQUIRE((parse_model_text("") == ModelSpec{}));
}

TEST_CASE("model: defaults") {
  REQUIRE(facts_of("edges=131072000").nodes == 20'971'520);
  REQUIRE(facts_of("edges=10G").nodes == 1'600'000'000);
  REQUIRE(facts_of("random,edges=3").nodes == 1);
  REQUIRE(facts_of("random,edges=0").edges == 0);
  REQUIRE(facts_of("gnm,edges=1M").nodes == 160'000);
  REQUIRE(facts_of("gnm,edges=0").nodes == 0);
  REQUIRE(facts_of("gnm,edges=1").nodes == 2);
  REQUIRE(facts_of("gnm,edges=3").nodes == 3);
  REQUIRE(facts_of("gnm,edges=4").nodes == 4);
  REQUIRE(facts_of("kron,scale=4").edges == 256);
}

TEST_CASE("model: facts hold for the edges, and their text makes the same graph") {
  const std::string text =
      GENERATE(as<std::string>{}, "random,nodes=50,edges=2000,seed=4", "kron,scale=6,edge-factor=40,seed=2",
               "gnm,nodes=80,edges=3000,seed=8", "grid,dims=9x3x4,torus", "grid,dims=12");
  const Model model = make_model(parse_model_text(text));
  const ModelFacts f = facts(model);
  CAPTURE(text);
  REQUIRE(f.name + "," + f.parameters == text);
  std::vector<Edge32> edges(f.edges);
  fill<std::uint32_t>(model, 0, edges);
  REQUIRE(std::is_sorted(edges.begin(), edges.end()) == f.sorted_by_source_target);
  bool oriented = true;
  bool loops = false;
  for (const auto& edge : edges) {
    REQUIRE((edge.source < f.nodes && edge.target < f.nodes));
    oriented &= edge.source <= edge.target;
    loops |= edge.source == edge.target;
  }
  REQUIRE(oriented == f.oriented_low);
  REQUIRE(loops != f.no_loops);
  std::sort(edges.begin(), edges.end());
  REQUIRE((std::adjacent_find(edges.begin(), edges.end()) == edges.end()) == f.unique);
}

TEST_CASE("model: errors say what was found and what is expected") {
  using Catch::Contains;
  REQUIRE_THROWS_WITH(facts_of("rmat,edges=1"),
                      Contains("rmat") && Contains("random, gnm, kron, grid or graph500"));
  REQUIRE_THROWS_WITH(facts_of("random"), Contains("needs edges"));
  REQUIRE_THROWS_WITH(facts_of("gnm,nodes=5"), Contains("needs edges"));
  REQUIRE_THROWS_WITH(facts_of("kron"), Contains("needs scale"));
  REQUIRE_THROWS_WITH(facts_of("kron,scale=99999999999"), Contains("1 to 62"));
  REQUIRE_THROWS_WITH(facts_of("grid"), Contains("needs dims"));
  REQUIRE_THROWS_WITH(facts_of("kron,scale=3,edges=5"), Contains("kron takes no edges"));
  REQUIRE_THROWS_WITH(facts_of("random,edges=3,torus"), Contains("takes no torus"));
  REQUIRE_THROWS_WITH(facts_of("random,edges=3,weights=5:1"), Contains("5:1"));
  REQUIRE_THROWS_WITH(facts_of("random,edges=3,edges=4"), Contains("edges=4") && Contains("once"));
  REQUIRE_THROWS_WITH(facts_of("random,colour=3"), Contains("colour=3") && Contains("edge-factor="));
  REQUIRE_THROWS_WITH(facts_of("random,edges"), Contains("'edges'") && Contains("key=value"));
  for (const char* text : {"rmat", "random", "kron,scale=0", "grid,dims=0", "grid,dims=2,nodes=4",
                           "gnm,nodes=3,edges=4", "random,nodes=0,edges=1", "random,edges=1,weights=5",
                           "random,edges=1,payload=65", "random,,", "random,edges=1,torus=1"}) {
    CAPTURE(text);
    REQUIRE_THROWS_AS(facts_of(text), std::invalid_argument);
  }
  for (const char* text : {"random,edges=x", "random,edges=", "grid,dims=4x", "grid,dims=x4",
                           "grid,dims=4xx4", "random,edges=1,weights=1:", "random,edges=-1"}) {
    CAPTURE(text);
    REQUIRE_THROWS_AS(facts_of(text), core::UsageError);
  }
}

}  // namespace
}  // namespace emgraph::graph::generate
