// SPDX-License-Identifier: MIT
// Fills the look-ahead from a cursor over the chains.
#include "core/spill/read_order.hpp"

#include <algorithm>
#include <span>

namespace emgraph::core {
namespace {

using State = ChainBlock::State;

constexpr std::size_t look_ahead_per_buffer = 8;
constexpr std::size_t most_look_ahead = 4096;
// With more buffers no order is better than that of the chains.
constexpr std::size_t most_buffers = most_look_ahead / 4;

}  // namespace

void ReadOrder::start(std::size_t first, std::size_t last, std::size_t window_blocks) {
  chain_ = first;
  block_ = 0;
  last_ = last;
  window_blocks_ = window_blocks;
  const bool worth_while = disks_count_ > 1 && window_blocks <= most_buffers;
  look_ahead_blocks_ = worth_while ? std::min(look_ahead_per_buffer * window_blocks, most_look_ahead) : 0;
  look_ahead_.clear();
  look_ahead_.reserve(look_ahead_blocks_);
  disks_.resize(look_ahead_blocks_);
  order_.resize(look_ahead_blocks_);
  steps_.resize(look_ahead_blocks_);
  scheduled_ = 0;
  next_in_schedule_ = 0;
}

ChainBlock* ReadOrder::current() {
  if (look_ahead_blocks_ == 0) return current_in_order();
  for (;; ++next_in_schedule_) {
    if (scheduled_ - next_in_schedule_ <= look_ahead_blocks_ / 2 && chain_ < last_) fill_look_ahead();
    if (next_in_schedule_ == scheduled_) return nullptr;
    ChainBlock* const block = block_at(look_ahead_[order_[next_in_schedule_]]);
    if (block != nullptr && block->state == State::written) return block;
  }
}

void ReadOrder::advance() {
  ++(look_ahead_blocks_ == 0 ? block_ : next_in_schedule_);
}

ChainBlock* ReadOrder::current_in_order() {
  for (; chain_ < last_; ++chain_, block_ = 0) {
    std::vector<ChainBlock>& blocks = chains_[chain_].blocks;
    for (; block_ < blocks.size(); ++block_) {
      if (blocks[block_].state == State::written) return &blocks[block_];
    }
  }
  return nullptr;
}

/// Null if the chain's blocks have been dropped.
ChainBlock* ReadOrder::block_at(const Place& place) {
  std::vector<ChainBlock>& blocks = chains_[place.chain].blocks;
  return place.block < blocks.size() ? &blocks[place.block] : nullptr;
}

void ReadOrder::fill_look_ahead() {
  std::erase_if(look_ahead_, [this](const Place& place) {
    const ChainBlock* const block = block_at(place);
    return block == nullptr || block->state == State::consumed;
  });
  for (; look_ahead_.size() < look_ahead_blocks_ && current_in_order() != nullptr; ++block_) {
    look_ahead_.push_back({static_cast<std::uint32_t>(chain_), static_cast<std::uint32_t>(block_)});
  }
  const std::size_t size = look_ahead_.size();
  for (std::size_t i = 0; i < size; ++i) {
    const ChainBlock& block = *block_at(look_ahead_[i]);
    disks_[i] =
        block.state == State::written ? static_cast<std::uint32_t>(block.disk) : PrefetchScheduler::fetched;
  }
  scheduled_ = scheduler_.schedule(std::span(disks_).first(size), window_blocks_,
                                   std::span(order_).first(size), std::span(steps_).first(size));
  next_in_schedule_ = 0;
}

}  // namespace emgraph::core
