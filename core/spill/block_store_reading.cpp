// SPDX-License-Identifier: MIT
// Consuming side of the block store: blocks come back in the order of the chains, read ahead of their use.
#include <algorithm>
#include <cstring>

#include "core/base/bytes.hpp"
#include "core/spill/block_store.hpp"

namespace emgraph::core {
namespace {

// Enough in flight for any disk's latency; more only takes buffers from blocks that could stay in memory.
constexpr std::size_t read_window_bytes = 32 * MiB;

}  // namespace

void BlockStore::start_reading(std::size_t first, std::size_t last) {
  const std::lock_guard lock(mutex_);
  read_chain_ = first;
  read_block_ = 0;
  read_last_ = last;
  read_window_blocks_ =
      std::max<std::size_t>(2, std::min(read_window_bytes / block_bytes_, pool_blocks_ / 4));
  start_look_ahead();
  read_ahead();
}

void BlockStore::wait_until_written(const Block& block) {
  // Of the number of the write only the last bits are known: those in flight are the latest.
  const auto in_flight = static_cast<std::uint32_t>(writes_started_) - block.place;
  if (in_flight >= writing_.size()) return;
  while (writing_.size() > in_flight) wait_for_oldest_write();
}

void BlockStore::start_read(Block& block) {
  wait_until_written(block);
  block.place = number_of(free_.back());
  free_.pop_back();
  block.state = State::reading;
  block.read_back = true;
  reading(block) = environment_.blocks.read(extent(block), {buffer(block), stored_bytes(block)});
  ++read_ahead_blocks_;
}

void BlockStore::read_ahead() {
  reap_writes();
  while (read_ahead_blocks_ < read_window_blocks_ && !free_.empty()) {
    Block* const block = look_ahead_blocks_ > 0 ? next_scheduled() : next_in_order();
    if (block == nullptr) return;
    start_read(*block);
  }
}

BlockStore::Block* BlockStore::next_in_order() {
  for (; read_chain_ < read_last_; ++read_chain_, read_block_ = 0) {
    std::vector<Block>& blocks = chains_[read_chain_]->blocks;
    while (read_block_ < blocks.size()) {
      Block& block = blocks[read_block_++];
      if (block.state == State::written) return &block;
    }
  }
  return nullptr;
}

const std::byte* BlockStore::load(std::size_t position, std::size_t number) {
  Lock lock(mutex_);
  Chain& chain = *chains_[position];
  Block& block = chain.blocks[number];  // nothing is put to a chain that is being consumed
  wait_until_not_coding(lock, chain, number);
  // Written: the window has not come to it, or it was written out behind the window. It may be in another
  // state when there is room for it.
  while (block.state == State::written) {
    if (free_.empty()) {
      make_free_buffer(lock);
    } else {
      start_read(block);
    }
  }
  if (block.state == State::reading) {
    const RequestPtr request = reading(block);
    lock.unlock();
    request->wait();
    lock.lock();
    reading(block).reset();
    environment_.blocks.free(extent(block));
    block.state = State::loaded;
    if (write_error_) std::rethrow_exception(write_error_);
  } else {
    --chain.kept;
    block.state = State::loaded;
  }
  if (block.code_pages != 0) decode(lock, chain, number);
  return buffer(block);
}

void BlockStore::release(std::size_t position, std::size_t number) {
  const std::lock_guard lock(mutex_);
  Block& block = chains_[position]->blocks[number];
  free_.push_back(buffer(block));
  block.state = State::consumed;
  if (block.read_back) --read_ahead_blocks_;
  read_ahead();
}

RequestPtr BlockStore::peek(std::size_t position, std::size_t number, std::byte* to) {
  Lock lock(mutex_);
  wait_until_not_coding(lock, *chains_[position], number);
  const Block& block = chains_[position]->blocks[number];
  if (block.state == State::kept) {
    std::memcpy(to, buffer(block), page_bytes);
    return nullptr;
  }
  wait_until_written(block);
  return environment_.blocks.read(extent(block), {to, page_bytes});
}

bool BlockStore::coded(std::size_t position, std::size_t number) {
  const std::lock_guard lock(mutex_);
  return chains_[position]->blocks[number].code_pages != 0;
}

}  // namespace emgraph::core
