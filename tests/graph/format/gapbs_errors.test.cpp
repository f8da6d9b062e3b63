// SPDX-License-Identifier: MIT
// Serialized graphs of the GAP benchmark suite: broken files, what cannot be stored, faults.
#include "tests/graph/format/gapbs_files.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests::edge_formats::gapbs_errors {

using Catch::Matchers::Contains;

namespace {

/// The message of reading a file with this content.
std::string refusal(const std::string& content, const std::string& name = "bad.sg") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const std::string path = directory.write(name, content);
  return message_of<core::DataError>([&] { read_edges<R32>(test.environment, path); });
}

std::string with_first_byte(char byte, std::string content) {
  content[0] = byte;
  return content;
}

}  // namespace

TEST_CASE("gapbs: order is checked across the stretches that lanes take") {
  const TemporaryDirectory directory;
  std::vector<std::int32_t> neighbours(200000);
  for (std::size_t i = 0; i < neighbours.size(); ++i) neighbours[i] = static_cast<std::int32_t>(i + 1);
  std::vector<std::int64_t> offsets(200002, 200000);
  offsets[0] = 0;
  for (std::size_t bad = 1024; bad < neighbours.size(); bad += 1024 * 11) {
    auto broken = neighbours;
    broken[bad] = 1;
    const std::string path = directory.write("a.sg", sg_file(false, 200000, 200001, offsets, broken));
    TestEnvironment test{.memory_bytes = 2 * MiB};
    CHECK_THAT(message_of<core::DataError>([&] { read_edges<R32>(test.environment, path, {}, 2); }),
               Contains("neighbour 1 of node 0 after neighbour " + std::to_string(bad)));
  }
}

TEST_CASE("gapbs: broken files are refused with what was found and expected") {
  const std::string good = small_sg();
  for (std::size_t size = 0; size < good.size(); ++size) {
    CAPTURE(size);
    CHECK_THAT(refusal(good.substr(0, size)), Contains("truncated"));
  }
  CHECK_THAT(refusal(good + "x"),
             Contains("offset 73: bytes left over: 74 bytes, expected 73 for 4 nodes and 4"));
  CHECK_THAT(refusal(with_first_byte('\2', good)),
             Contains("offset 0: byte 2, expected 0 (undirected) or 1"));
  CHECK_THAT(refusal(with_first_byte('\1', good)), Contains("truncated: 73 bytes, expected 129"));
  CHECK_THAT(refusal(sg_file(false, -1, 4, {0, 2, 3, 4, 4}, {1, 2, 0, 0})), Contains("offset 1: -1 edges"));
  CHECK_THAT(refusal(sg_file(false, 4, -4, {0, 2, 3, 4, 4}, {1, 2, 0, 0})), Contains("offset 9: -4 nodes"));
  CHECK_THAT(refusal(sg_file(false, 4, std::int64_t{1} << 31, {0}, {})),
             Contains("2147483648 nodes, expected 0 to 2147483647"));
  CHECK_THAT(refusal(sg_file(false, std::int64_t{1} << 56, 4, {0, 2, 3, 4, 4}, {1, 2, 0, 0})),
             Contains("truncated: 73 bytes, expected 288230376151711801"));
  CHECK_THAT(refusal(sg_file(false, 4, 4, {1, 2, 3, 4, 4}, {1, 2, 0, 0})),
             Contains("first offset 1, expected 0"));
  CHECK_THAT(refusal(sg_file(false, 4, 4, {0, 3, 2, 4, 4}, {1, 2, 0, 0})),
             Contains("offset 33: the neighbours of node 1 end at 2, expected 3 to 4"));
  CHECK_THAT(refusal(sg_file(false, 4, 4, {0, 2, 3, 5, 4}, {1, 2, 0, 0})),
             Contains("offset 41: the neighbours of node 2 end at 5, expected 3 to 4"));
  CHECK_THAT(refusal(sg_file(false, 4, 4, {0, 2, 3, -1, 4}, {1, 2, 0, 0})), Contains("node 2 end at"));
  CHECK_THAT(refusal(sg_file(false, 4, 4, {0, 1, 2, 3, 3}, {1, 2, 0, 0})),
             Contains("offset 49: the neighbours of all nodes end at 3, expected 4"));
  CHECK_THAT(refusal(sg_file(false, 4, 4, {0, 2, 3, 4, 3}, {1, 2, 0, 0})), Contains("node 3 end at 3"));
  CHECK_THAT(refusal(sg_file(false, 4, 4, {0, 2, 3, 4, 4}, {1, 2, 4, 0})),
             Contains("offset 65: neighbour 4 of node 1, expected ids below 4"));
  CHECK_THAT(refusal(sg_file(false, 4, 4, {0, 2, 3, 4, 4}, {1, 2, -1, 0})), Contains("neighbour -1 "));
  CHECK_THAT(refusal(sg_file(false, 1, 0, {0}, {0})), Contains("end at 0, expected 1"));
  CHECK_THAT(refusal(good, "bad.wsg"), Contains("without weights: --input-format sg"));
  CHECK_THAT(refusal(sg_file(false, 2, 2, {0, 1, 2}, {1, -1, 0, 7})), Contains("--input-format wsg"));
  CHECK_THAT(refusal("# a text with a wrong name\n0 1\n1 2\n"), Contains("offset 0: byte 35"));
}

TEST_CASE("gapbs: a sample of a broken file is an error or edges, never a crash") {
  std::mt19937_64 random(5);
  const std::string good = sg_file(false, 4, 4, {0, 2, 3, 4, 4}, {1, 2, 0, 0});
  for (int i = 0; i < (sanitized ? 400 : 2000); ++i) {
    std::string broken = good;
    broken[random() % broken.size()] ^= static_cast<char>(1 << random() % 8);
    const TemporaryDirectory directory;
    TestEnvironment test{.memory_bytes = 4 * MiB};
    const std::string path = directory.write("a.sg", broken);
    message_of<core::DataError>([&] {
      const auto source = typed_source<R32>(*open_edges(test.environment, path, {}));
      source->sample(10);
      drain(*source, 1);
    });
  }
}

TEST_CASE("gapbs: no pipes") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const Pipe pipe(directory, small_sg());
  CHECK_THAT(
      message_of<core::UsageError>([&] { read_edges<R32>(test.environment, pipe.path(), {.format = "sg"}); }),
      Contains("a pipe cannot be: give a regular file"));
}

TEST_CASE("gapbs: what cannot be stored is refused, and leaves nothing") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const auto refused = [&]<class E>(E*, const std::string& name, const EdgeFacts& facts, const auto& edges) {
    return message_of<E>([&] { write_edges(test.environment, directory.file(name), facts, {}, edges); });
  };
  core::UsageError* const usage = nullptr;
  core::DataError* const data = nullptr;
  EdgeFacts unsorted = adjacency(false);
  unsorted.order = EdgeOrder::none;
  CHECK_THAT(refused(usage, "a.sg", unsorted, small_edges()), Contains("an adjacency holds sorted edges"));
  EdgeFacts loops = adjacency(false);
  loops.no_loops = false;
  CHECK_THAT(refused(usage, "a.sg", loops, small_edges()), Contains("an adjacency holds sorted edges"));
  CHECK_THAT(refused(usage, "a.wsg", adjacency(false), small_edges()),
             Contains("integer weights, the edges have none; write them as sg"));
  CHECK_THAT(refused(usage, "a.wsg", adjacency(false, 2, WeightType::f64), std::vector<Weighted>{}),
             Contains("integer weights, the edges have others"));
  CHECK_THAT(refused(data, "a.sg", adjacency(true), std::vector<R32>{{0, 0x7fffffff}}),
             Contains("id 2147483647 in edge 0, expected ids below 2147483647"));
  CHECK_THAT(refused(data, "a.sg", adjacency(true, 5), std::vector<R32>{{0, 5}}),
             Contains("id 5 in edge 0, expected ids below 5"));
  CHECK_THAT(refused(data, "a.sg", adjacency(true, std::uint64_t{1} << 31), std::vector<R32>{}),
             Contains("2147483648 nodes, expected at most 2147483647"));
  CHECK_THAT(message_of<core::DataError>([&] {
               const auto writer =
                   create_edges(test.environment, directory.file("a.sg"), adjacency(true), {});
               writer->at_least_nodes(std::uint64_t{1} << 31);  // a loop that was dropped
               writer->finish();
             }),
             Contains("2147483648 nodes, expected at most 2147483647"));
  std::vector<Weighted> heavy = {{0, 1, {}}};
  heavy[0].attachment[4] = std::byte{1};
  CHECK_THAT(refused(data, "a.wsg", adjacency(true, 2, WeightType::i64), heavy),
             Contains("weight 4294967296 of edge 0, expected one of 32 bits"));
  CHECK_THROWS_AS(write_edges(test.environment, directory.file("a.sg"), adjacency(true), {},
                              std::vector<R32>{{1, 0}, {0, 1}}),
                  std::logic_error);
  CHECK(directory.entries() == 0);
}

TEST_CASE("gapbs: memory too small is said, faults leave nothing") {
  const auto edges = adjacency_edges<Weighted>(2000, 2000, 40000, true);
  const EdgeFacts facts = adjacency(true, 2000, WeightType::i64);
  const TemporaryDirectory directory;
  const std::string path = directory.file("a.wsg");
  std::size_t least = 0;
  for (std::size_t memory = 64 * KiB; memory <= 4 * MiB; memory += memory / 4) {
    CAPTURE(memory, least);
    TestEnvironment test{.memory_bytes = memory, .threads = 2};
    try {
      write_edges(test.environment, path, facts, {.overwrite = core::Overwrite::force}, edges);
      CHECK(same_records(read_edges<Weighted>(test.environment, path, {}, 2), edges));
      if (least == 0) least = memory;
    } catch (const core::MemoryLimitError& error) {
      CHECK_THAT(error.what(), Contains("iB"));
      CHECK(least == 0);
    }
  }
  CHECK(least > 0);
  CHECK(least <= 2 * MiB);
  std::filesystem::remove(path);
  const auto attempt = [&](TestEnvironment& test) {
    write_edges(test.environment, path, facts, {}, edges);
    const bool right = same_records(read_edges<Weighted>(test.environment, path), edges);
    std::filesystem::remove(path);
    return right;
  };
  for (std::uint64_t k = 0;; k = FaultSteps().after(k)) {
    REQUIRE(k < 10000);
    TestEnvironment test{.memory_bytes = 2 * MiB, .threads = 2, .fault = k};
    bool right = false;
    const std::string what = message_of<core::EnvironmentError>([&] { right = attempt(test); });
    CHECK(directory.entries() == 0);
    CHECK(test.memory.used() == 0);
    CHECK(right == !test.faults->triggered());
    if (right) break;
    CHECK_THAT(what, Contains("injected"));
  }
  for (std::uint64_t k = 0;; k = FaultSteps().after(k)) {
    REQUIRE(k < 10000);
    TestEnvironment test{.memory_bytes = 2 * MiB, .threads = 2};
    test.memory.fail_reservation(k);
    bool right = false;
    const std::string what = message_of<core::MemoryLimitError>([&] { right = attempt(test); });
    std::filesystem::remove(path);  // written, but not read again
    CHECK(directory.entries() == 0);
    CHECK(test.memory.used() == 0);
    if (right) break;
    CHECK_THAT(what, Contains("injected"));
  }
}

}  // namespace emgraph::tests::edge_formats::gapbs_errors
