// SPDX-License-Identifier: MIT
// The runs of a merge, read by one prefetcher.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/block/block_prefetcher.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/sort/block_ends.hpp"
#include "core/sort/merge_batch.hpp"
#include "core/sort/prediction_sequence.hpp"

namespace emgraph::core {

/// One of several runs that are read by the same prefetcher.
template <class T>
class PrefetchedRun {
 public:
  PrefetchedRun(BlockPrefetcher& blocks, std::size_t number, std::uint64_t records, std::size_t block_records)
      : blocks_(blocks), number_(number), unread_(records), block_records_(block_records) {}

  /// The next block's records, empty at the end. Valid until the next call.
  std::span<const T> next() {
    if (unread_ == 0) return {};
    const std::byte* const data = blocks_.next(number_).data();
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(block_records_, unread_));
    unread_ -= count;
    return {reinterpret_cast<const T*>(data), count};
  }
  /// Records that next() has not returned yet.
  std::uint64_t unread() const { return unread_; }

 private:
  BlockPrefetcher& blocks_;
  std::size_t number_;
  std::uint64_t unread_;
  std::size_t block_records_;
};

template <class T>
using RunSource = MergeSource<T, PrefetchedRun<T>>;

/// The order in which a merge needs the blocks of `runs`, if the ends of the blocks of all runs are known,
/// else an empty function. The records that `ends` refer to must not change while it is used.
template <class T, class Less>
BlockPrefetcher::Prediction predict_blocks(const std::vector<Run<T>>& runs, std::span<const RunEnds<T>> ends,
                                           std::size_t block_bytes, Less less) {
  if (ends.empty() || !std::all_of(ends.begin(), ends.end(), [](const auto& of) { return of.known(); })) {
    return {};
  }
  PredictionSequence<T, Less> sequence(less);
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::uint64_t blocks = divide_up(runs[run].records, Run<T>::records_per_block(block_bytes));
    sequence.add(ends[run], static_cast<std::size_t>(blocks));
  }
  return [sequence = std::move(sequence)]() mutable {
    return sequence.next().value_or(BlockPrefetcher::no_list);
  };
}

/// Blocks are read by a schedule for the predicted order. Without a prediction each run is read one block
/// ahead. I/O, Memory, Throws: as BlockPrefetcher; not charged: 100 bytes per run.
template <class T>
class RunSources {
 public:
  /// `memory`: at least two blocks per run. Cold: once per merge, so compiled for size.
  [[gnu::cold]] RunSources(Environment& environment, std::size_t block_bytes, std::span<std::byte> memory,
                           std::vector<Run<T>> runs, BlockPrefetcher::Prediction prediction)
      : blocks_(environment, lists_of(runs), block_bytes, memory, std::move(prediction)) {
    readers_.reserve(runs.size());  // sources point to readers, which stay where they are
    sources_.reserve(runs.size());
    for (std::size_t run = 0; run < runs.size(); ++run) {
      readers_.emplace_back(blocks_, run, runs[run].records, Run<T>::records_per_block(block_bytes));
      sources_.push_back({{}, &readers_.back()});
    }
  }
  RunSources(const RunSources&) = delete;

  std::vector<RunSource<T>>& sources() { return sources_; }
  const BlockPrefetcher& blocks() const { return blocks_; }

 private:
  static std::vector<BlockList> lists_of(std::vector<Run<T>>& runs) {
    std::vector<BlockList> lists;
    lists.reserve(runs.size());
    for (Run<T>& run : runs) lists.push_back(std::move(run.blocks));
    return lists;
  }

  BlockPrefetcher blocks_;
  std::vector<PrefetchedRun<T>> readers_;
  std::vector<RunSource<T>> sources_;
};

}  // namespace emgraph::core
