// SPDX-License-Identifier: MIT
// Graph500's edges, weights and roots: those of the reference code, on every instruction set and range.
#include "graph/generate/graph500.hpp"

#include <array>
#include <stdexcept>

#include "graph/generate/model_text.hpp"
#include "tests/graph/generate/checks.hpp"
#include "tests/support/vector_targets.hpp"

namespace emgraph::graph::generate {
namespace {

struct Sample {
  unsigned scale;
  std::array<Edge64, 3> edges;
  std::array<float, 3> weights;
  std::array<std::uint64_t, 4> roots;  // the first candidates
};

// Made with the reference code 3.0.0, seeds 2 and 3.
const std::array<Sample, 4> samples = {
    {{8, {{{17, 138}, {82, 127}, {250, 60}}}, {0.422860175f, 0.980911016f, 0.413016319f}, {53, 55, 31, 241}},
     {10,
      {{{299, 797}, {684, 861}, {185, 385}}},
      {0.490170419f, 0.528551459f, 0.651318908f},
      {458, 214, 220, 966}},
     {12,
      {{{2477, 2850}, {684, 2881}, {2400, 3127}}},
      {0.561694324f, 0.706229687f, 0.127187952f},
      {1834, 858, 881, 504}},
     {14,
      {{{14207, 9077}, {5452, 10379}, {16229, 1854}}},
      {0.129396364f, 0.691036761f, 0.346841365f},
      {7337, 3434, 3526, 2016}}}};

TEST_CASE("graph500: the first edges, weights and roots of the reference code") {
  const Sample& sample = samples[GENERATE(range(0u, 4u))];
  CAPTURE(sample.scale);
  const Graph500Edges list(sample.scale);
  REQUIRE(list.nodes() == std::uint64_t{1} << sample.scale);
  tests::for_every_target([&] {
    std::vector<Edge64> edges(40);
    std::vector<float> weights(40);
    list.fill(0, edges, weights);
    for (std::size_t i = 0; i < sample.edges.size(); ++i) {
      REQUIRE((edges[i] == sample.edges[i]));
      REQUIRE(weights[i] == sample.weights[i]);
    }
  });
  Graph500Roots roots(sample.scale);
  std::vector<std::uint64_t> drawn;
  while (drawn.size() < 12) drawn.push_back(roots.next());
  auto at = drawn.begin();
  for (const std::uint64_t root : sample.roots) {  // candidates without edges are left out
    at = std::find(at, drawn.end(), root);
    REQUIRE(at != drawn.end());
  }
}

TEST_CASE("graph500: vectors give the edges of plain arithmetic, those drawn again included") {
  const unsigned scale = GENERATE(1u, 2u, 7u, 22u, 32u, 33u, 48u, 62u);
  const Graph500Edges list(scale, 2, GENERATE(3u, 0xfedcba9876543210u));
  const std::uint64_t first = scale == 22 ? 0 : 1'234'567'890'123;
  // At scale 22 one edge in 27,000 has a word that is drawn again.
  const std::size_t count = scale == 22 ? 120'000 : 61;
  std::vector<Edge64> expected(count);
  std::vector<float> expected_weights(count);
  std::size_t again = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const RecurrenceState state = start_of_edge(list.plan(), first + i);
    const Graph500Edge edge = graph500_edge(list.plan(), state);
    expected[i] = {edge.source, edge.target};
    expected_weights[i] = graph500_weight(edge.weight_word);
    RecurrenceState replay = state;
    bool low = false;
    for (unsigned level = 0; level < scale; ++level) low |= replay.next() < graph500_drawn_again_below;
    again += low;
  }
  if (scale == 22) REQUIRE(again > 0);
  tests::for_every_target([&] {
    std::vector<Edge64> edges(count);
    std::vector<float> weights(count);
    list.fill(first, edges, weights);
    REQUIRE((edges == expected));
    REQUIRE(weights == expected_weights);
    list.fill(first, edges, {});
    REQUIRE((edges == expected));
  });
}

TEST_CASE("graph500: ranges and widths do not show") {
  tests::for_every_target([] { check_ranges_and_widths(Graph500Model(14, 16, 1), 1000, 9'000); });
}

TEST_CASE("graph500: jumps of any length are single steps") {
  const RecurrenceJumps jumps = make_recurrence_jumps();
  RecurrenceState state = seeded_recurrence(2, 3);
  REQUIRE(state.words == std::array<std::uint32_t, 5>{3, 1, 4, 1, 1});
  const RecurrenceState start = state;
  for (std::uint64_t step = 0; step < 300; ++step) {
    REQUIRE((jumped(jumps, start, 0, 0, step) == state));
    state.next();
  }
  const std::uint64_t most = ~std::uint64_t{0};
  REQUIRE((jumped(jumps, jumped(jumps, start, 0, 0, most), 0, 0, 1) == jumped(jumps, start, 0, 1, 0)));
  REQUIRE((jumped(jumps, jumped(jumps, start, 0, most, most), 0, 0, 1) == jumped(jumps, start, 1, 0, 0)));
}

TEST_CASE("graph500: as a model, with the weights of the list") {
  const ModelSpec spec = parse_model_text("graph500,scale=10,weights=float,payload=3");
  const Model model = make_model(spec);
  REQUIRE(facts(model).nodes == 1024);
  REQUIRE(facts(model).edges == 16384);
  REQUIRE(facts(model).parameters == "scale=10,edge-factor=16,seed=1");
  const Graph500Edges list(10);
  std::vector<Edge64> edges(3000);
  std::vector<float> weights(edges.size());
  list.fill(5, edges, weights);
  const core::PairShape shape{.integer_bytes = 4, .attachment_bytes = 8, .row_bytes = 16};
  std::vector<std::byte> records(edges.size() * shape.row_bytes, std::byte{0xee});
  fill_records(model, spec.attachments, spec.seed, 5, shape, records.data(), edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    Edge32 edge{};
    float weight = 0;
    std::memcpy(&edge, records.data() + 16 * i, sizeof edge);
    std::memcpy(&weight, records.data() + 16 * i + 8, sizeof weight);
    REQUIRE((edge.source == edges[i].source && edge.target == edges[i].target && weight == weights[i]));
    REQUIRE(records[16 * i + 15] == std::byte{0});
  }
}

TEST_CASE("graph500: wrong parameters are refused") {
  REQUIRE_THROWS_AS(Graph500Edges(0), std::invalid_argument);
  REQUIRE_THROWS_AS(Graph500Edges(63), std::invalid_argument);
  REQUIRE_THROWS_AS(Graph500Model(40, 1u << 24, 1), std::invalid_argument);
  REQUIRE_THROWS_AS(make_model(parse_model_text("graph500")), std::invalid_argument);
  REQUIRE_THROWS_AS(make_model(parse_model_text("kron,scale=4,weights=float")), std::invalid_argument);
  std::vector<Edge64> edges(3);
  std::vector<float> weights(2);
  REQUIRE_THROWS_AS(Graph500Edges(8).fill(0, edges, weights), std::invalid_argument);
  std::vector<Edge32> narrow(3);
  REQUIRE_THROWS_AS(Graph500Edges(33).fill<std::uint32_t>(0, narrow, {}), std::invalid_argument);
}

}  // namespace
}  // namespace emgraph::graph::generate
