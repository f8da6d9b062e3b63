// SPDX-License-Identifier: MIT
// Reads ahead within the window, waits for the requested block, decodes it.
#include "core/spill/chain_reader.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"

namespace emgraph::core {
namespace {

using State = ChainBlock::State;

// Enough reads in flight for the latency of any disk. More would only take buffers from blocks in memory.
constexpr std::size_t read_window_bytes = 32 * MiB;

std::size_t common_window(const BlockPool& pool) {
  return std::max<std::size_t>(2, std::min(read_window_bytes / pool.block_bytes(), pool.blocks() / 4));
}

}  // namespace

ChainReader::ChainReader(Environment& environment, BlockPool& pool, ChainStore& chains, ChainWriter& writer)
    : environment_(environment),
      pool_(pool),
      chains_(chains),
      writer_(writer),
      order_(chains.chains_, environment.blocks.disks()),
      window_blocks_(common_window(pool)),
      reading_(pool.blocks()) {}

ChainReader::~ChainReader() {
  for (const Reading& reading : reading_) {
    if (reading.request == nullptr) continue;
    reading.request->wait_ignoring_error();
    environment_.blocks.free(reading.extent);
  }
}

void ChainReader::start_reading(std::size_t first, std::size_t last) {
  start_reading(first, last, common_window(pool_), false);
}

void ChainReader::start_reading_alone(std::size_t first, std::size_t last, std::size_t consumers) {
  // A block that the window has not reached when it is loaded needs a buffer, too.
  const std::size_t others = std::max(consumers + 1, pool_.blocks() / 8);
  start_reading(first, last,
                std::max(common_window(pool_), pool_.blocks() - std::min(others, pool_.blocks())), true);
}

void ChainReader::start_reading(std::size_t first, std::size_t last, std::size_t window_blocks, bool alone) {
  const Lock lock(chains_.mutex_);
  window_blocks_ = window_blocks;
  alone_ = alone;
  order_.start(first, last, window_blocks);
  read_ahead();
}

LoadedBlock ChainReader::load(std::size_t position, std::size_t number) {
  Lock lock(chains_.mutex_);
  Chain& chain = chains_.chains_[position];
  chains_.wait_while_leaving(lock, chain, number);
  ChainBlock& block = chain.blocks[number];  // no block is put to the chain, so the list does not move
  // Written: the window has not reached it, or it was written after the window passed it. While the lock is
  // released, the read-ahead of another thread may reach it.
  while (block.state == State::written) {
    if (writer_.in_flight(block.place)) {
      writer_.wait_for_write(lock, block.place);
    } else if (pool_.free_blocks() == 0) {
      writer_.make_room(lock);
    } else {
      start_read(block);
      read_ahead();
    }
  }
  if (block.state == State::reading) {
    const RequestPtr request = reading_[block.place].request;
    lock.unlock();
    request->wait();
    lock.lock();
    finish_read(block);
    writer_.rethrow_failure();
  } else {
    --chain.kept;
    block.state = State::loaded;
  }
  if (block.code_pages != 0) decode(lock, chain, number);
  return {pool_.buffer(block.place), block.records};
}

void ChainReader::release(std::size_t position, std::size_t number) {
  const Lock lock(chains_.mutex_);
  ChainBlock& block = chains_.chains_[position].blocks[number];
  free_buffer(block);
  block.state = State::consumed;
  read_ahead();
}

void ChainReader::drop_blocks(std::size_t position) {
  Lock lock(chains_.mutex_);
  Chain& chain = chains_.chains_[position];
  for (const ChainBlock& block : chain.blocks) {
    if (block.state == State::loaded) throw std::logic_error("block store: a block in use is dropped");
  }
  for (std::size_t number = 0; number < chain.blocks.size(); ++number) discard(lock, chain, number);
  chains_.forget_blocks(chain);
}

void ChainReader::clear(std::size_t position) {
  drop_blocks(position);
  const Lock lock(chains_.mutex_);
  chains_.chains_[position].records = 0;
}

PeekedBlock ChainReader::peek(std::size_t position, std::size_t number, std::span<std::byte> to) {
  Lock lock(chains_.mutex_);
  const Chain& chain = chains_.chains_[position];
  chains_.wait_while_leaving(lock, chain, number);
  const ChainBlock& block = chain.blocks[number];
  PeekedBlock peeked{nullptr, block.records, block.code_pages != 0};
  if (block.state == State::kept) {
    std::memcpy(to.data(), pool_.buffer(block.place), to.size());
    return peeked;
  }
  writer_.wait_for_write(lock, block.place);
  writer_.rethrow_failure();
  const bool whole = to.size() > page_bytes;
  peeked.request =
      environment_.blocks.read(chains_.extent(block), whole ? to.first(chains_.stored_bytes(block)) : to,
                               whole ? block.seal : block.first_page_seal);
  return peeked;
}

void ChainReader::read_ahead() {
  writer_.reap_writes();
  while (window_used_ < window_blocks_ && pool_.free_blocks() > 0) {
    ChainBlock* const block = order_.current();
    if (block == nullptr || writer_.in_flight(block->place)) return;
    order_.advance();
    start_read(*block);
  }
}

/// Requires: the block is on disk, and a buffer is free.
void ChainReader::start_read(ChainBlock& block) {
  std::byte* const buffer = pool_.take();
  const Extent extent = chains_.extent(block);
  RequestPtr request;
  try {
    request = prepared(environment_.blocks.read(extent, {buffer, chains_.stored_bytes(block)}, block.seal),
                       [&](Request& read) {
                         if (alone_)
                           read.when_done([&blocks = environment_.blocks, extent] { blocks.free(extent); });
                       });
  } catch (...) {
    pool_.give(buffer);
    throw;
  }
  block.place = pool_.number_of(buffer);
  block.state = State::reading;
  reading_[block.place] = {std::move(request), alone_ ? Extent() : extent, true};
  ++window_used_;
}

/// Requires: the read of the block is done. It is no longer on disk.
void ChainReader::finish_read(ChainBlock& block) {
  block.state = State::loaded;
  reading_[block.place].request.reset();
  environment_.blocks.free(reading_[block.place].extent);
}

void ChainReader::free_buffer(const ChainBlock& block) {
  if (std::exchange(reading_[block.place].in_window, false)) --window_used_;
  pool_.give(pool_.buffer(block.place));
}

/// Decodes a loaded block. Waits for scratch space, which other coding threads return.
void ChainReader::decode(Lock& lock, Chain& chain, std::size_t number) {
  wait_for_thread(chains_.changed_, lock, [this] { return pool_.has_scratch(); });
  const std::span<std::byte> scratch = pool_.take_scratch();
  const ChainBlock block = chain.blocks[number];
  chain.blocks[number].code_pages = 0;
  lock.unlock();
  std::exception_ptr error;
  try {
    decode_block(*chain.layout, {pool_.buffer(block.place), pool_.block_bytes()},
                 block.code_pages * page_bytes, block.records, scratch);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  pool_.give_scratch(scratch);
  chains_.changed_.notify_all();
  if (error) std::rethrow_exception(error);
}

/// Consumes a block without reading it. If it throws, the block is unchanged.
void ChainReader::discard(Lock& lock, Chain& chain, std::size_t number) {
  chains_.wait_while_leaving(lock, chain, number);
  ChainBlock& block = chain.blocks[number];
  while (block.state == State::written && writer_.in_flight(block.place)) {
    writer_.wait_for_write(lock, block.place);
  }
  if (block.state == State::kept) {
    --chain.kept;
    free_buffer(block);
  } else if (block.state == State::written) {
    environment_.blocks.free(chains_.extent(block));
  } else if (block.state == State::reading) {
    const RequestPtr request = reading_[block.place].request;
    lock.unlock();
    request->wait_ignoring_error();
    lock.lock();
    finish_read(block);
    free_buffer(block);
  }
  block.state = State::consumed;
}

}  // namespace emgraph::core
