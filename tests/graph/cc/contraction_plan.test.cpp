// SPDX-License-Identifier: MIT
// Plans for node ranges: they fit their memory, and name what would do when there is none.
#include "graph/cc/contraction_plan.hpp"

#include <bit>
#include <catch2/catch.hpp>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "graph/cc/range_pairs.hpp"

namespace emgraph::tests::cc {
namespace {

using graph::cc::ContractionDemand;
using graph::cc::ContractionPlan;

TEST_CASE("cc range plan: ranges cover the nodes, a pair fits a word, all fits the memory") {
  std::size_t plans = 0;
  for (const std::size_t id_bytes : {4U, 8U}) {
    for (unsigned bits = 0; bits <= 40; bits += 2) {
      for (unsigned memory_bits = 18; memory_bits <= 36; memory_bits += 3) {
        const std::uint64_t nodes = (std::uint64_t{1} << bits) + bits * 77;
        if (id_bytes == 4 && nodes > std::uint64_t{1} << 32) continue;
        const ContractionDemand demand{.nodes = nodes,
                                       .id_bytes = id_bytes,
                                       .memory_bytes = std::size_t{1} << memory_bits,
                                       .limit_bytes = std::size_t{1} << memory_bits,
                                       .threads = 4};
        CAPTURE(nodes, id_bytes, memory_bits);
        try {
          const ContractionPlan plan = ContractionPlan::make(demand);
          ++plans;
          CHECK(plan.begin(0) == 0);
          CHECK(plan.end(plan.ranges - 1) == nodes);
          CHECK(plan.begin(plan.ranges - 1) < nodes);
          CHECK(plan.range_nodes % (std::uint64_t{1} << plan.cell_shift) == 0);
          CHECK(nodes >> plan.cell_shift <= std::uint64_t{1} << ContractionPlan::most_cell_bits);
          CHECK(static_cast<unsigned>(std::bit_width(plan.range_nodes - 1)) + plan.id_bits <=
                8 * plan.pair_bytes);
          CHECK(plan.pair_bytes <= 8);
          CHECK(plan.pool_bytes / plan.block_bytes > (plan.threads + 1) * plan.ranges);
          CHECK(plan.range_nodes * id_bytes + plan.pool_bytes + 2 * plan.run_block_bytes +
                    graph::cc::RangePairs::list_bytes(plan.ranges) <=
                demand.memory_bytes);
        } catch (const core::DataError&) {
          CHECK(nodes > ContractionPlan::most_nodes);
        } catch (const core::MemoryLimitError& error) {
          CHECK_THAT(error.what(), Catch::Contains("would do"));
          CHECK(nodes * id_bytes > demand.memory_bytes / 2);
        }
      }
    }
  }
  CHECK(plans > 100);
}

TEST_CASE("cc range plan: fewer threads before giving up; lists of blocks are thought of") {
  ContractionDemand demand{.nodes = 30000000, .memory_bytes = core::MiB * 4, .limit_bytes = core::MiB * 5};
  demand.threads = 16;
  const ContractionPlan plan = ContractionPlan::make(demand);
  CHECK(plan.threads < 16);
  CHECK(plan.threads >= 1);
  demand.edges = 100000000000;
  CHECK_THROWS_AS(ContractionPlan::make(demand), core::MemoryLimitError);
  demand.memory_bytes = core::GiB;
  CHECK(ContractionPlan::make(demand).threads == 16);
}

TEST_CASE("cc range plan: told to take exabytes for ids that no memory is enough for") {
  ContractionDemand demand{.nodes = ContractionPlan::most_nodes,
                           .id_bytes = 8,
                           .memory_bytes = core::GiB * 64,
                           .limit_bytes = core::GiB * 64};
  CHECK(ContractionPlan::make(demand).ranges > 1);
  demand.nodes += 1;
  CHECK_THROWS_AS(ContractionPlan::make(demand), core::DataError);
  demand.nodes = ~std::uint64_t{0};
  CHECK_THROWS_AS(ContractionPlan::make(demand), core::DataError);
}

}  // namespace
}  // namespace emgraph::tests::cc
