// SPDX-License-Identifier: MIT
// Planning, spilling and taking in of messages between node ranges.
#include "graph/mis/range_messages.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/bytes.hpp"

namespace emgraph::graph::mis {
namespace {

constexpr std::size_t least_block_bytes = core::page_bytes;
constexpr std::size_t wished_block_bytes = 256 * core::KiB;
constexpr std::uint64_t largest_range = std::uint64_t{1} << 32;  // offsets take 4 bytes

}  // namespace

std::optional<MessageRanges> MessageRanges::make(std::uint64_t nodes, std::size_t memory_bytes) {
  MessageRanges plan;
  // Half for bits: few ranges make large blocks and keep many messages off the disk.
  const std::uint64_t bits = core::round_down(static_cast<std::uint64_t>(memory_bytes) / 2 * 8, 64);
  plan.range_nodes = std::clamp<std::uint64_t>(std::min(bits, nodes), 64, largest_range);
  const std::uint64_t ranges = nodes == 0 ? 1 : (nodes - 1) / plan.range_nodes + 1;  // no overflow
  const std::size_t bit_bytes = core::round_up(NodeBits::bytes_for(plan.range_nodes), core::page_bytes);
  if (memory_bytes <= bit_bytes) return std::nullopt;
  const std::size_t pool = memory_bytes - bit_bytes;
  // Every range has an open block; as many again are on their way.
  const std::uint64_t fair = core::round_down(pool / (2 * (ranges + 4)), core::page_bytes);
  if (fair < least_block_bytes) return std::nullopt;
  plan.ranges = static_cast<std::size_t>(ranges);
  plan.block_bytes = std::min<std::size_t>(static_cast<std::size_t>(fair), wished_block_bytes);
  plan.pool_bytes = pool;
  return plan;
}

RangeMessages::RangeMessages(core::Environment& environment, std::uint64_t nodes, const MessageRanges& plan)
    : nodes_(nodes),
      plan_(plan),
      block_messages_(static_cast<std::uint32_t>(plan.block_bytes / sizeof(std::uint32_t))),
      store_(environment, plan.block_bytes, plan.pool_bytes),
      bits_(environment.memory, plan.range_nodes, "one bit per node of a range"),
      open_(plan.ranges),
      end_(std::min(nodes, plan.range_nodes)) {
  store_.insert_chains(0, plan.ranges);
}

RangeMessages::~RangeMessages() {
  for (const OpenBlock& open : open_) {
    if (open.buffer != nullptr) store_.give_back(open.buffer);
  }
}

void RangeMessages::spill(std::uint64_t node) {
  const auto range = static_cast<std::size_t>(node / plan_.range_nodes);
  const auto offset = static_cast<std::uint32_t>(node % plan_.range_nodes);
  OpenBlock& open = open_[range];
  if (open.buffer == nullptr) open.buffer = store_.take();
  std::memcpy(open.buffer + open.messages * sizeof offset, &offset, sizeof offset);
  if (++open.messages == block_messages_) hand_on(range);
}

void RangeMessages::hand_on(std::size_t range) {
  OpenBlock& open = open_[range];
  std::byte* const buffer = open.buffer;
  open.buffer = nullptr;
  store_.put(range, buffer, open.messages);
  open.messages = 0;
}

void RangeMessages::next_range() {
  ++range_;
  begin_ = end_;
  end_ = std::min(nodes_, begin_ + plan_.range_nodes);
  bits_.clear();
  if (open_[range_].buffer != nullptr) hand_on(range_);
  store_.start_reading(range_, range_ + 1);
  for (std::size_t block = 0; block < store_.chain(range_).blocks.size(); ++block) {
    const std::byte* const messages = store_.load(range_, block);
    const std::uint32_t count = store_.chain(range_).blocks[block].records;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t offset;
      std::memcpy(&offset, messages + i * sizeof offset, sizeof offset);
      bits_.set(offset);
    }
    store_.release(range_, block);
  }
}

}  // namespace emgraph::graph::mis
