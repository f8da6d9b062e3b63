// SPDX-License-Identifier: MIT
// Serialized graphs of the GAP benchmark suite: bytes and round trips.
#include "tests/graph/format/gapbs_files.hpp"

namespace emgraph::tests::edge_formats::gapbs {

using Catch::Matchers::Contains;

namespace {

template <class R>
void round_trip(bool directed, std::uint32_t sources, std::uint32_t nodes, std::size_t count) {
  constexpr bool weighted = R::attachment_bytes > 0;
  CAPTURE(directed, weighted, nodes);
  const auto edges = adjacency_edges<R>(sources, nodes, count, directed);
  const TemporaryDirectory directory;
  const std::string path = directory.file(weighted ? "a.wsg" : "a.sg");
  std::string bytes;
  for (const std::size_t memory : {std::size_t{2} * MiB, std::size_t{16} * MiB}) {
    for (const unsigned lanes : tried_threads({1U, 2U, 4U})) {
      CAPTURE(memory, lanes);
      TestEnvironment test{.memory_bytes = memory, .disks = lanes, .threads = lanes};
      write_edges(test.environment, path,
                  adjacency(directed, nodes, weighted ? WeightType::i64 : WeightType::none),
                  {.overwrite = core::Overwrite::force}, edges);
      if (bytes.empty()) bytes = whole_file(path);
      CHECK(whole_file(path) == bytes);
      const auto input = open_edges(test.environment, path, {.max_lanes = lanes});
      CHECK(input->format() == (weighted ? "wsg" : "sg"));
      CHECK(input->facts().nodes == nodes);
      CHECK(input->facts().edges == edges.size());
      CHECK(input->facts().directed == directed);
      CHECK(input->facts().symmetric == !directed);
      CHECK(input->facts().order == EdgeOrder::source_target);
      const auto source = typed_source<R>(*input);
      const auto sample = source->sample(1000);
      CHECK(sample.empty() == edges.empty());
      CHECK(std::all_of(sample.begin(), sample.end(), [&](const R& edge) {
        const auto found = std::lower_bound(edges.begin(), edges.end(), edge, before<R>);
        return found != edges.end() && same_record(*found, edge);
      }));
      CHECK(same_records(drain(*source, lanes), edges));
      source->rewind();
      CHECK(same_records(drain(*source, lanes), edges));
    }
  }
  const std::uint64_t part = (nodes + 1) * 8 + edges.size() * (weighted ? 8 : 4);
  CHECK(bytes.size() == gapbs_head_bytes + (directed ? 2 : 1) * part);
}

}  // namespace

TEST_CASE("gapbs: byte by byte") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.sg");
  write_edges(test.environment, path, adjacency(false, 4), {}, small_edges());
  CHECK(whole_file(path) == small_sg());
  CHECK(same_records(read_edges<R32>(test.environment, path), small_edges()));

  const std::string directed = directory.file("d.sg");
  write_edges(test.environment, directed, adjacency(true), {}, std::vector<R32>{{0, 1}, {0, 2}, {2, 1}});
  std::string right = sg_file(true, 3, 3, {0, 2, 2, 3}, {1, 2, 1});
  put<std::int64_t>(right, {0, 0, 2, 3});
  put<std::int32_t>(right, {0, 2, 0});
  CHECK(whole_file(directed) == right);

  const std::string weighted = directory.file("w.wsg");
  std::vector<Weighted> edges = {{0, 1, {}}, {1, 0, {}}};
  edges[0].attachment.fill(std::byte{0xff});
  edges[1].attachment[0] = std::byte{7};
  write_edges(test.environment, weighted, adjacency(false, 2, WeightType::i64), {}, edges);
  CHECK(whole_file(weighted) == sg_file(false, 2, 2, {0, 1, 2}, {1, -1, 0, 7}));
  const auto read = read_edges<Weighted>(test.environment, weighted);
  CHECK(same_records(read, edges));

  const std::string empty = directory.file("e.sg");
  write_edges(test.environment, empty, adjacency(false), {}, std::vector<R32>{});
  CHECK(whole_file(empty) == sg_file(false, 0, 0, {0}, {}));
  CHECK(read_edges<R32>(test.environment, empty, {}, 2).empty());
}

TEST_CASE("gapbs: round trips") {
  for (const bool directed : {false, true}) {
    round_trip<R32>(directed, 3000, 3001, sized(60000, 20000));
    round_trip<Weighted>(directed, 3000, 90000, sized(60000, 20000));
    round_trip<R32>(directed, 7, 20, 30);
    round_trip<Weighted>(directed, 100, 1000000, 100);
    round_trip<R32>(directed, 1, 1000, 0);
  }
}

TEST_CASE("gapbs: ids of 8 bytes and other attachments are asked for and given") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const std::string path = directory.write("a.sg", small_sg());
  const auto wide = read_edges<Record<std::uint64_t, 16>>(test.environment, path);
  REQUIRE(wide.size() == 4);
  CHECK((wide[1].source == 0 && wide[1].target == 2 && wide[1].attachment == decltype(wide[1].attachment){}));
  const std::string weighted = directory.write("a.wsg", sg_file(false, 2, 2, {0, 1, 2}, {1, -1, 0, 7}));
  CHECK(read_edges<R32>(test.environment, weighted).size() == 2);
  const auto with_weights = read_edges<Record<std::uint64_t, 16>>(test.environment, weighted);
  CHECK(with_weights[0].attachment[7] == std::byte{0xff});
  CHECK(with_weights[0].attachment[8] == std::byte{0});
}

TEST_CASE("gapbs: neighbours in any order are taken where the user says so") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const std::string path = directory.write("a.sg", sg_file(false, 4, 4, {0, 2, 3, 4, 4}, {2, 1, 0, 0}));
  CHECK_THAT(message_of<core::DataError>([&] { read_edges<R32>(test.environment, path); }),
             Contains("a.sg: offset 61: neighbour 1 of node 0 after neighbour 2, expected them ascending") &&
                 Contains("--input-format sg-unsorted"));
  const auto input = open_edges(test.environment, path, {.format = "sg-unsorted"});
  CHECK(input->facts().order == EdgeOrder::none);
  CHECK(drain(*typed_source<R32>(*input), 1).size() == 4);
}

}  // namespace emgraph::tests::edge_formats::gapbs
