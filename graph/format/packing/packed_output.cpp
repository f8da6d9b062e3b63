// SPDX-License-Identifier: MIT
// A ring of blocks: filled, packed, written.
#include "graph/format/packing/packed_output.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/bytes.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t block_bytes = 512 * core::KiB;

}  // namespace

PackedOutput::PackedOutput(core::Environment& environment, std::unique_ptr<core::OutputFile> output,
                           Packing packing, int level)
    : trace_(environment.io.trace()), output_(std::move(output)) {
  const std::size_t packed_bytes = packed_bound(packing, block_bytes);
  const std::size_t table_bytes = block_packer_bytes(packing, level, block_bytes);
  const std::size_t per_thread = block_bytes + packed_bytes + table_bytes;
  const std::size_t affordable = std::max<std::size_t>(1, environment.memory.available() / 4 / per_thread);
  const std::size_t threads = std::min<std::size_t>(environment.threads, affordable);
  tables_ = environment.memory.reserve(threads * table_bytes, "packing text");
  slots_.resize(threads + 1);
  for (Slot& slot : slots_) {
    slot.text = core::Buffer(environment.memory, block_bytes, "text to be packed");
    slot.packed = core::Buffer(environment.memory, packed_bytes, "packed text");
  }
  std::vector<std::unique_ptr<BlockPacker>> packers;
  for (std::size_t i = 0; i < threads; ++i) packers.push_back(make_block_packer(packing, level));
  for (std::unique_ptr<BlockPacker>& packer : packers) {
    threads_.emplace_back(
        [this, own = std::move(packer)](const std::stop_token& stop) { pack_blocks(*own, stop); });
  }
}

void PackedOutput::append(std::span<const std::byte> text) {
  while (!text.empty()) {
    const std::size_t piece = std::min(text.size(), block_bytes - filled_);
    std::memcpy(slot(submitted_).text.data() + filled_, text.data(), piece);
    text = text.subspan(piece);
    filled_ += piece;
    if (filled_ == block_bytes) submit();
  }
}

void PackedOutput::finish() {
  // An empty text has a block, too: no bytes at all are neither gzip nor zstd.
  if (filled_ != 0 || submitted_ == 0) submit();
  while (written_ < submitted_) write_oldest();
  output_->finish();
}

void PackedOutput::submit() {
  slot(submitted_).text_bytes = std::exchange(filled_, 0);
  {
    const std::lock_guard lock(mutex_);
    ++submitted_;
  }
  changed_.notify_all();
  if (submitted_ - written_ == slots_.size()) write_oldest();
}

void PackedOutput::write_oldest() {
  Slot& oldest = slot(written_);
  {
    std::unique_lock lock(mutex_);
    core::wait_for_thread(
        changed_, lock, [&] { return oldest.done || error_ != nullptr; }, "wait for packer");
    if (error_ != nullptr) std::rethrow_exception(error_);
    oldest.done = false;
  }
  output_->append(oldest.packed.bytes().first(oldest.packed_bytes));
  ++written_;
}

void PackedOutput::pack_blocks(BlockPacker& packer, const std::stop_token& stop) {
  while (true) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [&] { return taken_ < submitted_; })) return;
    Slot& mine = slot(taken_++);
    lock.unlock();
    try {
      const core::TraceSpan packing(trace_, core::TraceKind::work, "pack block");
      mine.packed_bytes = packer.pack(mine.text.bytes().first(mine.text_bytes), mine.packed.bytes());
    } catch (...) {
      lock.lock();
      error_ = std::current_exception();
      lock.unlock();
      changed_.notify_all();
      return;
    }
    lock.lock();
    mine.done = true;
    lock.unlock();
    changed_.notify_all();
  }
}

}  // namespace emgraph::graph::format
