// SPDX-License-Identifier: MIT
// Each way of intersecting, at every vector width this machine has, against sets.
#include "graph/triangles/intersect_kernel.hpp"

#include <hwy/targets.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <vector>

#include "graph/triangles/lists.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/tiny_environment.hpp"

namespace emgraph::tests::triangles {
namespace {

using graph::triangles::Rank;
using Lists = std::vector<std::vector<Rank>>;
using Found = std::vector<std::array<Rank, 3>>;

struct FoundSink final : graph::triangles::TriangleSink {
  Found found;
  std::size_t calls = 0;
  bool right_thread = true;
  void take(unsigned thread, Rank u, Rank v, std::span<const Rank> thirds) override {
    right_thread = right_thread && thread == 3;
    for (const Rank w : thirds) found.push_back({u, v, w});
    calls += thirds.size();
  }
};

/// Lists of smaller ranks, dense for the first of them.
Lists random_lists(Rank ranks, unsigned seed) {
  std::mt19937_64 random(seed);
  Lists lists(ranks);
  for (Rank u = 1; u < ranks; ++u) {
    const unsigned length = u < 200 ? u / 2 : static_cast<unsigned>(random() % (random() % 4 == 0 ? 90 : 9));
    std::set<Rank> list;
    for (unsigned i = 0; i < length; ++i)
      list.insert(static_cast<Rank>(random() % (i % 2 == 0 ? u : std::min(u, 150U))));
    lists[u].assign(list.begin(), list.end());
  }
  return lists;
}

/// In order.
Found expected_triangles(const Lists& lists, Rank first, Rank end) {
  Found found;
  for (Rank u = 0; u < lists.size(); ++u) {
    for (const Rank v : lists[u]) {
      if (v < first || v >= end) continue;
      for (const Rank w : lists[v]) {
        if (std::binary_search(lists[u].begin(), lists[u].end(), w)) found.push_back({u, v, w});
      }
    }
  }
  return found;
}

/// Consecutive lists, with the slack that vector loads need.
struct Flat {
  std::vector<std::uint32_t> offsets;
  std::vector<Rank> targets;
  Flat(const Lists& lists, Rank first, Rank end) {
    for (Rank u = first; u < end; ++u) {
      offsets.push_back(static_cast<std::uint32_t>(targets.size()));
      targets.insert(targets.end(), lists[u].begin(), lists[u].end());
    }
    offsets.push_back(static_cast<std::uint32_t>(targets.size()));
    targets.resize(targets.size() + graph::triangles::list_slack, 0);
  }
};

TEST_CASE("every way of intersecting finds the triangles of a chunk, at every vector width") {
  constexpr Rank ranks = 1000;
  const Lists lists = random_lists(ranks, 71);
  const Flat all(lists, 0, ranks);
  Sample sample(3);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    for (const auto& [first, end] : {std::pair<Rank, Rank>{0, ranks}, {0, 500}, {300, 900}, {700, ranks}}) {
      const Found expected = expected_triangles(lists, first, end);
      const Flat part(lists, first, end);
      for (const Rank hubs : {0U, 1U, 100U, 600U}) {
        for (const Rank marked : {hubs, std::max(hubs, 700U), ranks}) {
          if ((hubs > 0 && first > 0) || !sample.takes(1)) continue;
          CAPTURE(target, first, end, hubs, marked);
          TestEnvironment test{.memory_bytes = 4 * core::MiB};
          graph::triangles::HubRows rows;
          if (hubs > 0) rows = graph::triangles::HubRows(test.memory, hubs);
          for (Rank v = 0; v < std::min(hubs, end); ++v) {
            for (const Rank w : lists[v]) rows.set(v, w);
          }
          std::vector<std::uint64_t> bits(ranks / 512 * 8 + 16);
          std::vector<Rank> thirds(ranks + graph::triangles::list_slack);
          const graph::triangles::ChunkView chunk{.first = first,
                                                  .end = end,
                                                  .offsets = part.offsets.data(),
                                                  .targets = part.targets.data(),
                                                  .hubs = rows.size(),
                                                  .hub_rows = rows.words()};
          const graph::triangles::ListBatch batch{.begins = all.offsets.data(),
                                                  .ends = all.offsets.data() + 1,
                                                  .targets = all.targets.data(),
                                                  .lists = ranks};
          const graph::triangles::IntersectScratch scratch{
              .bits = bits.data(), .marked = marked, .thirds = thirds.data()};
          FoundSink sink;
          CHECK(graph::triangles::count_triangles(chunk, batch, scratch) == expected.size());
          CHECK(graph::triangles::collect_triangles(chunk, batch, scratch, sink, 3) == expected.size());
          CHECK(sink.calls == expected.size());
          CHECK(sink.right_thread);
          std::sort(sink.found.begin(), sink.found.end());
          CHECK((sink.found == expected));
          CHECK(std::all_of(bits.begin(), bits.end(), [](std::uint64_t word) { return word == 0; }));
        }
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST_CASE("rows of hubs do not overlap") {
  using graph::triangles::HubRows;
  for (Rank v = 0; v < 3000; ++v) {
    CHECK(HubRows::first_line(v) + HubRows::lines(v) == HubRows::first_line(v + 1));
    CHECK(HubRows::lines(v) * HubRows::line_bits > v);
  }
  CHECK(HubRows::bytes_for(1024) == 512 * (1 + 2) * 64);
}

}  // namespace
}  // namespace emgraph::tests::triangles
