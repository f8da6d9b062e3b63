// SPDX-License-Identifier: MIT
// Adjacency files with weights: written, read, refused, damaged.
#include <limits>
#include <numeric>

#include "graph/adjacency/weight_limits.hpp"
#include "graph/format/adjacency/adjacency_edges.hpp"
#include "graph/format/adjacency/adjacency_file.hpp"
#include "tests/graph/adjacency/weighted_oracle.hpp"
#include "tests/graph/format/edge_files.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::weighted {
namespace {

namespace adj = graph::adjacency;
using Catch::Contains;

graph::EdgeFacts adjacency_facts(std::optional<std::uint64_t> nodes, bool directed, std::size_t id_bytes,
                                 WeightType weight) {
  graph::EdgeFacts facts;
  facts.layout.id_bytes = id_bytes;
  facts.layout.weight = weight;
  facts.nodes = nodes;
  facts.order = graph::EdgeOrder::source_target;
  facts.unique = true;
  facts.no_loops = true;
  facts.directed = directed;
  facts.symmetric = !directed;
  return facts;
}

template <class R>
std::vector<R> records_of_lists(const WeightedLists& lists) {
  std::vector<R> edges;
  for (const auto& [node, list] : lists) {
    for (const auto& [neighbour, weight] : list) {
      R& edge = edges.emplace_back();
      edge = R{};
      edge.source = static_cast<typename R::id_type>(node);
      edge.target = static_cast<typename R::id_type>(neighbour);
      if constexpr (R::attachment_bytes > 0) {
        std::memcpy(edge.attachment.data(), &weight, std::min(sizeof weight, R::attachment_bytes));
      }
    }
  }
  return edges;
}

template <class Id, std::size_t Bytes>
void check_file(const ZooGraph& graph, WeightType type, bool directed, unsigned threads) {
  using R = Record<Id, Bytes>;
  CAPTURE(graph.name, directed, sizeof(Id), static_cast<int>(type), threads);
  const TemporaryDirectory directory;
  const std::string path = directory.file("graph.adj");
  TestEnvironment test{.memory_bytes = 8 * MiB, .threads = threads};
  const WeightedLists right = weighted_lists(with_weights(graph.edges, type, 3), type, {}, directed);
  const std::vector<R> edges = records_of_lists<R>(right);
  write_edges(test.environment, path, adjacency_facts(graph.nodes, directed, sizeof(Id), type), {}, edges);
  CHECK(same_records(read_edges<R>(test.environment, path), edges));
  CHECK(same_records(read_edges<Record<std::uint64_t, 12>>(test.environment, path),
                     records_of_lists<Record<std::uint64_t, 12>>(right)));
  CHECK(same_records(read_edges<Record<std::uint64_t, 0>>(test.environment, path),
                     records_of_lists<Record<std::uint64_t, 0>>(right)));
  const auto input = open_edges(test.environment, path, {});
  CHECK(input->facts().layout.weight == type);
  CHECK(input->facts().layout.payload_bytes == 0);
  CHECK(input->facts().symmetric == !directed);
  const auto adjacency = adj::open_adjacency<Id>(test.environment, path);
  CHECK(adjacency->facts().weight == type);
  CHECK((scanned_weights(*adjacency, threads) == right));
  adjacency->open_cache(MiB);
  std::vector<Id> nodes;
  for (const auto& [node, list] : right) nodes.push_back(static_cast<Id>(node));
  CHECK((selected_weights(*adjacency, nodes) == right));
}

TEST_CASE("weighted adjacency file: written, read as lists and as edges") {
  for (const ZooGraph& graph : graph_zoo()) {
    check_file<std::uint32_t, 4>(graph, WeightType::u32, false, 1);
    check_file<std::uint64_t, 8>(graph, WeightType::i64, true, 2);
    check_file<std::uint64_t, 4>(graph, WeightType::f32, true, 1);
    check_file<std::uint32_t, 8>(graph, WeightType::f64, false, 2);
  }
}

TEST_CASE("weighted adjacency file: what an old program must refuse, and the range of the weights") {
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 8 * MiB};
  using R = Record<std::uint32_t, 8>;
  const std::string path = directory.file("x.adj");
  const auto header_of = [&](WeightType type, const std::vector<R>& edges) {
    write_edges(test.environment, path, adjacency_facts(10, true, 4, type),
                {.overwrite = core::Overwrite::force}, edges);
    const std::string file = whole_file(path);
    return graph::format::load<adj::FileHeader>(std::as_bytes(std::span(file)));
  };
  CHECK(header_of(WeightType::none, {{1, 2, {}}}).required_flags == 1);
  CHECK(header_of(WeightType::none, {{1, 2, {}}}).minor == 0);
  CHECK(header_of(WeightType::f32, {{1, 2, {}}}).required_flags == 3);
  CHECK(header_of(WeightType::f32, {{1, 2, {}}}).minor == 1);
  std::vector<R> edges(3);
  const double weights[] = {-std::numeric_limits<double>::infinity(), -0.0, 7.5};
  for (std::uint32_t i = 0; i < 3; ++i) {
    edges[i].source = i;
    edges[i].target = i + 1;
    std::memcpy(edges[i].attachment.data(), &weights[i], 8);
  }
  CHECK(header_of(WeightType::f64, edges).weight == 4);
  CHECK(same_records(read_edges<R>(test.environment, path), edges));
  const auto range = adj::open_adjacency<std::uint32_t>(test.environment, path)->facts().weights;
  CHECK(range.least == graph::rank_of_weight(WeightType::f64, bits_of_weight(weights[0])));
  CHECK(range.largest == graph::rank_of_weight(WeightType::f64, bits_of_weight(weights[2])));
  header_of(WeightType::i64, {});
  const auto empty = adj::open_adjacency<std::uint32_t>(test.environment, path)->facts().weights;
  CHECK(empty == graph::WeightRanks{graph::rank_of_i64(0), graph::rank_of_i64(0)});
}

TEST_CASE("weighted adjacency file: NaN and directions that differ are refused") {
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 8 * MiB};
  using R = Record<std::uint32_t, 4>;
  const auto attempt = [&](bool directed, std::vector<float> weights) {
    std::vector<R> edges = {{3, 4, {}}, {4, 3, {}}};
    for (std::size_t i = 0; i < 2; ++i) std::memcpy(edges[i].attachment.data(), &weights[i], 4);
    return message_of<core::DataError>([&] {
      write_edges(test.environment, directory.file("x.adj"),
                  adjacency_facts(10, directed, 4, WeightType::f32), {}, edges);
    });
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK_THAT(attempt(true, {1, nan}), Contains("x.adj: edge 1 (4, 3): weight NaN found, expected a number"));
  CHECK_THAT(attempt(true, {-nan, 1}), Contains("edge 0 (3, 4)"));
  CHECK_THAT(attempt(false, {1, 2}), Contains("different weights"));
  CHECK(directory.entries() == 0);
  CHECK(attempt(true, {1, 2}).empty());
}

std::string small_file(core::Environment& environment, const TemporaryDirectory& directory) {
  EdgeList list = random_edges(300, 900, 6);
  for (std::uint64_t i = 0; i < 300; ++i) list.push_back({100, i});
  const WeightedLists right =
      weighted_lists(with_weights(list, WeightType::i64, 5), WeightType::i64, {}, false);
  const std::string path = directory.file("small.adj");
  write_edges(environment, path, adjacency_facts(300, false, 4, WeightType::i64), {},
              records_of_lists<Record<std::uint32_t, 8>>(right));
  return whole_file(path);
}

/// Reads everything there is in both ways; the message of the DataError, "" if there is none.
std::string error_of(core::Environment& environment, const std::string& path) {
  return message_of<core::DataError>([&] {
    read_edges<Record<std::uint32_t, 8>>(environment, path, {.format = "adj"});
    scanned_weights(*adj::open_adjacency<std::uint32_t>(environment, path), 1);
  });
}

// With its checksum right, whatever stands in a page: an error or other lists, never a crash; a search finds
// the same ones as a scan; no weight is outside the range that the footer names.
TEST_CASE("weighted adjacency file damage: pages of nonsense with right checksums") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string good = small_file(test.environment, directory);
  const std::string path = directory.file("nonsense.adj");
  std::mt19937_64 random(7);
  std::size_t intact = 0;
  Sample sample(3);
  for (int round = 0; round < 800; ++round) {
    std::string bad = good;
    const std::size_t page = 4096 + 4096 * (random() % 2);
    for (std::uint64_t i = 0; i < 1 + random() % 4; ++i) {
      const std::size_t place = random() % 3 == 0 ? 4096 - 60 + random() % 60 : random() % 4096;
      bad[page + place] = static_cast<char>(random());
    }
    if (!sample.takes()) continue;
    adj::seal_page(reinterpret_cast<std::byte*>(bad.data()) + page, 4096);
    spit(path, bad);
    const std::string message = error_of(test.environment, path);
    intact += message.empty();
    if (!message.empty()) {
      CHECK_THAT(message, Contains("nonsense.adj: offset") || Contains("is not as the file declares"));
    }
    try {
      const auto adjacency = adj::open_adjacency<std::uint32_t>(test.environment, path);
      adjacency->open_cache(MiB);
      std::vector<std::uint32_t> all(300);
      std::iota(all.begin(), all.end(), 0U);
      const WeightedLists found = selected_weights(*adjacency, all);
      if (message.empty()) CHECK((found == scanned_weights(*adjacency, 1)));
      bool within = true;
      for (const auto& [node, list] : found) {
        for (const auto& [neighbour, weight] : list) {
          within = within && adjacency->facts().weights.contains(graph::rank_of_i64(weight));
        }
      }
      CHECK(within);
    } catch (const core::DataError&) {
    }
  }
  CHECK(intact > (sanitized ? 5 : 20));
}

TEST_CASE("weighted adjacency file damage: every flipped byte of a page and of the ends is found") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string good = small_file(test.environment, directory);
  const std::string path = directory.file("flipped.adj");
  Sample sample(3);
  std::size_t missed = 0;
  for (std::size_t byte = 0; byte<good.size(); byte += byte> 300 && byte + 300 < good.size() ? 7 : 1) {
    if (!sample.takes()) continue;
    std::string bad = good;
    bad[byte] = static_cast<char>(bad[byte] ^ (1 << byte % 8));
    spit(path, bad);
    missed += error_of(test.environment, path).empty();
  }
  CHECK(missed == 0);
}

TEST_CASE("weighted adjacency file damage: weights of another type or range than the file has") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string good = small_file(test.environment, directory);
  const std::string path = directory.file("bad.adj");
  const auto with = [&](auto change) {
    std::string bad = good;
    auto header = graph::format::load<adj::FileHeader>(std::as_bytes(std::span(bad)));
    const std::size_t at = bad.size() - sizeof(adj::FileFooter);
    auto footer = graph::format::load<adj::FileFooter>(std::as_bytes(std::span(bad)).subspan(at));
    change(header, footer);
    graph::format::seal(header);
    footer.header_checksum = header.checksum;
    graph::format::seal(footer);
    std::memcpy(bad.data(), &header, sizeof header);
    std::memcpy(bad.data() + at, &footer, sizeof footer);
    spit(path, bad);
    return error_of(test.environment, path);
  };
  using Header = adj::FileHeader;
  using Footer = adj::FileFooter;
  CHECK(with([](Header&, Footer&) {}).empty());
  CHECK_THAT(with([](Header& h, Footer&) { h.weight = 0; }), Contains("offset 64: weights, of type 0"));
  CHECK_THAT(with([](Header& h, Footer&) { h.weight = 9; }), Contains("offset 64"));
  CHECK_THAT(with([](Header& h, Footer&) { h.required_flags = 0; }), Contains("offset 64: no weights"));
  CHECK_THAT(with([](Header& h, Footer&) { h.weight = 1; }), Contains("footer makes no sense: weights"));
  CHECK_THAT(with([](Header&, Footer& f) { std::swap(f.least_weight, f.largest_weight); }),
             Contains("footer makes no sense: weights"));
  const auto nan = bits_of_weight(std::numeric_limits<double>::quiet_NaN());
  CHECK_THAT(with([&](Header& h, Footer& f) {
               h.weight = 4;
               f.largest_weight = nan;
             }),
             Contains("footer makes no sense: weights"));
  CHECK_THAT(with([](Header&, Footer& f) { --f.largest_weight; }), Contains("a weight is not within"));
  CHECK_THAT(with([](Header&, Footer& f) { ++f.least_weight; }), Contains("a weight is not within"));
  CHECK_THAT(with([](Header&, Footer& f) { f.entries = f.pages = 0; }), Contains("footer makes no sense"));
  // A search finds them, too, also in pages that a scan has kept in memory.
  with([](Header&, Footer& f) { --f.largest_weight; });
  std::vector<std::uint32_t> all(300);
  std::iota(all.begin(), all.end(), 0U);
  auto adjacency = adj::open_adjacency<std::uint32_t>(test.environment, path);
  adjacency->open_cache(MiB);
  CHECK_THROWS_WITH(selected_weights(*adjacency, all), Contains("a weight is not within"));
  adjacency = adj::open_adjacency<std::uint32_t>(test.environment, path);
  CHECK_THROWS_WITH(adjacency->scan(1, MiB, [](unsigned, auto&) {}), Contains("a weight is not within"));
}

TEST_CASE(
    "weighted adjacency file: a solver refuses weights by the range in the footer, and names the edge") {
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 8 * MiB};
  using R = Record<std::uint32_t, 8>;
  const auto error = [&](std::int64_t third) {
    std::vector<R> edges = {{1, 2, {}}, {1, 3, {}}, {2, 9, {}}};
    std::memcpy(edges[2].attachment.data(), &third, 8);
    const std::string path = directory.file("x.adj");
    write_edges(test.environment, path, adjacency_facts(10, true, 4, WeightType::i64),
                {.overwrite = core::Overwrite::force}, edges);
    const auto adjacency = adj::open_adjacency<std::uint32_t>(test.environment, path);
    const auto before = test.statistics.snapshot().read_bytes;
    const graph::WeightLimits limits{
        .valid = [](WeightType, std::uint64_t bits) { return static_cast<std::int64_t>(bits) >= 0; },
        .expected = "0 or more"};
    const std::string message =
        message_of<core::DataError>([&] { adj::require_weights(*adjacency, limits); });
    CHECK((test.statistics.snapshot().read_bytes == before) == message.empty());
    return message;
  };
  CHECK(error(0).empty());
  CHECK_THAT(error(-1), Contains("x.adj: edge 2 (2, 9): weight -1 found, expected 0 or more"));
}

}  // namespace
}  // namespace emgraph::tests::weighted
