// SPDX-License-Identifier: MIT
// The reduction by ranges of nodes alone, from one range to hundreds, all widths.
#include "graph/mst/range_reduction.hpp"

#include <algorithm>

#include "tests/graph/mst/solve.hpp"

namespace emgraph::tests::mst {
namespace {

using graph::mst::CodeLayout;
using graph::mst::EdgeCodes;
using graph::mst::RangeReduction;
using graph::mst::ReductionPlan;
using graph::mst::WideCode;

template <class Code>
std::vector<Code> codes_of(const EdgeCodes<Code>& codes, const WeightedList& list) {
  std::vector<Code> made;
  for (const WeightedEdge& edge : list) {
    if (edge.source == edge.target) continue;
    made.push_back(codes.make(static_cast<std::uint64_t>(edge.weight), std::min(edge.source, edge.target),
                              std::max(edge.source, edge.target)));
  }
  std::sort(made.begin(), made.end());
  return made;
}

/// In two steps: the lighter half, then the heavier edges that `connected` does not drop.
template <class Code, class Node>
void check(const ZooGraph& graph, std::uint64_t ranges, bool in_two) {
  CAPTURE(graph.name, ranges, in_two, sizeof(Code), sizeof(Node));
  const WeightedList list = with_random_weights(graph.edges, WeightType::u32, 40);
  const WeightedList right = minimum_spanning_forest(graph.nodes, list);
  const EdgeCodes<Code> codes(sizeof(Code) == 8    ? CodeLayout{.weight_bits = 32, .id_bits = 16}
                              : sizeof(Code) == 16 ? CodeLayout{.weight_bits = 60, .id_bits = 34}
                                                   : CodeLayout{});
  const std::vector<Code> edges = codes_of(codes, list);
  TestEnvironment test{.memory_bytes = 16 * core::MiB, .disks = 2};
  {
    const ReductionPlan plan{.ranges = ranges,
                             .range_nodes = core::divide_up(graph.nodes, ranges),
                             .block_bytes = 4096,
                             .merge_bytes = 4 * core::MiB,
                             .seen_pairs = 64};
    RangeReduction<Code, Node> reduction(test.environment, codes, graph.nodes, plan);
    const std::span<const Code> all(edges);
    const std::size_t light = in_two ? edges.size() / 2 : edges.size();
    reduction.take(all.first(light));
    reduction.reduce(in_two, [] {});
    if (in_two) {
      reduction.label();
      std::vector<Code> heavy(all.begin() + static_cast<std::ptrdiff_t>(light), all.end());
      heavy.resize(reduction.drop_connected(heavy));
      std::sort(heavy.begin(), heavy.end());
      if (graph.name == "random dense") CHECK(heavy.size() < edges.size() / 8);
      reduction.forget_labels();
      reduction.take(heavy);
      reduction.reduce(false, [] {});
    }
    core::RunReader<Code> forest(test.environment, reduction.forest(), 1);
    std::vector<Code> found;
    for (auto block = forest.next(); !block.empty(); block = forest.next()) {
      found.insert(found.end(), block.begin(), block.end());
    }
    std::sort(found.begin(), found.end());
    CHECK((found == codes_of(codes, right)));
  }
  CHECK(test.memory.used() == 0);
  CHECK(test.blocks.used_bytes() == 0);
}

TEST_CASE("mst range reduction finds the forest for any number of ranges") {
  for (const ZooGraph& graph : graph_zoo()) {
    if (graph.nodes == 0 || graph.nodes > 10000) continue;
    for (const std::uint64_t ranges : {1, 2, 7, 250}) {
      for (const bool in_two : {false, true}) {
        check<std::uint64_t, std::uint32_t>(graph, ranges, in_two);
        if (ranges != 7) continue;
        check<core::uint128, std::uint32_t>(graph, ranges, in_two);
        check<core::uint128, std::uint64_t>(graph, ranges, in_two);
        check<WideCode, std::uint64_t>(graph, ranges, in_two);
      }
    }
  }
}

}  // namespace
}  // namespace emgraph::tests::mst
