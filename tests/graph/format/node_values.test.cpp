// SPDX-License-Identifier: MIT
// Node results: written and read back.
#include <bit>
#include <cmath>
#include <limits>

#include "graph/format/arrays/npy.hpp"
#include "graph/format/nodes/claimed_values.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/nodes/node_writer.hpp"
#include "tests/graph/format/edge_files.hpp"
#include "tests/support/sample.hpp"

namespace emgraph::tests::edge_formats::node_values {

namespace {

template <class Id>
std::string write_values(core::Environment& environment, const std::string& path,
                         const std::vector<Id>& values, const NodeWriterOptions& options) {
  const auto writer = open_node_writer<Id>(environment, path, options);
  for (std::size_t i = 0; i < values.size(); i += 777) {
    writer->append(std::span<const Id>(values).subspan(i, std::min<std::size_t>(777, values.size() - i)));
  }
  writer->finish();
  CHECK(writer->values() == values.size());
  return path;
}

std::vector<std::uint64_t> read_values(core::Environment& environment, const std::string& path,
                                       const NodeReaderOptions& options = {}) {
  const auto reader = open_node_reader(environment, path, options);
  std::vector<std::uint64_t> all;
  for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
    all.insert(all.end(), batch.begin(), batch.end());
  }
  return all;
}

template <class Id>
void round_trip(std::size_t count) {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  std::mt19937_64 random(3);
  std::vector<Id> values(count);
  for (Id& value : values) value = static_cast<Id>(random());
  const std::vector<std::uint64_t> expected(values.begin(), values.end());
  for (const bool dense : {false, true}) {
    for (const char* name : {"a.npy", "a.tsv", "a.bin", "a"}) {
      CAPTURE(name, dense, count);
      const std::string path = write_values(test.environment, directory.file(name), values,
                                            {.overwrite = core::Overwrite::force, .dense = dense});
      const bool unmarked_empty = count == 0 && name == std::string("a.tsv");
      const NodeReaderOptions options{
          .format = unmarked_empty ? std::optional<std::string>("tsv") : std::nullopt,
          .bin_value_bytes = sizeof(Id)};
      CHECK(read_values(test.environment, path, options) == expected);
      const std::string extension = std::string(name).substr(1);
      const Pipe pipe(directory, whole_file(path));
      CHECK(read_values(test.environment, pipe.path(),
                        {.format = extension.empty() ? "npy" : extension.substr(1),
                         .bin_value_bytes = sizeof(Id)}) == expected);
    }
  }
}

}  // namespace

TEST_CASE("node values: round trips") {
  for (const std::size_t count : {0, 1, sized(100000, 20000)}) {
    round_trip<std::uint32_t>(count);
    round_trip<std::uint64_t>(count);
  }
}

TEST_CASE("node values: what the files look like") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const std::vector<std::uint32_t> values = {5, 0, 7};
  CHECK(whole_file(write_values(test.environment, directory.file("a.tsv"), values, {})) == "5\n0\n7\n");
  CHECK(whole_file(write_values(test.environment, directory.file("b.tsv"), values, {.dense = true})) ==
        "0\t5\n1\t0\n2\t7\n");
  const std::string npy = whole_file(write_values(test.environment, directory.file("c"), values, {}));
  CHECK(npy.size() == 128 + 12);
  CHECK_THAT(npy, Catch::Contains("{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }"));
}

TEST_CASE("node values: errors") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const auto text_error = [&](const std::string& content) {
    const std::string path = directory.write("bad.tsv", content);
    return message_of<core::DataError>([&] { read_values(test.environment, path); });
  };
  CHECK_THAT(text_error("1\n2\nx\n"), Catch::Contains("bad.tsv: line 3: found 'x'"));
  CHECK_THAT(text_error("1\n-2\n"), Catch::Contains("line 2"));
  CHECK_THAT(text_error("0\t1\n2\t1\n"), Catch::Contains("line 2: found node 2, expected node 1"));
  CHECK_THAT(text_error("0\t1\n2\n"), Catch::Contains("found 1 columns, expected 2"));
  CHECK_THAT(text_error("0\t1\t2\n"), Catch::Contains("third column"));
  CHECK_THAT(text_error(std::string(70000, '1')), Catch::Contains("line 1: a line of more than 64 KiB"));
  CHECK_THAT(text_error("1\n# x\n" + std::string(70000, '1') + "\n2\n"),
             Catch::Contains("line 3: a line of more than 64 KiB"));
  CHECK(read_values(test.environment, directory.write("c.tsv", "# node\r\n\r\n4\r\n5")) ==
        std::vector<std::uint64_t>{4, 5});
  const std::string bin = directory.write("a.bin", std::string(9, '\1'));
  CHECK_THAT(message_of<core::DataError>([&] { read_values(test.environment, bin); }),
             Catch::Contains("1 bytes are left over"));
  std::string npy =
      whole_file(write_values<std::uint32_t>(test.environment, directory.file("a.npy"), {1, 2, 3}, {}));
  CHECK_THAT(message_of<core::DataError>([&] {
               read_values(test.environment, directory.write("cut.npy", npy.substr(0, npy.size() - 4)));
             }),
             Catch::Contains("found 2 values, expected 3"));
  CHECK_THAT(message_of<core::DataError>(
                 [&] { read_values(test.environment, directory.write("long.npy", npy + "abcd")); }),
             Catch::Contains("expected 3"));
  CHECK_THROWS_AS(write_values<std::uint32_t>(test.environment, directory.file("a.npy"), {1}, {}),
                  core::UsageError);
  CHECK_THROWS_AS(write_values<std::uint32_t>(test.environment, directory.file("x"), {1}, {.format = "mtx"}),
                  core::UsageError);
  CHECK_THROWS_AS(write_values<std::uint32_t>(test.environment, directory.file("x"), {1}, {.count = 2}),
                  std::logic_error);
}

TEST_CASE("node values: doubles are written as they are read") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> numbers = {0, 1, 0.1, 1.0 / 3, 5e-324, 2.2250738585072014e-308, 1e300, infinity, 1e22};
  std::mt19937_64 random(5);
  while (numbers.size() < 40000) {
    numbers.push_back(std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 200) - 100));
  }
  std::vector<std::uint64_t> words;
  for (const double number : numbers) words.push_back(std::bit_cast<std::uint64_t>(number));
  for (const bool dense : {false, true}) {
    for (const std::string name : {"a.npy", "a.tsv", "a.bin"}) {
      CAPTURE(name, dense);
      const std::string path =
          write_values(test.environment, directory.file(name), words,
                       {.overwrite = core::Overwrite::force, .dense = dense, .floating = true});
      const NodeReaderOptions options{.bin_value_bytes = 8, .numbers = NodeNumbers::floating};
      CHECK(read_values(test.environment, path, options) == words);
      CHECK(open_node_reader(test.environment, path, options)->floating());
      const Pipe pipe(directory, whole_file(path));
      CHECK(read_values(test.environment, pipe.path(),
                        {.format = name.substr(2), .bin_value_bytes = 8, .numbers = NodeNumbers::floating}) ==
            words);
      if (name == "a.bin") continue;
      CHECK(open_node_reader(test.environment, path, {.numbers = NodeNumbers::either})->floating());
      CHECK(read_values(test.environment, path, {.numbers = NodeNumbers::either}) == words);
      CHECK_THROWS_AS(read_values(test.environment, path), core::DataError);
    }
  }
  CHECK_THAT(whole_file(directory.file("a.npy")), Catch::Contains("{'descr': '<f8', 'fortran_order': False"));
  CHECK(whole_file(directory.file("a.bin")).size() == 8 * words.size());
  CHECK(whole_file(directory.file("a.tsv"))
            .starts_with("0\t0\n1\t1\n2\t0.1\n3\t0.3333333333333333\n4\t5e-324\n"
                         "5\t2.2250738585072014e-308\n6\t1e+300\n7\tinf\n8\t1e+22\n"));
  CHECK_THROWS_AS(write_values<std::uint32_t>(test.environment, directory.file("b"), {1}, {.floating = true}),
                  std::logic_error);
}

TEST_CASE("node values: floats become doubles") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  std::string npy = npy_header(4, 3, 0, true);
  for (const float value : {0.1F, std::numeric_limits<float>::infinity(), 3.0F}) {
    npy.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  const std::string path = directory.write("a.npy", npy);
  for (const NodeNumbers numbers : {NodeNumbers::floating, NodeNumbers::either}) {
    const std::vector<std::uint64_t> words = read_values(test.environment, path, {.numbers = numbers});
    REQUIRE(words.size() == 3);
    CHECK(std::bit_cast<double>(words[0]) == double{0.1F});
    CHECK(std::bit_cast<double>(words[1]) == std::numeric_limits<double>::infinity());
    CHECK(std::bit_cast<double>(words[2]) == 3.0);
  }
}

TEST_CASE("node values: integers and doubles are told apart") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const auto text_error = [&](const std::string& content, NodeNumbers numbers) {
    const std::string path = directory.write("bad.tsv", content);
    return message_of<core::DataError>([&] { read_values(test.environment, path, {.numbers = numbers}); });
  };
  const auto numbers_in = [&](const std::string& content, NodeNumbers numbers) {
    std::vector<double> all;
    const std::string path = directory.write("good.tsv", content);
    for (const std::uint64_t word : read_values(test.environment, path, {.numbers = numbers})) {
      all.push_back(std::bit_cast<double>(word));
    }
    return all;
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK(numbers_in("# x.y\n0 3\n1, 0.5\n2\tinf\n", NodeNumbers::either) ==
        std::vector<double>{3, 0.5, infinity});
  CHECK(numbers_in("3\n4\n", NodeNumbers::floating) == std::vector<double>{3, 4});
  CHECK(numbers_in("1e-400\n-1E3\n", NodeNumbers::floating) == std::vector<double>{0, -1000});
  CHECK(read_values(test.environment, directory.write("c.tsv", "# x.e\n3\n4\n"),
                    {.numbers = NodeNumbers::either}) == std::vector<std::uint64_t>{3, 4});
  CHECK_THAT(text_error("1\n0.5\n", NodeNumbers::integers),
             Catch::Contains("bad.tsv: line 2: found '0.5', expected a whole number of 0 or more"));
  CHECK_THAT(text_error("0\t1\n1\tinf\n", NodeNumbers::integers),
             Catch::Contains("line 2: found 'inf', expected a whole number"));
  CHECK_THAT(text_error("0.5\n1e400\n", NodeNumbers::either),
             Catch::Contains("line 2: found '1e400', expected a number or inf"));
  CHECK_THAT(text_error("0\t0.5\n1.0\t2\n", NodeNumbers::floating),
             Catch::Contains("line 2: found '1.0', expected a whole number"));
  CHECK_THAT(text_error("0.5x\n", NodeNumbers::floating), Catch::Contains("line 1: found '0.5x'"));
  // All of the text decides.
  std::string whole;
  while (whole.size() < 65536) whole += "1234567\n";
  CHECK(numbers_in(whole + "0.5\n", NodeNumbers::either).back() == 0.5);
  const std::string integers =
      write_values<std::uint64_t>(test.environment, directory.file("i.npy"), {1, 2}, {});
  CHECK_FALSE(open_node_reader(test.environment, integers, {.numbers = NodeNumbers::either})->floating());
  CHECK_THAT(message_of<core::DataError>(
                 [&] { open_node_reader(test.environment, integers, {.numbers = NodeNumbers::floating}); }),
             Catch::Contains("i.npy: NumPy array of integers, expected floating-point numbers"));
  const std::string doubles =
      write_values<std::uint64_t>(test.environment, directory.file("d.npy"), {1, 2}, {.floating = true});
  CHECK_THAT(message_of<core::DataError>([&] { open_node_reader(test.environment, doubles, {}); }),
             Catch::Contains("d.npy") && Catch::Contains("items of type '<f8', expected integers"));
}

TEST_CASE("node values: npy through a pipe waits on the disks for its count") {
  TestEnvironment test{.memory_bytes = MiB};
  const TemporaryDirectory directory;
  for (const std::size_t count : {0, 1, 2048, 1000000}) {
    for (const bool declared : {false, true}) {
      CAPTURE(count, declared);
      std::vector<std::uint64_t> values(count);
      for (std::size_t i = 0; i < count; ++i) values[i] = i * i;
      const std::string file = write_values(test.environment, directory.file("a.npy"), values,
                                            {.overwrite = core::Overwrite::force});
      NodeWriterOptions options{.format = "npy"};
      if (declared) options.count = count;
      std::string got;
      {
        const std::string fifo = directory.file("fifo");
        unlink(fifo.c_str());
        REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
        const std::jthread reader([&] { got = whole_file(fifo); });
        write_values(test.environment, fifo, values, options);
      }
      CHECK((got == whole_file(file)));
    }
  }
  CHECK(test.blocks.used_bytes() == 0);
  CHECK(test.blocks.peak_bytes() >= 8000000);
  CHECK(test.memory.used() == 0);
}

TEST_CASE("node values: a disk that fails under a spooled npy is reported") {
  const std::vector<std::uint32_t> values(1000000, 7);
  const TemporaryDirectory directory;
  const std::string fifo = directory.file("fifo");
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  const int keep_open = open(fifo.c_str(), O_RDWR | O_NONBLOCK);
  TestEnvironment test{.memory_bytes = MiB, .fault = 3};
  CHECK_THROWS_AS(write_values(test.environment, fifo, values, {.format = "npy"}), core::EnvironmentError);
  CHECK(test.memory.used() == 0);
  CHECK(test.blocks.used_bytes() == 0);
  close(keep_open);
}

TEST_CASE("all ones mark a node without a value by the width of the values, which text does not say") {
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  constexpr std::uint32_t all_ones = 0xffffffff;
  const auto first = [&](const std::string& path, std::size_t bin_bytes, std::size_t text_bytes) {
    const auto reader = open_node_reader(test.environment, path, {.bin_value_bytes = bin_bytes});
    return ClaimedValues(*reader, text_bytes).take();
  };
  const std::string text =
      write_values<std::uint32_t>(test.environment, directory.file("a.tsv"), {all_ones}, {.dense = true});
  CHECK(first(text, 4, 4) == ~std::uint64_t{0});
  CHECK(first(text, 8, 8) == all_ones);
  const std::string narrow =
      write_values<std::uint32_t>(test.environment, directory.file("a.bin"), {all_ones}, {.dense = true});
  CHECK(first(narrow, 4, 8) == ~std::uint64_t{0});
  const std::string wide =
      write_values<std::uint64_t>(test.environment, directory.file("b.bin"), {all_ones}, {.dense = true});
  CHECK(first(wide, 8, 4) == all_ones);
}

}  // namespace emgraph::tests::edge_formats::node_values
