// SPDX-License-Identifier: MIT
// Edges as NumPy arrays.
#include "graph/format/arrays/npy.hpp"

#include "tests/graph/format/edge_files.hpp"

namespace emgraph::tests::edge_formats::npy {

namespace {

/// A .npy file as NumPy writes it.
std::string npy_file(const std::string& dict, const std::string& data, char version = 1) {
  std::string padded = dict;
  padded.resize((dict.size() + 64) / 64 * 64 - (version == 1 ? 10 : 12) % 64 + 63, ' ');
  padded += '\n';
  std::string file("\x93NUMPY", 6);
  file += version;
  file += '\0';
  file += static_cast<char>(padded.size() & 0xff);
  file += static_cast<char>(padded.size() >> 8);
  if (version > 1) file += std::string(2, '\0');
  return file + padded + data;
}

template <class T>
std::string data_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

using R32 = Record<std::uint32_t, 0>;
using R64 = Record<std::uint64_t, 0>;

}  // namespace

TEST_CASE("npy edges: round trips") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const auto check = [&](const auto& records, std::size_t id_bytes) {
    using R = typename std::decay_t<decltype(records)>::value_type;
    const std::string path =
        directory.file(std::to_string(id_bytes).append(" ").append(std::to_string(records.size())) + ".npy");
    write_edges(test.environment, path, facts_of({id_bytes}), {}, records);
    const std::string content = whole_file(path);
    CHECK(content.size() == npy_header_bytes + records.size() * 2 * id_bytes);
    CHECK_THAT(content, Catch::Contains("'shape': (" + std::to_string(records.size()) + ", 2)"));
    for (const unsigned lanes : {1U, 2U}) {
      CHECK(same_records(read_edges<R>(test.environment, path, {}, lanes), records));
      const Pipe pipe(directory, content);
      CHECK(same_records(read_edges<R>(test.environment, pipe.path(), {}, lanes), records));
    }
    CHECK(open_edges(test.environment, path, {})->facts().edges == records.size());
  };
  check(random_records<R32>(30000, 1000, 0, false), 4);
  check(random_records<R64>(30000, std::uint64_t{1} << 40, 0, false), 8);
  check(std::vector<R32>{}, 4);
}

TEST_CASE("npy edges: headers of NumPy's making") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  for (const char version : {1, 2, 3}) {
    const std::string path =
        directory.write("v.npy", npy_file("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2), }",
                                          data_of<std::int64_t>({1, 2, 3, 4}), version));
    const auto edges = read_edges<R64>(test.environment, path);
    REQUIRE(edges.size() == 2);
    CHECK((edges[1].source == 3 && edges[1].target == 4));
  }
  const auto error = [&](const std::string& content) {
    const std::string path = directory.write("bad.npy", content);
    return message_of<core::DataError>([&] { read_edges<R64>(test.environment, path); });
  };
  const std::string four = data_of<std::int32_t>({1, 2, 3, 4});
  CHECK_THAT(error(npy_file("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }",
                            data_of<std::int32_t>({1, 2, 3, -4}))),
             Catch::Contains("negative id -4") && Catch::Contains("offset"));
  CHECK_THAT(error(npy_file("{'descr': '>f2', 'fortran_order': False, 'shape': (2, 2), }", four)),
             Catch::Contains("'>f2'"));
  CHECK_THAT(error(npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }", four)),
             Catch::Contains("item 0") && Catch::Contains("whole number"));
  CHECK_THAT(error(npy_file("{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }", four)),
             Catch::Contains("shape 4, expected m x 2"));
  CHECK_THAT(error(npy_file("{'descr': '<i4', 'fortran_order': False, 'shape': (3, 2), }", four)),
             Catch::Contains("truncated: 144 bytes, expected 152 for 3 edges"));
  CHECK_THAT(error(npy_file("{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2), }", four)),
             Catch::Contains("left over"));
  CHECK_THAT(error(npy_file("{'descr': '<i4', 'fortran_order': False}", four)), Catch::Contains("lacks"));
  for (const std::string order : {"true", "1", "Urue", "Trues"}) {
    CHECK_THAT(error(npy_file("{'descr': '<i4', 'fortran_order': " + order + ", 'shape': (2, 2), }", four)),
               Catch::Contains("found fortran_order " + order));
  }
  CHECK_THAT(error(npy_file("{'descr': '?i4', 'fortran_order': False, 'shape': (2, 2), }", four)),
             Catch::Contains("NumPy items of type '?i4'"));
  CHECK_THAT(error(std::string("\x93NUMPY\x04\x00\x10\x00", 10)), Catch::Contains("version 4"));
  CHECK_THAT(error(std::string("\x93NUMPY\x01\x00\x10\x00{'de", 14)), Catch::Contains("truncated"));
  CHECK_THAT(error("1 2\n"), Catch::Contains("no npy header"));
}

TEST_CASE("npy edges: a third column holds weights") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const auto array = [](const std::string& type, std::size_t rows, const std::string& data) {
    return npy_file(
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", 3), }",
        data);
  };
  const auto check = [&]<class T, class Id, class Weight>(T, Id, Weight, const std::string& type,
                                                          WeightType weight_type, T last) {
    std::vector<T> values;
    for (T i = 0; i < 9999; ++i)
      values.insert(values.end(), {i, static_cast<T>(i + 1), static_cast<T>(7 * i)});
    values.insert(values.end(), {1, 2, last});
    const std::string content = array(type, 10000, data_of(values));
    const std::string path = directory.write("w.npy", content);
    const Pipe pipe(directory, content);
    CHECK(open_edges(test.environment, path, {})->facts().layout.weight == weight_type);
    using R = Record<Id, sizeof(Weight)>;
    for (const std::string& name : {path, pipe.path()}) {
      const auto edges = read_edges<R>(test.environment, name, {}, 2);
      REQUIRE(edges.size() == 10000);
      Weight weight;
      std::memcpy(&weight, edges[77].attachment.data(), sizeof(weight));
      CHECK((edges[77].source == 77 && edges[77].target == 78 && weight == 7 * 77));
      std::memcpy(&weight, edges[9999].attachment.data(), sizeof(weight));
      CHECK(weight == static_cast<Weight>(last));
    }
    CHECK(read_edges<Record<std::uint64_t, 0>>(test.environment, path).size() == 10000);
  };
  check(std::uint32_t{}, std::uint32_t{}, std::uint32_t{}, "<u4", WeightType::u32, 0xffffffff);
  check(std::int32_t{}, std::uint32_t{}, std::uint32_t{}, "<i4", WeightType::u32, 0x7fffffff);
  check(std::int64_t{}, std::uint64_t{}, std::int64_t{}, "<i8", WeightType::i64, std::int64_t{-5});
  check(std::uint64_t{}, std::uint64_t{}, std::int64_t{}, "<u8", WeightType::i64, ~std::uint64_t{0} >> 1);
  const auto error = [&](const std::string& content) {
    const std::string path = directory.write("bad.npy", content);
    return message_of<core::DataError>([&] { read_edges<Record<std::uint64_t, 8>>(test.environment, path); });
  };
  CHECK_THAT(error(array("<i4", 2, data_of<std::int32_t>({1, 2, 3, 4, 5, -6}))),
             Catch::Contains("offset 148: weight -6, expected 0 to 2^31 - 1"));
  CHECK_THAT(error(array("<i4", 2, data_of<std::int32_t>({1, 2, 3, 4, -5, 6}))),
             Catch::Contains("offset 144: negative id -5"));
  CHECK_THAT(error(array("<u8", 1, data_of<std::uint64_t>({1, 2, std::uint64_t{1} << 63}))),
             Catch::Contains("offset 144: weight 9223372036854775808, expected 0 to 2^63 - 1"));
  CHECK_THAT(error(array("<i8", 1, data_of<std::int64_t>({1, -2, -3}))), Catch::Contains("negative id -2"));
  CHECK_THAT(error(array("<u4", 2, data_of<std::uint32_t>({1, 2, 3, 4}))),
             Catch::Contains("truncated: 144 bytes, expected 152 for 2 edges"));
}

TEST_CASE("npy edges: a pipe needs the count before") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const std::string path = directory.file("fifo");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const std::vector<R32> records = {{1, 2}, {3, 4}};
  std::string content;
  {
    std::jthread reader([&] { content = whole_file(path); });
    EdgeFacts facts;
    facts.edges = 2;
    write_edges(test.environment, path, facts, {.format = "npy"}, records);
  }
  CHECK(content.size() == npy_header_bytes + 16);
  CHECK(same_records(read_edges<R32>(test.environment, directory.write("kept.npy", content)), records));
  std::jthread reader([&] { whole_file(path); });
  CHECK_THROWS_AS(write_edges(test.environment, path, {}, {.format = "npy"}, records), core::UsageError);
}

}  // namespace emgraph::tests::edge_formats::npy
