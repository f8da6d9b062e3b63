// SPDX-License-Identifier: MIT
// Graphs of the WebGraph framework: lists, files, damage.
#include "graph/format/table/detect.hpp"
#include "tests/graph/format/edge_files.hpp"
#include "tests/graph/format/webgraph_encoder.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::edge_formats::webgraph {

using Catch::Matchers::Contains;

namespace {

using R32 = Record<std::uint32_t, 0>;

std::vector<R32> arcs_of(const SuccessorLists& lists) {
  std::vector<R32> arcs;
  for (std::size_t node = 0; node < lists.size(); ++node) {
    for (const std::uint64_t id : lists[node]) {
      arcs.push_back({static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(id)});
    }
  }
  return arcs;
}

/// The path of NAME.graph.
std::string write_webgraph(const TemporaryDirectory& directory, const std::string& bits,
                           const std::string& properties) {
  directory.write("a.properties", properties);
  return directory.write("a.graph", bits);
}

std::string refusal(const std::string& bits, const std::string& properties) {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string path = write_webgraph(directory, bits, properties);
  return message_of<core::DataError>(
      [&] { read_edges<R32>(test.environment, path, {.format = "webgraph"}); });
}

std::string with(std::string properties, const std::string& key, const std::string& line) {
  const std::size_t at = properties.find("\n" + key + "=") + 1;
  return properties.replace(at, properties.find('\n', at) - at, line);
}

}  // namespace

TEST_CASE("webgraph: graphs in every coding, by lanes, in little memory") {
  struct Coding {
    std::string flags;
    WebgraphProperties code;
  };
  std::vector<Coding> codings(1);
  codings.push_back({"REFERENCES_GAMMA | RESIDUALS_GAMMA|OUTDEGREES_DELTA | OFFSETS_DELTA",
                     {.references = BitCode::gamma, .residuals = BitCode::gamma}});
  codings.back().code.outdegrees = BitCode::delta;
  codings.push_back({"BLOCKS_DELTA | BLOCK_COUNT_UNARY | RESIDUALS_NIBBLE | REFERENCES_DELTA",
                     {.window_size = 1,
                      .least_interval = 1,
                      .references = BitCode::delta,
                      .block_counts = BitCode::unary,
                      .blocks = BitCode::delta,
                      .residuals = BitCode::nibble}});
  codings.push_back({"BLOCK_COUNT_DELTA | RESIDUALS_DELTA",
                     {.window_size = 100,
                      .least_interval = 0,
                      .block_counts = BitCode::delta,
                      .residuals = BitCode::delta}});
  codings.push_back({"RESIDUALS_ZETA", {.window_size = 0, .least_interval = 3, .zeta_k = 7}});
  for (const std::uint64_t nodes : {0, 1, 2, 300, sized(20000, 8000)}) {
    for (Coding& coding : codings) {
      CAPTURE(nodes, coding.flags);
      coding.code.flags = coding.flags;
      const SuccessorLists lists = web_like_lists(nodes, nodes + 7);
      const auto arcs = arcs_of(lists);
      const TemporaryDirectory directory;
      const std::string path = write_webgraph(directory, encode_webgraph(lists, coding.code),
                                              webgraph_properties(lists, coding.code));
      for (const unsigned lanes : tried_threads({1U, 3U})) {
        TestEnvironment test{.memory_bytes = nodes > 1000 ? lanes * MiB : 256 * KiB, .threads = lanes};
        // Two nodes' bits may look like text.
        const auto input = open_edges(test.environment, path, {.format = "webgraph", .max_lanes = lanes});
        CHECK(input->facts().nodes == nodes);
        CHECK(input->facts().edges == arcs.size());
        CHECK(input->facts().order == EdgeOrder::source_target);
        CHECK(input->facts().directed);
        const auto source = typed_source<R32>(*input);
        const auto sample = source->sample(1000);
        if (nodes > 1000 && lanes == 1) CHECK(sample.size() >= 500);
        CHECK(std::all_of(sample.begin(), sample.end(), [&](const R32& arc) {
          return std::binary_search(lists[arc.source].begin(), lists[arc.source].end(), arc.target);
        }));
        CHECK(same_records(drain(*source, lanes), arcs));
        source->rewind();
        CHECK(same_records(drain(*source, lanes), arcs));
      }
    }
  }
}

TEST_CASE("webgraph: recognised beside METIS, ids as wide as asked for") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const SuccessorLists lists = web_like_lists(500, 3);
  const std::string path =
      write_webgraph(directory, encode_webgraph(lists, {}), webgraph_properties(lists, {}));
  CHECK(open_edges(test.environment, path, {})->format() == "webgraph");
  using Wide = Record<std::uint64_t, 16>;
  const auto wide = read_edges<Wide>(test.environment, path);
  const auto arcs = arcs_of(lists);
  REQUIRE(wide.size() == arcs.size());
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    CHECK((wide[i].source == arcs[i].source && wide[i].target == arcs[i].target &&
           wide[i].attachment == decltype(wide[i].attachment){}));
  }
  const std::string empty = write_webgraph(directory, "", webgraph_properties({}, {}));
  CHECK(open_edges(test.environment, empty, {})->format() == "webgraph");
  CHECK(read_edges<R32>(test.environment, empty).empty());
  std::filesystem::remove(directory.file("a.properties"));
  directory.write("a.graph", encode_webgraph(lists, {}));
  CHECK_THAT(message_of<core::DataError>([&] { read_edges<R32>(test.environment, path); }),
             Contains("a.graph: is no text") && Contains("a.properties"));
  const Pipe pipe(directory, "x");
  CHECK_THAT(message_of<core::UsageError>(
                 [&] { read_edges<R32>(test.environment, pipe.path(), {.format = "webgraph"}); }),
             Contains("regular file"));
}

TEST_CASE("webgraph: bits that look like text are told from METIS by the properties beside them") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  SuccessorLists lists;
  std::string bits;
  for (std::uint64_t seed = 0; !is_printable(std::as_bytes(std::span(bits))); ++seed) {
    lists = web_like_lists(4, seed);
    bits = encode_webgraph(lists, {});
  }
  const std::string path = write_webgraph(directory, bits, webgraph_properties(lists, {}));
  CHECK(open_edges(test.environment, path, {})->format() == "webgraph");
  CHECK(read_edges<R32>(test.environment, path).size() == arcs_of(lists).size());
  const std::string metis = directory.write("b.graph", "3 2\n2\n1 3\n2\n");
  directory.write("b.properties", "graphclass=none\ncolour=red\n");
  CHECK(open_edges(test.environment, metis, {})->format() == "graph");
}

TEST_CASE("webgraph: properties that make no sense are refused") {
  const SuccessorLists lists = web_like_lists(50, 3);
  const std::string bits = encode_webgraph(lists, {});
  const std::string good = webgraph_properties(lists, {});
  CHECK(refusal(bits, good).empty());
  std::string odd = "! other ways to write it\r\n  graphclass : class it.unimi.dsi.big.webgraph.BVGraph\r\n" +
                    good.substr(good.find("version"));
  CHECK(refusal(bits, odd).empty());
  CHECK_THAT(refusal(bits, ""), Contains("a.properties: graphclass=, expected that of a BVGraph"));
  CHECK_THAT(refusal(bits, with(good, "graphclass", "graphclass=it.unimi.dsi.webgraph.EFGraph")),
             Contains("graphclass=it.unimi.dsi.webgraph.EFGraph"));
  CHECK_THAT(refusal(bits, with(good, "nodes", "nodes=-1")),
             Contains("nodes=-1, expected 0 to 281474976710656"));
  CHECK_THAT(refusal(bits, with(good, "nodes", "nodes=many")), Contains("nodes=many"));
  CHECK_THAT(refusal(bits, with(good, "nodes", "nodes=99999999999999999999")), Contains("nodes=9999"));
  CHECK_THAT(refusal(bits, with(good, "arcs", "#")), Contains("says no arcs"));
  CHECK_THAT(refusal(bits, with(good, "version", "version=1")), Contains("version=1, expected 0 to 0"));
  CHECK_THAT(refusal(bits, with(good, "version", "endianness=little")), Contains("endianness=little"));
  CHECK_THAT(refusal(bits, with(good, "windowsize", "windowsize=1000")), Contains("expected 0 to 128"));
  CHECK_THAT(refusal(bits, with(good, "zetak", "zetak=0")), Contains("zetak=0, expected 1 to 16"));
  CHECK_THAT(refusal(bits, with(good, "compressionflags", "compressionflags=RESIDUALS_GOLOMB")),
             Contains("found RESIDUALS_GOLOMB"));
  CHECK_THAT(refusal(bits, "nonsense"), Contains("line 1: 'nonsense', expected KEY=VALUE"));
  CHECK_THAT(refusal(bits, std::string(2 * MiB, '\n')), Contains("more than 1 MiB"));
}

TEST_CASE("webgraph: lists that make no sense are refused with their place") {
  const WebgraphProperties code;
  const std::string five = "graphclass=BVGraph\nnodes=5\narcs=9\nwindowsize=7\nminintervallength=4\n";
  const auto refused = [&](auto&& write) {
    BitString bits;
    write(bits);
    bits.bits(~std::uint64_t{0}, 60);  // enough to read on
    return refusal(bits.bytes(), five);
  };
  CHECK_THAT(
      refused([](BitString& b) { b.gamma(6); }),
      Contains("a.graph: offset 0: bit 5: the successors of node 0: an outdegree of 6, expected at most 5"));
  CHECK_THAT(refused([](BitString& b) { b.gamma(1), b.unary(1); }),
             Contains("the node 1 before, expected at most 0"));
  CHECK_THAT(refused([](BitString& b) { b.gamma(0), b.gamma(2), b.unary(1), b.gamma(2); }),
             Contains("2 blocks of 0 successors"));
  CHECK_THAT(refused([](BitString& b) { b.gamma(0), b.gamma(2), b.unary(1), b.gamma(1), b.gamma(3); }),
             Contains("node 1: blocks of more than the 0 successors"));
  // Node 0: 1 and 3; node 1 of one successor copies both.
  const auto first = [](BitString& b) { b.gamma(2), b.unary(0), b.gamma(0), b.zeta(2, 3), b.zeta(1, 3); };
  CHECK_THAT(refused([&](BitString& b) { first(b), b.gamma(1), b.unary(1), b.gamma(0); }),
             Contains("more than the 1 successors declared are copied"));
  CHECK_THAT(
      refused([&](BitString& b) { first(b), b.gamma(3), b.unary(1), b.gamma(0), b.gamma(0), b.zeta(0, 3); }),
      Contains("node 1: one of them comes twice"));
  CHECK_THAT(refused([](BitString& b) { b.gamma(4), b.unary(0), b.gamma(1), b.gamma(1), b.gamma(0); }),
             Contains("an interval is 1 below the node"));
  CHECK_THAT(refused([](BitString& b) { b.gamma(4), b.unary(0), b.gamma(1), b.gamma(4), b.gamma(0); }),
             Contains("an interval of 4 from 2 on, expected ids below 5"));
  CHECK_THAT(refused([](BitString& b) { b.gamma(4), b.unary(0), b.gamma(1), b.gamma(0), b.gamma(1); }),
             Contains("intervals of more than the 4 successors"));
  CHECK_THAT(refused([](BitString& b) { b.gamma(1), b.unary(0), b.gamma(0), b.zeta(10, 3); }),
             Contains("a successor is 5 above the node, expected ids below 5"));
  CHECK_THAT(refused([](BitString& b) { b.gamma(2), b.unary(0), b.gamma(0), b.zeta(8, 3), b.zeta(0, 3); }),
             Contains("successor 5, expected ids below 5"));
  // All lists there, but fewer arcs than declared.
  CHECK_THAT(refused([](BitString& b) {
               for (int i = 0; i < 5; ++i) b.gamma(0);
             }),
             Contains("offset 1: 0 arcs found, expected 9 by its properties"));
  CHECK_THAT(refusal("", five), Contains("truncated: ends within the successors of node 0 of 5"));
  const SuccessorLists lists = web_like_lists(300, 9);
  const std::string bits = encode_webgraph(lists, code);
  const std::string good = webgraph_properties(lists, code);
  CHECK(refusal(bits + std::string(8, '\0'), good).empty());
  CHECK_THAT(refusal(bits + std::string(100, '\0'), good), Contains("bytes left over"));
  for (std::size_t size = 0; size < bits.size(); size += 1 + size / 8) {
    CAPTURE(size);
    CHECK_THAT(refusal(bits.substr(0, size), good), Contains("truncated"));
  }
}

TEST_CASE("webgraph: damage is an error or a list in range, never a crash") {
  const SuccessorLists lists = web_like_lists(2000, 4);
  const std::string good = encode_webgraph(lists, {});
  const std::string properties = webgraph_properties(lists, {});
  std::mt19937_64 random(8);
  const TemporaryDirectory directory;
  std::size_t refused = 0;
  for (int i = 0; i < sized(300, 100); ++i) {
    std::string broken = good;
    for (std::uint64_t flips = 1 + random() % 4; flips > 0; --flips) {
      broken[random() % broken.size()] ^= static_cast<char>(1 << random() % 8);
    }
    if (random() % 4 == 0) {
      const std::size_t at = random() % broken.size();
      std::fill_n(broken.begin() + static_cast<std::ptrdiff_t>(at),
                  std::min<std::size_t>(40, broken.size() - at), random() % 2 == 0 ? '\0' : '\xff');
    }
    TestEnvironment test{.memory_bytes = MiB};
    const std::string path = write_webgraph(directory, broken, properties);
    const auto source = typed_source<R32>(*open_edges(test.environment, path, {.format = "webgraph"}));
    std::vector<R32> arcs;
    const std::string what = message_of<core::DataError>([&] {
      source->sample(100);
      arcs = drain(*source, 1);
    });
    refused += what.empty() ? 0 : 1;
    for (const R32& arc : arcs) {
      if (arc.source >= 2000 || arc.target >= 2000) FAIL("id out of range");
    }
  }
  CHECK(refused > sized(200U, 60U));
}

TEST_CASE("webgraph: memory too small is said, faults end the run") {
  const SuccessorLists lists = web_like_lists(3000, 4);
  const TemporaryDirectory directory;
  const std::string path =
      write_webgraph(directory, encode_webgraph(lists, {}), webgraph_properties(lists, {}));
  const auto arcs = arcs_of(lists);
  for (std::uint64_t k = 0;; ++k) {
    REQUIRE(k < 1000);
    TestEnvironment test{.memory_bytes = MiB, .threads = 2};
    test.memory.fail_reservation(k);
    bool right = false;
    const std::string what = message_of<core::MemoryLimitError>(
        [&] { right = same_records(read_edges<R32>(test.environment, path, {}, 2), arcs); });
    CHECK(test.memory.used() == 0);
    if (right) break;
    CHECK_THAT(what, Contains("injected"));
  }
  std::size_t least = 0;
  for (std::size_t memory = 8 * KiB; memory <= MiB; memory += memory / 2) {
    TestEnvironment test{.memory_bytes = memory};
    bool right = false;
    const std::string what = message_of<core::MemoryLimitError>(
        [&] { right = same_records(read_edges<R32>(test.environment, path), arcs); });
    CHECK(right == what.empty());
    if (least != 0) CHECK(right);
    if (right && least == 0) least = memory;
  }
  CHECK(least > 0);
}

}  // namespace emgraph::tests::edge_formats::webgraph
