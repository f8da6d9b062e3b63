// SPDX-License-Identifier: MIT
// Edges that are not as declared are found wherever they stand, whatever the batches and their order.
#include "graph/format/source/order_check.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::format {
namespace {

template <class Id>
using DeclaredEdges = std::vector<Edge<Id>>;

/// Checks batches of the given size in an order shuffled by the seed, as several lanes would.
template <class Id>
void check_in_batches(const EdgeFacts& facts, const DeclaredEdges<Id>& edges, std::size_t batch,
                      unsigned seed) {
  OrderCheck check(facts);
  OrderCheck::LaneTally lanes[2];
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < edges.size(); at += batch) starts.push_back(at);
  std::shuffle(starts.begin(), starts.end(), std::mt19937(seed));
  const core::PairShape shape{
      .integer_bytes = sizeof(Id), .attachment_bytes = 0, .row_bytes = 2 * sizeof(Id)};
  for (const std::size_t at : starts) {
    const std::size_t count = std::min(batch, edges.size() - at);
    check.check(shape, {reinterpret_cast<const std::byte*>(edges.data() + at), count}, at, lanes[at % 2]);
  }
  for (OrderCheck::LaneTally& lane : lanes) check.check(shape, {}, edges.size(), lane);
}

template <class Id>
void check_rules_of(const EdgeFacts& facts, const DeclaredEdges<Id>& good, Edge<Id> intruder,
                    std::size_t place, const std::string& declared) {
  CAPTURE(sizeof(Id), place, declared);
  for (const std::size_t batch : {std::size_t{1}, std::size_t{7}, std::size_t{64}, good.size()}) {
    for (unsigned seed = 0; seed < 3; ++seed) {
      CHECK_NOTHROW(check_in_batches(facts, good, batch, seed));
      DeclaredEdges<Id> bad = good;
      bad[place] = intruder;
      CHECK_THROWS_AS(check_in_batches(facts, bad, batch, seed), core::DataError);
      if (seed == 0 && batch == good.size()) {
        CHECK_THROWS_WITH(check_in_batches(facts, bad, batch, seed),
                          Catch::Contains("f.bin: edge ") && Catch::Contains(declared));
      }
    }
  }
}

template <class Id>
void check_all_rules() {
  DeclaredEdges<Id> edges;
  for (Id i = 0; i < 300; ++i) edges.push_back({static_cast<Id>(i / 3), static_cast<Id>(1000 + 2 * i)});
  const std::size_t last = edges.size() - 1;
  for (const std::size_t place : {std::size_t{1}, std::size_t{8}, std::size_t{150}, last}) {
    EdgeFacts facts;
    facts.name = "f.bin";
    facts.no_loops = true;
    check_rules_of<Id>(facts, edges, {50, 50}, place, "no loops");
    facts = {};
    facts.name = "f.bin";
    facts.oriented_low = true;
    check_rules_of<Id>(facts, edges, {5000, 3}, place, "source <= target");
    facts = {};
    facts.name = "f.bin";
    facts.order = EdgeOrder::source_target;
    check_rules_of<Id>(facts, edges, {0, 1}, place, "sorted edges");
    const DeclaredEdges<Id> twice = [&] {
      DeclaredEdges<Id> made = edges;
      made[place] = made[place - 1];
      return made;
    }();
    CHECK_NOTHROW(check_in_batches(facts, twice, 7, 1));
    facts.unique = true;
    check_rules_of<Id>(facts, edges, edges[place - 1], place, "without duplicates");
  }
  // The largest ids, whose comparison must not be signed.
  const Id most = ~Id{0};
  EdgeFacts facts;
  facts.name = "f.bin";
  facts.order = EdgeOrder::source_target;
  facts.oriented_low = facts.no_loops = facts.unique = true;
  DeclaredEdges<Id> wide;
  for (Id i = 0; i < 40; ++i) wide.push_back({static_cast<Id>(most / 2 - 20 + i), most});
  check_rules_of<Id>(facts, wide, {0, most}, 20, "sorted edges");
}

TEST_CASE("edges that are not as declared are refused", "[order]") {
  check_all_rules<std::uint32_t>();
  check_all_rules<std::uint64_t>();
}

TEST_CASE("an order by target is checked, too", "[order]") {
  EdgeFacts facts;
  facts.name = "f.bin";
  facts.order = EdgeOrder::target_source;
  DeclaredEdges<std::uint32_t> edges;
  for (std::uint32_t i = 0; i < 100; ++i) edges.push_back({1000 + 2 * i, i / 3});
  check_rules_of<std::uint32_t>(facts, edges, {1, 0}, 50, "sorted edges");
}

template <class Id>
void check_both_directions() {
  EdgeFacts facts;
  facts.name = "f.bin";
  facts.symmetric = true;
  std::mt19937_64 random(9);
  DeclaredEdges<Id> edges;
  for (int i = 0; i < 300; ++i) {
    const auto source = static_cast<Id>(random()), target = static_cast<Id>(random() % 5);
    edges.push_back({source, target});
    edges.push_back({target, source});
    if (i % 50 == 0) edges.push_back({source, source});  // a loop is stored once, or twice
  }
  facts.edges = edges.size();
  for (const std::size_t batch : {std::size_t{1}, std::size_t{7}, edges.size()}) {
    CHECK_NOTHROW(check_in_batches(facts, edges, batch, 1));
    for (const std::size_t place : {std::size_t{0}, std::size_t{333}, edges.size() - 1}) {
      DeclaredEdges<Id> bad = edges;
      std::swap(bad[place].source, bad[place].target);
      CHECK_THROWS_WITH(check_in_batches(facts, bad, batch, 1),
                        Catch::Contains("f.bin: ") && Catch::Contains("both directions"));
    }
  }
  const DeclaredEdges<Id> cycle{{0, 1}, {1, 2}, {2, 0}};
  facts.edges = 3;
  CHECK_THROWS_AS(check_in_batches(facts, cycle, 1, 1), core::DataError);
  facts.edges = 4;  // not all are read
  CHECK_NOTHROW(check_in_batches(facts, cycle, 1, 1));
}

TEST_CASE("edges that are declared to be stored in both directions are", "[order]") {
  check_both_directions<std::uint32_t>();
  check_both_directions<std::uint64_t>();
}

TEST_CASE("nothing is checked of what declares nothing, or is generated", "[order]") {
  EdgeFacts facts;
  CHECK_FALSE(OrderCheck(facts).any());
  facts.order = EdgeOrder::source_target;
  CHECK(OrderCheck(facts).any());
  facts.generated = true;
  CHECK_FALSE(OrderCheck(facts).any());
}

TEST_CASE("the largest id and the loops of any number of edges") {
  std::mt19937 random(5);
  for (std::size_t count = 0; count < 70; ++count) {
    CAPTURE(count);
    std::vector<std::uint32_t> ids(2 * count);
    for (std::uint32_t& id : ids) id = random() % (count % 2 == 0 ? 8 : ~0U);
    EndSummary right;
    for (std::size_t i = 0; i < count; ++i) {
      right.max_id = std::max({right.max_id, ids[2 * i], ids[2 * i + 1]});
      right.loops += ids[2 * i] == ids[2 * i + 1] ? 1 : 0;
    }
    const EndSummary found = summarize_ends(ids.data(), count);
    CHECK(found.max_id == right.max_id);
    CHECK(found.loops == right.loops);
  }
}

}  // namespace
}  // namespace emgraph::graph::format
