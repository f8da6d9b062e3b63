// SPDX-License-Identifier: MIT
// A run: a sequence of records in blocks over the parallel disks, with its writer and its readers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "core/block/run_blocks.hpp"
#include "core/environment.hpp"

namespace emgraph::core {

/// A sequence of `records` records of T, floor(block_bytes / sizeof(T)) in each block except the last.
/// Move-only. Destruction frees the space on disk. Memory: 8 bytes per stretch of blocks and 4 per
/// block, charged to the budget.
template <class T>
struct Run {
  static_assert(std::is_trivially_copyable_v<T>);

  BlockList blocks;
  std::uint64_t records = 0;

  std::size_t block_bytes() const { return blocks.block_bytes(); }
  static constexpr std::size_t records_per_block(std::size_t block_bytes) { return block_bytes / sizeof(T); }

  /// Describes the run for a later process, in which restored() claims its space.
  void save(StateWriter& state) const {
    state.value(records);
    if (records > 0) blocks.save(state);
  }
  static Run restored(Environment& environment, StateReader& state) {
    const auto records = state.value<std::uint64_t>();
    return records > 0 ? Run{BlockList(environment, state), records} : Run{};
  }
};

/// Writes a Run with `buffers` blocks in memory: one is filled while the others are in flight.
///
/// I/O: one write per block, through the allocation strategy of the block manager.
/// Memory: `buffers` blocks, taken from `memory` (aligned to a page) if given, else reserved.
/// Threads: one user. Throws: EnvironmentError from any call after a write has failed, MemoryLimitError.
/// After a throw only destruction is allowed. Destruction without finish() deletes the run.
template <class T>
class RunWriter {
 public:
  /// `stretch_blocks`: blocks allocated at a time (see BlockList). Requires: block_bytes a multiple of
  /// BlockManager::granularity_bytes, at least sizeof(T); buffers >= 1; stretch_blocks >= 1.
  RunWriter(Environment& environment, std::size_t block_bytes, std::size_t buffers = 2,
            std::span<std::byte> memory = {}, std::size_t stretch_blocks = 1)
      : writer_(environment, block_bytes, buffers, memory, stretch_blocks),
        block_records_(Run<T>::records_per_block(block_bytes)) {
    open_block();
  }
  /// Goes on with the run that save() has described, in blocks of its size.
  RunWriter(Environment& environment, StateReader& state, std::size_t buffers = 2)
      : writer_(environment, buffers, state),
        block_records_(Run<T>::records_per_block(writer_.block_bytes())) {
    written_ = state.value<std::uint64_t>();
    open_block();
    const auto count = static_cast<std::size_t>(state.value<std::uint64_t>());
    state.array(std::span(position_, count));
    position_ += count;
  }
  RunWriter(RunWriter&&) noexcept = default;
  RunWriter& operator=(RunWriter&&) noexcept = default;

  void push(const T& record) {
    if (position_ == limit_) write_block();
    *position_++ = record;
  }

  void append(std::span<const T> records) {
    while (!records.empty()) {
      if (position_ == limit_) write_block();
      const std::size_t count = std::min(records.size(), static_cast<std::size_t>(limit_ - position_));
      std::memcpy(position_, records.data(), count * sizeof(T));
      position_ += count;
      records = records.subspan(count);
    }
  }

  std::uint64_t records() const { return written_ + static_cast<std::uint64_t>(position_ - begin_); }

  /// Waits for the writes, and describes all records: those on disk by their blocks, the others as they are.
  void save(StateWriter& state) {
    writer_.save(state);
    state.value(written_);
    state.value(static_cast<std::uint64_t>(position_ - begin_));
    state.array(std::span(begin_, position_));
  }

  /// Waits for all writes and returns the run. Afterwards only destruction is allowed.
  Run<T> finish() {
    if (position_ != begin_) write_block();
    return Run<T>{writer_.finish(), written_};
  }

 private:
  void open_block() {
    begin_ = reinterpret_cast<T*>(writer_.buffer().data());
    position_ = begin_;
    limit_ = begin_ + block_records_;
  }
  void write_block() {
    const auto count = static_cast<std::size_t>(position_ - begin_);
    writer_.write(count * sizeof(T));
    written_ += count;
    open_block();
  }

  BlockWriter writer_;
  std::size_t block_records_;
  std::uint64_t written_ = 0;
  T* begin_ = nullptr;
  T* position_ = nullptr;
  T* limit_ = nullptr;
};

/// A stream of the records of a Run, one block per batch, with `depth` blocks read ahead.
/// A consuming reader owns its run and frees each block as soon as the block is read.
///
/// I/O: one read per block. Memory: depth + 1 blocks, taken from `memory` (aligned to a page) if given, else
/// reserved. Threads: one user. Throws: EnvironmentError from next(); a further call throws for the same
/// block.
template <class T>
class RunReader {
 public:
  static constexpr std::size_t memory_bytes(std::size_t block_bytes, std::size_t depth) {
    return block_bytes * (depth + 1);
  }

  /// Consumes the run.
  RunReader(Environment& environment, Run<T>&& run, std::size_t depth = 1, std::span<std::byte> memory = {})
      : block_records_(Run<T>::records_per_block(run.block_bytes())),
        unread_(std::exchange(run.records, 0)),
        reader_(environment, std::move(run.blocks), depth, memory) {}
  /// Reads the run without consuming it; the run must outlive the reader.
  RunReader(Environment& environment, const Run<T>& run, std::size_t depth = 1,
            std::span<std::byte> memory = {})
      : block_records_(Run<T>::records_per_block(run.block_bytes())),
        unread_(run.records),
        reader_(environment, run.blocks, depth, memory) {}

  /// The next block's records, empty at the end. Valid until the next call.
  std::span<const T> next() {
    if (unread_ == 0) return {};
    const std::byte* data = reader_.next().data();
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(block_records_, unread_));
    unread_ -= count;
    return {reinterpret_cast<const T*>(data), count};
  }

  /// Records that next() has not returned yet.
  std::uint64_t unread() const { return unread_; }

 private:
  std::size_t block_records_;
  std::uint64_t unread_;
  BlockReader reader_;
};

/// Reads a run record by record, consuming it or not, as RunReader does. I/O, Memory, Throws: as RunReader,
/// with `depth` blocks read ahead. Threads: one user.
template <class T>
class RunCursor {
 public:
  static constexpr std::size_t depth = 2;

  /// Reads the first block.
  template <class AnyRun>
  RunCursor(Environment& environment, AnyRun&& run)
      : reader_(environment, std::forward<AnyRun>(run), depth), batch_(reader_.next()) {}
  bool at_end() const { return batch_.empty(); }
  const T& operator*() const { return batch_.front(); }
  const T* operator->() const { return &batch_.front(); }
  void next() {
    batch_ = batch_.subspan(1);
    if (batch_.empty()) batch_ = reader_.next();
  }

 private:
  RunReader<T> reader_;
  std::span<const T> batch_;
};

}  // namespace emgraph::core
