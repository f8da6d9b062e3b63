// SPDX-License-Identifier: MIT
// Matrix Market, DIMACS and METIS files of many chunks: lanes, pipes, packing, little memory, long lines.
#include "tests/graph/format/line_samples.hpp"

namespace emgraph::tests::edge_formats::lines {

TEST_CASE(
    "lines: any number of lanes reads the same edges from files, packed files and pipes, in any memory") {
  for (const LineSample& sample : samples()) {
    CAPTURE(sample.name, sample.content.substr(0, 60));
    const TemporaryDirectory directory;
    const std::string path = directory.write(sample.name, sample.content);
    const std::string packed = directory.write(sample.name + ".zst", zstd(sample.content));
    for (const std::size_t memory_bytes : {3 * MiB, 40 * MiB}) {
      TestEnvironment test{.memory_bytes = memory_bytes};
      for (const unsigned lanes : {1U, 2U, 4U}) {
        CAPTURE(memory_bytes, lanes);
        CHECK(
            same_records(read_edges<Weighted>(test.environment, path, sample.options, lanes), sample.edges));
        CHECK(same_records(read_edges<Weighted>(test.environment, packed, sample.options, lanes),
                           sample.edges));
      }
      const Pipe pipe(directory, sample.content);
      CHECK(same_records(read_edges<Weighted>(test.environment, pipe.path(), named_format(sample), 2),
                         sample.edges));
      CHECK(test.memory.used() == 0);
    }
    TestEnvironment test{.memory_bytes = 8 * MiB};
    for (const std::string& file : {path, packed}) {
      OpenOptions options = sample.options;
      options.max_lanes = 2;
      const auto source = typed_source<Weighted>(*open_edges(test.environment, file, options));
      REQUIRE(source->rewindable());
      for (int round = 0; round < 2; ++round) {
        CHECK(drain(*source, 2).size() == sample.edges.size());
        source->rewind();
      }
      CHECK(same_records(drain(*source, 1), sample.edges));
    }
  }
}

TEST_CASE("lines: samples are made of the file's edges; where lines are nodes, of their targets") {
  for (const LineSample& sample : samples()) {
    CAPTURE(sample.name, sample.content.substr(0, 60));
    TestEnvironment test{.memory_bytes = 8 * MiB};
    const TemporaryDirectory directory;
    const auto source = typed_source<Weighted>(
        *open_edges(test.environment, directory.write(sample.name, sample.content), sample.options));
    const auto taken = source->sample(640);
    CHECK(taken.size() >= 320);
    CHECK(taken.size() <= 1280);
    const std::uint64_t nodes = source->facts().nodes.value_or(40000);
    const bool nodes_are_lines = sample.name == "a.graph";
    auto sorted = sample.edges;
    std::sort(sorted.begin(), sorted.end(), before<Weighted>);
    CHECK(std::all_of(taken.begin(), taken.end(), [&](const Weighted& edge) {
      return edge.source < nodes &&
             (nodes_are_lines ? edge.target < nodes
                              : std::binary_search(sorted.begin(), sorted.end(), edge, before<Weighted>));
    }));
    CHECK(same_records(drain(*source, 1), sample.edges));
  }
}

TEST_CASE("metis: lines longer than a chunk, and than the memory") {
  constexpr std::uint64_t nodes = 900000;
  for (const bool with_weights : {false, true}) {
    // A hub of all nodes in the second line, long comments around it, one on a chunk's border at any rate.
    std::vector<Weighted> edges;
    std::string comment = "%";
    while (comment.size() < 700000) comment += " x";
    std::string text =
        number(nodes) + " " + number(nodes - 1) + (with_weights ? " 001\n" : "\n") + comment + "\n2";
    if (with_weights) text += " 7";
    edges.push_back(weighted(0, 1, with_weights ? 7 : 0));
    text += "\n";
    for (std::uint32_t target = 0; target < nodes; ++target) {
      if (target == 1) continue;
      const std::int64_t weight = with_weights ? target % 1000 : 0;
      text += number(target + 1) + " " + (with_weights ? std::to_string(weight) + "  " : "");
      edges.push_back(weighted(1, target, weight));
    }
    text += "\n" + comment + "\n";
    for (std::uint32_t source = 2; source < nodes; ++source) {
      text += with_weights ? "2 9\n" : "2\n";
      edges.push_back(weighted(source, 1, with_weights ? 9 : 0));
    }
    const TemporaryDirectory directory;
    const std::string path = directory.write("a.graph", text);
    TestEnvironment test{.memory_bytes = 3 * MiB};
    for (const unsigned lanes : {1U, 3U}) {
      CAPTURE(with_weights, lanes);
      CHECK(same_records(read_edges<Weighted>(test.environment, path, {}, lanes), edges));
    }
    const auto error = [&](const std::string& content) {
      const std::string broken = directory.write("b.graph", content);
      return message_of<core::DataError>([&] { read_edges<Weighted>(test.environment, broken, {}, 2); });
    };
    // In the middle of the long line.
    std::string wrong = text;
    const std::size_t place = wrong.find(' ', comment.size() + 3000000);
    wrong.insert(place + 1, "0 ");
    CHECK_THAT(error(wrong), Catch::Contains("line 4: found '0' as the "));
    CHECK_THAT(error(text.substr(0, place)), Catch::Contains("line 4: the file ends, "));
  }
}

TEST_CASE("lines: an error far into the file has its line, however many lanes read") {
  for (const LineSample& sample : samples()) {
    CAPTURE(sample.name, sample.content.substr(0, 60));
    const TemporaryDirectory directory;
    std::string content = sample.content;
    const std::size_t middle = content.find("\n", std::min<std::size_t>(content.size(), 800000) / 2);
    const auto line =
        std::count(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(middle), '\n') + 2;
    content.insert(middle + 1, "oops\n");
    const std::string path = directory.write(sample.name, content);
    const std::string packed = directory.write(sample.name + ".zst", zstd(content));
    for (const unsigned lanes : {1U, 2U, 4U}) {
      TestEnvironment test{.memory_bytes = 8 * MiB};
      for (const std::string& file : {path, packed}) {
        CHECK_THAT(message_of<core::DataError>(
                       [&] { read_edges<Weighted>(test.environment, file, sample.options, lanes); }),
                   Catch::Contains("line " + std::to_string(line) + ": found 'oops'"));
      }
    }
  }
}

TEST_CASE("lines: counts that are wrong by one are noticed at the right line, however many lanes read") {
  for (const LineSample& sample : samples()) {
    if (sample.options.format) continue;
    CAPTURE(sample.name, sample.content.substr(0, 60));
    const TemporaryDirectory directory;
    const bool metis = sample.name == "a.graph";
    // METIS declares pairs.
    const std::string declared = number(metis ? 30000 : 60000);
    const std::size_t at = sample.content.find(declared);
    REQUIRE(at < 100);
    for (const bool fewer : {true, false}) {
      std::string content = sample.content;
      content.replace(at, declared.size(), number(std::stoull(declared) + (fewer ? -1 : 1)));
      const std::string path = directory.write(sample.name, content);
      std::string first;
      for (const unsigned lanes : {1U, 2U, 4U}) {
        TestEnvironment test{.memory_bytes = 8 * MiB};
        const std::string message = message_of<core::DataError>(
            [&] { read_edges<Weighted>(test.environment, path, sample.options, lanes); });
        CHECK_THAT(message, Catch::Contains(fewer ? " more than the " : "the file ends, found"));
        if (first.empty()) first = message;
        CHECK(message == first);
      }
    }
  }
}

TEST_CASE("lines: truncated packing") {
  for (const LineSample& sample : samples()) {
    TestEnvironment test{.memory_bytes = 8 * MiB};
    const TemporaryDirectory directory;
    const std::string packed = zstd(sample.content);
    const std::string path = directory.write(sample.name + ".zst", packed.substr(0, packed.size() / 2));
    CHECK_THAT(
        message_of<core::DataError>([&] { read_edges<Weighted>(test.environment, path, sample.options, 2); }),
        Catch::Contains("truncated"));
  }
}

}  // namespace emgraph::tests::edge_formats::lines
