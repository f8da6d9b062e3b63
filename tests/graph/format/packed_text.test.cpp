// SPDX-License-Identifier: MIT
// Text written: by encoders ahead of their turn, packed by gzip and zstd.
#include <filesystem>

#include "graph/format/packing/block_packer.hpp"
#include "graph/format/packing/text_output.hpp"
#include "tests/graph/format/edge_files.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::edge_formats::packed_text {

namespace {

using Catch::Contains;
using Plain = Record<std::uint32_t, 0>;

std::vector<std::string> packed_extensions() {
  std::vector<std::string> extensions = {".zst"};
#ifdef EMGRAPH_HAS_ZLIB
  extensions.emplace_back(".gz");
#endif
#ifdef EMGRAPH_HAS_LZMA
  extensions.emplace_back(".xz");
#endif
#ifdef EMGRAPH_HAS_BZIP2
  extensions.emplace_back(".bz2");
#endif
  return extensions;
}

/// What the file `name` holds once `records` are written to it in batches of `batch`.
std::string written(const std::string& name, const std::vector<Plain>& records, std::size_t memory_bytes,
                    unsigned threads, std::size_t batch, std::optional<int> level = std::nullopt) {
  TestEnvironment test{.memory_bytes = memory_bytes, .threads = threads};
  const TemporaryDirectory directory;
  write_edges(test.environment, directory.file(name), {}, {.level = level}, records, batch);
  CHECK(test.memory.used() == 0);
  return whole_file(directory.file(name));
}

}  // namespace

TEST_CASE("packed text: read back as written, the same bytes for any threads, memory and batches") {
  const auto records = random_records<Plain>(sized(300000, 100000), 10000000, 0, false);
  const TemporaryDirectory directory;
  TestEnvironment test{.memory_bytes = 32 * MiB};
  for (const std::string& extension : packed_extensions()) {
    const std::string name = "a.txt" + extension;
    const std::string bytes = written(name, records, 64 * MiB, 1, 1000);
    CHECK(bytes.size() < records.size() * 10);
    CHECK(written(name, records, 64 * MiB, 4, 77777) == bytes);
    CHECK(written(name, records, 12 * MiB, 4, 10) == bytes);
    for (const unsigned lanes : {1U, 3U}) {
      const std::string path = directory.write("a.any", bytes);
      CHECK(same_records(read_edges<Plain>(test.environment, path, {}, lanes), records));
    }
    const std::string other = written(name, records, 64 * MiB, 2, 1000, 1);
    CHECK(other != bytes);
    CHECK(same_records(read_edges<Plain>(test.environment, directory.write("a.any", other)), records));
  }
}

TEST_CASE("packed text: no edges, one edge") {
  TestEnvironment test{.memory_bytes = 16 * MiB};
  const TemporaryDirectory directory;
  for (const std::string& extension : packed_extensions()) {
    for (const std::vector<Plain>& records : {std::vector<Plain>(), std::vector<Plain>{{1, 2}}}) {
      const std::string path =
          directory.write("a" + extension, written("a.csv" + extension, records, 16 * MiB, 2, 1));
      CHECK_FALSE(whole_file(path).empty());
      CHECK(same_records(read_edges<Plain>(test.environment, path, {.format = "text"}), records));
    }
  }
}

TEST_CASE("packed text: every reservation that fails leaves no file") {
  const auto records = random_records<Plain>(1000, 1000, 0, false);
  for (const std::string& extension : packed_extensions()) {
    bool done = false;
    for (std::uint64_t k = 0; !done; ++k) {
      REQUIRE(k < 40);
      TestEnvironment test{.memory_bytes = 16 * MiB, .threads = 2};
      const TemporaryDirectory directory;
      const std::string path = directory.file("a.txt" + extension);
      test.memory.fail_reservation(k);
      std::unique_ptr<EdgeWriter> writer;
      try {
        writer = create_edges(test.environment, path, {}, {});
        append(*writer, std::span<const Plain>(records));
        writer->finish();
        done = true;
      } catch (const core::MemoryLimitError&) {
      }
      writer.reset();
      CHECK(std::filesystem::exists(path) == done);
      CHECK(test.memory.used() == 0);
    }
  }
}

TEST_CASE("packed text: names and levels") {
  CHECK(packing_of_name("a.txt.gz") == Packing::gzip);
  CHECK(packing_of_name("a.tsv.xz") == Packing::xz);
  CHECK(packing_of_name("a.bz2") == Packing::bzip2);
  CHECK(packing_of_name("a.ZST") == Packing::zstd);
  CHECK(packing_of_name("a.b/c.zst") == Packing::zstd);
  CHECK(packing_of_name("gz") == Packing::none);
  CHECK(unpacked_name("a.b/c.txt.zst") == "a.b/c.txt");
  CHECK(unpacked_name("a.txt") == "a.txt");
  CHECK(parse_packing_level(Packing::zstd, "zstd:19") == 19);
  CHECK(parse_packing_level(Packing::gzip, "gzip:1") == 1);
  CHECK_FALSE(parse_packing_level(Packing::gzip, "gzip").has_value());
  for (const char* wrong : {"gzip", "zstd:", "zstd:0", "zstd:20", "zstd:3x", "zstd3", "delta", ""}) {
    CHECK_THROWS_AS(parse_packing_level(Packing::zstd, wrong), core::UsageError);
  }
  CHECK_THROWS_AS(parse_packing_level(Packing::gzip, "gzip:10"), core::UsageError);
  TestEnvironment test{.memory_bytes = 16 * MiB};
  const TemporaryDirectory directory;
  CHECK_THAT(message_of<core::UsageError>(
                 [&] { create_edges(test.environment, directory.file("a.u32.zst"), {}, {}); }),
             Contains("format 'u32' is not written packed"));
  CHECK_THROWS_AS(create_edges(test.environment, directory.file("a.wel"), {}, {}), core::UsageError);
}

TEST_CASE("written text: what encoders made is what append writes") {
  TestEnvironment test{.memory_bytes = 16 * MiB};
  const TemporaryDirectory directory;
  using Weighted = Record<std::uint64_t, 8>;
  std::mt19937_64 random(1);
  std::vector<Weighted> records(sized(200000, 100000));
  for (Weighted& record : records) {
    record.source = random() >> random() % 64;
    record.target = random() >> random() % 64;
    const std::uint64_t weight = random() >> random() % 64;
    std::memcpy(record.attachment.data(), &weight, sizeof(weight));
  }
  std::string expected;
  for (const Weighted& record : records) {
    std::int64_t weight;
    std::memcpy(&weight, record.attachment.data(), sizeof(weight));
    expected += std::to_string(record.source) + " " + std::to_string(record.target) + " " +
                std::to_string(weight) + "\n";
  }
  const EdgeFacts facts = facts_of({8, WeightType::i64, 0});
  write_edges(test.environment, directory.file("a.wel"), facts, {}, records);
  CHECK(whole_file(directory.file("a.wel")) == expected);
  const auto writer = create_edges(test.environment, directory.file("b.wel"), facts, {});
  const auto encoder = writer->encoder();
  REQUIRE(encoder != nullptr);
  for (std::size_t done = 0; done < records.size();) {
    const std::size_t taken =
        encoder->encode(shape_of<Weighted>(), reinterpret_cast<const std::byte*>(&records[done]),
                        std::min<std::size_t>(records.size() - done, 50000));
    REQUIRE(taken > 0);
    CHECK(encoder->records() == taken);
    writer->append_encoded(*encoder);
    done += taken;
  }
  writer->finish();
  CHECK(writer->edges() == records.size());
  CHECK(whole_file(directory.file("b.wel")) == expected);
}

}  // namespace emgraph::tests::edge_formats::packed_text
