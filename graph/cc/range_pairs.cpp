// SPDX-License-Identifier: MIT
// The order of the chains.
#include "graph/cc/range_pairs.hpp"

namespace emgraph::graph::cc {

RangePairs::RangePairs(core::Environment& environment, const ContractionPlan& plan, core::StateReader* state)
    : plan_(plan),
      lists_(environment.memory.reserve(list_bytes(plan.ranges), "lists of blocks of the node ranges")),
      store_(environment, plan.block_bytes, plan.pool_bytes),
      table_((plan.nodes >> plan.cell_shift) + 1) {
  for (std::size_t cell = 0; cell < table_.size(); ++cell) {
    table_[cell] =
        static_cast<std::uint16_t>((static_cast<std::uint64_t>(cell) << plan.cell_shift) / plan.range_nodes);
  }
  if (state == nullptr) {
    store_.chains.insert(0, 4 * plan.ranges);
  } else {
    store_.chains.restore([&](std::span<std::byte> bytes) { state->get(bytes); });
  }
}

void RangePairs::save(core::StateWriter& to) {
  store_.writer.write_all();
  store_.chains.write_manifest([&](std::span<const std::byte> bytes) { to.put(bytes); });
}

core::ChainSeries RangePairs::chains(PairKind kind) const {
  switch (kind) {
    case PairKind::edges:
      return {plan_.ranges - 1, -1};
    case PairKind::answers:
      return {plan_.ranges, 2};
    case PairKind::requests:
      return {plan_.ranges + 1, 2};
    case PairKind::counts:
      return {3 * plan_.ranges, 1};
  }
  return {};
}

}  // namespace emgraph::graph::cc
