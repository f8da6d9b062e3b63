// SPDX-License-Identifier: MIT
// Lists of blocks grow by a quarter, and are charged before.
#include "core/spill/chain_store.hpp"

#include <algorithm>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace emgraph::core {

ChainStore::ChainStore(Environment& environment, std::size_t block_bytes)
    : environment_(environment), block_bytes_(block_bytes) {
  constexpr std::size_t most_disks = std::size_t{1} << ChainBlock::disk_bits;
  if (environment.blocks.disks() > most_disks) {
    throw UsageError("temporary data can be on " + std::to_string(most_disks) + " disks at most, not on " +
                     std::to_string(environment.blocks.disks()));
  }
}

ChainStore::~ChainStore() {
  for (const Chain& chain : chains_) {
    for (const ChainBlock& block : chain.blocks) {
      if (block.state == ChainBlock::State::written) environment_.blocks.free(extent(block));
    }
  }
}

void ChainStore::insert(std::size_t at, std::size_t count) {
  const std::lock_guard lock(mutex_);
  std::vector<Chain> fresh(count);
  chains_.insert(chains_.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(fresh.begin()),
                 std::make_move_iterator(fresh.end()));
  last_kept_ = chains_.size() - 1;
}

void ChainStore::insert(std::size_t at, std::span<const BlockLayout> layouts) {
  insert(at, layouts.size());
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < layouts.size(); ++i) chains_[at + i].layout = layouts[i];
}

std::size_t ChainStore::size() const {
  const std::lock_guard lock(mutex_);
  return chains_.size();
}

ChainView ChainStore::view(std::size_t chain) const {
  const std::lock_guard lock(mutex_);
  return {chains_[chain].records, chains_[chain].blocks.size()};
}

/// Makes a filled buffer the last block of the chain, in state kept.
void ChainStore::append(Chain& chain, std::uint32_t buffer, std::uint32_t records) {
  if (chain.blocks.size() == chain.blocks.capacity()) grow_list(chain);
  ChainBlock& block = chain.blocks.emplace_back();
  block.records = records;
  block.place = buffer;
  chain.records += records;
  ++chain.kept;
}

/// Frees the memory of a list. Requires: its blocks are consumed.
void ChainStore::forget_blocks(Chain& chain) {
  bookkept_blocks_ -= chain.blocks.capacity();
  chain.blocks = std::vector<ChainBlock>();  // = {} would keep its memory
  charge_lists(bookkept_blocks_);
}

void ChainStore::wait_while_leaving(Lock& lock, const Chain& chain, std::size_t number) {
  wait_for_thread(changed_, lock, [&] { return chain.blocks[number].state != ChainBlock::State::leaving; });
}

/// Charges lists with a capacity of this number of blocks, in steps.
void ChainStore::charge_lists(std::size_t blocks) {
  const std::size_t bytes = round_up(blocks, bookkeeping_step_blocks) * sizeof(ChainBlock);
  if (bytes == bookkeeping_.bytes()) return;
  if (bookkeeping_.bytes() == 0) {
    bookkeeping_ = environment_.memory.reserve(bytes, "the list of sort blocks");
  } else {
    bookkeeping_.resize(bytes, "the list of sort blocks");
  }
}

/// Grows a list by a quarter. Both lists exist while the blocks are copied.
void ChainStore::grow_list(Chain& chain) {
  const std::size_t before = chain.blocks.capacity();
  const std::size_t room = before + before / 4 + 1;
  charge_lists(bookkept_blocks_ + room);
  chain.blocks.reserve(room);
  bookkept_blocks_ += room - before;
  charge_lists(bookkept_blocks_);
}

}  // namespace emgraph::core
