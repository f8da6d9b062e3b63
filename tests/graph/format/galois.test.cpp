// SPDX-License-Identifier: MIT
// Binary graphs of Galois.
#include "graph/format/csr/galois.hpp"

#include "tests/graph/format/edge_files.hpp"

namespace emgraph::tests::edge_formats::galois {

using Catch::Matchers::Contains;

namespace {

using R32 = Record<std::uint32_t, 0>;

template <class T>
void put(std::string& file, const std::vector<T>& values) {
  file.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

/// `padding` bytes between targets and data.
std::string galois_file(std::uint64_t version, std::uint64_t data_bytes,
                        const std::vector<std::uint64_t>& ends, const std::vector<std::uint64_t>& targets,
                        std::size_t padding, const std::vector<std::int64_t>& data = {}) {
  std::string file;
  put<std::uint64_t>(file, {version, data_bytes, ends.size(), targets.size()});
  put(file, ends);
  if (version == 2) {
    put(file, targets);
  } else {
    put(file, std::vector<std::uint32_t>(targets.begin(), targets.end()));
  }
  file.append(padding, '\x55');
  if (data_bytes == 8) {
    put(file, data);
  } else {
    put(file, std::vector<std::uint32_t>(data.begin(), data.end()));
  }
  return file;
}

const std::vector<std::uint64_t> ends = {2, 2, 3, 5};
const std::vector<std::uint64_t> targets = {3, 1, 2, 0, 0};  // in no order, with a loop and a duplicate
const std::vector<R32> edges = {{0, 3}, {0, 1}, {2, 2}, {3, 0}, {3, 0}};

std::string refusal(const std::string& content, const std::string& name = "bad.gr") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const std::string path = directory.write(name, content);
  return message_of<core::DataError>([&] { read_edges<R32>(test.environment, path); });
}

}  // namespace

TEST_CASE("galois: both versions, with and without data, however they are padded") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const std::vector<std::int64_t> data = {5, 4, 3, 2, 1};
  for (const std::uint64_t version : {1, 2}) {
    for (const std::size_t padding : {0, 4, 8}) {
      if (version == 1 && padding == 8) continue;
      for (const std::uint64_t data_bytes : {0, 4, 8}) {
        // Without padding such a file is one that is cut: its last datum would be taken from the padding.
        if (version == 1 && padding == 0 && data_bytes != 0) continue;
        CAPTURE(version, padding, data_bytes);
        const std::string content = galois_file(version, data_bytes, ends, targets, padding,
                                                data_bytes == 0 ? std::vector<std::int64_t>{} : data);
        for (const char* name : {"a.gr", "a.vgr", "a"}) {
          const std::string path = directory.write(name, content);
          const auto input = open_edges(test.environment, path, {});
          CHECK(input->format() == "galois");
          CHECK(input->facts().nodes == 4);
          CHECK(input->facts().edges == 5);
          CHECK(input->facts().directed);
          CHECK(input->facts().order == EdgeOrder::none);
          CHECK(input->facts().layout.weight == (data_bytes == 0   ? WeightType::none
                                                 : data_bytes == 4 ? WeightType::u32
                                                                   : WeightType::i64));
          CHECK(same_records(read_edges<R32>(test.environment, path, {}, 2), edges));
          if (data_bytes == 0) continue;
          const auto weighted = read_edges<Record<std::uint64_t, 8>>(test.environment, path);
          for (std::size_t i = 0; i < 5; ++i) CHECK(weighted[i].attachment[0] == std::byte(5 - i));
        }
      }
    }
  }
}

TEST_CASE("galois: a file of version 1 with padding and data that is cut by the size of the padding") {
  std::string content = galois_file(1, 4, ends, targets, 4, {5, 4, 3, 2, 1});
  content.resize(content.size() - 4);
  CHECK_THAT(refusal(content), Contains("104 bytes, expected 108"));
}

TEST_CASE("galois: large files by lanes, weights apart from their edges") {
  const TemporaryDirectory directory;
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> many_ends;
  std::vector<std::uint64_t> many_targets;
  std::vector<std::int64_t> weights;
  constexpr std::uint64_t nodes = 30000;
  using R = Record<std::uint32_t, 8>;
  std::vector<R> right;
  for (std::uint64_t node = 0; node < nodes; ++node) {
    const std::uint64_t degree = node == 777 ? 100000 : random() % 4;
    for (std::uint64_t i = 0; i < degree; ++i) {
      many_targets.push_back(random() % nodes);
      weights.push_back(static_cast<std::int64_t>(random()));
      R edge{static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(many_targets.back()), {}};
      std::memcpy(edge.attachment.data(), &weights.back(), 8);
      right.push_back(edge);
    }
    many_ends.push_back(many_targets.size());
  }
  for (const std::uint64_t version : {1, 2}) {
    const std::string path =
        directory.write("a.gr", galois_file(version, 8, many_ends, many_targets,
                                            version == 1 ? many_targets.size() % 2 * 4 : 0, weights));
    for (const unsigned lanes : {1U, 2U, 4U}) {
      CAPTURE(version, lanes);
      TestEnvironment test{.memory_bytes = lanes * MiB, .threads = lanes};
      const auto source = typed_source<R>(*open_edges(test.environment, path, {.max_lanes = lanes}));
      for (const R& edge : source->sample(500)) CHECK(edge.target < nodes);
      CHECK(same_records(drain(*source, lanes), right));
      source->rewind();
      CHECK(same_records(drain(*source, lanes), right));
    }
  }
}

TEST_CASE("galois: broken files") {
  const std::string good = galois_file(1, 0, ends, targets, 4);
  CHECK(refusal(good).empty());
  for (const std::size_t size : {0U, 7U, 31U}) {
    CHECK_THAT(refusal(good.substr(0, size), "a.vgr"), Contains("a.vgr: "));
  }
  CHECK_THAT(refusal(good.substr(0, 70)),
             Contains("offset 70: truncated: 70 bytes, expected 84 for 4 nodes"));
  CHECK_THAT(refusal(good + "12345678"), Contains("offset 84: bytes left over: 96 bytes, expected 84"));
  CHECK_THAT(refusal(galois_file(1, 3, ends, targets, 4)), Contains("offset 8: 3 bytes of data per edge"));
  CHECK_THAT(refusal(galois_file(1, 0, {2, 1, 3, 5}, targets, 4)),
             Contains("offset 40: the neighbours of node 1 end at 1, expected 2 to 5"));
  CHECK_THAT(refusal(galois_file(1, 0, {2, 2, 3, 6}, targets, 4)), Contains("node 3 end at 6"));
  CHECK_THAT(refusal(galois_file(1, 0, {2, 2, 3, 4}, targets, 4)),
             Contains("of all nodes end at 4, expected 5"));
  CHECK_THAT(refusal(galois_file(2, 0, ends, {3, 1, 4, 0, 0}, 0)),
             Contains("offset 80: neighbour 4 of node 2, expected ids below 4"));
  CHECK_THAT(refusal(galois_file(2, 0, ends, {3, 1, std::uint64_t{1} << 32, 0, 0}, 0)),
             Contains("neighbour 4294967296"));
  std::string many = good;
  many[31] = '\x7f';
  CHECK_THAT(refusal(many), Contains("offset 16: "));
  CHECK_THAT(refusal(galois_file(3, 0, ends, targets, 4)), Contains("bad.gr"));
  CHECK_THAT(refusal(galois_file(3, 0, ends, targets, 4), "bad.vgr"), Contains("no galois header"));
}

TEST_CASE("galois: raw pairs that look like a head, text called .gr, pipes") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  std::string pairs;
  put<std::uint64_t>(pairs, {1, 0, 0, 0});
  CHECK(open_edges(test.environment, directory.write("a.u64", pairs), {})->format() == "u64");
  CHECK(open_edges(test.environment, directory.write("a.unknown", pairs), {})->format() == "galois");
  CHECK_THAT(message_of<core::DataError>([&] {
               open_edges(test.environment, directory.write("t.gr", "p sp 2 1\na 1 2 3\n"),
                          {.format = "galois"});
             }),
             Contains("truncated") && Contains("32 bytes of its head"));
  CHECK_THAT(message_of<core::DataError>([&] {
               const std::string text(40, 'c');
               open_edges(test.environment, directory.write("t.gr", text), {.format = "galois"});
             }),
             Contains("of version 7161677110969590627, expected 1 or 2"));
  const Pipe pipe(directory, galois_file(1, 0, ends, targets, 4));
  CHECK_THAT(message_of<core::UsageError>(
                 [&] { read_edges<R32>(test.environment, pipe.path(), {.format = "galois"}); }),
             Contains("regular file"));
}

}  // namespace emgraph::tests::edge_formats::galois
