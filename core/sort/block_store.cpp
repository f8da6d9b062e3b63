// SPDX-License-Identifier: MIT
// Filling side of the block store: buffers, chains, gathered writes.
#include "core/sort/block_store.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "core/base/bytes.hpp"
#include "core/base/integers.hpp"

namespace emgraph::core {
namespace {

// Direct writes reach the disk's rate from 1 MiB on.
constexpr std::size_t group_bytes = MiB;
// While one write of a disk is being done the next one has to wait there already.
// Measured: mis of 64 M random edges in 64 MiB, in one pass, on 1, 2, 4 disks limited to 48
// MiB/s: 12.98, 6.57, 3.43 s; 1.005, 1.02, 1.05 of the bytes moved / bandwidth (2 virtual EPYC cores, other
// work on them, November 2026, `emgraph mis gen:random,edges=64M,payload=8 -M 64M --single-pass --disk
// DIR,limit=48M …`, single runs).
constexpr std::size_t groups_per_disk = 2;
constexpr std::size_t least_groups = 4;

}  // namespace

BlockStore::BlockStore(Environment& environment, std::size_t block_bytes, std::size_t pool_bytes)
    : environment_(environment),
      block_bytes_(block_bytes),
      pool_blocks_(pool_bytes / block_bytes),
      group_blocks_(
          std::max<std::size_t>(1, std::min(divide_up(group_bytes, block_bytes), pool_blocks_ / 8))),
      write_behind_blocks_(
          std::min(std::max(least_groups, groups_per_disk * environment.blocks.disks()) * group_blocks_,
                   pool_blocks_ / 4)),
      pool_(environment.memory, pool_blocks_ * block_bytes, "the pool of sort buffers") {
  free_.reserve(pool_blocks_);
  reading_.resize(pool_blocks_);
  // Handed out from the back: the lowest addresses first, so that untouched pages stay untouched.
  for (std::size_t i = pool_blocks_; i-- > 0;) free_.push_back(pool_.data() + i * block_bytes);
}

BlockStore::~BlockStore() {
  for (Writing& writing : writing_) writing.request->settle();
  for (const auto& chain : chains_) {
    for (const Block& block : chain->blocks) {
      if (block.state == State::reading && reading(block)) reading(block)->settle();
      if (block.state == State::written || block.state == State::reading)
        environment_.blocks.free(extent(block));
    }
  }
}

void BlockStore::insert_chains(std::size_t at, std::size_t count) {
  const std::lock_guard lock(mutex_);
  std::vector<std::unique_ptr<Chain>> fresh(count);
  for (auto& chain : fresh) chain = std::make_unique<Chain>();
  chains_.insert(chains_.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(fresh.begin()),
                 std::make_move_iterator(fresh.end()));
  last_kept_ = chains_.size() - 1;
}

void BlockStore::drop_blocks(std::size_t position) {
  const std::lock_guard lock(mutex_);
  Chain& chain = *chains_[position];
  for (Block& block : chain.blocks) {
    if (block.state == State::kept) free_.push_back(buffer(block));
    if (block.state == State::written) {
      wait_until_written(block);
      environment_.blocks.free(extent(block));
    }
    block.state = State::consumed;  // also when the next one's write has failed
  }
  bookkept_blocks_ -= chain.blocks.capacity();
  chain.blocks = std::vector<Block>();  // = {} would keep its memory
  chain.kept = 0;
  charge_lists(bookkept_blocks_);
}

/// For lists with room for so many blocks, in steps.
void BlockStore::charge_lists(std::size_t blocks) {
  const std::size_t bytes = round_up(blocks, bookkeeping_step_blocks) * sizeof(Block);
  if (bytes == bookkeeping_.bytes()) return;
  if (bookkeeping_.bytes() == 0) {
    bookkeeping_ = environment_.memory.reserve(bytes, "the list of sort blocks");
  } else {
    bookkeeping_.resize(bytes, "the list of sort blocks");
  }
}

/// By a quarter; while the blocks move there are two lists.
void BlockStore::grow_list(Chain& chain) {
  const std::size_t before = chain.blocks.capacity();
  const std::size_t room = before + before / 4 + 1;
  charge_lists(bookkept_blocks_ + room);
  chain.blocks.reserve(room);
  bookkept_blocks_ += room - before;
  charge_lists(bookkept_blocks_);
}

std::byte* BlockStore::take() {
  const std::lock_guard lock(mutex_);
  make_free_buffer();
  std::byte* buffer = free_.back();
  free_.pop_back();
  return buffer;
}

void BlockStore::put(std::size_t position, std::byte* buffer, std::uint32_t records) {
  const std::lock_guard lock(mutex_);
  Chain& chain = *chains_[position];
  if (chain.blocks.size() == chain.blocks.capacity()) grow_list(chain);
  Block& block = chain.blocks.emplace_back();
  block.records = records;
  block.place = number_of(buffer);
  chain.records += records;
  ++chain.kept;
  last_kept_ = std::max(last_kept_, position);
  // Write behind before the buffers are gone: what is free or about to be should last for some more blocks.
  reap_writes();
  if (free_.size() + writing_blocks_ < write_behind_blocks_) write_out_group();
}

void BlockStore::give_back(std::byte* buffer) {
  const std::lock_guard lock(mutex_);
  free_.push_back(buffer);
}

void BlockStore::reap_writes() {
  while (!writing_.empty() && writing_.front().request->done()) wait_for_oldest_write();
}

void BlockStore::wait_for_oldest_write() {
  Writing writing = std::move(writing_.front());
  writing_.pop_front();
  writing_blocks_ -= writing.buffers.size();
  std::exception_ptr error;
  try {
    writing.request->wait();
  } catch (...) {
    error = std::current_exception();
  }
  free_.insert(free_.end(), writing.buffers.begin(), writing.buffers.end());
  if (error) std::rethrow_exception(error);
}

bool BlockStore::write_out_group() {
  struct Victim {
    Chain* chain;
    Block* block;
  };
  std::vector<Victim> victims;
  for (std::size_t position = last_kept_ + 1; position-- > 0 && victims.size() < group_blocks_;) {
    Chain& chain = *chains_[position];
    last_kept_ = position;
    std::size_t kept = chain.kept;
    for (std::size_t i = chain.blocks.size(); i-- > 0 && kept > 0 && victims.size() < group_blocks_;) {
      if (chain.blocks[i].state != State::kept) continue;
      --kept;
      victims.push_back({&chain, &chain.blocks[i]});
    }
  }
  if (victims.empty()) return false;
  const Extent whole = environment_.blocks.allocate(victims.size() * block_bytes_);
  Writing writing;
  std::vector<std::span<const std::byte>> pieces;
  for (std::size_t i = 0; i < victims.size(); ++i) {
    Block& block = *victims[i].block;
    pieces.emplace_back(buffer(block), block_bytes_);
    writing.buffers.push_back(buffer(block));
    block.state = State::written;
    --victims[i].chain->kept;
    block.place = static_cast<std::uint32_t>(writes_started_ + 1);
    block.disk = static_cast<std::uint16_t>(whole.disk);
    const std::uint64_t offset = whole.offset + i * block_bytes_;
    block.granule = offset / BlockManager::granularity_bytes & low_mask<std::uint64_t>(40);
  }
  writing.request = environment_.blocks.write(whole, std::move(pieces));
  writing_.push_back(std::move(writing));
  ++writes_started_;
  writing_blocks_ += victims.size();
  return true;
}

void BlockStore::make_free_buffer() {
  reap_writes();
  while (free_.empty()) {
    if (writing_.empty() && !write_out_group())
      throw std::logic_error("block store: no buffer left to write out");
    wait_for_oldest_write();
  }
}

}  // namespace emgraph::core
