// SPDX-License-Identifier: MIT
// Numbers of ids: consecutive, crowded, far apart, unknown.
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "graph/prepare/relabel/marked_ids.hpp"
#include "graph/prepare/relabel/sorted_ids.hpp"
#include "tests/graph/prepare/relabel/relabelling.hpp"

namespace emgraph::tests::relabel {
namespace {

using graph::relabel::IdRanks;
using graph::relabel::MarkedIds;
using graph::relabel::SortedIds;
using Ids = std::vector<std::uint64_t>;

constexpr std::uint64_t largest = ~std::uint64_t{0};

void check(const IdRanks& ranks, const Ids& ids) {
  REQUIRE(ranks.size() == ids.size());
  KeptIds written;
  ranks.write(written);
  CHECK(written.ids == ids);
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  Ids asked;
  for (const std::size_t i : order) asked.push_back(ids[i]);
  CHECK(ranks.replace(asked) == std::nullopt);
  CHECK(std::equal(asked.begin(), asked.end(), order.begin(), order.end()));
  // Neighbours of ids that are none themselves, and the ends of the range.
  for (const std::uint64_t id : ids) {
    for (const std::uint64_t other : {id - 1, id + 1, std::uint64_t{0}, largest}) {
      if (std::binary_search(ids.begin(), ids.end(), other)) continue;
      Ids unknown(50, ids.front());
      unknown[37] = other;
      CHECK(ranks.replace(unknown) == other);
    }
  }
}

Ids distinct(Ids ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

TEST_CASE("ids in a sorted array are found wherever they crowd") {
  std::mt19937_64 random(2);
  std::vector<Ids> all = {{0}, {largest}, {0, largest}, {5, 6, 7}, {largest - 1, largest}};
  Ids ids(3000);
  std::iota(ids.begin(), ids.end(), 1000);
  all.push_back(ids);
  ids.back() = largest;
  all.push_back(ids);
  ids.front() = 0;
  all.push_back(ids);
  for (const unsigned bits : {12U, 24U, 33U, 64U}) {
    for (std::uint64_t& id : ids) id = random() >> (64 - bits);
    all.push_back(distinct(ids));
  }
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = (random() & 0x3f) << (i % 59);  // crowds of all sizes
  all.push_back(distinct(ids));
  for (const Ids& set : all) {
    CAPTURE(set.size(), set.front(), set.back());
    core::MemoryBudget budget(core::MiB);
    SortedIds sorted(budget, SortedIds::most(200 * core::KiB));
    const std::span<const std::uint64_t> span = set;
    REQUIRE(sorted.append(span.first(span.size() / 3)));
    REQUIRE(sorted.append(span.subspan(span.size() / 3)));
    sorted.finish();
    CHECK(budget.peak() <= 200 * core::KiB);
    check(sorted, set);
  }
}

TEST_CASE("a sorted array takes as many ids as were announced") {
  core::MemoryBudget budget(core::MiB);
  const std::uint64_t most = SortedIds::most(64 * core::KiB);
  Ids ids(most + 1);
  std::iota(ids.begin(), ids.end(), 0);
  SortedIds sorted(budget, most);
  CHECK_FALSE(sorted.append(ids));
  CHECK(sorted.append(std::span(ids).first(most)));
  CHECK_FALSE(sorted.append(std::span(ids).last(1)));
  sorted.finish();
  CHECK(budget.peak() <= 64 * core::KiB);
  CHECK(SortedIds::most(100) == 0);
  SortedIds none(budget, 0);
  none.finish();
  Ids one = {0};
  CHECK(none.replace(one) == 0);
}

TEST_CASE("marked ids are counted and found") {
  using R = graph::Edge<std::uint64_t>;
  std::mt19937_64 random(3);
  for (const std::uint64_t range : {1ULL, 63ULL, 64ULL, 65ULL, 5000ULL, 700000ULL}) {
    std::vector<R> edges(700);
    Ids ids;
    for (R& edge : edges) {
      edge = {random() % range, random() % range};
      ids.insert(ids.end(), {edge.source, edge.target});
    }
    CAPTURE(range);
    core::MemoryBudget budget(core::MiB);
    constexpr std::size_t bytes = 160 * core::KiB;
    REQUIRE(MarkedIds::bound(bytes) > range);
    MarkedIds marked(budget, MarkedIds::bound(bytes));
    REQUIRE(marked.mark(std::span<const R>(edges)));
    marked.finish();
    CHECK(budget.peak() <= bytes);
    check(marked, distinct(ids));
    const std::vector<R> beyond = {{0, MarkedIds::bound(bytes)}};
    CHECK_FALSE(marked.mark(std::span<const R>(beyond)));
  }
}

}  // namespace
}  // namespace emgraph::tests::relabel
