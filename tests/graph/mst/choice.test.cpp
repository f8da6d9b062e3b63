// SPDX-License-Identifier: MIT
// The boundaries of the choice between batches, one range and ranges.
#include "graph/mst/choice.hpp"

#include <catch2/catch.hpp>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::tests::mst {
namespace {

using graph::MemoryModel;
using namespace graph::mst;

Demand demand(std::optional<std::uint64_t> nodes, std::optional<std::uint64_t> edges, std::size_t memory) {
  Demand demand;
  demand.nodes = nodes;
  demand.edges = edges;
  demand.threads = 2;
  demand.memory_bytes = memory;
  return demand;
}

Options with(MemoryModel model) {
  Options options;
  options.model = model;
  return options;
}

TEST_CASE("mst choice: batches as long as two forests fit beside the nodes") {
  const std::size_t memory = 64 * core::MiB;
  // 20 bytes per node of seven eighths of the memory.
  CHECK(plan_batches(demand(2900000, 1000000000, memory), {}).has_value());
  CHECK(!plan_batches(demand(2950000, 1000000000, memory), {}).has_value());
  CHECK(plan_batches(demand(2950000, 3000000, memory), {}).has_value());  // the edges alone are fewer
  CHECK(!plan_batches(demand(1000, 1000, memory), with(MemoryModel::external)).has_value());
  CHECK(!plan_batches(demand((std::uint64_t{1} << 32) + 1, 10, 64 * core::GiB), {}).has_value());
  CHECK_THROWS_AS(plan_batches(demand(1000, 100000000, memory), with(MemoryModel::internal)),
                  core::MemoryLimitError);
  const auto roomy = plan_batches(demand(100000, 1000000000, memory), {});
  REQUIRE(roomy.has_value());
  CHECK(roomy->levels > 0);
  CHECK(roomy->pool_codes >= roomy->first_codes);
  CHECK(roomy->pool_codes * 8 + (roomy->levels + 1) * 100000 * 4 <= memory);
}

TEST_CASE("mst choice: many edges that can be read twice are taken in one range although batches fit") {
  const std::size_t memory = std::size_t{1} << 30;
  const auto prefers = [](const Demand& demand, const Options& options = {}, bool again = true,
                          bool sampled = true) { return prefers_ranges(demand, options, again, sampled); };
  const Demand many = demand(3'000'000, 30'000'000, memory);
  CHECK(prefers(many));
  CHECK(prefers(many, with(MemoryModel::semi_external)));
  CHECK_FALSE(prefers(many, with(MemoryModel::internal)));
  CHECK_FALSE(prefers(many, with(MemoryModel::external)));
  CHECK_FALSE(prefers(many, {}, false));
  CHECK_FALSE(prefers(many, {}, true, false));
  CHECK_FALSE(prefers(demand(3'000'000, 17'000'000, memory)));
  CHECK_FALSE(prefers(demand(200'000, 7'000'000, memory)));
  CHECK_FALSE(prefers(demand(3'000, 30'000'000, memory)));
  CHECK_FALSE(prefers(demand({}, 30'000'000, memory)));
  CHECK_FALSE(prefers(demand(3'000'000, {}, memory)));
  CHECK_FALSE(prefers(demand(3'000'000, 30'000'000, 24 * core::MiB)));
  Options unit;
  unit.weighting.rule = graph::WeightRule::unit;
  CHECK_FALSE(prefers(many, unit));
  Demand guessed = many;
  guessed.nodes_guessed = true;
  CHECK_FALSE(prefers(guessed));
  const ReductionPlan plan = plan_ranges(many, {}, 3'000'000, 4, 16);
  CHECK(plan.ranges == 1);
  CHECK_THAT(describe_ranges(many, {}, 3'000'000, 4, plan).reason, Catch::Contains("read twice"));
}

TEST_CASE("mst choice: one range up to half of the memory, ranges beyond, and never more than there is") {
  const std::size_t memory = 64 * core::MiB;
  CHECK(plan_ranges(demand(7000000, 1000000000, memory), {}, 7000000, 4, 16).ranges == 1);
  CHECK(plan_ranges(demand(7400000, 1000000000, memory), {}, 7400000, 4, 16).ranges > 1);
  CHECK(plan_ranges(demand(10000000, {}, memory), with(MemoryModel::semi_external), 10000000, 4, 16).ranges ==
        1);
  CHECK_THROWS_AS(
      plan_ranges(demand(12000000, {}, memory), with(MemoryModel::semi_external), 12000000, 4, 16),
      core::MemoryLimitError);
  for (const std::uint64_t nodes : {2ULL, 1000ULL, 7400000ULL, 100000000ULL, 3000000000ULL}) {
    CAPTURE(nodes);
    const ReductionPlan plan =
        plan_ranges(demand(nodes, {}, memory), with(MemoryModel::external), nodes, 4, 16);
    CHECK(plan.ranges >= 2);
    CHECK(plan.ranges * plan.range_nodes >= nodes);
    const std::uint64_t writers = 2 * plan.block_bytes * plan.ranges;
    CHECK(plan.sorter_bytes + writers + 6 * plan.block_bytes <= memory);
    CHECK(plan.range_nodes * 4 + writers + plan.merge_bytes + plan.seen_pairs * 8 + 6 * plan.block_bytes <=
          memory);
  }
  CHECK_THROWS_AS(plan_ranges(demand({}, {}, memory), {}, std::uint64_t{1} << 40, 8, 32),
                  core::MemoryLimitError);
}

TEST_CASE("mst choice: what nearly 2^64 nodes need does not wrap around to little") {
  using Catch::Matchers::Contains;
  const std::size_t memory = 64 * core::MiB;
  for (const unsigned bits : {60U, 61U, 62U, 63U, 64U}) {
    const std::uint64_t nodes = ~std::uint64_t{0} >> (64 - bits);
    CAPTURE(nodes);
    const auto need = [&](MemoryModel model) {
      plan_ranges(demand(nodes, {}, memory), with(model), nodes, 8, 32);
    };
    CHECK_THROWS_WITH(need(MemoryModel::external), Contains("needs about") && Contains("PiB"));
    CHECK_THROWS_WITH(need(MemoryModel::semi_external),
                      Contains(bits < 61 ? "needs about" : "needs") && Contains("EiB"));
    CHECK(!plan_batches(demand(nodes, {}, memory), {}).has_value());
    CHECK_THROWS_WITH(plan_batches(demand(nodes, ~std::uint64_t{0}, memory), with(MemoryModel::internal)),
                      Contains("16.0 EiB"));
    CHECK(describe_batches(demand(nodes, {}, memory), {}, nodes, nodes).model == MemoryModel::semi_external);
  }
}

TEST_CASE("mst choice: a forced model is named, and a small graph needs a small table of pairs") {
  const std::size_t memory = std::size_t{1} << 30;
  CHECK(describe_batches(demand(10, 20, memory), {}, 10, 20).model == MemoryModel::internal);
  CHECK(describe_batches(demand(10, 20, memory), with(MemoryModel::semi_external), 10, 20).model ==
        MemoryModel::semi_external);
  const auto pairs = [&](const std::optional<std::uint64_t>& edges, std::uint64_t nodes) {
    return plan_ranges(demand(nodes, edges, memory), with(MemoryModel::external), nodes, 4, 16).seen_pairs;
  };
  CHECK(pairs(1000, 1'000'000) == 1024);
  CHECK(pairs({}, 10) == 128);
  CHECK(pairs({}, 1'000'000) > 1'000'000);
}

}  // namespace
}  // namespace emgraph::tests::mst
