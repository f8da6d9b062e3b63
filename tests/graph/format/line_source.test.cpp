// SPDX-License-Identifier: MIT
// The reader that all texts share: lanes that fail.
#include "graph/format/text/line_source.hpp"

#include <latch>
#include <new>
#include <thread>

#include "tests/graph/format/edge_files.hpp"

namespace emgraph::tests::edge_formats::line_source {

namespace format = graph::format;

namespace {

/// The first chunk cannot be parsed, which shows only when the second is in the hands of another lane.
class FailingParser final : public format::LineParser {
 public:
  std::size_t most_edges(std::size_t) const override { return 1; }
  void parse(const format::LineChunk& chunk, const format::TextPlace*, const core::PairShape&, std::byte*,
             format::ParsedChunk&) const override {
    if (chunk.number == 1) taken_.count_down();
    if (chunk.number > 0) return;
    taken_.wait();
    throw std::bad_alloc();
  }
  void check_place(const std::string&, const format::LineChunk&, const format::TextPlace&) const override {}

 private:
  mutable std::latch taken_{1};
};

}  // namespace

TEST_CASE("lines: a lane whose parser throws does not leave others waiting for its chunk") {
  TestEnvironment test{.memory_bytes = 8 * MiB};
  const TemporaryDirectory directory;
  std::string text;
  while (text.size() < MiB) text += "1 2\n";
  format::LineSource source(
      test.environment,
      std::make_unique<format::LineInput>(
          test.environment, core::InputFile(directory.write("a.txt", text), test.environment.io),
          format::LineRules{}),
      {}, std::make_unique<FailingParser>(), 2);
  const core::PairShape shape = shape_of<Record<std::uint32_t, 0>>();
  const auto failing = source.lane(shape);
  const auto waiting = source.lane(shape);
  int failed = 0;
  {
    const auto read = [&failed](format::RecordLane& lane) {
      try {
        while (lane.next().count > 0) {
        }
      } catch (const std::bad_alloc&) {
        ++failed;  // of one thread alone
      }
    };
    const std::jthread first([&] { read(*failing); });
    const std::jthread second([&] { read(*waiting); });
  }
  CHECK(failed == 1);
}

}  // namespace emgraph::tests::edge_formats::line_source
