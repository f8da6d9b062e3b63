// SPDX-License-Identifier: MIT
// Files of queries: read, packed, through pipes, refused with their line.
#include "graph/format/text/query_file.hpp"

#include "core/base/error.hpp"
#include "tests/graph/format/edge_files.hpp"
#include "tests/graph/format/packed_bytes.hpp"

namespace emgraph::tests::edge_formats::query_file {

namespace {

QueryFile read_queries(const std::string& content, const std::string& name = "a.p2p") {
  TestEnvironment test{.memory_bytes = 16 * MiB};
  const TemporaryDirectory directory;
  QueryFile queries = read_query_file(test.environment, directory.write(name, content));
  CHECK(queries.memory.bytes() > 0);
  queries.memory.release();  // before the budget goes
  CHECK(test.memory.used() == 0);
  return queries;
}

std::string query_error(const std::string& content) {
  return message_of<core::DataError>([&] { read_queries(content); });
}

}  // namespace

TEST_CASE("queries: sources and pairs count from 1 in the file") {
  const QueryFile sources = read_queries("c comment\n\ncomment\np aux sp ss 3\ns 1\nc 7\ns 5\ns 1\n");
  CHECK(sources.kind == QueryKind::sources);
  CHECK(sources.sources == std::vector<std::uint64_t>{0, 4, 0});
  CHECK(sources.lines == std::vector<std::uint64_t>{5, 7, 8});
  CHECK(sources.pairs.empty());
  const QueryFile pairs = read_queries("p aux sp p2p 2\r\nq 1\t2\r\n q 18446744073709551615 3 ");
  CHECK(pairs.kind == QueryKind::pairs);
  CHECK(pairs.pairs == std::vector<QueryPair>{{0, 1}, {18446744073709551614U, 2}});
  CHECK(pairs.lines == std::vector<std::uint64_t>{2, 3});
  CHECK(pairs.sources.empty());
}

TEST_CASE("queries: packed, and through a pipe") {
  const std::string text = "p aux sp p2p 2\nq 1 2\nq 3 4\n";
  CHECK(read_queries(zstd(text)).pairs == std::vector<QueryPair>{{0, 1}, {2, 3}});
#ifdef EMGRAPH_HAS_ZLIB
  CHECK(read_queries(gzip(text)).pairs == std::vector<QueryPair>{{0, 1}, {2, 3}});
#endif
  TestEnvironment test{.memory_bytes = 4 * MiB};
  const TemporaryDirectory directory;
  const Pipe pipe(directory, text);
  CHECK(read_query_file(test.environment, pipe.path()).pairs.size() == 2);
}

TEST_CASE("queries: many, in little memory") {
  std::string text = "p aux sp p2p 200000\n";
  for (int i = 1; i <= 200000; ++i) text += "q " + std::to_string(i) + " 1\n";
  const QueryFile queries = read_queries(text);
  REQUIRE(queries.pairs.size() == 200000);
  CHECK(queries.pairs.back() == QueryPair{199999, 0});
  CHECK(queries.lines.back() == 200001);
  TestEnvironment test{.memory_bytes = MiB};
  const TemporaryDirectory directory;
  CHECK_THROWS_AS(read_query_file(test.environment, directory.write("a.p2p", text)), core::MemoryLimitError);
  CHECK(test.memory.used() == 0);
}

TEST_CASE("queries: errors") {
  CHECK_THAT(query_error(""), Catch::Contains("a.p2p: ends without a problem line, expected p aux sp ss"));
  CHECK_THAT(query_error("c only\n"), Catch::Contains("ends without a problem line"));
  CHECK_THAT(query_error("c x\nq 1 2\n"), Catch::Contains("a.p2p: line 2: found 'q' as the start of a line, "
                                                          "expected the problem line first: p aux sp ss"));
  CHECK_THAT(query_error("p sp 3 4\n"), Catch::Contains("line 1: found the problem line of a graph (p sp)"));
  CHECK_THAT(query_error("p aux sp co 4\n"), Catch::Contains("line 1: found another problem line, expected"));
  CHECK_THAT(query_error("p aux sp ss\n"), Catch::Contains("another problem line of 4 columns"));
  CHECK_THAT(query_error("p aux sp ss 1 2\n"), Catch::Contains("another problem line of 6 columns"));
  CHECK_THAT(query_error("p\n"), Catch::Contains("line 1: found another problem line"));
  CHECK_THAT(query_error("p aux sp ss x\n"), Catch::Contains("found 'x' as the number of queries"));
  CHECK_THAT(query_error("p aux sp ss -1\n"), Catch::Contains("found '-1' as the number of queries"));
  CHECK_THAT(query_error("p aux sp ss 1000001\n"),
             Catch::Contains("line 1") && Catch::Contains("at most 1000000"));
  CHECK_THAT(query_error("p aux sp ss 18446744073709551615\n"), Catch::Contains("at most 1000000"));
  CHECK_THAT(query_error("p aux sp ss 1\np aux sp ss 1\ns 1\n"),
             Catch::Contains("line 2: found a second problem line, expected one, as line 1"));
  CHECK_THAT(query_error("p aux sp ss 1\nq 1 2\n"),
             Catch::Contains("line 2: found 'q' as the start of a line, expected s NODE"));
  CHECK_THAT(query_error("p aux sp p2p 1\ns 1\n"),
             Catch::Contains("found 's'") && Catch::Contains("q SOURCE TARGET"));
  CHECK_THAT(query_error("p aux sp p2p 1\nq 1\n"),
             Catch::Contains("line 2: found 2 columns, expected q SOURCE"));
  CHECK_THAT(query_error("p aux sp p2p 1\nq 1 2 3\n"), Catch::Contains("line 2: found 4 columns"));
  CHECK_THAT(query_error("p aux sp ss 1\ns 1 2\n"),
             Catch::Contains("line 2: found 3 columns, expected s NODE"));
  CHECK_THAT(query_error("p aux sp ss 1\ns 0\n"),
             Catch::Contains("line 2: found '0' as the source, expected a number of 1"));
  CHECK_THAT(query_error("p aux sp p2p 1\nq 1 x\n"), Catch::Contains("line 2: found 'x' as the target"));
  CHECK_THAT(query_error("p aux sp p2p 1\nq 1x 1\n"), Catch::Contains("line 2: found '1x' as the source"));
  CHECK_THAT(query_error("p aux sp p2p 1\nq 1 -2\n"), Catch::Contains("found '-2' as the target"));
  CHECK_THAT(query_error("p aux sp ss 1\ns 18446744073709551616\n"), Catch::Contains("below 2^64"));
  CHECK_THAT(query_error("p aux sp ss 2\ns 1\n"),
             Catch::Contains("line 3: the file ends after 1 queries, expected 2 as line 1 declares"));
  CHECK_THAT(query_error("p aux sp ss 1\ns 1\ns 2\n"),
             Catch::Contains("line 3: found query number 2, expected 1 as line 1 declares"));
  CHECK_THAT(query_error(std::string("p aux sp ss 1\ns \0\n", 18)), Catch::Contains("line 2"));
  CHECK_THAT(query_error("p aux sp ss 1\ns 1" + std::string(70000, ' ') + "\n"), Catch::Contains("line 2"));
}

TEST_CASE("queries: nodes outside the graph are refused with their line") {
  const QueryFile pairs = read_queries("p aux sp p2p 2\nq 1 2\nq 3 7\n");
  pairs.require_nodes_below(7);
  CHECK_THAT(message_of<core::DataError>([&] { pairs.require_nodes_below(6); }),
             Catch::Contains("a.p2p: line 3: found node 7, but the graph has 6 nodes, expected 1 to 6"));
  CHECK_THAT(message_of<core::DataError>([&] { pairs.require_nodes_below(2); }),
             Catch::Contains("line 3: found node 3"));
  const QueryFile sources = read_queries("p aux sp ss 1\ns 7\n");
  sources.require_nodes_below(7);
  CHECK_THAT(message_of<core::DataError>([&] { sources.require_nodes_below(6); }),
             Catch::Contains("line 2: found node 7"));
}

}  // namespace emgraph::tests::edge_formats::query_file
