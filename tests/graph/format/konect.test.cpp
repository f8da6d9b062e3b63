// SPDX-License-Identifier: MIT
// KONECT's files: the head, numbers from 1, two sides, weights by the head's word.
#include "tests/graph/format/edge_files.hpp"

namespace emgraph::tests::edge_formats::konect {

namespace {

using Catch::Contains;
using Plain = Record<std::uint32_t, 0>;

struct Read {
  EdgeFacts facts;
  std::string edges;  ///< "s-t s-t", with weights "s-t:w"
};

template <class R, class Weight>
std::string edges_of(EdgeInput& input) {
  std::string out;
  for (const R& record : drain(*typed_source<R>(input), 1)) {
    if (!out.empty()) out.append(" ");
    out.append(std::to_string(record.source) + "-" + std::to_string(record.target));
    if constexpr (R::attachment_bytes != 0) {
      Weight weight;
      std::memcpy(&weight, record.attachment.data(), sizeof(weight));
      const std::string number = std::to_string(weight);
      out.append(":").append(number, 0, number.size() - (std::is_floating_point_v<Weight> ? 4 : 0));
    }
  }
  return out;
}

/// Detected by its content; its name has no meaning.
Read read(const std::string& content, const OpenOptions& options = {}) {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const auto input = open_edges(test.environment, directory.write("out.graph-name", content), options);
  CHECK(input->format() == "konect");
  Read result{.facts = input->facts(), .edges = ""};
  switch (result.facts.layout.weight) {
    case WeightType::none:
      result.edges = edges_of<Plain, int>(*input);
      break;
    case WeightType::i64:
      result.edges = edges_of<Record<std::uint32_t, 8>, std::int64_t>(*input);
      break;
    default:
      REQUIRE(result.facts.layout.weight == WeightType::f64);
      result.edges = edges_of<Record<std::uint32_t, 8>, double>(*input);
  }
  return result;
}

std::string error(const std::string& content) {
  return message_of<core::DataError>([&] { read(content); });
}

}  // namespace

TEST_CASE("konect: directed and not, with and without counts") {
  const Read sym = read("% sym unweighted\n% 3 4 4\n1 2\n2\t3\n4 1 \n");
  CHECK(sym.edges == "0-1 1-2 3-0");
  CHECK(sym.facts.nodes == 4);
  CHECK(sym.facts.edges == 3);
  CHECK_FALSE(sym.facts.directed);
  const Read asym = read("% asym unweighted\r\n%  a comment\r\n1 2\r\n% another\r\n7 1\r\n");
  CHECK(asym.edges == "0-1 6-0");
  CHECK_FALSE(asym.facts.nodes.has_value());
  CHECK_FALSE(asym.facts.edges.has_value());
  CHECK(asym.facts.directed);
  CHECK(read("% sym unweighted\n").edges.empty());
  CHECK(read("% sym unweighted\n% 1 5\n1 5\n").facts.nodes == 5);
}

TEST_CASE("konect: the right side of a bipartite graph goes behind the left side") {
  const Read bip = read("% bip unweighted\n% 3 2 5\n1 1\n2 5\n1 3\n");
  CHECK(bip.edges == "0-2 1-6 0-4");
  CHECK(bip.facts.nodes == 7);
  CHECK_THAT(error("% bip unweighted\n1 1\n"), Contains("line 2: found a bipartite graph without"));
  CHECK_THAT(error("% bip unweighted\n% 3 2\n1 1\n"), Contains("bipartite graph without a second line"));
  CHECK_THAT(error("% bip unweighted\n% 1 2 5\n3 1\n"),
             Contains("line 3: found '3' as the first id") && Contains("at most 2, as the file declares"));
  CHECK_THAT(error("% bip unweighted\n% 1 2 5\n2 6\n"), Contains("found '6' as the second id"));
}

TEST_CASE("konect: weights by the head's word, timestamps ignored") {
  CHECK(read("% sym positive\n1 2 3\n1 3\n2 3 1 1234567890\n").edges == "0-1:3 0-2:1 1-2:1");
  CHECK(read("% asym signed\n1 2 -1\n2 1 1 99\n").edges == "0-1:-1.00 1-0:1.00");
  CHECK(read("% sym weighted\n% 2 3 3\n1 2 0.25\n1 3 4.5 1234567890\n").edges == "0-1:0.25 0-2:4.50");
  CHECK(read("% sym unweighted\n1 2 1 1234567890\n").edges == "0-1");
  CHECK_THAT(error("% sym weighted\n1 2 x\n"), Contains("line 2: found 'x' as the weight"));
  CHECK_THAT(error("% sym weighted\n1 2 nan\n"), Contains("line 2: found 'nan' as the weight"));
  CHECK_THAT(error("% sym heavy\n1 2\n"), Contains("line 1: found 'heavy' as the kind of weights"));
}

TEST_CASE("konect: a first line without the kind of weights, and networks whose edges come and go") {
  CHECK_THAT(error("% sym\n1 2\n"), Contains("line 1: found '' as the kind of weights"));
  CHECK_THAT(error("% bip\n% 2 2 1\n1 1\n"), Contains("line 1: found '' as the kind of weights"));
  CHECK_THAT(error("% asym dynamic\n1 2 1 100\n1 2 -1 102\n"), Contains("a dynamic network"));
}

TEST_CASE("konect: ids and counts that contradict the head") {
  CHECK_THAT(error("% sym unweighted\n0 1\n"), Contains("line 2: found '0' as the first id, expected an id "
                                                        "of 1 or more"));
  CHECK_THAT(error("% sym unweighted\n% 1 3 3\n1 4\n"), Contains("line 3: found '4' as the second id"));
  CHECK_THAT(error("% sym unweighted\n% 3 3 3\n1 2\n1 3\n"), Contains("found 2 edges, expected the 3"));
  CHECK_THAT(error("% sym unweighted\n% 1 3 3\n1 2\n1 3\n"), Contains("found more edges than the 1"));
  CHECK_THAT(error("% sym unweighted\n% 1 0 0\n1 2\n"), Contains("line 2: found nodes 0 and 0"));
  CHECK_THAT(error("% bip unweighted\n% 1 18446744073709551615 1\n1 1\n"),
             Contains("expected 1 to 2^64 - 1"));
  // Multiplicities: m may count them.
  CHECK(read("% sym positive\n% 5 3 3\n1 2 4\n1 3 1\n").edges == "0-1:4 0-2:1");
}

TEST_CASE("konect: wide ids, packing, pipes, a name without a head") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  const std::string wide =
      directory.write("a", "% sym unweighted\n% 1 5000000000 5000000000\n1 5000000000\n");
  for (const std::optional<std::size_t> id_bytes :
       {std::optional<std::size_t>(), std::optional<std::size_t>(4)}) {
    const auto input = open_edges(test.environment, wide, {.id_bytes = id_bytes});
    CHECK(input->facts().layout.id_bytes == 8);
    CHECK(drain(*typed_source<Record<std::uint64_t, 0>>(*input), 1)[0].target == 4999999999);
  }
  const std::string text = "% asym unweighted\n% 2 3 3\n1 2\n3 1\n";
  const std::vector<Plain> expected = {{0, 1}, {2, 0}};
  const Pipe pipe(directory, text);
  CHECK(same_records(read_edges<Plain>(test.environment, pipe.path()), expected));
  write_edges<Plain>(test.environment, directory.file("plain.txt.zst"), {}, {}, {{1, 2}});
  CHECK_THAT(message_of<core::DataError>(
                 [&] { open_edges(test.environment, directory.write("x.konect", "1 2\n"), {}); }),
             Contains("no konect header"));
  CHECK_THAT(message_of<core::DataError>([&] {
               open_edges(test.environment, directory.file("plain.txt.zst"), {.format = "konect"});
             }),
             Contains("line 1: found no KONECT head"));
}

TEST_CASE("konect: counts are checked once all lanes have ended") {
  TestEnvironment test{.memory_bytes = 32 * MiB};
  const TemporaryDirectory directory;
  std::string rows;
  for (int i = 0; i < 200000; ++i)
    rows.append(std::to_string(i % 1000 + 1)).append(" ").append(std::to_string(i % 999 + 1)).append("\n");
  for (const unsigned lanes : {1U, 2U, 4U}) {
    for (const int more : {-1, 0, 1}) {
      std::string head = "% asym unweighted\n% ";
      head.append(std::to_string(200000 + more)).append(" 1000 1000\n");
      const std::string path = directory.write("a.konect", head + rows);
      const std::string message =
          message_of<core::DataError>([&] { read_edges<Plain>(test.environment, path, {}, lanes); });
      CAPTURE(lanes, more, message);
      CHECK(message.empty() == (more == 0));
      if (more < 0) CHECK_THAT(message, Contains("more edges than the 199999"));
      if (more > 0) CHECK_THAT(message, Contains("found 200000 edges, expected the 200001"));
      const auto source = typed_source<Plain>(*open_edges(test.environment, path, {}));
      if (more != 0) continue;
      CHECK(drain(*source, 1).size() == 200000);
      source->rewind();
      CHECK(drain(*source, 1).size() == 200000);
    }
  }
}

}  // namespace emgraph::tests::edge_formats::konect
