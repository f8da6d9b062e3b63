// SPDX-License-Identifier: MIT
// Labels to numbers against a map in memory: every size of table, memory, threads, and when things fail.
#include "graph/prepare/relabel/labels.hpp"

#include <map>
#include <set>

#include "graph/format/nodes/label_map.hpp"
#include "graph/format/text/label_text.hpp"
#include "tests/graph/prepare/relabel/relabelling.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/temporary_directory.hpp"

namespace emgraph::tests::relabel {
namespace {

using R = graph::Record<std::uint32_t, 8>;

class KeptLabels final : public graph::LabelSink {
 public:
  void append(std::string_view label) override { labels.emplace_back(label); }
  std::vector<std::string> labels;
};

/// By first appearance. Slow on purpose.
struct LabelOracle {
  std::vector<std::string> labels;
  EdgeList edges;
};

/// Edges between `nodes` labels of very different lengths, the first ones more often, with i64 weights.
std::string label_text(std::uint64_t nodes, std::size_t count, std::uint64_t seed, LabelOracle& oracle) {
  std::map<std::string, std::uint64_t> numbers;
  std::string text;
  std::size_t edge = 0;
  for (const graph::Edge64& pair : random_edges(nodes, count, seed)) {
    std::uint64_t ends[2] = {pair.source, pair.target};
    if (edge % 3 == 0) ends[0] %= 17;
    for (std::uint64_t& end : ends) {
      std::string label = "n" + std::to_string(end * 0x9e3779b97f4a7c15U);
      if (end % 50 == 7) label += std::string(static_cast<std::size_t>(end % 900), 'x');
      const auto [found, added] = numbers.emplace(label, numbers.size());
      if (added) oracle.labels.push_back(label);
      text += label + "\t";
      end = found->second;
    }
    oracle.edges.push_back({ends[0], ends[1]});
    text += std::to_string(edge) + (edge % 7 == 0 ? "\r\n" : "\n");
    ++edge;
  }
  return text;
}

struct Answer {
  std::vector<std::string> labels;
  std::vector<R> edges;
  graph::EdgeFacts facts;
  std::string method;
  std::vector<std::optional<std::uint64_t>> numbers;
};

Answer answer(core::Environment& environment, const std::string& path, std::size_t table_bytes, bool map,
              std::vector<std::string> asked = {}) {
  KeptLabels kept;
  Answer answer;
  auto text = graph::format::open_label_text(environment, core::InputFile(path, environment.io),
                                             {.format = "text-i64w", .max_lanes = environment.threads});
  auto numbered = graph::relabel::number_labels(
      environment, std::move(text),
      {.max_lanes = environment.threads, .table_bytes = table_bytes, .asked = std::move(asked)},
      map ? &kept : nullptr);
  answer.edges = read_all<R>(*numbered.source, environment.threads);
  answer.facts = numbered.source->facts();
  answer.method = numbered.method;
  answer.numbers = std::move(numbered.numbers);
  answer.labels = std::move(kept.labels);
  return answer;
}

bool same_edges(const Answer& answer, const LabelOracle& oracle) {
  bool same = answer.edges.size() == oracle.edges.size();
  for (std::size_t i = 0; same && i < oracle.edges.size(); ++i) {
    std::int64_t weight = 0;
    std::memcpy(&weight, answer.edges[i].attachment.data(), sizeof(weight));
    same = answer.edges[i].source == oracle.edges[i].source &&
           answer.edges[i].target == oracle.edges[i].target && weight == static_cast<std::int64_t>(i);
  }
  return same;
}

TEST_CASE("labels are numbered in the order of their first occurrence, for all sizes of the table") {
  const TemporaryDirectory directory;
  std::uint64_t seed = 0;
  for (const auto& [nodes, count] :
       {std::pair<std::uint64_t, std::size_t>{1, 3}, {900, 300}, {6000, 30000}}) {
    LabelOracle oracle;
    const std::string path = directory.write("a.txt", label_text(nodes, count, ++seed, oracle));
    for (const std::size_t memory : {2 * core::MiB, 16 * core::MiB}) {
      for (const unsigned threads : tried_threads({1U, 3U})) {
        for (const std::size_t table_bytes : {std::size_t{1}, std::size_t{40000}, std::size_t{600000}}) {
          CAPTURE(nodes, memory, threads, table_bytes);
          TestEnvironment test = environment_of({memory, threads, 2});
          const NothingLeft nothing_left(test);
          const std::string late = oracle.labels.back();
          const Answer got =
              answer(test.environment, path, table_bytes, true, {late, "nobody", oracle.labels[0]});
          CHECK((got.labels == oracle.labels));
          CHECK(same_edges(got, oracle));
          CHECK(got.facts.nodes == oracle.labels.size());
          CHECK(got.facts.edges == oracle.edges.size());
          CHECK(got.facts.layout.id_bytes == 4);
          if (table_bytes == 600000) CHECK(got.method == "table");
          if (table_bytes == 1 && nodes > 30) CHECK(got.method == "spilled");
          CHECK(got.numbers == std::vector<std::optional<std::uint64_t>>{oracle.labels.size() - 1, {}, 0});
        }
      }
    }
  }
}

TEST_CASE("labels without a map and without edges") {
  const TemporaryDirectory directory;
  LabelOracle oracle;
  const std::string path = directory.write("a.txt", label_text(3000, 5000, 5, oracle));
  const std::string empty = directory.write("e.txt", "# nothing\n");
  for (const std::size_t table_bytes : {1, 600000}) {
    TestEnvironment test = environment_of({2 * core::MiB, 2, 1});
    const NothingLeft nothing_left(test);
    const Answer got = answer(test.environment, path, table_bytes, false);
    CHECK(same_edges(got, oracle));
    CHECK(got.labels.empty());
    const Answer none = answer(test.environment, empty, table_bytes, true, {"x"});
    CHECK(none.edges.empty());
    CHECK(none.facts.nodes == 0);
    CHECK(none.numbers == std::vector<std::optional<std::uint64_t>>{std::nullopt});
  }
}

TEST_CASE("numbering labels survives every failed transfer and reservation") {
  const TemporaryDirectory directory;
  LabelOracle oracle;
  const std::string path = directory.write("a.txt", label_text(2000, 4000, 9, oracle));
  std::uint64_t seed = 0;
  for (const Fault fault : all_faults) {
    for (const std::size_t table_bytes : {1, 300000}) {
      const std::uint64_t last = fail_each(
          fault, {2 * core::MiB, 2, 2},
          [&](TestEnvironment& test) {
            const Answer got = answer(test.environment, path, table_bytes, true);
            CHECK((got.labels == oracle.labels));
            CHECK(same_edges(got, oracle));
          },
          ++seed);
      CHECK(last > 2);
    }
  }
}

TEST_CASE("wrong lines are named whatever thread meets them") {
  const TemporaryDirectory directory;
  std::string text;
  for (int i = 0; i < 60000; ++i) text += "some label" + std::to_string(i) + " x\n";
  const std::string path = directory.write("a.txt", text + "alone\n" + text + "alone again\n");
  for (const unsigned threads : tried_threads({1U, 3U})) {
    TestEnvironment test = environment_of({8 * core::MiB, threads, 1});
    const NothingLeft nothing_left(test);
    auto open = graph::format::open_label_text(test.environment, core::InputFile(path, test.environment.io),
                                               {.format = "text"});
    CHECK_THROWS_WITH(graph::relabel::number_labels(test.environment, std::move(open), {}, nullptr),
                      Catch::Contains("line 60001") && Catch::Contains("found 1 column"));
  }
}

TEST_CASE("a map of labels gives any ascending nodes") {
  const TemporaryDirectory directory;
  for (const std::size_t count : {0, 1, 700, 5000, 20000}) {
    for (const bool last_break : {true, false}) {
      std::vector<std::string> labels;
      std::string text;
      for (std::size_t i = 0; i < count; ++i) {
        labels.push_back("l" + std::to_string(i * i));
        if (i % 97 == 5) labels.back() += std::string(i % 3000, 'y');
        if (i == 300) labels.back() = std::string(65535, 'z');
        text += labels.back() + (i % 11 == 0 ? "\r\n" : "\n");
      }
      if (!last_break && count > 0) text.erase(text.find_last_not_of("\r\n") + 1);
      const std::string path = directory.write("map.txt", text);
      for (const std::size_t memory : {core::MiB, 16 * core::MiB}) {
        TestEnvironment test = environment_of({memory, 1, 1});
        const NothingLeft nothing_left(test);
        graph::format::LabelMap map(test.environment, path);
        CHECK(map.size() == count);
        for (const std::uint64_t step : {1, 2, 61, 4999}) {
          for (const std::uint64_t start : {0, 3, 299}) {
            std::vector<std::uint64_t> nodes;
            for (std::uint64_t node = start; node < count; node += step) nodes.push_back(node);
            std::size_t at = 0;
            bool same = true;
            const std::size_t got = map.fetch(nodes, [&](std::string_view label) {
              same = same && label == labels[nodes[at++]];
              return true;
            });
            CHECK(same);
            CHECK(got == nodes.size());
          }
        }
        // A map that fits is read once.
        const std::uint64_t read = test.environment.io.snapshot().read_bytes;
        CHECK((memory == core::MiB ? read >= text.size() : read == text.size()));
      }
    }
  }
  TestEnvironment test = environment_of({core::MiB, 1, 1});
  const std::string path = directory.write("map.txt", "a\n" + std::string(70000, 'b') + "\n");
  CHECK_THROWS_WITH(graph::format::LabelMap(test.environment, path), Catch::Contains("line 2"));
}

TEST_CASE("a writer of labels writes what a map reads") {
  const TemporaryDirectory directory;
  TestEnvironment test = environment_of({4 * core::MiB, 1, 1});
  const NothingLeft nothing_left(test);
  std::string expected;
  {
    graph::format::LabelWriter writer(test.environment, directory.file("map.txt"), core::Overwrite::refuse);
    for (const std::size_t length : {1, 65535, 5, 40000, 40000}) {
      writer.append(std::string(length, 'q'));
      expected += std::string(length, 'q') + "\n";
    }
    writer.finish();
  }
  CHECK((directory.read("map.txt") == expected));
}

}  // namespace
}  // namespace emgraph::tests::relabel
