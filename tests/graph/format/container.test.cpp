// SPDX-License-Identifier: MIT
// Containers: what is written is read, by every route.
#include "graph/format/container/container_layout.hpp"
#include "graph/format/container/container_writer.hpp"
#include "tests/graph/format/edge_files.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::edge_formats::container {

namespace {

const std::vector<std::string> codecs = {"none", "delta", "zstd", "zstd:3", "delta+zstd"};

template <class R>
void round_trip(const EdgeLayout& layout, bool sorted, Sample& sample) {
  TestEnvironment test{.memory_bytes = 64 * MiB, .threads = 2};
  const TemporaryDirectory directory;
  const std::uint64_t nodes = sizeof(typename R::id_type) == 4 ? 5000 : std::uint64_t{1} << 40;
  const auto records = random_records<R>(3000, nodes, layout.attachment_bytes(), sorted);
  EdgeFacts facts = facts_of(layout);
  if (sorted) facts.order = EdgeOrder::source_target;
  for (const std::string& codec : codecs) {
    for (const std::size_t block_bytes : {300, 5000, 0}) {
      if (!sample.takes()) continue;
      const std::string path = directory.file(codec + std::to_string(block_bytes) + ".emg");
      write_edges(test.environment, path, facts,
                  {.codec = core::parse_codec(codec), .block_bytes = block_bytes}, records);
      CAPTURE(codec, block_bytes, sorted, layout.id_bytes, layout.payload_bytes);
      for (const unsigned lanes : tried_threads({1U, 2U})) {
        CHECK(same_records(read_edges<R>(test.environment, path, {}, lanes), records));
        const Pipe pipe(directory, whole_file(path));
        CHECK(same_records(read_edges<R>(test.environment, pipe.path(), {}, lanes), records));
      }
    }
  }
}

}  // namespace

TEST_CASE("container: round trips without attachment") {
  Sample sample(2);
  for (const bool sorted : {false, true}) {
    round_trip<Record<std::uint32_t, 0>>({.id_bytes = 4}, sorted, sample);
    round_trip<Record<std::uint64_t, 0>>({.id_bytes = 8}, sorted, sample);
  }
}

TEST_CASE("container: round trips with weights and payload") {
  Sample sample(2);
  for (const bool sorted : {false, true}) {
    round_trip<Record<std::uint32_t, 4>>({4, WeightType::u32, 0}, sorted, sample);
    round_trip<Record<std::uint32_t, 8>>({4, WeightType::none, 8}, sorted, sample);
    round_trip<Record<std::uint32_t, 16>>({4, WeightType::i64, 3}, sorted, sample);
    round_trip<Record<std::uint64_t, 4>>({8, WeightType::f32, 0}, sorted, sample);
    round_trip<Record<std::uint64_t, 64>>({8, WeightType::f64, 56}, sorted, sample);
  }
}

TEST_CASE("container: 4-byte ids are read as 8-byte ids, attachments are dropped payload first") {
  TestEnvironment test{.memory_bytes = 16 * MiB};
  const TemporaryDirectory directory;
  using Stored = Record<std::uint32_t, 16>;
  const auto records = random_records<Stored>(1000, 100, 12, true);
  for (const std::string& codec : codecs) {
    const std::string path = directory.file(codec + ".emg");
    write_edges(test.environment, path, facts_of({4, WeightType::u32, 8}),
                {.codec = core::parse_codec(codec)}, records);
    const auto whole = read_edges<Record<std::uint64_t, 16>>(test.environment, path);
    const auto weights = read_edges<Record<std::uint64_t, 8>>(test.environment, path);
    const auto bare = read_edges<Record<std::uint32_t, 0>>(test.environment, path);
    REQUIRE(whole.size() == records.size());
    REQUIRE(weights.size() == records.size());
    REQUIRE(bare.size() == records.size());
    bool good = true;
    for (std::size_t i = 0; i < records.size(); ++i) {
      good &= whole[i].source == records[i].source && whole[i].attachment == records[i].attachment;
      good &= std::equal(weights[i].attachment.begin(), weights[i].attachment.begin() + 4,
                         records[i].attachment.begin());
      good &= std::all_of(weights[i].attachment.begin() + 4, weights[i].attachment.end(),
                          [](std::byte byte) { return byte == std::byte{0}; });
      good &= bare[i].source == records[i].source && bare[i].target == records[i].target;
    }
    CHECK(good);
  }
}

TEST_CASE("container: many blocks of the usual size, encoded and read by two threads") {
  TestEnvironment test{.memory_bytes = 64 * MiB, .threads = 2};
  const TemporaryDirectory directory;
  using R = Record<std::uint32_t, 0>;
  const auto records = random_records<R>(sized(1500000, 400000), 100000, 0, true);
  for (const std::string& codec : codecs) {
    const std::string path = directory.file(codec + ".emg");
    write_edges(test.environment, path, sorted_facts(), {.codec = core::parse_codec(codec)}, records, 8192);
    CHECK(same_records(read_edges<R>(test.environment, path, {}, 2), records));
    const Pipe pipe(directory, whole_file(path));
    CHECK(same_records(read_edges<R>(test.environment, pipe.path(), {}, 2), records));
  }
}

TEST_CASE("container: header facts, counts and metadata survive") {
  TestEnvironment test{.memory_bytes = 16 * MiB};
  const TemporaryDirectory directory;
  using R = Record<std::uint32_t, 0>;
  const std::vector<R> records = {{0, 7}, {1, 3}, {2, 9}};
  EdgeFacts facts;
  facts.order = EdgeOrder::source_target;
  facts.unique = facts.no_loops = facts.oriented_low = facts.directed = true;
  const std::string path = directory.file("a.bin");
  write_edges(
      test.environment, path, facts,
      {.codec = {core::Codec::delta_zstd, 3}, .metadata = {{"command", "gen\n--edges 3"}, {"seed", "1"}}},
      records);
  const auto input = open_edges(test.environment, path, {});
  CHECK(input->format() == "emg");
  CHECK(input->facts().nodes == 10);
  CHECK(input->facts().edges == 3);
  CHECK(input->facts().order == EdgeOrder::source_target);
  CHECK((input->facts().unique && input->facts().no_loops && input->facts().oriented_low));
  CHECK(input->facts().directed);
  CHECK_FALSE(input->facts().symmetric);
  CHECK(input->metadata() == Metadata{{"command", "gen --edges 3"}, {"seed", "1"}});
  CHECK(input->details()[1].second == "delta+zstd:3");
  CHECK(open_edges(test.environment, path, {.nodes = 50})->facts().nodes == 50);
  CHECK(typed_source<R>(*open_edges(test.environment, path, {.nodes = 50}))->facts().nodes == 50);
}

TEST_CASE("container: empty graphs") {
  TestEnvironment test{.memory_bytes = 16 * MiB};
  const TemporaryDirectory directory;
  using R = Record<std::uint32_t, 0>;
  for (const std::string& codec : codecs) {
    const std::string path = directory.file(codec + ".emg");
    write_edges<R>(test.environment, path, {}, {.codec = core::parse_codec(codec)}, {});
    CHECK(open_edges(test.environment, path, {})->facts().nodes == 0);
    CHECK(typed_source<R>(*open_edges(test.environment, path, {}))->sample(10).empty());
    CHECK(read_edges<R>(test.environment, path, {}, 2).empty());
    const Pipe pipe(directory, whole_file(path));
    CHECK(read_edges<R>(test.environment, pipe.path(), {}, 2).empty());
  }
}

TEST_CASE("container: written to a pipe, the end tells the counts") {
  TestEnvironment test{.memory_bytes = 16 * MiB};
  const TemporaryDirectory directory;
  using R = Record<std::uint32_t, 0>;
  const auto records = random_records<R>(5000, 300, 0, false);
  const std::string path = directory.file("fifo");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::string content;
  std::jthread reader([&] { content = whole_file(path); });
  write_edges(test.environment, path, {}, {.format = "emg", .block_bytes = 5000}, records);
  reader.join();
  {
    const Pipe pipe(directory, content);
    const auto input = open_edges(test.environment, pipe.path(), {});
    CHECK_FALSE(input->facts().edges.has_value());
    CHECK_FALSE(input->facts().nodes.has_value());
    CHECK(same_records(drain(*typed_source<R>(*input), 1), records));
  }
  spit(directory.file("kept.emg"), content);
  const auto input = open_edges(test.environment, directory.file("kept.emg"), {});
  CHECK(input->facts().edges == 5000);
  CHECK(input->facts().nodes == 300);
}

TEST_CASE("container: declared facts that do not hold are a bug of the caller") {
  TestEnvironment test{.memory_bytes = 16 * MiB, .threads = 2};
  const TemporaryDirectory directory;
  using R = Record<std::uint32_t, 0>;
  const auto refused = [&](const EdgeFacts& facts, const std::vector<R>& records) {
    return message_of<std::logic_error>([&] {
      for (const char* codec : {"none", "delta"}) {
        write_edges(test.environment, directory.file("x.emg"), facts,
                    {.codec = core::parse_codec(codec), .block_bytes = 128}, records);
      }
    });
  };
  std::vector<R> ascending;
  for (std::uint32_t i = 0; i < 40; ++i) ascending.push_back({i, i + 1});
  EdgeFacts sorted = sorted_facts(true);
  sorted.no_loops = sorted.oriented_low = true;
  sorted.nodes = 41;
  sorted.edges = 40;
  // Every position, so within blocks and across their borders.
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    auto broken = ascending;
    std::swap(broken[i - 1], broken[i]);
    CHECK(refused(sorted_facts(), broken).find("sorted") != std::string::npos);
    broken = ascending;
    broken[i] = broken[i - 1];
    CHECK(refused(sorted, broken).find("edge " + std::to_string(i)) != std::string::npos);
  }
  EdgeFacts one;
  one.no_loops = true;
  CHECK(refused(one, {{0, 1}, {2, 2}}).find("edge 1") != std::string::npos);
  one = EdgeFacts{};
  one.oriented_low = true;
  CHECK(refused(one, {{0, 1}, {3, 2}}).find("edge 1") != std::string::npos);
  one = EdgeFacts{};
  one.edges = 3;
  CHECK_FALSE(refused(one, {{0, 1}, {3, 2}}).empty());
  CHECK(directory.entries() == 0);
  write_edges(test.environment, directory.file("good.emg"), sorted, {}, ascending);
  EdgeFacts three_nodes;
  three_nodes.nodes = 3;
  CHECK_THROWS_AS(write_edges<R>(test.environment, directory.file("n.emg"), three_nodes, {}, {{0, 3}}),
                  core::DataError);
  CHECK_THROWS_AS((write_edges<Record<std::uint64_t, 0>>(test.environment, directory.file("w.emg"), {}, {},
                                                         {{0, std::uint64_t{1} << 32}})),
                  IdTooWide);
}

TEST_CASE("container: rewind and sample") {
  TestEnvironment test{.memory_bytes = 16 * MiB};
  const TemporaryDirectory directory;
  using R = Record<std::uint32_t, 4>;
  const auto records = random_records<R>(50000, 1000000, 4, true);
  for (const char* codec : {"none", "delta"}) {
    const std::string path = directory.file(std::string(codec) + ".emg");
    write_edges(test.environment, path, facts_of({4, WeightType::u32, 0}),
                {.codec = core::parse_codec(codec), .block_bytes = 10000}, records);
    const auto source = typed_source<R>(*open_edges(test.environment, path, {.max_lanes = 2}));
    {
      const auto lane = source->lane();
      CHECK_FALSE(lane->next().empty());
      source->rewind();
      CHECK_FALSE(lane->next().empty());
      CHECK(lane->first_edge() == 0);
    }
    source->rewind();
    CHECK(same_records(drain(*source, 2), records));
    const auto sample = source->sample(640);
    CHECK(sample.size() >= 320);
    CHECK(sample.size() <= 1280);
    std::size_t low = 0;
    for (const R& record : sample) {
      const auto [begin, end] = std::equal_range(records.begin(), records.end(), record, before<R>);
      REQUIRE(begin != end);
      low += record.source < 500000;
    }
    CHECK(low > sample.size() / 3);
    CHECK(low < sample.size() * 2 / 3);
  }
}

TEST_CASE("container: the bytes depend on neither memory nor threads, and all memory is returned") {
  const TemporaryDirectory directory;
  using R = Record<std::uint32_t, 4>;
  const auto records = random_records<R>(sized(300000, 100000), 1000, 4, true);
  for (const char* codec : {"none", "delta", "zstd", "delta+zstd"}) {
    std::string expected;
    for (const auto& [memory, threads] :
         {std::pair{64 * MiB, 1U}, std::pair{64 * MiB, 2U}, std::pair{2 * MiB, 8U}, std::pair{4 * MiB, 3U}}) {
      CAPTURE(codec, memory, threads);
      TestEnvironment test{.memory_bytes = memory, .threads = threads};
      const std::string path = directory.file("a.emg");
      write_edges(test.environment, path, facts_of({4, WeightType::u32, 0}),
                  {.codec = core::parse_codec(codec), .overwrite = core::Overwrite::force}, records);
      CHECK(test.memory.used() == 0);
      if (expected.empty()) expected = whole_file(path);
      CHECK((whole_file(path) == expected));
      CHECK(same_records(read_edges<R>(test.environment, path, {}, threads), records));
      const Pipe pipe(directory, expected);
      CHECK(same_records(read_edges<R>(test.environment, pipe.path(), {}, threads), records));
      CHECK(test.memory.used() == 0);
    }
  }
}

}  // namespace emgraph::tests::edge_formats::container
