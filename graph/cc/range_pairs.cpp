// SPDX-License-Identifier: MIT
// Chains, their order, and the filling of blocks.
#include "graph/cc/range_pairs.hpp"

#include <utility>

namespace emgraph::graph::cc {

RangePairs::RangePairs(core::Environment& environment, const ContractionPlan& plan)
    : plan_(plan),
      lists_(environment.memory.reserve(list_bytes(plan.ranges), "lists of blocks of the node ranges")),
      store_(environment, plan.block_bytes, plan.pool_bytes),
      table_((plan.nodes >> plan.cell_shift) + 1) {
  for (std::size_t cell = 0; cell < table_.size(); ++cell) {
    table_[cell] =
        static_cast<std::uint16_t>((static_cast<std::uint64_t>(cell) << plan.cell_shift) / plan.range_nodes);
  }
  store_.insert_chains(0, 4 * plan.ranges);
}

std::size_t RangePairs::chain(PairKind kind, std::size_t range) const {
  switch (kind) {
    case PairKind::edges:
      return plan_.ranges - 1 - range;
    case PairKind::answers:
      return plan_.ranges + 2 * range;
    case PairKind::requests:
      return plan_.ranges + 2 * range + 1;
    case PairKind::counts:
      return 3 * plan_.ranges + range;
  }
  return 0;
}

const std::byte* RangePairs::load_next(std::size_t chain, std::size_t& block) {
  const std::lock_guard lock(mutex_);
  if (next_block_ == store_.chain(chain).blocks.size()) return nullptr;
  block = next_block_++;
  return store_.load(chain, block);
}

RangePairs::Lane::Lane(RangePairs& pairs, PairKind kind)
    : pairs_(pairs), kind_(kind), open_(pairs.plan_.ranges) {
  for (std::size_t range = 0; range < open_.size(); ++range) open_[range].base = pairs.plan_.begin(range);
}

RangePairs::Lane::~Lane() {
  for (const Open& open : open_) {
    if (open.buffer != nullptr) pairs_.store_.give_back(open.buffer);
  }
}

void RangePairs::Lane::next_block(std::size_t range) {
  finish(range);
  Open& open = open_[range];
  open.buffer = pairs_.store_.take();
  open.at = open.buffer;
  // The last pair is stored as a whole word.
  const std::size_t pairs = (pairs_.plan_.block_bytes - sizeof(std::uint64_t)) / pairs_.plan_.pair_bytes;
  open.end = open.buffer + pairs * pairs_.plan_.pair_bytes;
}

void RangePairs::Lane::finish(std::size_t range) {
  Open& open = open_[range];
  std::byte* const buffer = std::exchange(open.buffer, nullptr);
  const auto filled = static_cast<std::size_t>(std::exchange(open.at, nullptr) - buffer);
  open.end = nullptr;
  if (buffer == nullptr) return;
  pairs_.store_.put(pairs_.chain(kind_, range), buffer,
                    static_cast<std::uint32_t>(filled / pairs_.plan_.pair_bytes));
}

void RangePairs::Lane::finish() {
  for (std::size_t range = 0; range < open_.size(); ++range) finish(range);
}

}  // namespace emgraph::graph::cc
