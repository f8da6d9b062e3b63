// SPDX-License-Identifier: MIT
// How the block store makes room: the last blocks are coded where that pays, and written several at a time.
#include <algorithm>
#include <exception>
#include <stdexcept>

#include "core/base/bytes.hpp"
#include "core/base/integers.hpp"
#include "core/spill/block_store.hpp"
#include "core/spill/coding_choice.hpp"

namespace emgraph::core {

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
    error = write_error_ = std::current_exception();
  }
  free_.insert(free_.end(), writing.buffers.begin(), writing.buffers.end());
  if (error) std::rethrow_exception(error);
}

/// The next blocks to be written: from the last chains, and their ends.
std::vector<BlockStore::Victim> BlockStore::victims() {
  std::vector<Victim> found;
  for (std::size_t position = last_kept_ + 1; position-- > 0 && found.size() < group_blocks_;) {
    Chain& chain = *chains_[position];
    last_kept_ = position;
    std::size_t kept = chain.kept;
    for (std::size_t i = chain.blocks.size(); i-- > 0 && kept > 0 && found.size() < group_blocks_;) {
      if (chain.blocks[i].state != State::kept) continue;
      --kept;
      found.push_back({&chain, i});
    }
  }
  return found;
}

/// By the disks' speed as it is known now; what is not known is taken for fast.
bool BlockStore::worth_coding(const Chain& chain) {
  SpillCoding& spill = environment_.spill;
  if (!chain.layout || coding_threads_ == 0 || block_bytes_ > most_coded_block_bytes) return false;
  const double speed = environment_.blocks.bytes_per_second();
  const double pays_below = coding_pays_below(*chain.layout, block_bytes_, coding_threads_) /
                            (environment_.blocks.speed_declared() ? 1 : seen_speed_margin);
  spill.note_choice(speed, pays_below);
  return spill.codec() == SpillCodec::delta || (speed > 0 && speed < pays_below);
}

/// Codes kept blocks that are not yet coded, as far as that makes them smaller; they are kept again at the
/// end. Nobody else touches them meanwhile, though their lists may grow.
void BlockStore::code(Lock& lock, std::span<const Victim> blocks) {
  if (scratch_free_.empty()) return;  // a thread more than was reckoned with
  struct Plain {
    Victim victim;
    BlockLayout layout;
    std::byte* buffer;
    std::size_t records;
    std::size_t code_pages;
  };
  std::vector<Plain> plain;
  for (const Victim& victim : blocks) {
    const Block& block = victim.block();
    if (!victim.chain->layout || block.code_pages != 0) continue;
    plain.push_back({victim, *victim.chain->layout, buffer(block), block.records, 0});
  }
  const std::span scratch(scratch_free_.back(), coding_scratch_bytes(block_bytes_));
  scratch_free_.pop_back();
  coding_blocks_ += blocks.size();
  for (const Victim& victim : blocks) {
    victim.block().state = State::coding;
    --victim.chain->kept;
  }
  lock.unlock();
  {
    const TraceSpan coding(TraceKind::work, "code blocks");
    for (Plain& each : plain) {
      const std::size_t code_bytes =
          encode_block(each.layout, {each.buffer, block_bytes_}, each.records, scratch);
      if (code_bytes == 0) continue;
      each.code_pages = divide_up(code_bytes, page_bytes);
      environment_.spill.count_coded(block_bytes_, each.code_pages * page_bytes);
    }
  }
  lock.lock();
  for (const Plain& each : plain) {
    each.victim.block().code_pages = each.code_pages & low_mask<std::uint64_t>(code_pages_bits);
  }
  for (const Victim& victim : blocks) {
    victim.block().state = State::kept;
    ++victim.chain->kept;
  }
  coding_blocks_ -= blocks.size();
  scratch_free_.push_back(scratch.data());
  changed_.notify_all();
}

/// A loaded block whose code lies in its buffer.
void BlockStore::decode(Lock& lock, Chain& chain, std::size_t number) {
  wait_for_thread(changed_, lock, [this] { return !scratch_free_.empty(); });
  std::byte* const scratch = scratch_free_.back();
  scratch_free_.pop_back();
  const Block block = chain.blocks[number];
  chain.blocks[number].code_pages = 0;
  lock.unlock();
  std::exception_ptr error;
  try {
    decode_block(*chain.layout, {buffer(block), block_bytes_}, block.code_pages * page_bytes, block.records,
                 {scratch, coding_scratch_bytes(block_bytes_)});
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  scratch_free_.push_back(scratch);
  changed_.notify_all();
  if (error) std::rethrow_exception(error);
}

bool BlockStore::write_out_group(Lock& lock) {
  const std::vector<Victim> group = victims();
  if (group.empty()) return false;
  if (worth_coding(*group.front().chain)) code(lock, group);
  std::size_t bytes = 0;
  for (const Victim& victim : group) bytes += stored_bytes(victim.block());
  Extent whole;
  try {
    whole = environment_.blocks.allocate(bytes);
  } catch (...) {
    last_kept_ = chains_.size() - 1;  // they are still there, whatever others have looked at meanwhile
    throw;
  }
  Writing writing;
  std::vector<std::span<const std::byte>> pieces;
  std::uint64_t offset = whole.offset;
  for (const Victim& victim : group) {
    Block& block = victim.block();
    if (victim.chain->layout && block.code_pages == 0) environment_.spill.count_plain(block_bytes_);
    pieces.emplace_back(buffer(block), stored_bytes(block));
    writing.buffers.push_back(buffer(block));
    block.state = State::written;
    --victim.chain->kept;
    block.place = static_cast<std::uint32_t>(writes_started_ + 1);
    block.disk = whole.disk & low_mask<std::uint64_t>(disk_bits);
    block.granule = offset / BlockManager::granularity_bytes & low_mask<std::uint64_t>(40);
    offset += stored_bytes(block);
  }
  writing.request = environment_.blocks.write(whole, std::move(pieces));
  writing_.push_back(std::move(writing));
  ++writes_started_;
  writing_blocks_ += group.size();
  return true;
}

/// There is a free buffer when it returns. The lock is not held while it waits for a disk: others code and
/// write meanwhile.
void BlockStore::make_free_buffer(Lock& lock) {
  reap_writes();
  while (free_.empty()) {
    if (!writing_.empty()) {
      const RequestPtr oldest = writing_.front().request;
      lock.unlock();
      try {
        oldest->wait();
      } catch (...) {
        // Whoever reaps it tells.
      }
      lock.lock();
      reap_writes();
    } else if (!write_out_group(lock)) {
      if (coding_blocks_ == 0) throw std::logic_error("block store: no buffer left to write out");
      wait_for_thread(changed_, lock,
                      [this] { return coding_blocks_ == 0 || !writing_.empty() || !free_.empty(); });
    }
  }
}

void BlockStore::wait_until_not_coding(Lock& lock, const Chain& chain, std::size_t number) {
  wait_for_thread(changed_, lock, [&] { return chain.blocks[number].state != State::coding; });
}

}  // namespace emgraph::core
