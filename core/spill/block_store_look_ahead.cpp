// SPDX-License-Identifier: MIT
// With several disks the block store reads ahead by a prefetch schedule.
//
// Method: a look-ahead of the next written blocks in the order of the chains, eight for each buffer of the
// window, and the schedule over it (PrefetchScheduler), made again when half of it has been asked for. Blocks
// that are wanted before their turn, by threads that work on several chains, are read at once (load).
// Invariants: look_ahead_ is in the order of the chains; an entry whose block has been consumed, or dropped,
// is passed over, and leaves when the look-ahead is filled up.
// I/O, Throws: none. Memory: 20 bytes per block of look-ahead, at most 80 KiB, not charged.
#include <algorithm>

#include "core/spill/block_store.hpp"

namespace emgraph::core {
namespace {

constexpr std::size_t look_ahead_per_buffer = 8;
constexpr std::size_t most_look_ahead = 4096;
// Beyond so many buffers no order is better than that of the chains.
constexpr std::size_t most_buffers = most_look_ahead / 4;

}  // namespace

void BlockStore::start_look_ahead() {
  const bool worth_while = environment_.blocks.disks() > 1 && read_window_blocks_ <= most_buffers;
  look_ahead_blocks_ =
      worth_while ? std::min(look_ahead_per_buffer * read_window_blocks_, most_look_ahead) : 0;
  look_ahead_.clear();
  look_ahead_.reserve(look_ahead_blocks_);
  disks_.resize(look_ahead_blocks_);
  order_.resize(look_ahead_blocks_);
  steps_.resize(look_ahead_blocks_);
  scheduled_ = 0;
  next_in_schedule_ = 0;
}

/// Null if the chain's blocks have been dropped.
BlockStore::Block* BlockStore::block_at(const Place& place) {
  std::vector<Block>& blocks = chains_[place.chain]->blocks;
  return place.block < blocks.size() ? &blocks[place.block] : nullptr;
}

void BlockStore::fill_look_ahead() {
  std::erase_if(look_ahead_, [this](const Place& place) {
    const Block* const block = block_at(place);
    return block == nullptr || block->state == State::consumed;
  });
  while (look_ahead_.size() < look_ahead_blocks_ && next_in_order() != nullptr) {
    look_ahead_.push_back(
        {static_cast<std::uint32_t>(read_chain_), static_cast<std::uint32_t>(read_block_ - 1)});
  }
  const std::size_t size = look_ahead_.size();
  for (std::size_t i = 0; i < size; ++i) {
    const Block& block = *block_at(look_ahead_[i]);
    disks_[i] =
        block.state == State::written ? static_cast<std::uint32_t>(block.disk) : PrefetchScheduler::fetched;
  }
  scheduled_ = scheduler_.schedule(std::span(disks_).first(size), read_window_blocks_,
                                   std::span(order_).first(size), std::span(steps_).first(size));
  next_in_schedule_ = 0;
}

BlockStore::Block* BlockStore::next_scheduled() {
  for (;;) {
    if (scheduled_ - next_in_schedule_ <= look_ahead_blocks_ / 2 && read_chain_ < read_last_) {
      fill_look_ahead();
    }
    if (next_in_schedule_ == scheduled_) return nullptr;
    Block* const block = block_at(look_ahead_[order_[next_in_schedule_++]]);
    if (block != nullptr && block->state == State::written) return block;
  }
}

}  // namespace emgraph::core
