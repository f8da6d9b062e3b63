// SPDX-License-Identifier: MIT
// Text edge lists read as the options say: columns, weights, separators, lines to skip, the first id.
#include "tests/graph/format/edge_files.hpp"

namespace emgraph::tests::edge_formats::text_options {

namespace {

using Catch::Contains;
using Plain = Record<std::uint64_t, 0>;
using Weighted = Record<std::uint64_t, 8>;

template <class R>
std::vector<R> read_text(const std::string& content, OpenOptions options) {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  if (!options.format) options.format = "text";
  options.id_bytes = 8;
  return read_edges<R>(test.environment, directory.write("a.txt", content), options);
}

/// "s-t s-t"
std::string parsed(const std::string& content, const OpenOptions& options) {
  std::string out;
  for (const Plain& record : read_text<Plain>(content, options)) {
    if (!out.empty()) out.append(" ");
    out.append(std::to_string(record.source)).append("-").append(std::to_string(record.target));
  }
  return out;
}

/// "s-t:w s-t:w"
template <class Weight>
std::string weighted(const std::string& content, const OpenOptions& options) {
  std::string out;
  for (const Weighted& record : read_text<Weighted>(content, options)) {
    Weight weight;
    std::memcpy(&weight, record.attachment.data(), sizeof(weight));
    std::string number = std::to_string(weight);
    if (std::is_floating_point_v<Weight>) number = number.substr(0, number.find('.') + 2);
    if (!out.empty()) out.append(" ");
    out.append(std::to_string(record.source) + "-" + std::to_string(record.target) + ":" + number);
  }
  return out;
}

std::string error(const std::string& content, const OpenOptions& options) {
  return message_of<core::DataError>([&] { parsed(content, options); });
}

OpenOptions columns(unsigned source, unsigned target, char separator = 0) {
  return {.text = {.columns = TextColumns{.source = source, .target = target}, .separator = separator}};
}

}  // namespace

TEST_CASE("text options: columns") {
  CHECK(parsed("1 2 3 4\n5 6 7 8\n", columns(1, 3)) == "1-3 5-7");
  CHECK(parsed("1,2,3,4\n5,6,7,8", columns(4, 2)) == "4-2 8-6");
  CHECK(parsed("x y z\n3 4 5\n", columns(3, 1)) == "5-3");
  CHECK_THAT(error("x y 3\n", columns(3, 1)), Contains("line 1: found 'x' as the second id"));
  CHECK(parsed("date,from,to\n2020-01-01,3,4\n2020-01-02,5,6\n", columns(2, 3)) == "3-4 5-6");
  CHECK(parsed("\"a, b\",1,\"2\"\n\"say \"\"hi\"\"\",3,4\n", columns(2, 3)) == "1-2 3-4");
  CHECK(parsed("1,,2\n", columns(1, 3)) == "1-2");
  CHECK_THAT(error("1 2\n", columns(1, 3)), Contains("line 1: found 2 columns, expected at least 3"));
  CHECK_THAT(error("7\n", columns(2, 9)), Contains("line 1: found 1 column, expected at least 9"));
  CHECK_THAT(error("1,,x\n", columns(1, 3)), Contains("found 'x' as the second id"));
  CHECK_THROWS_AS(parsed("1 2\n", columns(2, 2)), core::UsageError);
  CHECK_THROWS_AS(parsed("1 2\n", {.text = {.columns = TextColumns{3, 2}, .weight = WeightType::u32}}),
                  core::UsageError);
}

TEST_CASE("text options: numbers in quotes") {
  CHECK(parsed("\"1\",\"2\"\n\"3\";\"4\"\n\"5\" \"6\"\n", {}) == "1-2 3-4 5-6");
  CHECK(weighted<std::int64_t>("\"1\",\"2\",\"-3\"\n", {.format = "text-i64w"}) == "1-2:-3");
  CHECK_THAT(error("\"1,2\n", {}), Contains("line 1: found '\"1' as the first id"));
  CHECK_THAT(error("1,\"2\n", {}), Contains("as the second id"));
  CHECK_THAT(error("1,\"\"\n", {}), Contains("as the second id"));
}

TEST_CASE("text options: separators") {
  CHECK(parsed("1|2\n 3 | 4 \n", columns(1, 2, '|')) == "1-2 3-4");
  CHECK(parsed("1\t\t2\n", columns(1, 3, '\t')) == "1-2");
  CHECK(parsed("a b\t1\t2\n", columns(2, 3, '\t')) == "1-2");
  CHECK(parsed("1:2:3\n", columns(3, 1, ':')) == "3-1");
  CHECK(parsed("1 2\n", columns(1, 2, ' ')) == "1-2");
  CHECK_THAT(error("1 2\n", columns(1, 2, ',')), Contains("line 1: found '2' after column 1"));
  CHECK_THAT(error("1,2\n", columns(1, 2, '\t')), Contains("found '1,2' as the first id"));
  CHECK_THAT(error("1|2\n", {}), Contains("found '1|2' as the first id"));
}

TEST_CASE("text options: lines to skip") {
  CHECK(parsed("26475,53381,u\n1,2\n3,4\n", {.text = {.skip_lines = 1}}) == "1-2 3-4");
  CHECK(parsed("any\rthing\r\nat all\n\n1 2", {.text = {.skip_lines = 4}}) == "1-2");
  CHECK(parsed("a\r\nb\r\n1 2\n", {.text = {.skip_lines = 2}}) == "1-2");
  CHECK(parsed("a\r\rfrom,to\n1 2\n", {.text = {.skip_lines = 2}}) == "1-2");
  CHECK(parsed(std::string(500000, 'x') + "\n1 2\n", {.text = {.skip_lines = 1}}) == "1-2");
  CHECK(parsed("1 2\n", {.text = {.skip_lines = 1}}).empty());
  CHECK(parsed("from,to", {.text = {.skip_lines = 1}}).empty());
  CHECK(parsed("a\nfrom,to", {.text = {.skip_lines = 2}}).empty());
  CHECK_THAT(error("1 2\n3 4", {.text = {.skip_lines = 3}}), Contains("found 1 whole lines, expected 3"));
  CHECK_THAT(error("a\n\n1 2\n3 x\n", {.text = {.skip_lines = 2}}), Contains("line 4: found 'x'"));
}

TEST_CASE("text options: a sample holds no lines that are skipped") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  std::string edges;
  for (int i = 0; i < 20000; ++i) edges += std::to_string(i) + " 7\n";
  // Counts in the first line; heads that end beyond the first place looked at.
  for (const std::string& head :
       {std::string("900000,900000,u\r\n"), "900000 1" + std::string(40000, ' ') + "\n"}) {
    const auto input = open_edges(test.environment, directory.write("a.txt", head + edges),
                                  {.format = "text", .id_bytes = 8, .text = {.skip_lines = 1}});
    for (const Plain& record : typed_source<Plain>(*input)->sample(5000)) REQUIRE(record.source < 20000);
  }
  const std::string many = [] {
    std::string lines;
    for (int i = 0; i < 5000; ++i) lines += "900000 900000\n";
    return lines;
  }();
  const auto input = open_edges(test.environment, directory.write("b.txt", many + edges),
                                {.format = "text", .id_bytes = 8, .text = {.skip_lines = 5000}});
  const auto sample = typed_source<Plain>(*input)->sample(5000);
  CHECK(sample.size() > 1000);
  for (const Plain& record : sample) REQUIRE(record.source < 20000);
}

TEST_CASE("text options: the first id") {
  CHECK(parsed("1 2\n3 18446744073709551615\n", {.id_base = 1}) == "0-1 2-18446744073709551614");
  CHECK(parsed("1000000000 1000000001\n", {.id_base = 1000000000}) == "0-1");
  CHECK(parsed("18446744073709551615 18446744073709551615\n", {.id_base = ~std::uint64_t{0}}) == "0-0");
  CHECK_THAT(error("1 2\n0 3\n", {.id_base = 1}),
             Contains("line 2: found '0' as the first id, expected an id of 1 or more"));
  CHECK_THAT(error("9,1\n9,1,x\n", {.id_base = 5}), Contains("line 1: found '1' as the second id"));
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  using R32 = Record<std::uint32_t, 0>;
  const std::string most = directory.write("a.txt", "1 4294967296\n");
  CHECK(read_edges<R32>(test.environment, most, {.id_base = 1})[0].target == 4294967295);
  const std::string more = directory.write("b.txt", "1 4294967297\n");
  CHECK_THROWS_AS(read_edges<R32>(test.environment, more, {.id_base = 1}), IdTooWide);
}

TEST_CASE("text options: weights") {
  const TextColumns third{.source = 1, .target = 2, .weight = 3};
  CHECK(weighted<std::int64_t>("1 2 -3\n4,5,+6\n", {.text = {.columns = third}}) == "1-2:-3 4-5:6");
  CHECK(weighted<std::int64_t>("1 2 -9223372036854775808\n", {.format = "wel"}) ==
        "1-2:-9223372036854775808");
  CHECK(weighted<double>("1 2 0.5\n3 4 6\n", {.text = {.weight = WeightType::f64}}) == "1-2:0.5 3-4:6.0");
  CHECK(weighted<std::int64_t>("7 1 x 2\n8 3 y 4 z\n", {.text = {.columns = TextColumns{2, 4, 1}}}) ==
        "1-2:7 3-4:8");
  // The options go before the name of the format.
  CHECK(weighted<double>("1 2 0.5\n", {.format = "wel", .text = {.weight = WeightType::f64}}) == "1-2:0.5");
  const auto wrong = [](const std::string& content, WeightType type) {
    return message_of<core::DataError>([&] { weighted<std::int64_t>(content, {.text = {.weight = type}}); });
  };
  CHECK_THAT(wrong("1 2 3\n1 2\n", WeightType::i64),
             Contains("line 2: found the end of the line as the weight, expected a whole number"));
  CHECK_THAT(wrong("1 2 0.5\n", WeightType::i64), Contains("found '0.5' as the weight"));
  CHECK_THAT(wrong("1 2 9223372036854775808\n", WeightType::i64), Contains("as the weight"));
  CHECK_THAT(wrong("1 2 nan\n", WeightType::f64), Contains("found 'nan' as the weight, expected a finite"));
}

TEST_CASE("text options are refused where they mean nothing") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string raw = directory.write("a.u32", std::string(16, '\0'));
  const auto refused = [&](const std::string& input, const OpenOptions& options) {
    return message_of<core::UsageError>([&] { open_edges(test.environment, input, options); });
  };
  CHECK_THAT(refused(raw, columns(1, 3)), Contains("format 'u32'"));
  CHECK_THAT(refused(raw, {.text = {.skip_lines = 1}}), Contains("format 'u32'"));
  CHECK_THAT(refused(raw, {.id_base = 1}), Contains("numbers its nodes in one way"));
  CHECK_THAT(refused("gen:random,edges=10", {.id_base = 1}), Contains("generator"));
  const std::string konect = directory.write("out.x", "% sym unweighted\n1 2\n");
  CHECK_THAT(refused(konect, {.id_base = 0}), Contains("format 'konect'"));
}

TEST_CASE("text options: ids of 1 to 20 digits have their values on the fast path and on the slow one") {
  // Quotes take a line off the fast path.
  std::uint64_t id = 1;
  std::string fast;
  std::string slow;
  std::string expected;
  for (int digits = 1; digits <= 20; ++digits) {
    for (const std::uint64_t number : {id, id + 7, id * (digits == 20 ? 1 : 9) + 8}) {
      const std::string text = std::to_string(number);
      fast += text + "\t" + std::to_string(id) + "\n";
      slow += "\"" + text + "\"\t" + std::to_string(id) + "\n";
      expected += (expected.empty() ? "" : " ") + text + "-" + std::to_string(id);
    }
    if (digits < 20) id *= 10;
  }
  const std::string most = "18446744073709551615";
  CHECK(parsed(fast, {}) == expected);
  CHECK(parsed(slow, {}) == expected);
  CHECK(parsed("1 2\n" + most + " " + most + "\n3 4\n", {}) == "1-2 " + most + "-" + most + " 3-4");
  CHECK(parsed("1 2\n00000000000000000017 00000000000000000000\n3 4\n", {}) == "1-2 17-0 3-4");
  for (const std::string wrong : {"18446744073709551616", "20000000000000000000", "99999999999999999999"}) {
    CHECK_THAT(error("1 2\n" + wrong + " 1\n3 4\n", {}), Contains("line 2: found '" + wrong));
    CHECK_THAT(error("1 2\n1 " + wrong + "\n3 4\n", {}), Contains("line 2: found '" + wrong));
  }
}

}  // namespace emgraph::tests::edge_formats::text_options
