// SPDX-License-Identifier: MIT
// Sorted input is passed on; and sorting when something is wrong.
#include <string>

#include "core/base/error.hpp"
#include "tests/graph/prepare/sort_oracle.hpp"
#include "tests/support/faults.hpp"

namespace emgraph::tests {
namespace {

using Catch::Matchers::Contains;
using graph::EdgeFacts;
using graph::EdgeOrder;
using graph::Record;
using Weighted = Record<std::uint32_t, 8>;

EdgeFacts weighted(std::uint64_t nodes, WeightType type = WeightType::i64) {
  EdgeFacts facts = facts_with(nodes);
  facts.layout.weight = type;
  return facts;
}

/// An input with facts that hold: random edges, sorted in one of two orders, maybe one or both directions.
struct Prepared {
  std::vector<Weighted> edges;
  EdgeFacts facts;
};

Prepared prepared(EdgeOrder order, bool symmetric, bool low) {
  const std::vector<Weighted> input = records_of<Weighted>(random_edges(300, 3000, 51));
  const SortOptions options{.order = order,
                            .symmetrize = symmetric,
                            .orientation = low ? Orientation::low : Orientation::as_stored};
  const EdgeFacts facts = weighted(300);
  return {sort_oracle(input, options, WeightType::i64, 300).edges,
          graph::prepare::sorted_facts(facts, options)};
}

TEST_CASE("sorted input is passed on without a write, and sorting it again gives the same") {
  for (const EdgeOrder order : {EdgeOrder::source_target, EdgeOrder::target_source}) {
    for (const bool symmetric : {false, true}) {
      for (const bool low : {false, true}) {
        if (symmetric && low) continue;
        const Prepared input = prepared(order, symmetric, low);
        EdgeFacts unordered = input.facts;
        unordered.order = EdgeOrder::none;
        for (const bool unique : {false, true}) {
          for (const bool no_loops : {false, true}) {
            CAPTURE(static_cast<int>(order), symmetric, low, unique, no_loops);
            const SortOptions options{.order = order,
                                      .unique = unique,
                                      .symmetrize = symmetric,
                                      .no_loops = no_loops,
                                      .orientation = low ? Orientation::low : Orientation::as_stored};
            TestEnvironment test{.memory_bytes = 2 * core::MiB, .threads = 2};
            const auto reused = sort_in(test, input.edges, {.facts = input.facts}, options);
            // The directions of an edge may have different weights, so they are made again.
            const bool doubled = symmetric && unique;
            CHECK(reused.result.sorted_input_reused == !doubled);
            if (!doubled) CHECK(reused.write_bytes == 0);
            TestEnvironment again{.memory_bytes = 2 * core::MiB, .threads = 2};
            const auto sorted = sort_in(again, input.edges, {.facts = unordered}, options);
            CHECK(!sorted.result.sorted_input_reused);
            check_equal(reused, sorted);
            CHECK(facts_hold(graph::prepare::sorted_facts(input.facts, options), reused.edges));
            CHECK(facts_hold(graph::prepare::sorted_facts(unordered, options), sorted.edges));
            if (doubled) continue;
            SortOptions one_way = options;
            one_way.symmetrize = false;
            check_equal(reused, sort_oracle(input.edges, one_way, WeightType::i64, 300));
          }
        }
      }
    }
  }
}

TEST_CASE("sorted input is not passed on when something else is asked for") {
  const Prepared input = prepared(EdgeOrder::source_target, false, false);
  for (const SortOptions& options :
       {SortOptions{.order = EdgeOrder::target_source}, SortOptions{.order = EdgeOrder::weight},
        SortOptions{.symmetrize = true}, SortOptions{.orientation = Orientation::low},
        SortOptions{.orientation = Orientation::degree}}) {
    TestEnvironment test{.memory_bytes = 4 * core::MiB};
    const auto sorted = sort_in(test, input.edges, {.facts = input.facts}, options);
    CHECK(!sorted.result.sorted_input_reused);
    check_equal(sorted, sort_oracle(input.edges, options, WeightType::i64, 300));
  }
}

TEST_CASE("sorted facts are what options and input imply") {
  using graph::prepare::sorted_facts;
  EdgeFacts raw = facts_with(10);
  raw.edges = 100;
  EdgeFacts facts = sorted_facts(raw, {});
  CHECK((facts.order == EdgeOrder::source_target && facts.edges == 100U && facts.nodes == 10U));
  CHECK((!facts.unique && !facts.no_loops && !facts.oriented_low && !facts.symmetric));
  facts = sorted_facts(raw, {.order = EdgeOrder::weight, .unique = true, .no_loops = true, .nodes = 20});
  CHECK((facts.order == EdgeOrder::weight && !facts.edges && facts.nodes == 20U));
  CHECK((facts.unique && facts.no_loops && !facts.oriented_low && !facts.symmetric));
  CHECK(sorted_facts(raw, {.orientation = Orientation::low}).oriented_low);
  CHECK(sorted_facts(raw, {.symmetrize = true}).symmetric);
  CHECK(!sorted_facts(raw, {.symmetrize = true}).edges);

  EdgeFacts simple;
  simple.unique = simple.no_loops = simple.oriented_low = true;
  facts = sorted_facts(simple, {});
  CHECK((facts.unique && facts.no_loops && facts.oriented_low));
  facts = sorted_facts(simple, {.symmetrize = true});
  CHECK((!facts.oriented_low && facts.symmetric && facts.no_loops));
  CHECK(!sorted_facts(simple, {.orientation = Orientation::degree}).oriented_low);
  EdgeFacts both;
  both.unique = both.symmetric = true;
  CHECK((sorted_facts(both, {}).unique && sorted_facts(both, {}).symmetric));
  CHECK((!sorted_facts(both, {.orientation = Orientation::low}).unique));
  CHECK((!sorted_facts(both, {.orientation = Orientation::low}).symmetric));
}

TEST_CASE("sort names the edge whose id is not below n") {
  EdgeList list = random_edges(1000, 5000, 52);
  list[4321].target = 1000;
  const auto input = records_of<Weighted>(list);
  for (const bool sorted : {false, true}) {
    for (const EdgeOrder order : {EdgeOrder::source_target, EdgeOrder::weight}) {
      for (const Orientation orientation : {Orientation::as_stored, Orientation::degree}) {
        VectorSourceOptions source{.facts = weighted(5000, WeightType::f64), .sampled = true};
        if (sorted) source.facts.order = EdgeOrder::source_target;
        TestEnvironment test{.memory_bytes = 4 * core::MiB, .threads = 2};
        std::string what = "no error";
        try {
          sort_in(test, input, source, {.order = order, .orientation = orientation, .nodes = 1000});
        } catch (const core::DataError& error) {
          what = error.what();
        }
        CHECK_THAT(what, Contains("edges.test: edge 4321: id 1000 found"));
      }
    }
  }
}

TEST_CASE("sort takes the largest ids, and n beyond what 4 bytes count") {
  constexpr std::uint64_t most = 0xffffffff;
  const auto narrow =
      records_of<Record<std::uint32_t, 0>>({{most, 0}, {0, most}, {most, most}, {5, 6}, {most - 1, most}});
  for (const std::optional<std::uint64_t> nodes :
       {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(most + 1),
        std::optional<std::uint64_t>(2 * most + 3)}) {
    TestEnvironment test;
    check_equal(sort_in(test, narrow, {.facts = facts_with(nodes), .sampled = true}, {}),
                sort_oracle(narrow, {}, WeightType::none, nodes.value_or(most + 1)));
  }
  const auto wide = records_of<Record<std::uint64_t, 0>>(
      {{~0ULL - 1, 0}, {0, ~0ULL - 1}, {1ULL << 40, 7}, {most + 1, most}, {most, most + 1}});
  for (const std::optional<std::uint64_t> nodes :
       {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(~0ULL)}) {
    TestEnvironment test;
    check_equal(sort_in(test, wide, {.facts = facts_with(nodes)}, {}),
                sort_oracle(wide, {}, WeightType::none, ~0ULL));
  }
}

TEST_CASE("sort by weight needs weights") {
  const auto input = records_of<Record<std::uint32_t, 0>>({{1, 2}});
  TestEnvironment test;
  CHECK_THROWS_AS(sort_in(test, input, {}, {.order = EdgeOrder::weight}), core::UsageError);
}

TEST_CASE("sort with too little memory says what would do, and more is never worse") {
  const auto input = records_of<Weighted>(random_edges(2000, 30000, 53));
  Sample sample(3);
  for (const EdgeOrder order : {EdgeOrder::source_target, EdgeOrder::weight}) {
    for (const Orientation orientation : {Orientation::as_stored, Orientation::degree}) {
      const VectorSourceOptions source{.facts = weighted(2000), .rewindable = order == EdgeOrder::weight};
      const SortOptions options{.order = order, .orientation = orientation};
      const auto right = sort_oracle(input, options, WeightType::i64, 2000);
      std::size_t least = 0;
      for (std::size_t memory = 32 * core::KiB; memory <= 6 * core::MiB; memory += memory / 8) {
        if (!sample.takes()) continue;
        CAPTURE(static_cast<int>(order), static_cast<int>(orientation), memory, least);
        TestEnvironment test{.memory_bytes = memory, .threads = 2};
        try {
          check_equal(sort_in(test, input, source, options), right);
          if (least == 0) least = memory;
        } catch (const core::MemoryLimitError& error) {
          CHECK(least == 0);
          CHECK_THAT(error.what(), Contains("needs") && Contains("iB"));
        }
      }
      CHECK(least > 0);
      if (!sanitized) CHECK(least < (order == EdgeOrder::weight ? 4 * core::MiB : 3 * core::MiB));
    }
  }
}

TEST_CASE("sort survives the failure of any transfer and reservation without a leak") {
  const auto input = records_of<Weighted>(skewed_edges(11, 16000, 54));
  const SortOptions cases[] = {{.unique = true, .symmetrize = true},
                               {.order = EdgeOrder::weight},
                               {.no_loops = true, .orientation = Orientation::degree}};
  for (const SortOptions& options : cases) {
    const auto right = sort_oracle(input, options, WeightType::i64, 2048);
    const bool small = options.order == EdgeOrder::source_target && options.symmetrize;
    const Machine machine{small ? 3 * core::MiB / 2 : 4 * core::MiB, 2, 2};
    for (const Fault fault : all_faults) {
      if (fault == Fault::transfer && options.order == EdgeOrder::weight) continue;  // all in memory
      CAPTURE(static_cast<int>(options.order), static_cast<int>(options.orientation));
      const auto most = fail_each(fault, machine, [&](TestEnvironment& test) {
        const VectorSourceOptions source{.facts = weighted(2048), .rewindable = false};
        const bool equal = equal_edges(sort_in(test, input, source, options).edges, right.edges);
        CHECK(equal);
      });
      CHECK(most > 1);
    }
  }
}

}  // namespace
}  // namespace emgraph::tests
