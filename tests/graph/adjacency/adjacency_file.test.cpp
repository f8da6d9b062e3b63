// SPDX-License-Identifier: MIT
// Adjacency files: what is written is read, by solvers and as edges; any flipped bit and any cut is an error.
#include "graph/format/adjacency/adjacency_file.hpp"

#include <map>
#include <numeric>
#include <set>

#include "graph/format/adjacency/adjacency_edges.hpp"
#include "graph/format/adjacency/adjacency_writer.hpp"
#include "graph/format/container/container_layout.hpp"
#include "graph/prepare/adjacency/csr.hpp"
#include "tests/graph/adjacency/adjacency_oracle.hpp"
#include "tests/graph/format/edge_files.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests {
namespace {

namespace adj = graph::adjacency;

graph::EdgeFacts adjacency_facts(std::optional<std::uint64_t> nodes, bool directed, std::size_t id_bytes) {
  graph::EdgeFacts facts;
  facts.layout.id_bytes = id_bytes;
  facts.nodes = nodes;
  facts.order = graph::EdgeOrder::source_target;
  facts.unique = true;
  facts.no_loops = true;
  facts.directed = directed;
  facts.symmetric = !directed;
  return facts;
}

template <class R>
std::vector<R> edges_of(const Lists& lists) {
  std::vector<R> edges;
  for (const auto& [node, list] : lists) {
    for (const std::uint64_t neighbour : list) {
      R edge{};
      edge.source = static_cast<typename R::id_type>(node);
      edge.target = static_cast<typename R::id_type>(neighbour);
      edges.push_back(edge);
    }
  }
  return edges;
}

template <class Id>
void check_file(const ZooGraph& graph, bool directed, std::size_t threads) {
  using R = Record<Id, 0>;
  CAPTURE(graph.name, directed, sizeof(Id), threads);
  const TemporaryDirectory directory;
  const std::string path = directory.file("graph.adj");
  TestEnvironment test{.memory_bytes = 8 * MiB, .threads = static_cast<unsigned>(threads)};
  const Lists right = neighbour_lists(graph.edges, directed);
  const std::vector<R> edges = edges_of<R>(right);
  write_edges(test.environment, path, adjacency_facts(graph.nodes, directed, sizeof(Id)),
              {.metadata = {{"made", "by a test"}}}, edges);
  CHECK(same_records(read_edges<R>(test.environment, path), edges));
  CHECK(same_records(read_edges<Record<std::uint64_t, 4>>(test.environment, path),
                     edges_of<Record<std::uint64_t, 4>>(right)));
  const auto input = open_edges(test.environment, path, {});
  CHECK(input->format() == "adj");
  CHECK(input->facts().nodes == graph.nodes);
  CHECK(input->facts().edges == edges.size());
  CHECK(input->facts().symmetric == !directed);
  CHECK(input->facts().directed == directed);
  CHECK(input->metadata().front().second == "by a test");
  const auto adjacency = adj::open_adjacency<Id>(test.environment, path);
  CHECK(adjacency->facts().largest_degree_node == largest_degree_node(right));
  CHECK(adjacency->facts().directed == directed);
  CHECK((scanned(*adjacency, static_cast<unsigned>(threads), MiB) == right));
  const auto source = typed_source<R>(*input);
  const auto sample = source->sample(1000);
  for (const R& edge : sample) CHECK(right.contains(edge.source));
  CHECK(sample.empty() == edges.empty());
}

TEST_CASE("adjacency file: written, read as lists and as edges") {
  for (const ZooGraph& graph : graph_zoo()) {
    check_file<std::uint32_t>(graph, false, 1);
    check_file<std::uint32_t>(graph, true, 2);
    check_file<std::uint64_t>(graph, false, 2);
  }
}

TEST_CASE("adjacency file: bytes do not depend on how edges come, n does not need to be known") {
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const auto edges = edges_of<Record<std::uint32_t, 0>>(neighbour_lists(random_edges(2000, 30000, 5), false));
  const auto facts = adjacency_facts(std::nullopt, false, 4);
  write_edges(test.environment, directory.file("a.adj"), facts, {}, edges, 1);
  write_edges(test.environment, directory.file("b.adj"), facts, {}, edges, 777);
  CHECK(whole_file(directory.file("a.adj")) == whole_file(directory.file("b.adj")));
  CHECK(open_edges(test.environment, directory.file("a.adj"), {})->facts().nodes == 2000);
}

TEST_CASE("adjacency file: facts that are not declared, and edges that break them") {
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 8 * MiB};
  using R = Record<std::uint32_t, 0>;
  const auto attempt = [&](graph::EdgeFacts facts, const std::vector<R>& edges) {
    write_edges(test.environment, directory.file("x.adj"), facts, {}, edges);
  };
  auto facts = adjacency_facts(10, false, 4);
  facts.unique = false;
  CHECK_THROWS_AS(attempt(facts, {}), core::UsageError);
  facts = adjacency_facts(10, false, 4);
  facts.symmetric = false;
  CHECK_THROWS_AS(attempt(facts, {}), core::UsageError);
  facts = adjacency_facts(10, false, 4);
  CHECK_THROWS_AS(attempt(facts, {{1, 2}, {1, 2}}), std::logic_error);
  CHECK_THROWS_AS(attempt(facts, {{2, 1}, {1, 2}}), std::logic_error);
  CHECK_THROWS_AS(attempt(facts, {{2, 2}}), std::logic_error);
  CHECK_THROWS_AS(attempt(facts, {{2, 10}}), core::DataError);
  CHECK(directory.entries() == 0);
}

/// Reads everything there is in both ways; the message of the DataError, "" if there is none.
std::string error_of(core::Environment& environment, const std::string& path) {
  return message_of<core::DataError>([&] {
    read_edges<Record<std::uint32_t, 0>>(environment, path, {.format = "adj"});
    scanned(*adj::open_adjacency<std::uint32_t>(environment, path), 1, 0);
  });
}

std::string small_file(core::Environment& environment, const TemporaryDirectory& directory) {
  EdgeList list = random_edges(300, 1600, 6);
  for (std::uint64_t i = 0; i < 300; ++i) list.push_back({100, i});
  const auto edges = edges_of<Record<std::uint32_t, 0>>(neighbour_lists(list, false));
  const std::string path = directory.file("small.adj");
  write_edges(environment, path, adjacency_facts(300, false, 4), {.metadata = {{"made", "by a test"}}},
              edges);
  return whole_file(path);
}

TEST_CASE("adjacency file damage: every flipped byte is found, its place is named") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string good = small_file(test.environment, directory);
  REQUIRE(good.size() > 2 * 4096);
  const std::string path = directory.file("flipped.adj");
  spit(path, good);
  REQUIRE(error_of(test.environment, path).empty());
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t byte, char value) {
    file.seekp(static_cast<std::streamoff>(byte));
    file.put(value);
    file.flush();
  };
  Sample sample(3);
  std::size_t missed = 0;
  std::size_t unnamed = 0;
  for (std::size_t byte = 0; byte<good.size(); byte += byte> 4200 && byte + 200 < good.size() ? 3 : 1) {
    // Long stretches of zeros now and then.
    if (byte > 200 && byte % 16 != 0 && good.find_first_not_of('\0', byte - 8) > byte + 8) continue;
    if (!sample.takes(1)) continue;
    put(byte, static_cast<char>(good[byte] ^ (1 << byte % 8)));
    const std::string message = error_of(test.environment, path);
    missed += message.empty();
    unnamed += message.find("flipped.adj: offset ") == std::string::npos;
    put(byte, good[byte]);
  }
  CHECK(missed == 0);
  CHECK(unnamed == 0);
}

TEST_CASE("adjacency file damage: cuts, additions, concatenations, newer versions") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string good = small_file(test.environment, directory);
  const auto error = [&](const std::string& content) {
    spit(directory.file("damaged.adj"), content);
    return error_of(test.environment, directory.file("damaged.adj"));
  };
  for (std::size_t bytes = 0; bytes < good.size();
       bytes += bytes < 300 || bytes + 400 > good.size() ? 1 : 97) {
    CAPTURE(bytes);
    CHECK_FALSE(error(good.substr(0, bytes)).empty());
  }
  CHECK_THAT(error(good.substr(0, good.size() - 1)), Catch::Contains("truncated"));
  CHECK_FALSE(error(good + "x").empty());
  CHECK_THAT(error(good + good), Catch::Contains("concatenated"));
  const auto with = [&](auto change) {
    adj::FileHeader header;
    std::memcpy(&header, good.data(), sizeof(header));
    change(header);
    graph::format::seal(header);
    std::string bad = good;
    std::memcpy(bad.data(), &header, sizeof(header));
    return error(bad);
  };
  CHECK_THAT(with([](adj::FileHeader& h) { h.major = 2; }), Catch::Contains("version 2.0"));
  CHECK_THAT(with([](adj::FileHeader& h) { h.required_flags |= 8; }), Catch::Contains("required flags"));
  CHECK_THAT(with([](adj::FileHeader& h) { h.id_bytes = 5; }), Catch::Contains("ids of 5 bytes"));
  CHECK_THAT(with([](adj::FileHeader& h) { h.page_bytes = 100; }), Catch::Contains("pages of 100"));
  CHECK_THAT(with([](adj::FileHeader& h) { h.reserved[2] = 1; }), Catch::Contains("reserved"));
  CHECK_THAT(with([](adj::FileHeader& h) { h.metadata_bytes = 1U << 30; }), Catch::Contains("metadata"));
  CHECK_THAT(with([](adj::FileHeader& h) { h.required_flags ^= adj::flag_directed; }),
             Catch::Contains("footer"));
}

std::map<std::uint64_t, std::set<std::uint64_t>> sets_of(const Lists& lists) {
  std::map<std::uint64_t, std::set<std::uint64_t>> sets;
  for (const auto& [node, list] : lists) sets[node].insert(list.begin(), list.end());
  return sets;
}

// With its checksum right, whatever stands in a page: an error or other lists, never a crash, and a search
// finds the same ones as a scan.
TEST_CASE("adjacency file damage: pages of nonsense with right checksums") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string good = small_file(test.environment, directory);
  std::mt19937_64 random(7);
  for (int round = 0; round < sized(600, 150); ++round) {
    std::string bad = good;
    const std::size_t page = 4096 + 4096 * (random() % 2);
    for (std::uint64_t i = 0; i < 1 + random() % 4; ++i) {
      const std::size_t place = random() % 3 == 0 ? 4096 - 60 + random() % 60 : random() % 4096;
      bad[page + place] = static_cast<char>(random());
    }
    adj::seal_page(reinterpret_cast<std::byte*>(bad.data()) + page, 4096);
    const std::string path = directory.file("nonsense.adj");
    spit(path, bad);
    const std::string message = error_of(test.environment, path);
    if (!message.empty()) {
      CHECK_THAT(message,
                 Catch::Contains("nonsense.adj: offset") || Catch::Contains("not as the file declares"));
    }
    try {
      const auto adjacency = adj::open_adjacency<std::uint32_t>(test.environment, path);
      adjacency->open_cache(MiB);
      selected(*adjacency, std::vector<std::uint32_t>{1, 50, 100, 200, 299});
      std::vector<std::uint32_t> all(300);
      std::iota(all.begin(), all.end(), 0U);
      const Lists found = selected(*adjacency, all);
      if (message.empty()) CHECK((sets_of(found) == sets_of(scanned(*adjacency, 1, 0))));
      adj::unpack<std::uint32_t, std::uint64_t>(test.environment, *adjacency);
    } catch (const core::DataError&) {
    }
  }
}

TEST_CASE("adjacency file damage: a page of more neighbours than its bytes hold, and one of far entries") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string good = small_file(test.environment, directory);
  const std::string path = directory.file("forged.adj");
  const auto forge = [&](auto change) {
    std::string bad = good;
    std::byte* const page = reinterpret_cast<std::byte*>(bad.data()) + 4096;
    adj::PageFoot foot = adj::page_foot(page, 4096);
    change(foot);
    std::memcpy(page + 4096 - sizeof(foot), &foot, sizeof(foot));
    adj::seal_page(page, 4096);
    spit(path, bad);
  };
  forge([](adj::PageFoot& foot) { foot.entries = 65535; });
  CHECK_THAT(error_of(test.environment, path),
             Catch::Contains("65535 neighbours") && Catch::Contains("no sense"));
  for (const std::uint64_t first : {~std::uint64_t{0} - 3, std::uint64_t{5}}) {
    forge([&](adj::PageFoot& foot) { foot.first_entry = first; });
    const auto adjacency = adj::open_adjacency<std::uint32_t>(test.environment, path);
    CHECK_THROWS_WITH((adj::unpack<std::uint32_t, std::uint64_t>(test.environment, *adjacency)),
                      Catch::Contains("its entries do not"));
  }
}

TEST_CASE("adjacency file damage: a directory that sends a search elsewhere than a scan is an error") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string good = small_file(test.environment, directory);
  const auto with_entry = [&](auto change) {
    std::string bad = good;
    std::byte* const page = reinterpret_cast<std::byte*>(bad.data()) + 4096;
    std::byte* const foot = page + 4096 - sizeof(adj::PageFoot);
    REQUIRE(adj::directory_entries(adj::page_foot(page, 4096).fragments, graph::WeightType::none) >= 2);
    auto entry = adj::DirectoryEntry<std::uint32_t>::load(foot, 1);
    change(entry, adj::DirectoryEntry<std::uint32_t>::load(foot, 0));
    entry.store(foot, 1);
    adj::seal_page(page, 4096);
    spit(directory.file("elsewhere.adj"), bad);
    return directory.file("elsewhere.adj");
  };
  using Entry = adj::DirectoryEntry<std::uint32_t>;
  const auto check = [&](const std::string& path) {
    CHECK(error_of(test.environment, path).empty());  // a scan does not need it
    const auto is_found =
        Catch::Contains("elsewhere.adj: offset 4096: page 0 of the adjacency: its directory");
    std::vector<std::uint32_t> all(300);
    std::iota(all.begin(), all.end(), 0U);
    auto adjacency = adj::open_adjacency<std::uint32_t>(test.environment, path);
    adjacency->open_cache(MiB);
    CHECK_THROWS_WITH(selected(*adjacency, all), is_found);
    // Kept in memory it would be searched without another look.
    adjacency = adj::open_adjacency<std::uint32_t>(test.environment, path);
    CHECK_THROWS_WITH(scanned(*adjacency, 1, MiB), is_found);
    adjacency = adj::open_adjacency<std::uint32_t>(test.environment, path);
    CHECK_THROWS_WITH(adjacency->scan(1, 0, [](unsigned, auto& cursor) { cursor.seek(40); }), is_found);
  };
  check(with_entry([](Entry& entry, const Entry&) { ++entry.node; }));
  check(with_entry([](Entry& entry, const Entry&) { --entry.node; }));
  check(with_entry([](Entry& entry, const Entry& other) { entry.position = other.position; }));
  check(with_entry([](Entry& entry, const Entry& other) { entry = other; }));
}

TEST_CASE("adjacency file: a pipe is refused") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const Pipe pipe(directory, small_file(test.environment, directory));
  CHECK_THROWS_AS(open_edges(test.environment, pipe.path(), {}), core::UsageError);
}

TEST_CASE("adjacency file: damage that shows only when a page is read names the page") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  std::string bad = small_file(test.environment, directory);
  bad[2 * 4096 + 10] = static_cast<char>(bad[2 * 4096 + 10] ^ 1);
  spit(directory.file("bad.adj"), bad);
  CHECK_THAT(error_of(test.environment, directory.file("bad.adj")),
             Catch::Contains("bad.adj: offset 8192: page 1 of the adjacency: it is damaged"));
}

}  // namespace
}  // namespace emgraph::tests
