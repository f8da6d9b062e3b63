// SPDX-License-Identifier: MIT
// Guessed widths of ids: right, wrong, and not tried.
#include "graph/prepare/sorted_edges.hpp"

#include "tests/graph/prepare/sort_oracle.hpp"

namespace emgraph::tests {
namespace {

using graph::Edge64;
using graph::Record;
using graph::prepare::IdBound;

/// Ids below 1000, and one `outlier` where the sample does not look.
EdgeList edges_with(std::uint64_t outlier) {
  std::mt19937_64 random(7);
  EdgeList edges(200'001);  // above the sample's size, so that it takes every other edge or fewer
  for (Edge64& edge : edges) edge = {random() % 1000, random() % 1000};
  edges[100'001].target = outlier;
  return edges;
}

template <class Id>
Sorted<Record<Id, 0>> sort_guessing(std::uint64_t outlier, bool rewindable, unsigned threads) {
  using R = Record<Id, 0>;
  VectorSourceOptions source{.rewindable = rewindable, .sampled = rewindable};
  source.facts.layout.id_bytes = sizeof(Id);
  const std::vector<R> input = records_of<R>(edges_with(outlier));
  TestEnvironment test{.memory_bytes = 2 * core::MiB, .threads = threads};
  const SortOptions options = {.unique = true, .no_loops = true};
  const Sorted<R> sorted = sort_in(test, input, source, options);
  check_equal(sorted,
              sort_oracle(input, options, WeightType::none, std::max<std::uint64_t>(1000, outlier + 1)));
  return sorted;
}

}  // namespace

TEST_CASE("ids beyond the guess start the sort again, with the same result", "[id_bound]") {
  for (const unsigned threads : tried_threads({1U, 2U})) {
    for (const bool rewindable : {true, false}) {
      sort_guessing<std::uint32_t>(999, rewindable, threads);
      sort_guessing<std::uint32_t>(1023, rewindable, threads);
      sort_guessing<std::uint32_t>(1024, rewindable, threads);
      sort_guessing<std::uint32_t>(0xffffffff, rewindable, threads);
      sort_guessing<std::uint64_t>(1024, rewindable, threads);
      sort_guessing<std::uint64_t>(std::uint64_t{1} << 60, rewindable, threads);
    }
  }
}

TEST_CASE("the bound of the ids is declared, guessed by the sample, or unknown", "[id_bound]") {
  using R = Record<std::uint32_t, 0>;
  const auto bounds = [](std::vector<R> edges, const VectorSourceOptions& options,
                         std::optional<std::uint64_t> nodes) {
    VectorSource<R> source(std::move(edges), options);
    std::vector<std::pair<std::optional<std::uint64_t>, bool>> seen;
    TestEnvironment test;
    graph::prepare::with_id_bound(test.environment, source, nodes,
                                  [&](const graph::prepare::SortInput<std::uint32_t>& input) {
                                    seen.emplace_back(input.bound.below, input.bound.guessed);
                                    if (input.bound.guessed) throw graph::prepare::GuessFailed();
                                  });
    return seen;
  };
  using Seen = std::vector<std::pair<std::optional<std::uint64_t>, bool>>;
  const VectorSourceOptions file{.sampled = true};
  CHECK(bounds({{3, 5}}, file, std::nullopt) == Seen{{8, true}, {std::nullopt, false}});
  CHECK(bounds({{3, 5}}, file, 6) == Seen{{6, false}});
  CHECK(bounds({{3, 5}}, {.rewindable = false, .sampled = true}, std::nullopt) ==
        Seen{{std::nullopt, false}});
  CHECK(bounds({{3, 5}}, {.sampled = false}, std::nullopt) == Seen{{std::nullopt, false}});
  CHECK(bounds({{0, 0}}, file, std::nullopt) == Seen{{std::nullopt, false}});
  CHECK(bounds({{3, 0x80000000}}, file, std::nullopt) == Seen{{std::nullopt, false}});
}

TEST_CASE("the sample of the edges is charged until the sort has it", "[id_bound]") {
  using R = Record<std::uint32_t, 0>;
  std::vector<R> edges(100'000);
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = {static_cast<std::uint32_t>(i), 7};
  VectorSource<R> source(std::move(edges), {.sampled = true});
  TestEnvironment test{.memory_bytes = 16 * core::MiB};
  const NothingLeft nothing_left(test);
  const auto input = graph::prepare::sort_input(test.environment, source, std::nullopt);
  CHECK(input.sample.size() > 1000);
  CHECK(test.memory.used() >= input.sample.capacity() * sizeof(graph::Edge32));
}

}  // namespace emgraph::tests
