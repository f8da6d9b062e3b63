// SPDX-License-Identifier: MIT
// METIS: what is read, what is refused, what is written.
#include "tests/graph/format/line_files.hpp"

namespace emgraph::tests::edge_formats::metis {

namespace {

std::string edges_of(const std::string& content, const OpenOptions& options = {}) {
  return edges_in("a.graph", content, options);
}

std::string error(const std::string& content) {
  return complaint("a.graph", content);
}

}  // namespace

TEST_CASE("metis: known files") {
  CHECK(edges_of("3 2\n2 3\n1\n1\n") == "0-1 0-2 1-0 2-0");
  CHECK(edges_of("3 2 0\n 2  3 \n\t1\n1") == "0-1 0-2 1-0 2-0");
  CHECK(edges_of("3 2\r\n2 3\r\n1\r\n1\r\n") == "0-1 0-2 1-0 2-0");
  CHECK(edges_of("% c\n3 1\n2\n% c\n1\n%\n\n% end") == "0-1 1-0");
  CHECK(edges_of("1 1\n0 0\n", {.id_base = 0}) == "0-0 0-0");
  // Every empty line is a node. The last one may be missing; more may follow the last node.
  CHECK(edges_of("6 1\n\n\n4\n3\n\n\n") == "2-3 3-2");
  CHECK(edges_of("3 1\n2\n1\n") == "0-1 1-0");
  CHECK(edges_of("2 1\n2\n1\n\n\n% c\n\n") == "0-1 1-0");
  CHECK(edges_of("3 0\n\n\n\n").empty());
  CHECK(edges_of("0 0\n").empty());
  CHECK(edges_of("0 0").empty());
  // As they stand: one direction only, unsorted, loops.
  CHECK(edges_of("3 2\n3 2\n\n3 3\n") == "0-2 0-1 2-2 2-2");
}

TEST_CASE("metis: weights and sizes") {
  const auto edges = [](const std::string& content) { return weighted_edges_in("a.graph", content); };
  const std::string expected = "0-1:7 1-0:9";
  CHECK(edges("3 1 1\n2 7\n1 9\n\n") == expected);
  CHECK(edges("3 1 001\n2 7\n1 9\n") == expected);
  CHECK(edges("3 1 011\n5 2 7\n5 1 9\n5\n") == expected);
  CHECK(edges("3 1 11 2\n5 5 2 7\n5 5 1 9\n5 5\n") == expected);
  CHECK(edges("3 1 111 2\n9 5 5 2 7\n9 5 5 1 9\n9 5 5") == expected);
  CHECK(edges("3 1 101\n9 2 7\n9 1 9\n9\n") == expected);
  CHECK(edges("2 1 001\n2 9223372036854775807\n1 0\n") == "0-1:9223372036854775807 1-0:0");
  CHECK(edges_of("3 1 010\n5 2\n18446744073709551615 1\n5\n") == "0-1 1-0");
  CHECK(edges_of("3 1 100\n5 2\n5 1\n5\n") == "0-1 1-0");
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const auto input = open_edges(test.environment, directory.write("a.graph", "3 1 001\n2 7\n1 9\n"), {});
  CHECK(input->facts().nodes == 3);
  CHECK(input->facts().edges == 2);
  CHECK(input->facts().layout == EdgeLayout{4, WeightType::i64, 0});
}

TEST_CASE("metis: headers") {
  CHECK_THAT(error(""), Catch::Contains("has no header, expected NODES EDGES"));
  CHECK_THAT(error("% c\n"), Catch::Contains("has no header"));
  CHECK_THAT(error("\n3 1\n2\n1\n"), Catch::Contains("line 1: found a header of 0 columns"));
  CHECK_THAT(error("3\n"), Catch::Contains("line 1: found a header of 1 columns, expected NODES EDGES"));
  CHECK_THAT(error("3 1 0 1 1\n"), Catch::Contains("found a header of 5 columns"));
  CHECK_THAT(error("% c\n3 x\n"), Catch::Contains("line 2: found 'x' as the number of edges"));
  CHECK_THAT(error("-3 1\n"), Catch::Contains("found '-3' as the number of nodes"));
  CHECK_THAT(error("18446744073709551616 1\n"), Catch::Contains("expected a number below 2^64"));
  CHECK_THAT(error("3 9223372036854775808\n"), Catch::Contains("expected fewer than 2^63"));
  CHECK_THAT(error("3 1 2\n"), Catch::Contains("found the format '2', expected up to three digits 0 or 1"));
  CHECK_THAT(error("3 1 0011\n"), Catch::Contains("found the format '0011'"));
  CHECK_THAT(error("3 1 010 9999999\n"), Catch::Contains("weights per node"));
  CHECK_THAT(error("3 1\r2\r1\r\r"), Catch::Contains("line 1: found control characters"));
  CHECK_THAT(error(std::string("4\2\3\0", 4)), Catch::Contains("found control characters"));
  CHECK_THAT(error(std::string(300000, '7')), Catch::Contains("line 1: a line of more than 64 KiB"));
  CHECK_THAT(error(std::string("\xff\xfe\x33\0", 4)), Catch::Contains("UTF-16"));
}

TEST_CASE("metis: lines that cannot be") {
  CHECK_THAT(error("3 1\n4\n1\n\n"),
             Catch::Contains("line 2: found '4' as the neighbour, expected a number from 1 to 3"));
  CHECK_THAT(error("3 1\n2\n0\n\n"), Catch::Contains("line 3: found '0' as the neighbour"));
  CHECK_THAT(error("3 1\n-1\n1\n\n"), Catch::Contains("line 2: found '-1' as the neighbour"));
  CHECK_THAT(error("3 1\n2.0\n1\n\n"), Catch::Contains("found '2.0' as the neighbour"));
  CHECK_THAT(error("3 1\n2,3\n1\n\n"), Catch::Contains("found '2,3' as the neighbour"));
  CHECK_THAT(error("3 1\n2 x\n1\n\n"), Catch::Contains("found 'x' as the neighbour"));
  CHECK_THAT(error("3 1\n18446744073709551617\n1\n\n"), Catch::Contains("found '18446744073709551617'"));
  CHECK_THAT(error("3 1 001\n2 -7\n1 7\n\n"), Catch::Contains("line 2: found '-7' as the weight of an edge"));
  CHECK_THAT(error("3 1 001\n2 0.5\n1 7\n\n"), Catch::Contains("found '0.5' as the weight of an edge"));
  CHECK_THAT(error("3 1 001\n2 9223372036854775808\n1 7\n\n"), Catch::Contains("as the weight of an edge"));
  CHECK_THAT(error("3 1 001\n2 7\n1\n\n"),
             Catch::Contains("line 3: found the end of the line, expected the weight of the edge to 1"));
  CHECK_THAT(error("3 1 010\n1 2\n1 1\nx\n"), Catch::Contains("line 4: found 'x' as the weight of the node"));
  CHECK_THAT(error("3 1 011 2\n5 5 2 7\n5 5 1 7\n5\n"),
             Catch::Contains("line 4: found 1 columns, expected 2 weights of the node first"));
  CHECK_THAT(error("3 1 010\n1 2\n\n1 1\n"), Catch::Contains("line 3: found 0 columns, expected 1 weights"));
  CHECK_THAT(error("3 1\n2\n\1\2\n\n"), Catch::Contains("line 3: found binary data as the neighbour"));
  CHECK_THAT(error("3 1\n2\r\r\n1\n"),
             Catch::Contains("line 2: found '2' and a carriage return as the neighbour"));
  CHECK_THAT(error("3 1\n" + std::string(300000, '1') + "\n"), Catch::Contains("line 2:"));
}

TEST_CASE("metis: wrong numbers of lines and entries") {
  CHECK_THAT(error("3 1\n2\n1"),
             Catch::Contains("line 3: the file ends, found 2 adjacency lines, expected one "
                             "for each of the 3 nodes"));
  CHECK_THAT(error("4 1\n2\n1\n"), Catch::Contains("line 3: the file ends, found 2 adjacency lines"));
  CHECK_THAT(error("3 0\n"), Catch::Contains("line 1: the file ends, found 0 adjacency lines"));
  CHECK_THAT(error("3 1 010\n1 2\n1 1\n"), Catch::Contains("found 2 adjacency lines"));
  CHECK_THAT(error("3 1\n2\n1\n\n% c\n2\n"),
             Catch::Contains("line 6: found an adjacency line after those of the 3 nodes declared"));
  CHECK_THAT(error("0 0\n1\n"),
             Catch::Contains("line 2: found an adjacency line after those of the 0 nodes"));
  CHECK_THAT(error("3 2\n2\n1\n\n"),
             Catch::Contains("line 4: the file ends, found 2 entries, expected 4, two for "
                             "each of the 2 edges declared"));
  CHECK_THAT(error("3 1\n2 3\n1\n1\n"), Catch::Contains("line 3: found one entry more than the 2"));
  CHECK_THAT(error("2 1 001\n2 7\n1"),
             Catch::Contains("the file ends, expected the weight of its last edge first"));
  CHECK_THAT(error("4294967296 1\n2\n1\n"), Catch::Contains("found 2 adjacency lines"));
}

TEST_CASE("metis: written files") {
  const std::vector<Bare> edges = {{1, 2}, {1, 4}, {2, 1}, {4, 1}};
  CHECK(written("a.graph", symmetric(counted(6, 4)), edges) == "6 2\n\n3 5\n2\n\n2\n\n");
  const std::string unknown = written("a.graph", symmetric({}), edges, 7);
  CHECK(without_padding(unknown) == "7 2\n\n3 5\n2\n\n2\n\n\n");
  CHECK(edges_of(unknown) == "1-2 1-4 2-1 4-1");
  CHECK(without_padding(written("a.graph", symmetric({}), edges)) == "5 2\n\n3 5\n2\n\n2\n");
  CHECK(written<Bare>("a.graph", symmetric(counted(3, 0)), {}) == "3 0\n\n\n\n");
  CHECK(edges_of(written<Bare>("a.graph", symmetric(counted(0, 0)), {})).empty());
  CHECK(written("a.graph", symmetric(counted(2, 2, WeightType::i64)),
                std::vector{weighted(0, 1, 7), weighted(1, 0, 0)}) == "2 1 001\n2 7\n1 0\n");
  CHECK(written("a.graph", symmetric(counted(2, 2, WeightType::u32)),
                std::vector{weighted(0, 1, 4294967295), weighted(1, 0, 1)}) ==
        "2 1 001\n2 4294967295\n1 1\n");
}

TEST_CASE("metis: what the writer refuses") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const auto write = [&](const EdgeFacts& facts, const std::vector<Weighted>& edges) {
    write_edges(test.environment, directory.file("a.graph"), facts, {}, edges);
  };
  EdgeFacts one_way = symmetric({});
  one_way.symmetric = false;
  for (const EdgeFacts& facts : {EdgeFacts(), one_way}) {
    CHECK_THAT(message_of<core::UsageError>([&] { write(facts, {}); }),
               Catch::Contains("in both directions"));
  }
  for (const WeightType type : {WeightType::f32, WeightType::f64}) {
    CHECK_THAT(message_of<core::UsageError>([&] { write(symmetric(counted(2, 0, type)), {}); }),
               Catch::Contains("integers"));
  }
  CHECK_THAT(message_of<core::DataError>(
                 [&] { write(symmetric(counted(2, 1, WeightType::i64)), {weighted(0, 1, -1)}); }),
             Catch::Contains("the weight of edge 0 is -1, expected 0 or more"));
  CHECK_THAT(message_of<core::DataError>([&] { write(symmetric(counted(2, 1)), {weighted(0, 2, 0)}); }),
             Catch::Contains("expected ids below 2"));
  // Ids with gaps filled the disk with empty lines.
  CHECK_THAT(message_of<core::DataError>([&] {
               EdgeFacts wide = symmetric({});
               wide.layout.id_bytes = 8;
               using Wide = Record<std::uint64_t, 8>;
               const std::uint64_t far = std::uint64_t{1} << 40;
               write_edges<Wide>(test.environment, directory.file("a.graph"), wide, {}, {{far, far + 1, {}}});
             }),
             Catch::Contains("1099511627776 nodes from 1 on have no edges") && Catch::Contains("--relabel"));
  CHECK_THAT(message_of<core::DataError>([&] { write(symmetric(counted(~std::uint64_t{0}, 0)), {}); }),
             Catch::Contains("nodes from 1 on have no edges"));
  CHECK_THROWS_AS(write(symmetric({}), {weighted(1, 0, 0), weighted(0, 1, 0)}), std::logic_error);
  CHECK_THROWS_AS(write(symmetric({}), {weighted(0, 2, 0), weighted(0, 1, 0)}), std::logic_error);
  CHECK_THROWS_AS(write(symmetric({}), {weighted(0, 1, 0), weighted(0, 1, 0)}), std::logic_error);
  CHECK_THROWS_AS(write(symmetric({}), {weighted(1, 1, 0)}), std::logic_error);
  CHECK_THROWS_AS(write(symmetric(counted(2, 2)), {weighted(0, 1, 0)}), std::logic_error);
  CHECK_THROWS_AS(create_edges(test.environment, "/dev/null", symmetric({}), {.format = "graph"}),
                  core::UsageError);
  CHECK(directory.entries() == 0);
}

}  // namespace emgraph::tests::edge_formats::metis
