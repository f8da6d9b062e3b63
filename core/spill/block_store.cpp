// SPDX-License-Identifier: MIT
// Filling side of the block store: buffers, chains, their lists.
#include "core/spill/block_store.hpp"

#include <algorithm>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
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

BlockStore::BlockStore(Environment& environment, std::size_t block_bytes, std::size_t pool_bytes,
                       unsigned coding_threads)
    : environment_(environment),
      block_bytes_(block_bytes),
      pool_blocks_(pool_bytes / block_bytes),
      group_blocks_(
          std::max<std::size_t>(1, std::min(divide_up(group_bytes, block_bytes), pool_blocks_ / 8))),
      write_behind_blocks_(
          std::min((std::max(least_groups, groups_per_disk * environment.blocks.disks()) + coding_threads) *
                       group_blocks_,
                   pool_blocks_ / 4)),
      pool_(environment.memory, pool_blocks_ * block_bytes, "the pool of sort buffers"),
      coding_threads_(coding_threads),
      scratch_(environment.memory, coding_threads * coding_scratch_bytes(block_bytes), "coding sort blocks"),
      scheduler_(environment.blocks.disks()) {
  if (environment.blocks.disks() > std::size_t{1} << disk_bits) {
    throw UsageError("temporary data can be on " + std::to_string(1U << disk_bits) +
                     " disks at most, not on " + std::to_string(environment.blocks.disks()));
  }
  free_.reserve(pool_blocks_);
  reading_.resize(pool_blocks_);
  // Handed out from the back: the lowest addresses first, so that untouched pages stay untouched.
  for (std::size_t i = pool_blocks_; i-- > 0;) free_.push_back(pool_.data() + i * block_bytes);
  for (unsigned i = 0; i < coding_threads; ++i) {
    scratch_free_.push_back(scratch_.data() + i * coding_scratch_bytes(block_bytes));
  }
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
  Lock lock(mutex_);
  Chain& chain = *chains_[position];
  for (std::size_t number = 0; number < chain.blocks.size(); ++number) {
    wait_until_not_coding(lock, chain, number);
    Block& block = chain.blocks[number];
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
  Lock lock(mutex_);
  make_free_buffer(lock);
  std::byte* buffer = free_.back();
  free_.pop_back();
  return buffer;
}

void BlockStore::put(std::size_t position, std::byte* buffer, std::uint32_t records) {
  Lock lock(mutex_);
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
  if (free_.size() + coding_blocks_ + writing_blocks_ < write_behind_blocks_) write_out_group(lock);
}

void BlockStore::give_back(std::byte* buffer) {
  const std::lock_guard lock(mutex_);
  free_.push_back(buffer);
}

}  // namespace emgraph::core
