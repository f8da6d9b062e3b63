// SPDX-License-Identifier: MIT
// Containers: any flipped bit and any cut is an error, never other edges.
#include "graph/format/container/container_layout.hpp"
#include "tests/graph/format/edge_files.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests::edge_formats::container_damage {

namespace {

using R = Record<std::uint32_t, 0>;

/// A small file coded by `codec`, with three blocks by default.
std::string small_container(core::Environment& environment, const TemporaryDirectory& directory,
                            const std::string& codec, std::size_t block_bytes) {
  const std::string path = directory.file("small.emg");
  std::vector<R> records;
  for (std::uint32_t i = 0; i < 60; ++i) records.push_back({i / 4, i % 4 * 3});
  write_edges(environment, path, sorted_facts(),
              {.codec = core::parse_codec(codec),
               .overwrite = core::Overwrite::force,
               .metadata = {{"made", "by a test"}},
               .block_bytes = block_bytes},
              records);
  return whole_file(path);
}

std::string error_of_file(core::Environment& environment, const TemporaryDirectory& directory,
                          const std::string& content) {
  const std::string path = directory.file("damaged.emg");
  spit(path, content);
  return message_of<core::DataError>([&] { read_edges<R>(environment, path, {.format = "emg"}); });
}

std::string error_of_pipe(core::Environment& environment, const TemporaryDirectory& directory,
                          const std::string& content) {
  const Pipe pipe(directory, content);
  return message_of<core::DataError>([&] { read_edges<R>(environment, pipe.path(), {.format = "emg"}); });
}

}  // namespace

TEST_CASE("container damage: every flipped bit is found") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  for (const auto& [codec, block_bytes] :
       {std::pair{"delta", 230}, std::pair{"delta+zstd", 600}, std::pair{"none", 4096}}) {
    const std::string good =
        small_container(test.environment, directory, codec, static_cast<std::size_t>(block_bytes));
    REQUIRE(error_of_file(test.environment, directory, good).empty());
    REQUIRE(error_of_pipe(test.environment, directory, good).empty());
    const std::string path = directory.file("flipped.emg");
    spit(path, good);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&](std::size_t byte, char value) {
      file.seekp(static_cast<std::streamoff>(byte));
      file.put(value);
      file.flush();
    };
    std::size_t missed = 0;
    for (std::size_t byte = 0; byte < good.size(); ++byte) {
      // Long stretches of padding get one bit each byte, and so does all under sanitizers; else all eight.
      const bool padding = byte > 200 && good.find_first_not_of('\0', byte - 8) > byte + 8;
      for (int bit = 0; bit < 8; ++bit) {
        const bool one_of_eight = bit == static_cast<int>(byte % 8);
        if ((padding || sanitized) && !one_of_eight) continue;
        const char flipped = static_cast<char>(good[byte] ^ (1 << bit));
        put(byte, flipped);
        missed += message_of<core::DataError>([&] {
                    read_edges<R>(test.environment, path, {.format = "emg"});
                  }).empty();
        put(byte, good[byte]);
        if (!one_of_eight || (padding && byte % 32 != 0)) continue;
        std::string bad = good;
        bad[byte] = flipped;
        missed += error_of_pipe(test.environment, directory, bad).empty();
      }
    }
    CHECK(same_records(read_edges<R>(test.environment, path),
                       read_edges<R>(test.environment, directory.file("small.emg"))));
    CAPTURE(codec, good.size());
    CHECK(missed == 0);
  }
}

TEST_CASE("container damage: every cut is found, and named") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string good = small_container(test.environment, directory, "delta", 230);
  for (std::size_t bytes = 0; bytes < good.size(); ++bytes) {
    CAPTURE(bytes);
    CHECK_FALSE(error_of_file(test.environment, directory, good.substr(0, bytes)).empty());
    CHECK_FALSE(error_of_pipe(test.environment, directory, good.substr(0, bytes)).empty());
  }
  const std::string message = error_of_pipe(test.environment, directory, good.substr(0, good.size() / 2));
  CHECK(message.find("truncated") != std::string::npos);
  CHECK(message.find("whole edges") != std::string::npos);
  CHECK_THAT(error_of_file(test.environment, directory, good.substr(0, good.size() - 1)),
             Catch::Contains("truncated"));
}

TEST_CASE("container damage: concatenations and appended bytes are refused") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string good = small_container(test.environment, directory, "delta", 230);
  for (const std::string& more : {good, std::string(1, '\0'), std::string("x"), good.substr(0, 128)}) {
    CHECK_FALSE(error_of_file(test.environment, directory, good + more).empty());
    CHECK_FALSE(error_of_pipe(test.environment, directory, good + more).empty());
  }
  CHECK_THAT(error_of_file(test.environment, directory, good + good), Catch::Contains("concatenated"));
  CHECK_THAT(error_of_pipe(test.environment, directory, good + good), Catch::Contains("concatenated"));
}

TEST_CASE("container damage: what a newer version may write is refused with its reason") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string good = small_container(test.environment, directory, "delta", 230);
  const auto with = [&](auto change) {
    ContainerHeader header;
    std::memcpy(&header, good.data(), sizeof(header));
    change(header);
    seal(header);
    std::string bad = good;
    std::memcpy(bad.data(), &header, sizeof(header));
    return error_of_file(test.environment, directory, bad);
  };
  CHECK_THAT(with([](ContainerHeader& h) { h.major = 2; }), Catch::Contains("version 2.0"));
  CHECK_THAT(with([](ContainerHeader& h) { h.required_flags |= 1U << 20; }),
             Catch::Contains("required flags"));
  CHECK_THAT(with([](ContainerHeader& h) { h.codec = 9; }), Catch::Contains("unknown codec 9"));
  CHECK_THAT(with([](ContainerHeader& h) { h.weight = 9; }), Catch::Contains("unknown weight type 9"));
  CHECK_THAT(with([](ContainerHeader& h) { h.order = 9; }), Catch::Contains("unknown edge order 9"));
  CHECK_THAT(with([](ContainerHeader& h) { h.id_bytes = 5; }), Catch::Contains("ids of 5 bytes"));
  CHECK_THAT(with([](ContainerHeader& h) { h.payload_bytes = 65; }), Catch::Contains("payload of 65"));
  CHECK_THAT(with([](ContainerHeader& h) { h.block_edges = 0; }), Catch::Contains("blocks of 0"));
  CHECK_THAT(with([](ContainerHeader& h) { h.block_edges = ~0U; }), Catch::Contains("blocks of"));
  CHECK_THAT(with([](ContainerHeader& h) { h.reserved[0] = 1; }), Catch::Contains("reserved"));
  CHECK_THAT(with([](ContainerHeader& h) { h.metadata_bytes = 1U << 30; }), Catch::Contains("metadata"));
  // A resealed header does not match the copy of its sum in the footer.
  CHECK_THAT(with([](ContainerHeader& h) { h.edges = 61; }), Catch::Contains("footer"));
  CHECK_FALSE(with([](ContainerHeader& h) { h.required_flags ^= flag_unique; }).empty());
}

TEST_CASE("container damage: messages name file and offset") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  std::string bad = small_container(test.environment, directory, "delta", 230);
  const std::size_t block = bad.find("EMGBLOCK", bad.find("EMGBLOCK") + 1);
  bad[block + 70] = static_cast<char>(bad[block + 70] ^ 4);
  CHECK_THAT(
      error_of_file(test.environment, directory, bad),
      Catch::Contains("damaged.emg: offset " + std::to_string(block) + ": the block with edges 20 to 39"));
}

}  // namespace emgraph::tests::edge_formats::container_damage
