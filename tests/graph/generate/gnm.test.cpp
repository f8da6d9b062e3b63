// SPDX-License-Identifier: MIT
// G(n, m): exactly m distinct sorted edges for every n and m, any range, all graphs equally likely.
#include "graph/generate/gnm.hpp"

#include <map>
#include <stdexcept>

#include "graph/generate/pair_index.hpp"
#include "graph/generate/sample_without_replacement.hpp"
#include "tests/graph/generate/checks.hpp"

namespace emgraph::graph::generate {
namespace {

void check_exact(const GnmModel& model) {
  CAPTURE(model.nodes(), model.edges());
  const auto edges = all_edges<std::uint64_t>(model);
  REQUIRE(edges.size() == model.edges());
  REQUIRE(is_sorted_simple(edges));
  for (const auto& edge : edges) {
    if (edge.target >= model.nodes()) FAIL("node " << edge.target);
  }
}

TEST_CASE("gnm: exactly m distinct sorted edges, all m of tiny graphs") {
  for (std::uint64_t nodes = 0; nodes <= 9; ++nodes) {
    for (std::uint64_t edges = 0; edges <= pair_count(nodes); ++edges) check_exact(GnmModel(nodes, edges, 5));
  }
}

TEST_CASE("gnm: exactly m distinct sorted edges, empty to complete") {
  const std::uint64_t nodes = GENERATE(as<std::uint64_t>{}, 65u, 100u, 363u, 600u);
  const std::uint64_t pairs = pair_count(nodes);
  for (const std::uint64_t edges : {std::uint64_t{0}, std::uint64_t{1}, pairs / 100, pairs / 3, pairs / 2,
                                    pairs / 2 + 1, pairs - pairs / 10, pairs - 1, pairs}) {
    check_exact(GnmModel(nodes, edges, nodes));
  }
}

TEST_CASE("gnm: ranges and id widths do not show") {
  struct Case {
    std::uint64_t nodes, edges;
  };
  const auto [nodes, edges] = GENERATE(Case{3, 2}, Case{100, 4000}, Case{3000, 20'000}, Case{300, 44'849},
                                       Case{300, 44'850}, Case{1'000'000, 50'000}, Case{0xffffffff, 10'000});
  const GnmModel model(nodes, edges, 3);
  check_ranges_and_widths(model, 0, edges);
  check_ranges_and_widths(model, edges / 3, edges / 2);
}

TEST_CASE("gnm: 2^32 nodes work, more are refused") {
  const GnmModel model(std::uint64_t{1} << 32, 5'000'000'000, 1);
  const auto edges = edges_of<std::uint32_t>(model, 4'000'000'000, 10'000);
  REQUIRE(is_sorted_simple(edges));
  REQUIRE((edges_of<std::uint32_t>(model, 4'000'005'000, 10)[3] == edges[5003]));
  REQUIRE_THROWS_AS(GnmModel((std::uint64_t{1} << 32) + 1, 1, 1), std::invalid_argument);
}

TEST_CASE("gnm: too many edges are refused with the numbers") {
  REQUIRE_THROWS_WITH(GnmModel(5, 11, 1),
                      Catch::Contains("11") && Catch::Contains("5 nodes") && Catch::Contains("10"));
  REQUIRE_THROWS_AS(GnmModel(1, 1, 1), std::invalid_argument);
  REQUIRE_THROWS_AS(edges_of<std::uint32_t>(GnmModel(5, 3, 1), 1, 3), std::out_of_range);
}

TEST_CASE("gnm: all graphs of 5 nodes and 3 edges come equally often") {
  std::map<std::vector<Edge32>, std::uint64_t> graphs;
  for (std::uint64_t seed = 0; seed < 24'000; ++seed)
    ++graphs[all_edges<std::uint32_t>(GnmModel(5, 3, seed))];
  REQUIRE(graphs.size() == 120);
  std::vector<std::uint64_t> counts;
  for (const auto& graph : graphs) counts.push_back(graph.second);
  REQUIRE(std::abs(uniform_deviation(counts)) < 5);
}

// Inclusion of a pair has variance p (1 - p) a trial; the sum over pairs is fixed, so f = pairs - 1.
double inclusion_deviation(std::uint64_t nodes, std::uint64_t edges, int trials) {
  std::vector<std::uint64_t> counts(nodes * nodes);
  for (int seed = 0; seed < trials; ++seed) {
    for (const auto& edge :
         all_edges<std::uint32_t>(GnmModel(nodes, edges, static_cast<std::uint64_t>(seed)))) {
      ++counts[edge.source * nodes + edge.target];
    }
  }
  const auto pairs = static_cast<double>(pair_count(nodes));
  const double share = static_cast<double>(edges) / pairs;
  double statistic = 0;
  for (std::uint64_t u = 0; u < nodes; ++u) {
    for (std::uint64_t v = u + 1; v < nodes; ++v) {
      const double difference = static_cast<double>(counts[u * nodes + v]) - trials * share;
      statistic += difference * difference / (trials * share * (1 - share));
    }
  }
  // Fixed edge counts shrink each term by (pairs - 1) / pairs.
  return (statistic - pairs) / std::sqrt(2 * pairs);
}

TEST_CASE("gnm: every pair comes equally often, across splits") {
  REQUIRE(std::abs(inclusion_deviation(100, 3000, 1000)) < 5);   // one split
  REQUIRE(std::abs(inclusion_deviation(200, 15'000, 500)) < 5);  // several, dense
  REQUIRE(std::abs(inclusion_deviation(500, 2000, 2000)) < 5);   // one leaf by sorting
}

TEST_CASE("gnm: the edges of parts of the pairs vary as they should") {
  // The first quarter of the pairs gets a hypergeometric number of edges; HRUA at the root, inversion below.
  constexpr std::uint64_t nodes = 300;
  constexpr std::uint64_t edges = 12'000;
  constexpr std::uint64_t pairs = pair_count(nodes);
  constexpr double share = double{pairs / 4} / double{pairs};
  const double mean = edges * share;
  const double variance = mean * (1 - share) * (pairs - edges) / (pairs - 1.0);
  double sum = 0;
  double squares = 0;
  constexpr int trials = 4000;
  for (std::uint64_t seed = 0; seed < trials; ++seed) {
    std::uint64_t count = 0;
    for (const auto& edge : all_edges<std::uint32_t>(GnmModel(nodes, edges, seed))) {
      const std::uint64_t u = edge.source;
      count += u * (2 * nodes - u - 1) / 2 + (edge.target - u - 1) < pairs / 4;
    }
    const double z = (static_cast<double>(count) - mean) / std::sqrt(variance);
    sum += z;
    squares += z * z;
  }
  REQUIRE(std::abs(sum / std::sqrt(trials)) < 5);
  REQUIRE(std::abs(squares / trials - 1) < 5 * std::sqrt(2.0 / trials));
}

TEST_CASE("sampling without replacement: distinct, ascending, even") {
  struct Case {
    std::uint64_t universe;
    std::size_t count;
  };
  const auto [universe, count] = GENERATE(Case{1, 1}, Case{64, 63}, Case{2048, 2048}, Case{2049, 2048},
                                          Case{65'536, 2048}, Case{65'537, 2048}, Case{70'000, 1},
                                          Case{(1u << 17) + 1, 2047}, Case{std::uint64_t{1} << 62, 2048});
  CAPTURE(universe, count);
  Sample sample;
  std::vector<std::uint64_t> bins(std::min<std::uint64_t>(universe, 50));
  std::vector<double> expected(bins.size());
  const auto bin = [&](std::uint64_t value) {
    return static_cast<std::size_t>(static_cast<unsigned __int128>(value) * bins.size() / universe);
  };
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    sample_without_replacement(universe, count, WordStream(core::mix_word(trial)), sample);
    const auto end = sample.begin() + static_cast<std::ptrdiff_t>(count);
    REQUIRE(std::adjacent_find(sample.begin(), end, std::greater_equal<>()) == end);
    REQUIRE(sample[count - 1] < universe);
    for (auto value = sample.begin(); value != end; ++value) ++bins[bin(*value)];
  }
  if (universe > 50'000) REQUIRE(uniform_deviation(bins) < 5);
}

TEST_CASE("pair numbers and pairs agree at both ends and at random") {
  const std::uint64_t nodes =
      GENERATE(as<std::uint64_t>{}, 2u, 3u, 10u, 1000u, 0xffffffffu, std::uint64_t{1} << 32);
  const std::uint64_t pairs = pair_count(nodes);
  PairCursor cursor(nodes);
  WordStream words(9);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t index =
        i < 10   ? std::min<std::uint64_t>(static_cast<std::uint64_t>(i), pairs - 1)
        : i < 20 ? pairs - 1 - std::min<std::uint64_t>(static_cast<std::uint64_t>(i) - 10, pairs - 1)
                 : multiply_high(words.next(), pairs);
    cursor.seek(index);
    const auto u = static_cast<unsigned __int128>(cursor.source());
    REQUIRE((u < cursor.target() && cursor.target() < nodes));
    REQUIRE(
        (u * (2 * static_cast<unsigned __int128>(nodes) - u - 1) / 2 + (cursor.target() - u - 1) == index));
  }
}

TEST_CASE("gnm: the graph of a seed is pinned") {
  REQUIRE(fingerprint(all_edges<std::uint32_t>(GnmModel(100'000, 625'000, 1))) == 17484032111322457096u);
  REQUIRE(fingerprint(all_edges<std::uint32_t>(GnmModel(1000, 400'000, 1))) == 8603789179728258511u);
  REQUIRE(fingerprint(edges_of<std::uint32_t>(GnmModel(std::uint64_t{1} << 32, 20'000'000'000, 1), 0,
                                              1000)) == 10568142396395184272u);
}

}  // namespace
}  // namespace emgraph::graph::generate
