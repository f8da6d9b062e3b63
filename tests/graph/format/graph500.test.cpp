// SPDX-License-Identifier: MIT
// Packed edges of Graph500, and headers of others before raw edges.
#include "graph/format/graph500/graph500.hpp"

#include "tests/graph/format/edge_files.hpp"

namespace emgraph::tests::edge_formats::graph500 {

using Catch::Matchers::Contains;

namespace {

using R32 = Record<std::uint32_t, 0>;
using R64 = Record<std::uint64_t, 0>;

std::string packed(const std::vector<std::array<std::uint32_t, 3>>& edges) {
  return {reinterpret_cast<const char*>(edges.data()), edges.size() * packed_edge_bytes};
}

template <class R>
void round_trip(std::uint64_t nodes, std::size_t id_bytes) {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const auto records = random_records<R>(70000, nodes, 0, false);
  const std::string path = directory.file("a.graph500");
  write_edges(test.environment, path, facts_of({sizeof(typename R::id_type)}), {}, records);
  const std::string content = whole_file(path);
  CHECK(content.size() == records.size() * packed_edge_bytes);
  for (const unsigned lanes : {1U, 3U}) {
    const OpenOptions options{.format = "graph500", .id_bytes = id_bytes};
    CHECK(same_records(read_edges<R>(test.environment, path, options, lanes), records));
    const Pipe pipe(directory, content);
    CHECK(same_records(read_edges<R>(test.environment, pipe.path(), options, lanes), records));
    OpenOptions skipping = options;
    skipping.skip_bytes = 5;
    const std::string behind = directory.write("b.graph500", "magic" + content);
    CHECK(same_records(read_edges<R>(test.environment, behind, skipping, lanes), records));
  }
  const auto source = typed_source<R>(*open_edges(test.environment, path, {.id_bytes = id_bytes}));
  CHECK(source->facts().edges == records.size());
  CHECK(!source->facts().nodes);
  CHECK(source->sample(500).size() >= 250);
  CHECK(drain(*source, 1).size() == records.size());
  source->rewind();
  CHECK(same_records(drain(*source, 1), records));
}

}  // namespace

TEST_CASE("graph500: byte by byte") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const std::vector<R64> edges = {{1, 2}, {0x1234'0000'0005, 6}, {7, 0x7fff'ffff'ffff}};
  const std::string right = packed({{1, 2, 0}, {5, 6, 0x1234}, {7, 0xffffffff, 0x7fff0000}});
  const std::string path = directory.file("a.graph500");
  write_edges(test.environment, path, facts_of({8}), {}, edges);
  CHECK(whole_file(path) == right);
  CHECK(same_records(read_edges<R64>(test.environment, path, {.id_bytes = 8}), edges));
  const auto padded = read_edges<Record<std::uint64_t, 8>>(test.environment, path, {.id_bytes = 8});
  CHECK(padded[1].attachment == decltype(padded[1].attachment){});
}

TEST_CASE("graph500: round trips") {
  round_trip<R32>(std::uint64_t{1} << 32, 4);
  round_trip<R64>(std::uint64_t{1} << 47, 8);
  round_trip<R64>(1000, 4);
}

TEST_CASE("graph500: bad edges are named") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const auto refused = [&]<class E>(E*, const std::string& content, std::size_t id_bytes) {
    const std::string path = directory.write("a.graph500", content);
    const OpenOptions options{.id_bytes = id_bytes};
    const std::string of_file = message_of<E>([&] { read_edges<R64>(test.environment, path, options); });
    const Pipe pipe(directory, content);
    OpenOptions named = options;
    named.format = "graph500";
    const std::string of_pipe = message_of<E>([&] { read_edges<R64>(test.environment, pipe.path(), named); });
    CHECK(of_file.empty() == of_pipe.empty());
    if (!of_file.empty())
      CHECK(of_file.substr(of_file.find("offset")) == of_pipe.substr(of_pipe.find("offset")));
    return of_file;
  };
  core::DataError* const data = nullptr;
  IdTooWide* const wide = nullptr;
  const std::string good = packed({{1, 2, 0}});
  CHECK_THAT(refused(data, good + packed({{3, 0xffffffff, 0xffff0000}}), 8),
             Contains("a.graph500: offset 12: negative id -1, expected 0 or more"));
  CHECK_THAT(refused(data, good + packed({{3, 0xfffffffe, 0xffff0000}}), 4), Contains("negative id -2"));
  CHECK_THAT(refused(data, good + packed({{0, 0, 0x8000}}), 4), Contains("negative id -140737488355328"));
  CHECK_THAT(refused(wide, good + packed({{3, 0, 0x00010000}}), 4),
             Contains("offset 12: id 4294967296 needs 8 bytes"));
  CHECK_THAT(refused(data, good + "1234567", 4),
             Contains("offset 12: 7 bytes are left over") && Contains("12 bytes of a record"));
  CHECK(refused(data, good, 4).empty());
  CHECK_THAT(message_of<core::DataError>([&] {
               write_edges(test.environment, directory.file("b.graph500"), facts_of({8}), {},
                           std::vector<R64>{{1, 2}, {3, std::uint64_t{1} << 47}});
             }),
             Contains("edge 1 has an id that needs more than 47 bits"));
  CHECK(directory.entries() == 1);
}

TEST_CASE("raw: headers of others are skipped") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const auto records = random_records<R64>(50000, std::uint64_t{1} << 40, 0, false);
  write_edges(test.environment, directory.file("a.u64"), facts_of({8}), {}, records);
  const std::string content = whole_file(directory.file("a.u64"));
  for (const std::uint64_t skip : {1, 16, 4096, 100000}) {
    for (const unsigned lanes : {1U, 3U}) {
      CAPTURE(skip, lanes);
      const std::string path = directory.write("b.u64", std::string(skip, 'h') + content);
      const OpenOptions options{.format = "u64", .skip_bytes = skip};
      CHECK(same_records(read_edges<R64>(test.environment, path, options, lanes), records));
      const auto source = typed_source<R64>(*open_edges(test.environment, path, options));
      CHECK(source->facts().edges == records.size());
      for (const R64& edge : source->sample(100)) CHECK(edge.source < std::uint64_t{1} << 40);
      const Pipe pipe(directory, whole_file(path));
      CHECK(same_records(read_edges<R64>(test.environment, pipe.path(), options, lanes), records));
    }
  }
  const auto refusal = [&](const std::string& path, std::uint64_t skip) {
    return message_of<core::DataError>(
        [&] { read_edges<R64>(test.environment, path, {.format = "u64", .skip_bytes = skip}); });
  };
  const std::string small = directory.write("c.u64", std::string(40, 'x'));
  CHECK_THAT(refusal(small, 16), Contains("offset 32: 8 bytes are left over"));
  CHECK_THAT(refusal(small, 41), Contains("offset 40: ends within the 41 bytes to be skipped"));
  CHECK(refusal(small, 40).empty());
  const Pipe pipe(directory, std::string(40, 'x'));
  CHECK_THAT(refusal(pipe.path(), 5000), Contains("offset 40: ends within the 5000 bytes to be skipped"));
  const auto usage = [&](const std::string& name, const std::string& format) {
    return message_of<core::UsageError>(
        [&] { open_edges(test.environment, name, {.format = format, .skip_bytes = 3}); });
  };
  CHECK_THAT(usage(directory.write("d.txt", "0 1\n"), "text"), Contains("before raw edges only"));
  CHECK_THAT(usage("gen:grid,dims=4x4", "u32"), Contains("no bytes to skip"));
}

}  // namespace emgraph::tests::edge_formats::graph500
