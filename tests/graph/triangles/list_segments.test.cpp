// SPDX-License-Identifier: MIT
// Lists come back from the disks as they went, from any segment on.
#include "graph/triangles/list_segments.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "tests/support/tiny_environment.hpp"

namespace emgraph::tests::triangles {
namespace {

using graph::triangles::ListSegments;
using graph::triangles::Rank;
using Pairs = std::vector<std::pair<Rank, Rank>>;

Pairs read_all(core::Environment& environment, const ListSegments& lists, std::size_t begin, std::size_t end,
               std::size_t words) {
  Pairs pairs;
  graph::triangles::ListStream stream(environment, lists, begin, end);
  graph::triangles::ListBuffer buffer(environment.memory, words);
  while (stream.next(buffer)) {
    const graph::triangles::ListBatch batch = buffer.batch();
    for (std::size_t k = 0; k < batch.lists; ++k) {
      for (const Rank target : batch.list(k)) pairs.emplace_back(batch.source(k), target);
    }
  }
  return pairs;
}

TEST_CASE("lists with gaps and of any length survive the way over disk") {
  std::mt19937_64 random(81);
  Pairs pairs;
  for (Rank source = 3; source < 60000; source += random() % 50 == 0 ? 5000 : 1 + random() % 2) {
    const std::size_t length = random() % 100 == 0 ? 1500 : random() % 6;
    for (std::size_t i = 0; i < length; ++i)
      pairs.emplace_back(source, static_cast<Rank>(i * 3 + source % 3));
  }
  pairs.emplace_back(graph::triangles::no_rank - 1, 7);
  TestEnvironment test{.memory_bytes = core::MiB, .disks = 3};
  for (const std::uint64_t segment_words : {500U, 5000U, 1000000U}) {
    graph::triangles::ListWriter writer(test.environment,
                                        {.block_bytes = 4096, .segment_words = segment_words});
    for (const auto& [source, target] : pairs) writer.add(source, target);
    const ListSegments lists = writer.finish();
    CHECK(lists.edges == pairs.size());
    CHECK(lists.longest_list == 1500);
    CHECK(lists.segments.size() > (segment_words < 1000 ? 10 : 1));
    for (const std::size_t words : {1502U, 20000U}) {
      CHECK((read_all(test.environment, lists, 0, lists.segments.size(), words) == pairs));
      for (std::size_t begin = 0; begin <= lists.segments.size(); begin += 7) {
        const std::size_t end = std::min(begin + 3, lists.segments.size());
        Pairs part;
        for (const auto& pair : pairs) {
          if (begin < end && pair.first >= lists.segments[begin].first &&
              pair.first < lists.segments[end - 1].end)
            part.push_back(pair);
        }
        CHECK((read_all(test.environment, lists, begin, end, words) == part));
      }
    }
  }
  CHECK(test.memory.used() == 0);
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("no edges are no segments") {
  TestEnvironment test;
  graph::triangles::ListWriter writer(test.environment, {.block_bytes = 4096, .segment_words = 256});
  const ListSegments lists = writer.finish();
  CHECK(lists.segments.empty());
  CHECK(read_all(test.environment, lists, 0, 0, 100).empty());
}

}  // namespace
}  // namespace emgraph::tests::triangles
