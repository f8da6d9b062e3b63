// SPDX-License-Identifier: MIT
// Text of many kinds of lines, mixed at random, cut by chunks and windows anywhere; and very long lines.
#include "graph/format/numbers/digits.hpp"
#include "graph/format/numbers/number_text.hpp"
#include "graph/format/text/non_digits.hpp"
#include "tests/graph/format/edge_files.hpp"

namespace emgraph::tests::edge_formats::text_lines {

namespace {

using Catch::Contains;
using Weighted = Record<std::uint64_t, 8>;
using Plain = Record<std::uint32_t, 0>;

/// Lines and the edges they stand for, written down together.
class MixedText {
 public:
  /// After a first line with a blank before its comma, lines with other separators may follow.
  explicit MixedText(std::uint64_t seed) : random_(seed) {
    text = "7 , 8, 9\n";
    lines = 1;
    Weighted edge{7, 8, {}};
    edge.attachment[0] = std::byte{9};
    edges.push_back(edge);
  }

  void add_line() {
    switch (pick(40)) {
      case 0:
        text += "# " + std::string(pick(200), '7');
        break;
      case 1:
        text += "%1 2";
        break;
      case 2:
        text += " \t";
        break;
      default:
        add_edge();
    }
    const char* breaks[] = {"\n", "\n", "\n", "\n", "\r\n", "\r"};
    text += breaks[pick(6)];
    ++lines;
  }

  std::string text;
  std::uint64_t lines = 0;
  std::vector<Weighted> edges;

 private:
  std::uint64_t pick(std::uint64_t below) { return random_() % below; }
  std::uint64_t number() { return random_() >> pick(64); }

  std::string quoted(const std::string& digits) { return pick(30) == 0 ? "\"" + digits + "\"" : digits; }
  std::string digits(std::uint64_t value) {
    return quoted((pick(20) == 0 ? std::string(pick(20), '0') : "") + std::to_string(value));
  }
  /// One of those that a line may have side by side.
  std::string separator(std::uint64_t kind) {
    const char* separators[][4] = {{"\t", "\t", " ", "  "}, {",", " , ", ", ", ","}, {";", "; ", ";", " ;"}};
    return separators[kind][pick(4)];
  }

  void add_edge() {
    Weighted edge{number(), number(), {}};
    const auto weight = static_cast<std::int64_t>(number() >> 1) * (pick(4) == 0 ? -1 : 1);
    std::memcpy(edge.attachment.data(), &weight, sizeof(weight));
    const std::uint64_t kind = pick(3);
    if (pick(20) == 0) text += "  ";
    text += digits(edge.source) + separator(kind) + digits(edge.target) + separator(kind);
    text += quoted(std::to_string(weight));
    if (pick(10) == 0) text += separator(kind) + "more 1 2, 3 \"x\"";
    if (pick(20) == 0) text += std::string(pick(3), ' ');
    edges.push_back(edge);
  }

  std::mt19937_64 random_;
};

std::string repeated(const std::string& line, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += line;
  return text;
}

}  // namespace

TEST_CASE("text lines: every kind of line, by any number of lanes") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    MixedText mixed(seed);
    // The smaller ones end within a window, the larger ones take several chunks.
    const std::size_t bytes = seed < 4 ? 300 * seed * seed : 900000;
    while (mixed.text.size() < bytes) mixed.add_line();
    TestEnvironment test{.memory_bytes = 40 * MiB};
    const TemporaryDirectory directory;
    const std::string path = directory.write("a.txt", mixed.text);
    const OpenOptions options{.id_bytes = 8, .text = {.weight = WeightType::i64}};
    for (unsigned lanes = 1; lanes <= 4; ++lanes) {
      CAPTURE(seed, lanes);
      CHECK(same_records(read_edges<Weighted>(test.environment, path, options, lanes), mixed.edges));
    }
    // Without weights these columns are ignored.
    const auto plain = read_edges<Record<std::uint64_t, 0>>(test.environment, path, {.id_bytes = 8}, 2);
    REQUIRE(plain.size() == mixed.edges.size());
    CHECK(std::equal(plain.begin(), plain.end(), mixed.edges.begin(), [](const auto& a, const auto& b) {
      return a.source == b.source && a.target == b.target;
    }));
  }
}

TEST_CASE("text lines: the invalid line is named, at every position") {
  TestEnvironment test{.memory_bytes = 40 * MiB};
  const TemporaryDirectory directory;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    MixedText mixed(seed);
    while (mixed.lines < 997 * seed) mixed.add_line();
    mixed.text += seed % 2 == 0 ? "17\t4x\n" : "17 99999999999999999999 1\n";
    const std::string place = "line " + std::to_string(mixed.lines + 1) + ": found ";
    for (int i = 0; i < 5000; ++i) mixed.add_line();
    const std::string path = directory.write("a.txt", mixed.text);
    for (const unsigned lanes : {1U, 3U}) {
      CHECK_THAT(message_of<core::DataError>([&] {
                   read_edges<Record<std::uint64_t, 0>>(test.environment, path, {.id_bytes = 8}, lanes);
                 }),
                 Contains(place));
    }
  }
}

TEST_CASE("text lines: comments and columns of any length") {
  TestEnvironment test{.memory_bytes = 16 * MiB};
  const TemporaryDirectory directory;
  const std::vector<Plain> expected = {{1, 2}, {3, 4}, {5, 6}};
  const auto read = [&](const std::string& content, unsigned lanes = 1) {
    return read_edges<Plain>(test.environment, directory.write("a.txt", content), {.format = "text"}, lanes);
  };
  for (const std::size_t length : {65535U, 65536U, 65537U, 131072U, 262144U, 300000U, 900000U}) {
    for (const char* line_break : {"\n", "\r\n", "\r"}) {
      CAPTURE(length, line_break);
      const std::string end = line_break;
      CHECK(same_records(
          read("1 2" + end + "  #" + std::string(length, 'x') + end + "3 4" + end + "5 6" + end, 2),
          expected));
      CHECK(same_records(read("1 2" + end + "3,4," + std::string(length, 'x') + end + "5 6"), expected));
    }
  }
  CHECK(same_records(read("1 2\n%" + std::string(10000000, '%') + "\n3 4\n5 6\n"), expected));
  CHECK(same_records(read("1 2\n3 4\n5 6\n#" + std::string(10000000, '1')), expected));
}

TEST_CASE("text lines: an edge of 10 MB is refused") {
  const TemporaryDirectory directory;
  const auto error = [&](const std::string& content, unsigned lanes) {
    TestEnvironment test{.memory_bytes = 16 * MiB};
    const std::string path = directory.write("a.txt", content);
    return message_of<core::DataError>(
        [&] { read_edges<Plain>(test.environment, path, {.format = "text"}, lanes); });
  };
  const std::string before = repeated("1 2\n", 50000);
  for (const unsigned lanes : {1U, 2U}) {
    const std::string columns = before + "3 4 " + std::string(10000000, 'x') + "\n5 6\n";
    CHECK_THAT(error(columns, lanes), Contains("line 50001: a line of more than 1 MiB"));
    const std::string number = before + std::string(10000000, '3') + "\n5 6\n";
    CHECK_THAT(error(number, lanes), Contains("line 50001: "));
    CHECK_THAT(error(before + std::string(200000, '3') + " 1\n5 6\n", lanes), Contains("line 50001: found "));
    // An id whose digits continue after the end of a buffer must not be read as a shorter number.
    CHECK_THAT(error(std::string(300000, '0') + "3 1\n", lanes), Contains("line 1: found "));
  }
}

TEST_CASE("text lines: reservations that fail leave nothing behind") {
  const TemporaryDirectory directory;
  const std::string path = directory.write("a.txt", repeated("1 2\n", 100000));
  std::size_t edges = 0;
  for (std::uint64_t k = 0; edges == 0; ++k) {
    REQUIRE(k < 20);
    TestEnvironment test{.memory_bytes = 4 * MiB};
    test.memory.fail_reservation(k);
    try {
      edges = read_edges<Plain>(test.environment, path).size();
    } catch (const core::MemoryLimitError&) {
    }
    CHECK(test.memory.used() == 0);
  }
  CHECK(edges == 100000);
}

TEST_CASE("text lines: non-digits are found wherever they stand") {
  std::mt19937_64 random(1);
  for (const std::size_t bytes : {0U, 1U, 63U, 64U, 65U, 1000U, 8192U}) {
    for (const unsigned rare : {1U, 2U, 50U}) {
      std::string text(bytes, '0');
      std::vector<std::uint32_t> expected;
      for (std::size_t i = 0; i < bytes; ++i) {
        text[i] = static_cast<char>(random() % rare == 0 ? random() % 256 : '0' + random() % 10);
        if (text[i] < '0' || text[i] > '9') expected.push_back(static_cast<std::uint32_t>(i));
      }
      std::vector<std::uint32_t> places(bytes + non_digits_slack);
      places.resize(find_non_digits(text.data(), bytes, places.data()));
      CHECK(places == expected);
    }
  }
}

TEST_CASE("text lines: digits to numbers and back") {
  const auto there_and_back = [](std::uint64_t number) {
    char text[20 + longest_number_bytes + 8] = {};
    const std::string written(text, put_number(text, number));
    if (written != std::to_string(number)) return false;
    return number >= 100000000 || value_of_digits(text, written.size()) == number;
  };
  bool all = true;
  for (std::uint64_t number = 0; number < 1100000; ++number) all = all && there_and_back(number);
  for (std::uint64_t power = 1; power != 0; power = power > ~std::uint64_t{0} / 10 ? 0 : power * 10) {
    all = all && there_and_back(power - 1) && there_and_back(power) && there_and_back(power + 1);
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) all = all && there_and_back(random() >> random() % 64);
  CHECK(all);
  CHECK(there_and_back(~std::uint64_t{0}));
}

}  // namespace emgraph::tests::edge_formats::text_lines
