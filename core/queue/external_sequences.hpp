// SPDX-License-Identifier: MIT
// The sorted sequences of the sequence heap on disk, in levels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/block/run.hpp"
#include "core/sort/merge_batch.hpp"

namespace emgraph::core {

/// At most `slots` runs. The reader of each run holds one block and has the next one in flight. A run written
/// from memory has level 0. When all slots are taken, the runs of the fullest level are merged into one run
/// of the next level. With L levels in use the fullest level has at least slots / L runs, so a record is
/// written at most log_{slots/L}(N/M) times.
template <class T, class Less>
class ExternalSequences {
 public:
  static constexpr std::size_t depth = 1;

  /// Bytes of blocks for `slots` readers and a writer with `writer_buffers`.
  static constexpr std::size_t memory_bytes(std::size_t block_bytes, std::size_t slots,
                                            std::size_t writer_buffers) {
    return slots * RunReader<T>::memory_bytes(block_bytes, depth) + writer_buffers * block_bytes;
  }

  /// Requires: memory.size() = memory_bytes(…), slots >= 4.
  ExternalSequences(Environment& environment, std::span<std::byte> memory, std::size_t block_bytes,
                    std::size_t slots, std::size_t writer_buffers)
      : environment_(environment),
        block_bytes_(block_bytes),
        writer_buffers_(writer_buffers),
        writer_memory_(memory.first(writer_buffers * block_bytes)),
        reader_memory_(memory.subspan(writer_buffers * block_bytes)),
        slots_(slots) {}

  /// Merges all `sources` (in memory) into a run of level 0. If all slots are taken, merges a level first.
  /// Requires: scratch holds four records per source and per slot.
  void write(std::span<MergeSource<T>* const> sources, BatchMerger<T, Less>& merger, std::span<T> scratch) {
    if (used_ == slots_.size()) merge_fullest_level(merger, scratch);
    open(merge_to_run(sources, merger, scratch), 0);
  }

  /// Appends the sources of all runs to `sources`.
  void collect(std::vector<MergeSource<T>*>& sources) {
    for (std::optional<Slot>& slot : slots_) {
      if (slot) sources.push_back(&slot->source);
    }
  }

  void drop_exhausted() {
    for (std::optional<Slot>& slot : slots_) {
      if (slot && slot->source.exhausted()) close(slot);
    }
  }

  std::size_t runs() const { return used_; }

 private:
  struct Slot {
    Slot(RunReader<T>&& run_reader, unsigned run_level) : reader(std::move(run_reader)), level(run_level) {
      source.reader = &reader;
    }
    Slot(const Slot&) = delete;
    RunReader<T> reader;
    MergeSource<T> source;
    unsigned level;
  };

  Run<T> merge_to_run(std::span<MergeSource<T>* const> sources, BatchMerger<T, Less>& merger,
                      std::span<T> scratch) {
    RunWriter<T> writer(environment_, block_bytes_, writer_buffers_, writer_memory_);
    const std::span<T> batch = scratch.first(scratch.size() / 2);
    const std::span<T> spare = scratch.subspan(batch.size(), batch.size());
    while (const std::size_t count = merger.merge(sources, batch, spare)) writer.append(batch.first(count));
    return writer.finish();
  }

  void merge_fullest_level(BatchMerger<T, Less>& merger, std::span<T> scratch) {
    std::vector<std::size_t> runs_of_level;
    for (const std::optional<Slot>& slot : slots_) {
      if (slot->level >= runs_of_level.size()) runs_of_level.resize(slot->level + 1);
      ++runs_of_level[slot->level];
    }
    const auto fullest = std::max_element(runs_of_level.begin(), runs_of_level.end());
    const auto level = static_cast<unsigned>(fullest - runs_of_level.begin());
    // Levels grow geometrically, so the fullest level has more than one run. If not, all runs are merged.
    const bool all = *fullest < 2;
    std::vector<MergeSource<T>*> sources;
    for (std::optional<Slot>& slot : slots_) {
      if (all || slot->level == level) sources.push_back(&slot->source);
    }
    Run<T> run = merge_to_run(sources, merger, scratch);
    drop_exhausted();
    open(std::move(run), level + 1);
  }

  void open(Run<T>&& run, unsigned level) {
    const auto free = std::find_if(slots_.begin(), slots_.end(), [](const auto& slot) { return !slot; });
    const std::size_t bytes = RunReader<T>::memory_bytes(block_bytes_, depth);
    const auto index = static_cast<std::size_t>(free - slots_.begin());
    free->emplace(
        RunReader<T>(environment_, std::move(run), depth, reader_memory_.subspan(index * bytes, bytes)),
        level);
    ++used_;
  }

  void close(std::optional<Slot>& slot) {
    slot.reset();
    --used_;
  }

  Environment& environment_;
  std::size_t block_bytes_;
  std::size_t writer_buffers_;
  std::span<std::byte> writer_memory_;
  std::span<std::byte> reader_memory_;
  std::size_t used_ = 0;
  std::vector<std::optional<Slot>> slots_;
};

}  // namespace emgraph::core
