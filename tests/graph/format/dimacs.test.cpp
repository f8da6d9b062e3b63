// SPDX-License-Identifier: MIT
// DIMACS: what is read, what is refused, what is written.
#include "tests/graph/format/line_files.hpp"

namespace emgraph::tests::edge_formats::dimacs {

namespace {

std::string error(const std::string& content, const OpenOptions& options = {}) {
  return complaint("a.gr", content, options);
}

EdgeFacts facts_in(const std::string& content, const OpenOptions& options = {}) {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  return open_edges(test.environment, directory.write("a.gr", content), options)->facts();
}

const OpenOptions from_zero = {.format = "gr", .id_base = 0};

}  // namespace

TEST_CASE("gr: known files") {
  CHECK(weighted_edges_in("a.gr", "c hi\n\nc\np sp 3 3\nc x\na 1 2 5\na 2 2 -7\na 1 2 5\n") ==
        "0-1:5 1-1:-7 0-1:5");
  CHECK(weighted_edges_in("a.gr", "p sp 3 1\r\na  1\t2 5 \r\n") == "0-1:5");
  CHECK(weighted_edges_in("a.gr", "p sp 3 1\na 3 1 0") == "2-0:0");
  CHECK(weighted_edges_in("a.gr", "a 0 1 2\na 7 0 3\n", from_zero) == "0-1:2 7-0:3");
  CHECK(weighted_edges_in("a.gr", "p sp 2 1\na 0 1 2\n", from_zero) == "0-1:2");
  CHECK(edges_in("a.col", "c x\np edge 3 2\nn 1 4\nd 1\ne 1 2\ne 2 3\n") == "0-1 1-2");
  CHECK(edges_in("a.col", "p col 3 1\ne 3 2\n") == "2-1");
  CHECK(edges_in("a", "p 3 2\ne 1 2\ne 2 1\n") == "0-1 1-0");
  CHECK(edges_in("a.gr", "p sp 3 0\n").empty());
  CHECK(edges_in("a.gr", "c nothing\n", from_zero).empty());
}

TEST_CASE("gr: facts") {
  const EdgeFacts arcs = facts_in("p sp 3 1\na 1 2 5\n");
  CHECK(arcs.nodes == 3);
  CHECK(arcs.edges == 1);
  CHECK(arcs.directed);
  CHECK(arcs.layout == EdgeLayout{4, WeightType::i64, 0});
  const EdgeFacts edges = facts_in("p edge 3 1\ne 1 2\n");
  CHECK_FALSE(edges.directed);
  CHECK(edges.layout == EdgeLayout{4, WeightType::none, 0});
  const EdgeFacts headless = facts_in("a 0 1 5\n", from_zero);
  CHECK_FALSE(headless.nodes);
  CHECK_FALSE(headless.edges);
  CHECK(facts_in("p sp 4294967297 1\na 1 2 5\n").layout.id_bytes == 8);
}

TEST_CASE("gr: headers") {
  const std::string hint = "--input-format gr --id-base 0";
  CHECK_THAT(error("a 1 2 3\n"),
             Catch::Contains("line 1: found an edge, expected the problem line") && Catch::Contains(hint));
  CHECK_THAT(error("c x\na 0 2 3\n"), Catch::Contains("line 2: found an edge") && Catch::Contains(hint));
  CHECK_THAT(error("c only comments\n"), Catch::Contains("ends without a problem line (p sp NODES ARCS)"));
  CHECK_THAT(error("hello\n"), Catch::Contains("has no gr header"));
  CHECK_THAT(error("hello\n", {.format = "gr"}), Catch::Contains("line 1: found neither a problem line"));
  CHECK_THAT(error("p sp 3\n"), Catch::Contains("line 1: found a problem line of 3 columns"));
  CHECK_THAT(error("p sp 3 1 7\n"),
             Catch::Contains("found a problem line of 5 columns, expected p sp NODES"));
  CHECK_THAT(error("p sp 3 -1\n"), Catch::Contains("found '-1' as the number of edges"));
  CHECK_THAT(error("p max 3 4\n", {.format = "gr"}),
             Catch::Contains("found the problem 'max', expected sp, edge or col"));
  CHECK_THAT(complaint("a.p2p", "p aux sp p2p 1\nq 1 2\n"),
             Catch::Contains("line 1: found queries (p aux sp p2p), expected a graph") &&
                 Catch::Contains("sssp --queries"));
  CHECK_THAT(complaint("a.ss", "c x\np aux sp ss 1\ns 1\n"),
             Catch::Contains("line 2: found queries (p aux sp ss)"));
  CHECK_THAT(complaint("a.co", "c x\np aux sp co 1\nv 1 2 3\n"),
             Catch::Contains("line 2: found an auxiliary"));
  CHECK_THAT(error("p sp 3 1\np sp 3 1\na 1 2 3\n"),
             Catch::Contains("line 2: found 'p' as the start of a line"));
  CHECK_THAT(error("", {.format = "gr"}), Catch::Contains("ends without a problem line"));
  CHECK_THAT(error(std::string("\1\2\3\0", 4), {.format = "gr"}),
             Catch::Contains("found control characters"));
  CHECK_THAT(error(std::string("\xff\xfep\0 \0", 6)), Catch::Contains("UTF-16"));
  CHECK_THAT(error("p sp 3 1\ra 1 2 3\r", {.format = "gr"}),
             Catch::Contains("line 1: found control characters"));
}

TEST_CASE("gr: what is looked at ends anywhere in the problem line") {
  for (std::size_t comment = 4070; comment <= 4100; ++comment) {
    CAPTURE(comment);
    const std::string start = "c " + std::string(comment - 3, 'x') + "\n";
    CHECK(weighted_edges_in("a.gr", start + "p sp 3 1\na 1 3 5\n") == "0-2:5");
    CHECK(weighted_edges_in("a.gr", start + "p  sp  4294967296  1\na 1 3 5") == "0-2:5");
    CHECK_THAT(error(start + "a 1 3 5\n"), Catch::Contains("line 2: found an edge, expected the problem"));
  }
}

TEST_CASE("gr: lines that cannot be") {
  const std::string p = "p sp 3 1\n";
  CHECK_THAT(error(p + "a 0 2 5\n"),
             Catch::Contains("line 2: found '0' as the source, expected a number from 1 to 3") &&
                 Catch::Contains("--input-format gr --id-base 0"));
  CHECK_THAT(error(p + "a 1 4 5\n"),
             Catch::Contains("line 2: found '4' as the target") && !Catch::Contains("--id-base"));
  CHECK_THAT(error(p + "a -1 4 5\n"), Catch::Contains("found '-1' as the source"));
  CHECK_THAT(error(p + "a 1 99999999999999999999 5\n"), Catch::Contains("as the target"));
  CHECK_THAT(error(p + "a 1 2\n"), Catch::Contains("found the end of the line as the weight"));
  CHECK_THAT(error(p + "a 1 2 5.5\n"), Catch::Contains("found '5.5' as the weight, expected an integer"));
  CHECK_THAT(error(p + "a 1 2 nan\n"), Catch::Contains("found 'nan' as the weight"));
  CHECK_THAT(error(p + "a 1 2 99999999999999999999\n"), Catch::Contains("fits 64 bits"));
  CHECK_THAT(error(p + "a 1 2 -9223372036854775809\n"), Catch::Contains("fits 64 bits"));
  CHECK_THAT(error(p + "a 1 2 3 4\n"), Catch::Contains("found '4' where the line should end"));
  CHECK_THAT(error(p + "b 1 2 3\n"), Catch::Contains("found 'b' as the start of a line, expected 'a'"));
  CHECK_THAT(error(p + "a1 2 3\n"), Catch::Contains("found 'a1' as the start of a line"));
  CHECK_THAT(error(p + "e 1 2\n"), Catch::Contains("found 'e' as the start of a line, expected 'a'"));
  CHECK_THAT(error("p edge 3 1\na 1 2 3\n"),
             Catch::Contains("found 'a' as the start of a line, expected 'e'"));
  CHECK_THAT(error("p edge 3 1\ne 1 2 3\n"), Catch::Contains("found '3' where the line should end"));
  CHECK_THAT(error(p + std::string("\1\2\n", 3)), Catch::Contains("found binary data as the start"));
  CHECK_THAT(error(p + "a 1 " + std::string(300000, ' ') + "2 3\n"),
             Catch::Contains("line 2: a line of more than 64 KiB"));
  CHECK_THAT(error(p + "a 1 " + std::string(300000, '1') + " 3\n"),
             Catch::Contains("line 2: a line of more than 64 KiB"));
}

TEST_CASE("gr: wrong numbers of arcs") {
  CHECK_THAT(error("p sp 3 2\na 1 2 5\nc\n"),
             Catch::Contains("line 3: the file ends, found 1 edges, expected the 2 declared"));
  CHECK_THAT(error("p sp 3 1\na 1 2 5\na 1 3 6\n"),
             Catch::Contains("line 3: found one edge more than the 1 declared"));
}

TEST_CASE("gr: without a problem line ids decide the width") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string path = directory.write("a.gr", "a 0 1 1\na 4294967296 0 1\n");
  CHECK_THAT(message_of<IdTooWide>([&] { read_edges<Bare>(test.environment, path, from_zero); }),
             Catch::Contains("line 2") && Catch::Contains("8 bytes"));
  const auto edges = read_edges<Record<std::uint64_t, 0>>(test.environment, path,
                                                          {.format = "gr", .id_bytes = 8, .id_base = 0});
  REQUIRE(edges.size() == 2);
  CHECK(edges[1].source == std::uint64_t{1} << 32);
}

TEST_CASE("gr: written files") {
  const std::vector<Bare> edges = {{0, 1}, {1, 1}, {0, 1}};
  CHECK(written("a.gr", counted(4, 3), edges) == "p sp 4 3\na 1 2 1\na 2 2 1\na 1 2 1\n");
  const std::string unknown = written("a.gr", {}, edges, 7);
  CHECK(without_padding(unknown) == "p sp 7 3\na 1 2 1\na 2 2 1\na 1 2 1\n");
  CHECK(edges_in("a.gr", unknown) == "0-1 1-1 0-1");
  const std::string arcs = "p sp 3 2\na 3 1 -5\na 1 3 7\n";
  CHECK(written("a.gr", counted(3, 2, WeightType::i64), std::vector{weighted(2, 0, -5), weighted(0, 2, 7)}) ==
        arcs);
  CHECK(written("a.gr", counted(3, 1, WeightType::u32), std::vector{weighted(2, 0, 4294967295)}) ==
        "p sp 3 1\na 3 1 4294967295\n");
  TestEnvironment test{.memory_bytes = 8 * MiB};
  for (const WeightType type : {WeightType::f32, WeightType::f64}) {
    CHECK_THAT(message_of<core::UsageError>([&] { written<Weighted>("a.gr", counted(3, 0, type), {}); }),
               Catch::Contains("integers"));
  }
  CHECK_THROWS_AS(create_edges(test.environment, "/dev/null", {}, {.format = "gr"}), core::UsageError);
}

}  // namespace emgraph::tests::edge_formats::dimacs
