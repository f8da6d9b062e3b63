// SPDX-License-Identifier: MIT
// Matrix Market: what is read, what is refused, what is written.
#include "tests/graph/format/line_files.hpp"

namespace emgraph::tests::edge_formats::matrix_market {

namespace {

const std::string coordinate = "%%MatrixMarket matrix coordinate ";

std::string error(const std::string& kind, const std::string& rest) {
  return complaint("a.mtx", coordinate + kind + "\n" + rest);
}

EdgeFacts facts_in(const std::string& content) {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  return open_edges(test.environment, directory.write("a.mtx", content), {})->facts();
}

}  // namespace

TEST_CASE("mtx: known files") {
  CHECK(edges_in("a.mtx", coordinate + "pattern general\n3 3 2\n1 2\n3 1\n") == "0-1 2-0");
  CHECK(edges_in("a.mtx", coordinate + "pattern general\r\n% c\r\n3 3 2\r\n1\t2 \r\n\r\n 3 1\r\n") ==
        "0-1 2-0");
  CHECK(edges_in("a.mtx", coordinate + "pattern general\n%%GraphBLAS type bool\n\n%\n3 3 1\n% c\n1 2") ==
        "0-1");
  CHECK(edges_in("a.mtx", "%%matrixmarket MATRIX Coordinate PATTERN General\n3 3 1\n1 2\n") == "0-1");
  CHECK(edges_in("a.mtx", "\xef\xbb\xbf%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n",
                 {.format = "mtx"}) == "0-0");
  CHECK(edges_in("a.mtx", coordinate + "pattern general\n0 0 0\n").empty());
  CHECK(edges_in("a.mtx", coordinate + "pattern general\n3 3 1\n0 2\n", {.id_base = 0}) == "0-2");
  // Of a symmetric matrix the lower triangle stands there: low id first.
  CHECK(edges_in("a.mtx", coordinate + "pattern symmetric\n3 3 3\n2 1\n3 3\n3 1\n") == "0-1 2-2 0-2");
  CHECK(weighted_edges_in("a.mtx",
                          coordinate + "integer symmetric\n3 3 2\n2 1 -7\n3 3 9223372036854775807\n") ==
        "0-1:-7 2-2:9223372036854775807");
  CHECK(weighted_edges_in("a.mtx", coordinate + "unsigned-integer general\n3 3 1\n2 1 +7\n") == "1-0:7");
  CHECK(weighted_edges_in("a.mtx",
                          coordinate + "real general\n3 3 4\n1 2 0.5\n1 3 -1e3\n2 1 7\n2 3 1e-999\n") ==
        "0-1:0.5 0-2:-1000.0 1-0:7.0 1-2:0.0");
  CHECK(weighted_edges_in("a.mtx", coordinate + "real skew-symmetric\n3 3 1\n3 2 -0.5\n") == "2-1:-0.5");
}

TEST_CASE("mtx: facts") {
  const EdgeFacts symmetric = facts_in(coordinate + "real symmetric\n5 5 1\n2 1 1\n");
  CHECK(symmetric.nodes == 5);
  CHECK(symmetric.edges == 1);
  CHECK(symmetric.oriented_low);
  CHECK_FALSE(symmetric.directed);
  CHECK(symmetric.layout == EdgeLayout{4, WeightType::f64, 0});
  const EdgeFacts general = facts_in(coordinate + "integer general\n5000000000 5000000000 0\n");
  CHECK_FALSE(general.oriented_low);
  CHECK(general.layout == EdgeLayout{8, WeightType::i64, 0});
}

TEST_CASE("mtx: ids beyond 2^32") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const auto edges = read_edges<Record<std::uint64_t, 0>>(
      test.environment,
      directory.write("a.mtx", coordinate + "pattern general\n18446744073709551615 18446744073709551615 1\n"
                                            "18446744073709551615 4294967297\n"));
  REQUIRE(edges.size() == 1);
  CHECK(edges[0].source == ~std::uint64_t{0} - 1);
  CHECK(edges[0].target == std::uint64_t{1} << 32);
}

TEST_CASE("mtx: headers that are none, or of matrices that are no graphs") {
  CHECK_THAT(complaint("a.mtx", "3 3 1\n1 2\n"), Catch::Contains("--input-format text --id-base 1"));
  CHECK_THAT(complaint("a.mtx", "1 2\n", {.format = "mtx"}),
             Catch::Contains("line 1: found no Matrix Market header") && Catch::Contains("--id-base 1"));
  CHECK_THAT(error("complex general", "3 3 0\n"), Catch::Contains("line 1: found the field 'complex'"));
  CHECK_THAT(error("real hermitian", "3 3 0\n"), Catch::Contains("line 1: found the symmetry 'hermitian'"));
  CHECK_THAT(error("pattern", "3 3 0\n"), Catch::Contains("line 1: found a header of 4 words"));
  CHECK_THAT(complaint("a.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"),
             Catch::Contains("line 1: found the layout 'array', expected coordinate"));
  CHECK_THAT(complaint("a.mtx", "%%MatrixMarket vector coordinate real general\n2 1\n"),
             Catch::Contains("found the object 'vector', expected a matrix"));
  CHECK_THAT(error("pattern general", "3 4 0\n"),
             Catch::Contains("line 2: found 3 rows and 4 columns, expected a square matrix"));
  CHECK_THAT(error("pattern general", "% c\n3 3\n"),
             Catch::Contains("line 3: found 2 columns, expected rows"));
  CHECK_THAT(error("pattern general", "3 3 x\n"), Catch::Contains("found 'x' as the number of entries"));
  CHECK_THAT(error("pattern general", "-3 3 1\n"), Catch::Contains("found '-3' as the number of rows"));
  CHECK_THAT(error("pattern general", "3 18446744073709551616 1\n"),
             Catch::Contains("as the number of columns, expected a number below 2^64"));
  CHECK_THAT(error("pattern general", "% nothing more\n"), Catch::Contains("ends before the line of sizes"));
  CHECK_THAT(error("pattern general", "% \x01\n3 3 1\n"),
             Catch::Contains("line 2: found control characters"));
  CHECK_THAT(complaint("a.mtx", coordinate + "pattern general\r3 3 1\r1 2\r"),
             Catch::Contains("line 1: found control characters") && Catch::Contains("line feed"));
  CHECK_THAT(error("pattern general", std::string(70000, '%') + "\n3 3 1\n1 2\n"),
             Catch::Contains("line 2: a line of more than 64 KiB"));
  CHECK_THAT(complaint("a.mtx", std::string("\xff\xfe%\0%\0M\0", 8)), Catch::Contains("UTF-16"));
}

TEST_CASE("mtx: entries that cannot be") {
  CHECK_THAT(error("pattern general", "3 3 1\n1 4\n"),
             Catch::Contains("line 3: found '4' as the column, expected a number from 1 to 3"));
  CHECK_THAT(error("pattern general", "3 3 1\n0 1\n"), Catch::Contains("line 3: found '0' as the row"));
  CHECK_THAT(error("pattern general", "3 3 1\n-1 1\n"), Catch::Contains("found '-1' as the row"));
  CHECK_THAT(error("pattern general", "3 3 1\n1 18446744073709551617\n"), Catch::Contains("as the column"));
  CHECK_THAT(error("pattern general", "3 3 1\n1.0 1\n"), Catch::Contains("found '1.0' as the row"));
  CHECK_THAT(error("pattern general", "3 3 1\n1\n"),
             Catch::Contains("found the end of the line as the column"));
  CHECK_THAT(error("pattern general", "3 3 1\n1 2 3\n"),
             Catch::Contains("found '3' where the line should end"));
  CHECK_THAT(error("pattern general", "0 0 1\n1 1\n"), Catch::Contains("expected no edges between 0 nodes"));
  CHECK_THAT(error("pattern general", std::string("3 3 1\n\1\2\3\0\n", 11)), Catch::Contains("binary data"));
  CHECK_THAT(error("pattern general", "3 3 1\n1 2\r2 3\r\n"),
             Catch::Contains("found '2' and a carriage return"));
  CHECK_THAT(error("pattern symmetric", "3 3 1\n1 2\n"),
             Catch::Contains("found row 1 and column 2, expected entries below the diagonal or on it"));
  CHECK_THAT(error("real skew-symmetric", "3 3 1\n2 2 1\n"),
             Catch::Contains("found row 2 and column 2, expected entries below the diagonal"));
  CHECK_THAT(error("integer general", "3 3 1\n1 2 1.5\n"), Catch::Contains("found '1.5' as the weight"));
  CHECK_THAT(error("integer general", "3 3 1\n1 2 9223372036854775808\n"), Catch::Contains("fits 64 bits"));
  CHECK_THAT(error("integer general", "3 3 1\n1 2\n"), Catch::Contains("the end of the line as the weight"));
  for (const std::string bad : {"nan", "inf", "-inf", "1e999", "0x10", "1,5", "+-1", ".", "--1"}) {
    CHECK_THAT(error("real general", "3 3 1\n1 2 " + bad + "\n"),
               Catch::Contains("line 3: found '" + bad + "' as the weight, expected a finite number"));
  }
}

TEST_CASE("mtx: wrong numbers of entries") {
  CHECK_THAT(error("pattern general", "3 3 2\n1 2\n"),
             Catch::Contains("line 3: the file ends, found 1 edges, expected the 2 declared"));
  CHECK_THAT(error("pattern general", "3 3 2\n1 2"), Catch::Contains("line 3: the file ends"));
  CHECK_THAT(error("pattern general", "3 3 1\n1 2\n% c\n2 3\n"),
             Catch::Contains("line 5: found one edge more than the 1 declared"));
  CHECK_THAT(error("pattern general", "3 3 0\n1 2\n9 9\n"), Catch::Contains("line 3: found one edge more"));
}

TEST_CASE("mtx: written files") {
  const std::vector<Bare> edges = {{0, 1}, {1, 1}, {0, 2}};
  CHECK(written("a.mtx", counted(4, 3), edges) ==
        "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 2\n2 2\n1 3\n");
  EdgeFacts low = counted(4, 3);
  low.oriented_low = true;
  CHECK(written("a.mtx", low, edges) ==
        "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n2 2\n3 1\n");
  low.directed = true;
  CHECK_THAT(written("a.mtx", low, edges), Catch::Contains("general"));
  const std::string unknown = written("a.mtx", {}, edges, 7);
  CHECK(without_padding(unknown) ==
        "%%MatrixMarket matrix coordinate pattern general\n7 7 3\n1 2\n2 2\n1 3\n");
  CHECK(edges_in("a.mtx", unknown) == "0-1 1-1 0-2");
  CHECK(
      written("a.mtx", counted(9, 2, WeightType::i64), std::vector{weighted(8, 0, -5), weighted(0, 8, 5)}) ==
      "%%MatrixMarket matrix coordinate integer general\n9 9 2\n9 1 -5\n1 9 5\n");
  CHECK(written<Bare>("a.mtx", {}, {}).ends_with("\n0 0 0" + std::string(57, ' ') + "\n"));
}

TEST_CASE("mtx: weights of every type go there and back") {
  const auto round = [](WeightType type, auto value) {
    Weighted record = weighted(0, 1, 0);
    std::memcpy(record.attachment.data(), &value, sizeof(value));
    return weighted_edges_in("a.mtx", written("a.mtx", counted(2, 1, type), std::vector{record}));
  };
  CHECK(round(WeightType::u32, std::uint32_t{4294967295}) == "0-1:4294967295");
  CHECK(round(WeightType::i64, std::numeric_limits<std::int64_t>::min()) == "0-1:-9223372036854775808");
  CHECK(round(WeightType::f32, 0.25F) == "0-1:0.25");
  CHECK(round(WeightType::f64, -1e300) == "0-1:" + Catch::StringMaker<double>::convert(-1e300));
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK_THAT(message_of<core::DataError>([&] { round(WeightType::f64, bad); }),
               Catch::Contains("the weight of edge 0 is") && Catch::Contains("expected a finite one"));
  }
}

TEST_CASE("mtx: what the writer refuses") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const auto write = [&](const EdgeFacts& facts, const std::vector<Bare>& edges) {
    write_edges(test.environment, directory.file("a.mtx"), facts, {}, edges);
  };
  CHECK_THAT(message_of<core::DataError>([&] {
               write(counted(2, 1), {{0, 2}});
             }),
             Catch::Contains("id 2 in edge 0, expected ids below 2"));
  CHECK_THROWS_AS(write(counted(2, 2), {{0, 1}}), std::logic_error);
  EdgeFacts low;
  low.oriented_low = true;
  CHECK_THROWS_AS(write(low, {{1, 0}}), std::logic_error);
  CHECK_THAT(message_of<core::UsageError>(
                 [&] { create_edges(test.environment, "/dev/null", {}, {.format = "mtx"}); }),
             Catch::Contains("not known before the end: write to a file"));
  CHECK(directory.entries() == 0);
}

}  // namespace emgraph::tests::edge_formats::matrix_market
