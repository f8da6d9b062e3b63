// SPDX-License-Identifier: MIT
// What is packed shows its format as what is not: large windows, blocks that hardly pack, damage, pieces.
#include "graph/format/packing/text_stream.hpp"
#include "tests/graph/format/line_samples.hpp"

namespace emgraph::tests::edge_formats::packed_start {

namespace {

using Catch::Contains;

struct ZstdOptions {
  int level = 1;
  int window_log = 0;  ///< 0: by the level
};

/// A frame without a declared content size, as from a pipe, so that its window is the configured one.
std::string zstd_frame(const std::string& text, const ZstdOptions& options) {
  ZSTD_CCtx* const state = ZSTD_createCCtx();
  REQUIRE(state != nullptr);
  ZSTD_CCtx_setParameter(state, ZSTD_c_compressionLevel, options.level);
  ZSTD_CCtx_setParameter(state, ZSTD_c_windowLog, options.window_log);
  std::string out(ZSTD_compressBound(text.size()) + 64, '\0');
  ZSTD_inBuffer in{text.data(), text.size() / 2, 0};
  ZSTD_outBuffer to{out.data(), out.size(), 0};
  for (const ZSTD_EndDirective end : {ZSTD_e_continue, ZSTD_e_end}) {
    in.size = end == ZSTD_e_end ? text.size() : in.size;
    while (const std::size_t left = ZSTD_compressStream2(state, &to, &in, end)) {
      REQUIRE_FALSE(ZSTD_isError(left));
      if (end == ZSTD_e_continue && in.pos == in.size) break;
    }
  }
  ZSTD_freeCCtx(state);
  out.resize(to.pos);
  return out;
}

/// KONECT's numbers count from 1: taken for text, every id would be one too large.
std::string konect_of(const std::vector<Bare>& edges, std::uint64_t nodes) {
  std::string text =
      "% asym unweighted\n% " + number(edges.size()) + " " + number(nodes) + " " + number(nodes) + "\n";
  for (const Bare& edge : edges) text += number(edge.source + 1) + " " + number(edge.target + 1) + "\n";
  return text;
}

}  // namespace

TEST_CASE("packed start: KONECT, METIS and DIMACS behind windows of any size") {
  constexpr std::uint64_t nodes = 5000;
  const auto edges = random_records<Bare>(60000, nodes, 0, false);
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 192 * MiB};
  for (const int window_log : {0, 23, 24, 27}) {
    const ZstdOptions options{.level = 1, .window_log = window_log};
    CAPTURE(window_log);
    const std::string path = directory.write("out.any", zstd_frame(konect_of(edges, nodes), options));
    for (const unsigned lanes : {1U, 4U}) {
      const auto input = open_edges(test.environment, path, {.max_lanes = lanes});
      CHECK(input->format() == "konect");
      CHECK(input->facts().nodes == nodes);
      CHECK(same_records(drain(*typed_source<Bare>(*input), lanes), edges));
    }
    for (const LineSample& sample : samples()) {
      const std::string file = directory.write(sample.name + ".zst", zstd_frame(sample.content, options));
      CHECK(same_records(read_edges<Weighted>(test.environment, file, sample.options, 2), sample.edges));
    }
  }
  CHECK(test.memory.used() == 0);
}

TEST_CASE("packed start: the bytes of text are estimated from whole blocks") {
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 64 * MiB};
  for (const std::uint64_t nodes : {std::uint64_t{100}, std::uint64_t{5000}, std::uint64_t{100'000'000}}) {
    const std::string text = konect_of(random_records<Bare>(200000, nodes, 0, false), nodes);
    for (const int level : {1, 3, 12}) {
      CAPTURE(nodes, level);
      core::InputFile input(directory.write("a.zst", zstd_frame(text, {.level = level})),
                            test.environment.io);
      const auto estimate = static_cast<double>(graph::format::estimated_text_bytes(test.environment, input));
      CHECK(estimate / static_cast<double>(text.size()) == Approx(1).epsilon(0.06));
    }
  }
}

TEST_CASE("packed start: a window that does not fit is refused, and the least memory named") {
  const TemporaryDirectory directory;
  const std::string path =
      directory.write("a.zst", zstd_frame(konect_of({{0, 1}}, 2), {.level = 1, .window_log = 27}));
  TestEnvironment test{.memory_bytes = 16 * MiB};
  for (const std::optional<std::string>& format :
       {std::optional<std::string>(), std::optional<std::string>("text")}) {
    CHECK_THAT(
        message_of<core::MemoryLimitError>([&] { open_edges(test.environment, path, {.format = format}); }),
        Contains("zstd decompression window"));
  }
  // Of a later frame it is asked for by the lane that gets there.
  const std::string text = konect_of(random_records<Bare>(60000, 5000, 0, false), 5000);
  const std::string late = directory.write("b.zst", zstd(text) + zstd_frame("1 2\n", {.window_log = 27}));
  for (const unsigned lanes : {1U, 4U}) {
    CHECK_THAT(
        message_of<core::MemoryLimitError>([&] { read_edges<Bare>(test.environment, late, {}, lanes); }),
        Contains("zstd decompression window"));
  }
  CHECK(test.memory.used() == 0);
}

/// Reads each content from a file and from a pipe.
void check_read(TestEnvironment& test, const TemporaryDirectory& directory,
                const std::vector<std::string>& contents, const std::vector<Bare>& edges) {
  for (std::size_t i = 0; i < contents.size(); ++i) {
    CAPTURE(i);
    const std::string path = directory.write("out.any", contents[i]);
    CHECK(same_records(read_edges<Bare>(test.environment, path, {}, 2), edges));
    const Pipe pipe(directory, contents[i]);
    CHECK(same_records(read_edges<Bare>(test.environment, pipe.path(), {}, 2), edges));
  }
}

TEST_CASE("packed start: blocks that hardly pack, empty frames and members before the text") {
  // Levels below 1 leave what does not repeat as it is, so the first block takes as much as it holds.
  const auto edges = random_records<Bare>(60000, 4000000000, 0, false);
  const std::string text = konect_of(edges, 4000000000);
  const std::string head = text.substr(0, text.find('\n') + 1);
  const std::string skipped("\x50\x2a\x4d\x18\x04\0\0\0abcd", 12);
  std::vector<std::string> contents = {zstd_frame(text, {.level = -50}),
                                       zstd("") + zstd(head) + skipped + zstd(text.substr(head.size()))};
  CHECK(contents[0].size() > text.size() * 9 / 10);
#ifdef EMGRAPH_HAS_ZLIB
  contents.push_back(gzip(text));
  contents.push_back(gzip("") + gzip(head) + gzip(text.substr(head.size())));
#endif
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 16 * MiB};
  check_read(test, directory, contents, edges);
}

TEST_CASE("packed start: members that are small and many, and many empty ones before the text") {
  const std::vector<Bare> edges(7000, Bare{1, 2});
  const auto repeated = [](std::size_t count, const std::string& packed) {
    std::string content;
    for (std::size_t i = 0; i < count; ++i) content += packed;
    return content;
  };
  std::vector<std::string> contents = {repeated(7000, zstd("1 2\n")),
                                       repeated(20000, zstd("")) + repeated(7000, zstd("1 2\n"))};
#ifdef EMGRAPH_HAS_ZLIB
  contents.push_back(repeated(7000, gzip("1 2\n")));
  contents.push_back(repeated(10000, gzip("")) + repeated(7000, gzip("1 2\n")));
#endif
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 64 * MiB};
  check_read(test, directory, contents, edges);
  const Pipe endless(directory, repeated(150000, zstd("")));
  CHECK_THAT(message_of<core::DataError>([&] { open_edges(test.environment, endless.path(), {}); }),
             Contains("first 1.00 MiB do not show"));
}

std::vector<std::string> packed_in_each_way(const std::string& text) {
  std::vector<std::string> contents = {zstd(text)};
#ifdef EMGRAPH_HAS_ZLIB
  contents.push_back(gzip(text));
#endif
  return contents;
}

TEST_CASE("packed start: damage is an error of its own, no text") {
  const std::string text = konect_of(random_records<Bare>(60000, 5000, 0, false), 5000);
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 16 * MiB};
  for (const std::string& content : packed_in_each_way(text)) {
    std::string damaged = content;
    for (std::size_t at = 12; at < 60; ++at) damaged[at] = '\xff';
    const auto error = [&](const std::string& bytes) {
      const std::string path = directory.write("a.any", bytes);
      return message_of<core::DataError>([&] { open_edges(test.environment, path, {}); });
    };
    CHECK_THAT(error(damaged), Contains("damaged"));
    CHECK_THAT(error(content.substr(0, 100)), Contains("truncated"));
  }
}

TEST_CASE("packed start: reading that fails inside a long line stops every lane") {
  const auto edges = random_records<Bare>(60000, 5000, 0, false);
  std::string text = konect_of(edges, 5000);
  std::string comment = "%";
  std::mt19937_64 random(1);
  while (comment.size() < 3 * MiB) comment += static_cast<char>('a' + random() % 26);
  text.insert(text.find('\n', text.size() / 2) + 1, comment + "\n");
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 64 * MiB};
  for (const std::string& content : packed_in_each_way(text)) {
    const std::string whole = directory.write("a.any", content);
    CHECK(same_records(read_edges<Bare>(test.environment, whole, {}, 4), edges));
    const std::string path = directory.write("a.any", content.substr(0, content.size() * 2 / 3));
    for (int repeat = 0; repeat < 5; ++repeat) {
      CHECK_THAT(message_of<core::DataError>([&] { read_edges<Bare>(test.environment, path, {}, 4); }),
                 Contains("truncated"));
    }
  }
}

}  // namespace emgraph::tests::edge_formats::packed_start
