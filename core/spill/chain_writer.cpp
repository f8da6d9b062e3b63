// SPDX-License-Identifier: MIT
// Chooses the last blocks, codes them if that saves time, and writes several at a time.
#include "core/spill/chain_writer.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/integers.hpp"
#include "core/spill/coding_choice.hpp"

namespace emgraph::core {
namespace {

using State = ChainBlock::State;

// Direct writes of at least 1 MiB reach the bandwidth of the disk.
constexpr std::size_t group_bytes = MiB;
// Two writes per disk: one is executed, one waits.
// Measured: mis of 64 M random edges in 64 MiB, in one pass, on 1, 2, 4 disks limited to 48 MiB/s: 12.98,
// 6.57, 3.43 s; 1.005, 1.02, 1.05 of the bytes moved / bandwidth (2 virtual EPYC cores, other work on them,
// November 2026, `emgraph mis gen:random,edges=64M,payload=8 -M 64M --single-pass --disk DIR,limit=48M …`,
// single runs).
constexpr std::size_t groups_per_disk = 2;
constexpr std::size_t least_groups = 4;

}  // namespace

ChainWriter::ChainWriter(Environment& environment, BlockPool& pool, ChainStore& chains)
    : environment_(environment),
      pool_(pool),
      chains_(chains),
      group_blocks_(
          std::max<std::size_t>(1, std::min(divide_up(group_bytes, pool.block_bytes()), pool.blocks() / 8))),
      write_behind_blocks_(std::min(
          (std::max(least_groups, groups_per_disk * environment.blocks.disks()) + pool.coding_threads()) *
              group_blocks_,
          pool.blocks() / 4)) {}

ChainWriter::~ChainWriter() {
  for (Writing& writing : writing_) writing.request->wait_ignoring_error();
}

// Measured: mis of 131 M edges with a payload of 8 bytes, 1.9 GB in 448 MiB: 2.20 s without, 1.95 with
// (medians of 9 in turn; 1.5 GB are written in both; 2 virtual cores of an EPYC 9004, November 2026).
void ChainWriter::expect(double blocks) {
  const Lock lock(chains_.mutex_);
  const auto kept = static_cast<double>(pool_.blocks() - write_behind_blocks_);
  share_to_write_ = std::max(0.0, 1 - kept / std::max(blocks, 1.0));
}

/// True if few buffers are free, or fewer blocks were written than their share of those put.
bool ChainWriter::behind() const {
  return pool_.free_blocks() + leaving_blocks_ + writing_blocks_ < write_behind_blocks_ ||
         static_cast<double>(blocks_sent_ + group_blocks_) <
             share_to_write_ * static_cast<double>(blocks_put_);
}

std::byte* ChainWriter::take() {
  Lock lock(chains_.mutex_);
  make_room(lock);
  return pool_.take();
}

void ChainWriter::put(std::size_t position, std::byte* buffer, std::uint32_t records) {
  Lock lock(chains_.mutex_);
  chains_.append(chains_.chains_[position], pool_.number_of(buffer), records);
  chains_.last_kept_ = std::max(chains_.last_kept_, position);
  ++blocks_put_;
  reap_writes();
  if (behind()) write_group(lock);
}

void ChainWriter::give_back(std::byte* buffer) {
  const Lock lock(chains_.mutex_);
  pool_.give(buffer);
}

std::uint64_t ChainWriter::spilled_bytes(std::uint64_t blocks) const {
  const std::uint64_t kept = pool_.blocks() - write_behind_blocks_;
  if (blocks <= kept) return 0;
  // A group is written as a whole, when the first of its blocks is missing.
  return size_product(std::min(blocks, blocks - kept + group_blocks_), pool_.block_bytes());
}

void ChainWriter::write_all() {
  Lock lock(chains_.mutex_);
  while (write_group(lock)) reap_writes();
  while (!writing_.empty()) wait_for_oldest_write(lock);
  rethrow_failure();
}

/// Waits until a buffer is free.
void ChainWriter::make_room(Lock& lock) {
  reap_writes();
  while (pool_.free_blocks() == 0) {
    if (!writing_.empty()) {
      wait_for_oldest_write(lock);
    } else if (!write_group(lock)) {
      if (leaving_blocks_ == 0) throw std::logic_error("block store: no buffer left to write out");
      wait_for_thread(chains_.changed_, lock, [this] {
        return leaving_blocks_ == 0 || !writing_.empty() || pool_.free_blocks() > 0;
      });
    }
  }
}

/// Writes the next blocks; false if there is none in memory. If there is no space on disk, the blocks are
/// kept and the error is thrown.
bool ChainWriter::write_group(Lock& lock) {
  std::vector<Leaving> group = pick_group();
  if (group.empty()) return false;
  const bool coding = pool_.has_scratch() && worth_coding(*group.front().chain);
  const std::span<std::byte> scratch = coding ? pool_.take_scratch() : std::span<std::byte>();
  mark_leaving(group);
  lock.unlock();
  Sent sent;
  std::exception_ptr error;
  try {
    if (coding) code(group, scratch);
    sent = send(group);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  if (coding) pool_.give_scratch(scratch);
  if (error) {
    mark_kept(group);
  } else {
    mark_written(group, std::move(sent));
  }
  chains_.changed_.notify_all();
  if (error) std::rethrow_exception(error);
  return true;
}

void ChainWriter::mark_leaving(std::span<const Leaving> group) {
  for (const Leaving& each : group) {
    each.block().state = State::leaving;
    --each.chain->kept;
  }
  leaving_blocks_ += group.size();
  blocks_sent_ += group.size();
}

/// Submits the blocks as one write. Called without the lock.
ChainWriter::Sent ChainWriter::send(std::span<const Leaving> group) {
  Sent sent;
  std::size_t bytes = 0;
  std::vector<std::span<const std::byte>> pieces;
  for (const Leaving& each : group) {
    const std::size_t stored = each.code_pages == 0 ? block_bytes() : each.code_pages * page_bytes;
    if (each.code_pages == 0 && each.chain->layout) environment_.spill.count_plain(stored);
    pieces.emplace_back(each.buffer, stored);
    sent.seals.push_back({seal(pieces.back()), seal(pieces.back().first(page_bytes))});
    sent.writing.buffers.push_back(each.buffer);
    bytes += stored;
  }
  sent.place = environment_.blocks.allocate(bytes);
  try {
    sent.writing.request = environment_.blocks.write(sent.place, std::move(pieces));
  } catch (...) {
    environment_.blocks.free(sent.place);
    throw;
  }
  return sent;
}

void ChainWriter::mark_written(std::span<const Leaving> group, Sent sent) {
  std::uint64_t offset = sent.place.offset;
  for (std::size_t i = 0; i < group.size(); ++i) {
    ChainBlock& block = group[i].block();
    block.code_pages = group[i].code_pages & low_mask<std::uint64_t>(ChainBlock::code_pages_bits);
    block.state = State::written;
    block.place = static_cast<std::uint32_t>(writes_started_ + 1);
    block.disk = sent.place.disk & low_mask<std::uint64_t>(ChainBlock::disk_bits);
    block.granule =
        offset / BlockManager::granularity_bytes & low_mask<std::uint64_t>(ChainBlock::granule_bits);
    block.seal = sent.seals[i].block;
    block.first_page_seal = sent.seals[i].first_page;
    offset += chains_.stored_bytes(block);
  }
  leaving_blocks_ -= group.size();
  writing_.push_back(std::move(sent.writing));
  ++writes_started_;
  writing_blocks_ += group.size();
}

/// After an error. Blocks that were coded stay so.
void ChainWriter::mark_kept(std::span<const Leaving> group) {
  for (const Leaving& each : group) {
    each.block().code_pages = each.code_pages & low_mask<std::uint64_t>(ChainBlock::code_pages_bits);
    each.block().state = State::kept;
    ++each.chain->kept;
  }
  leaving_blocks_ -= group.size();
  blocks_sent_ -= group.size();
  chains_.last_kept_ = chains_.chains_.size() - 1;  // other threads may have lowered it meanwhile
}

/// Kept blocks from the ends of the last chains.
std::vector<ChainWriter::Leaving> ChainWriter::pick_group() {
  std::vector<Leaving> group;
  for (std::size_t position = chains_.last_kept_ + 1; position-- > 0 && group.size() < group_blocks_;) {
    Chain& chain = chains_.chains_[position];
    chains_.last_kept_ = position;
    std::size_t kept = chain.kept;
    for (std::size_t i = chain.blocks.size(); i-- > 0 && kept > 0 && group.size() < group_blocks_;) {
      const ChainBlock& block = chain.blocks[i];
      if (block.state != State::kept) continue;
      --kept;
      group.push_back({&chain, i, pool_.buffer(block.place), block.records, block.code_pages});
    }
  }
  return group;
}

/// Decides by the present knowledge of the disks' speed; disks of unknown speed count as fast.
bool ChainWriter::worth_coding(const Chain& chain) {
  return chain.layout && would_code(*chain.layout);
}

bool ChainWriter::would_code(const BlockLayout& layout) const {
  SpillCoding& spill = environment_.spill;
  if (spill.codec() == SpillCodec::none || pool_.coding_threads() == 0 ||
      block_bytes() > ChainStore::most_coded_block_bytes) {
    return false;
  }
  const double speed = environment_.blocks.bytes_per_second();
  const double pays_below = coding_pays_below(layout, block_bytes(), pool_.coding_threads()) /
                            (environment_.blocks.speed_declared() ? 1 : seen_speed_margin);
  spill.note_choice(speed, pays_below);
  return spill.codec() == SpillCodec::delta || (speed > 0 && speed < pays_below);
}

/// Codes the blocks that have a layout and are not coded yet, if that makes them smaller. Called without the
/// lock.
void ChainWriter::code(std::span<Leaving> group, std::span<std::byte> scratch) {
  const TraceSpan coding(TraceKind::work, "code blocks");
  for (Leaving& each : group) {
    if (!each.chain->layout || each.code_pages != 0) continue;
    const std::size_t code_bytes =
        encode_block(*each.chain->layout, {each.buffer, block_bytes()}, each.records, scratch);
    if (code_bytes == 0) continue;
    each.code_pages = divide_up(code_bytes, page_bytes);
    environment_.spill.count_coded(block_bytes(), each.code_pages * page_bytes);
  }
}

void ChainWriter::reap_writes() {
  while (!writing_.empty() && writing_.front().request->done()) reap_oldest_write();
}

/// Requires: the write is done.
void ChainWriter::reap_oldest_write() {
  const Writing writing = std::move(writing_.front());
  writing_.pop_front();
  writing_blocks_ -= writing.buffers.size();
  for (std::byte* const buffer : writing.buffers) pool_.give(buffer);
  try {
    writing.request->wait();
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
}

/// Another thread may have completed this write and others in the meantime.
void ChainWriter::wait_for_oldest_write(Lock& lock) {
  const RequestPtr oldest = writing_.front().request;
  lock.unlock();
  try {
    oldest->wait();
  } catch (...) {
    // reap_oldest_write() throws it, with the lock held.
  }
  lock.lock();
  reap_writes();
}

void ChainWriter::wait_for_write(Lock& lock, std::uint32_t write) {
  while (in_flight(write)) wait_for_oldest_write(lock);
}

/// Blocks store only the lowest bits of the number of their write. They suffice, because the writes in flight
/// are the latest ones.
bool ChainWriter::in_flight(std::uint32_t write) const {
  return static_cast<std::uint32_t>(writes_started_) - write < writing_.size();
}

void ChainWriter::rethrow_failure() const {
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace emgraph::core
