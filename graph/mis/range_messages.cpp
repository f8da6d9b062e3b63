// SPDX-License-Identifier: MIT
// Plans, spills and reads messages between node ranges.
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
  // Bits take half of the memory: fewer ranges mean larger blocks and fewer messages on the disk.
  const std::uint64_t bits = core::round_down(static_cast<std::uint64_t>(memory_bytes) / 2 * 8, 64);
  plan.range_nodes = std::clamp<std::uint64_t>(std::min(bits, nodes), 64, largest_range);
  const std::uint64_t ranges = nodes == 0 ? 1 : (nodes - 1) / plan.range_nodes + 1;  // no overflow
  const std::size_t bit_bytes = core::round_up(NodeBits::bytes_for(plan.range_nodes), core::page_bytes);
  if (memory_bytes <= bit_bytes) return std::nullopt;
  const std::size_t pool = memory_bytes - bit_bytes;
  // Every range has an open block; as many again are being written or read.
  const std::uint64_t fair = core::round_down(pool / (2 * (ranges + 4)), core::page_bytes);
  if (fair < least_block_bytes) return std::nullopt;
  plan.ranges = static_cast<std::size_t>(ranges);
  plan.block_bytes = std::min<std::size_t>(static_cast<std::size_t>(fair), wished_block_bytes);
  plan.pool_bytes = pool;
  return plan;
}

RangeMessages::RangeMessages(core::Environment& environment, std::uint64_t nodes, const MessageRanges& plan,
                             core::StateReader* state)
    : nodes_(nodes),
      plan_(plan),
      store_(environment, plan.block_bytes, plan.pool_bytes),
      bits_(environment.memory, plan.range_nodes, "one bit per node of a range"),
      open_(store_.writer, {}, plan.ranges, sizeof(std::uint32_t)),
      end_(std::min(nodes, plan.range_nodes)) {
  if (state == nullptr) {
    store_.chains.insert(0, plan.ranges);
    return;
  }
  range_ = static_cast<std::size_t>(state->value<std::uint64_t>());
  begin_ = state->value<std::uint64_t>();
  end_ = state->value<std::uint64_t>();
  bits_.restore(*state);
  store_.chains.restore([&](std::span<std::byte> bytes) { state->get(bytes); });
}

void RangeMessages::save(core::StateWriter& to) {
  open_.finish();
  store_.writer.write_all();
  to.value(static_cast<std::uint64_t>(range_));
  to.value(begin_);
  to.value(end_);
  bits_.save(to);
  store_.chains.write_manifest([&](std::span<const std::byte> bytes) { to.put(bytes); });
}

void RangeMessages::spill(std::uint64_t node) {
  const auto offset = static_cast<std::uint32_t>(node % plan_.range_nodes);
  std::memcpy(open_.add(static_cast<std::size_t>(node / plan_.range_nodes)), &offset, sizeof offset);
}

void RangeMessages::next_range() {
  ++range_;
  begin_ = end_;
  end_ = std::min(nodes_, begin_ + plan_.range_nodes);
  bits_.clear();
  open_.finish(range_);
  store_.reader.start_reading(range_, range_ + 1);
  store_.reader.consume(range_, [&](const std::byte* messages, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t offset;
      std::memcpy(&offset, messages + i * sizeof offset, sizeof offset);
      bits_.set(offset);
    }
  });
}

}  // namespace emgraph::graph::mis
