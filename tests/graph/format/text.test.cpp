// SPDX-License-Identifier: MIT
// Text edge lists.
#include "tests/graph/format/edge_files.hpp"
#include "tests/graph/format/packed_bytes.hpp"

namespace emgraph::tests::edge_formats::text {

namespace {

using R32 = Record<std::uint32_t, 0>;
using R64 = Record<std::uint64_t, 0>;

std::string text_of(const std::vector<R32>& records) {
  std::string text;
  for (const R32& record : records) {
    text += std::to_string(record.source) + "\t" + std::to_string(record.target) + "\n";
  }
  return text;
}

/// Parsed edges as "s-t s-t".
std::string parsed(const std::string& content, const OpenOptions& options = {.format = "text"}) {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  std::string out;
  for (const R32& record : read_edges<R32>(test.environment, directory.write("a.txt", content), options)) {
    if (!out.empty()) out.append(" ");
    out.append(std::to_string(record.source)).append("-").append(std::to_string(record.target));
  }
  return out;
}

std::string error(const std::string& content, const std::string& format = "text") {
  return message_of<core::DataError>([&] { parsed(content, {.format = format}); });
}

}  // namespace

TEST_CASE("text: dialects") {
  CHECK(parsed("1 2\n3 4\n") == "1-2 3-4");
  CHECK(parsed("1\t2\r\n3\t4\r\n") == "1-2 3-4");
  CHECK(parsed("1,2\n3,4") == "1-2 3-4");
  CHECK(parsed("  1 ,\t2  \n") == "1-2");
  CHECK(parsed("# Nodes: 5 Edges: 2\n% other\n\n   \n1 2\n\n#3 4\n5 6\n") == "1-2 5-6");
  CHECK(parsed("1 2\r3 4\r") == "1-2 3-4");
  CHECK(parsed("id_1,id_2\n1,2\n") == "1-2");
  CHECK(parsed("# c\n\"from\",\"to\"\n1,2\n") == "1-2");
  CHECK(parsed("1 2 0.5 17 whatever\n3 4 x\n") == "1-2 3-4");
  CHECK(parsed("\xef\xbb\xbf"
               "1 2\n") == "1-2");
  CHECK(parsed("0 4294967295\n") == "0-4294967295");
  CHECK(parsed("007 08\n") == "7-8");
  CHECK(parsed("").empty());
  CHECK(parsed("\n# nothing\n").empty());
}

TEST_CASE("text: errors name the line, what was found and what was expected") {
  CHECK_THAT(error("1 2\n3 -4\n"),
             Catch::Contains("a.txt: line 2: found '-4'") && Catch::Contains("0 or more"));
  // Not a header: it has an id.
  CHECK_THAT(error("1 two\n"), Catch::Contains("line 1: found 'two' as the second id"));
  CHECK_THAT(error("one 2\n"), Catch::Contains("line 1: found 'one' as the first id"));
  CHECK_THAT(error("1 2\n3\n"), Catch::Contains("line 2: found one column, expected two ids"));
  CHECK_THAT(error("1 2\n\n# c\n3 4x\n"), Catch::Contains("line 4: found '4x' as the second id"));
  CHECK_THAT(error("1 2\nhello world\n"), Catch::Contains("line 2: found 'hello' as the first id"));
  CHECK_THAT(error("1,,2\n"), Catch::Contains("line 1"));
  CHECK_THAT(error("1.5 2\n"), Catch::Contains("found '1.5'"));
  CHECK_THAT(error("1 99999999999999999999999\n"), Catch::Contains("below 2^64"));
  CHECK_THAT(error("1 18446744073709551616\n"), Catch::Contains("below 2^64"));
  CHECK_THAT(error(std::string("\0\1\2\3", 4)), Catch::Contains("line 1") && Catch::Contains("binary data"));
  CHECK_THAT(error("\xff\xfe"
                   "1\0 \0"),
             Catch::Contains("UTF-16"));
  CHECK_THAT(error("1 2\n" + std::string(70000, '3') + "\n"), Catch::Contains("line 2"));
  CHECK_THAT(error("1 2 +-5\n", "text-i64w"), Catch::Contains("found '+-5' as the weight"));
  CHECK_THAT(error("1 2 nan\n", "text-f64w"), Catch::Contains("expected a finite number"));
  CHECK_THAT(error("1 2 -inf\n", "text-f32w"), Catch::Contains("expected a finite number"));
  CHECK_THAT(error("1 2 1e999\n", "text-f64w"), Catch::Contains("expected a finite number"));
  CHECK_THAT(error("1 2\n", "text-u32w"), Catch::Contains("as the weight"));
  CHECK_THAT(error("1 2 -3\n", "text-u32w"), Catch::Contains("found '-3' as the weight"));
  CHECK_THAT(error("1 2 3x\n", "text-i64w"), Catch::Contains("as the weight"));
}

TEST_CASE("text: an error far into the file, read by two lanes, has its line") {
  TestEnvironment test{.memory_bytes = 32 * MiB};
  const TemporaryDirectory directory;
  auto records = random_records<R32>(200000, 100000, 0, false);
  std::string text = text_of(records);
  const std::size_t middle = text.find('\n', text.size() / 2);
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(middle), '\n') + 2;
  text.insert(middle + 1, "oops\n");
  const std::string path = directory.write("a.txt", text);
  for (const unsigned lanes : {1U, 2U}) {
    CHECK_THAT(message_of<core::DataError>([&] { read_edges<R32>(test.environment, path, {}, lanes); }),
               Catch::Contains("line " + std::to_string(line) + ": found 'oops'"));
  }
}

TEST_CASE("text: wide ids") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string path = directory.write("a.txt", "1 2\n3 4294967296\n");
  CHECK_THAT(message_of<IdTooWide>([&] { read_edges<R32>(test.environment, path); }),
             Catch::Contains("line 2") && Catch::Contains("8 bytes"));
  const auto edges = read_edges<R64>(test.environment, path, {.id_bytes = 8});
  REQUIRE(edges.size() == 2);
  CHECK(edges[1].target == 4294967296);
  CHECK(read_edges<R64>(test.environment, directory.write("b.txt", "1 18446744073709551615\n"),
                        {.id_bytes = 8})[0]
            .target == ~std::uint64_t{0});
}

TEST_CASE("text: weights") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string path = directory.write("a.txt", "1 2 7\n3,4,8\n");
  const auto u32 = read_edges<Record<std::uint32_t, 4>>(test.environment, path, {.format = "text-u32w"});
  REQUIRE(u32.size() == 2);
  CHECK(u32[1].attachment[0] == std::byte{8});
  const auto f64 = read_edges<Record<std::uint64_t, 8>>(
      test.environment, directory.write("b.txt", "1 2 -0.25e1\n"), {.format = "text-f64w"});
  double value = 0;
  std::memcpy(&value, f64[0].attachment.data(), 8);
  CHECK(value == -2.5);
}

TEST_CASE("text: weights that are too small for their type are the nearest it has") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const auto weights = [&]<class T>(T /*type*/, const std::string& name, const std::string& content) {
    std::vector<T> values;
    for (const auto& record : read_edges<Record<std::uint32_t, sizeof(T)>>(
             test.environment, directory.write("a.any", content), {.format = name})) {
      std::memcpy(&values.emplace_back(), record.attachment.data(), sizeof(T));
    }
    return values;
  };
  const std::string small = "1 2 1e-400\n1 2 -1e-400\n1 2 3e-320\n1 2 +1e-50,\n1 2 \"1e-5000\"\n1 2 0.5\n";
  CHECK(weights(double(), "text-f64w", small) == std::vector<double>{0, 0, 3e-320, 1e-50, 0, 0.5});
  CHECK(weights(float(), "text-f32w", small) == std::vector<float>{0, 0, 0, 0, 0, 0.5F});
  CHECK(weights(float(), "text-f32w", "1 2 1e-40\n") == std::vector<float>{1e-40F});
  CHECK(weights(double(), "konect", "% sym weighted\n1 2 1e-400\n1 2\n") == std::vector<double>{0, 1});
  const std::string matrix = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1e-400\n1 2 3e-320";
  CHECK(weights(double(), "mtx", matrix) == std::vector<double>{0, 3e-320});
  CHECK_THAT(error("1 2 1e-400x\n", "text-f64w"), Catch::Contains("expected a finite number"));
  CHECK_THAT(error("1 2 1e39\n", "text-f32w"), Catch::Contains("expected a finite number"));
}

TEST_CASE("text: round trips through files, pipes, gzip and zstd, with one and two lanes") {
  TestEnvironment test{.memory_bytes = 32 * MiB};
  const TemporaryDirectory directory;
  const auto records = random_records<R32>(150000, 3000000, 0, false);
  const std::string path = directory.file("edges.tsv");
  write_edges(test.environment, path, {}, {}, records);
  const std::string text = whole_file(path);
  REQUIRE(text == text_of(records));
  const std::size_t cut = text.find('\n', text.size() / 3) + 1;
  std::vector<std::string> contents = {text, zstd(text), zstd(text.substr(0, cut)) + zstd(text.substr(cut))};
#ifdef EMGRAPH_HAS_ZLIB
  contents.push_back(gzip(text));
  contents.push_back(gzip(text.substr(0, cut)) + gzip(text.substr(cut)));
#endif
  for (const std::string& content : contents) {
    const std::string file = directory.write("a.any", content);
    for (const unsigned lanes : {1U, 2U}) {
      CHECK(same_records(read_edges<R32>(test.environment, file, {}, lanes), records));
      const Pipe pipe(directory, content);
      CHECK(same_records(read_edges<R32>(test.environment, pipe.path(), {}, lanes), records));
    }
    const auto source = typed_source<R32>(*open_edges(test.environment, file, {.max_lanes = 2}));
    CHECK(drain(*source, 2).size() == records.size());
    source->rewind();
    CHECK(same_records(drain(*source, 1), records));
  }
  const auto sample = typed_source<R32>(*open_edges(test.environment, path, {}))->sample(640);
  CHECK(sample.size() >= 320);
  CHECK(sample.size() <= 1280);
  auto sorted = records;
  std::sort(sorted.begin(), sorted.end(), before<R32>);
  CHECK(std::all_of(sample.begin(), sample.end(), [&](const R32& record) {
    return std::binary_search(sorted.begin(), sorted.end(), record, before<R32>);
  }));
}

TEST_CASE("text: written weights, CSV, 8-byte ids") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  using Weighted = Record<std::uint64_t, 8>;
  Weighted record{std::uint64_t{1} << 50, 3, {}};
  const std::int64_t weight = -17;
  std::memcpy(record.attachment.data(), &weight, 8);
  write_edges<Weighted>(test.environment, directory.file("a.csv"), facts_of({8, WeightType::i64, 0}), {},
                        {record});
  CHECK(whole_file(directory.file("a.csv")) == "1125899906842624,3,-17\n");
  CHECK(same_records(
      read_edges<Weighted>(test.environment, directory.file("a.csv"), {.format = "text-i64w", .id_bytes = 8}),
      {record}));
}

TEST_CASE("text: damaged and truncated packing") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string text = text_of(random_records<R32>(20000, 1000, 0, false));
  const auto read = [&](const std::string& content) {
    const std::string path = directory.write("a.gz", content);
    return message_of<core::DataError>([&] { read_edges<R32>(test.environment, path, {.format = "text"}); });
  };
  std::vector<std::string> contents = {zstd(text)};
#ifdef EMGRAPH_HAS_ZLIB
  contents.push_back(gzip(text));
#endif
  for (const std::string& packed : contents) {
    CHECK(read(packed).empty());
    for (const std::size_t bytes : {packed.size() / 2, packed.size() - 1, std::size_t{20}}) {
      CHECK_THAT(read(packed.substr(0, bytes)), Catch::Contains("truncated"));
    }
    std::string damaged = packed;
    damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] ^ 0x55);
    damaged[packed.size() / 2 + 1] = static_cast<char>(damaged[packed.size() / 2 + 1] ^ 0x55);
    CHECK_FALSE(read(damaged).empty());
  }
}

TEST_CASE("text: more lanes than memory has room for") {
  const TemporaryDirectory directory;
  const auto records = random_records<R32>(100000, 1000, 0, false);
  const std::string text = text_of(records);
  for (const std::string& content : {text, zstd(text)}) {
    const std::string path = directory.write("a.txt", content);
    TestEnvironment test{.memory_bytes = 4 * MiB};
    CHECK(same_records(read_edges<R32>(test.environment, path, {}, 40), records));
    CHECK(test.memory.used() == 0);
    const Pipe pipe(directory, content);
    CHECK(same_records(read_edges<R32>(test.environment, pipe.path(), {.format = "text"}, 40), records));
  }
}

TEST_CASE("text: the window of a zstd frame is reserved when the input is opened") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  std::string text;
  for (int i = 0; i < 500000; ++i) text += "1 2\n";
  const std::string path = directory.write("a.txt.zst", zstd(text));
  const auto input = open_edges(test.environment, path, {});
  const std::size_t used = test.memory.used();
  CHECK(used > 512 * KiB);  // level 1 declares a window of 512 KiB, or less the whole text
  const auto lane = typed_source<R32>(*input)->lane();
  const std::size_t with_lane = test.memory.used();
  while (!lane->next().empty()) {
  }
  CHECK(test.memory.used() == with_lane);
}

}  // namespace emgraph::tests::edge_formats::text
