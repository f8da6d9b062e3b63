// SPDX-License-Identifier: MIT
// The sorted stream of a merge sorter. It makes the last merge pass while it is read.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "core/sort/merge_batch.hpp"
#include "core/sort/merge_plan.hpp"
#include "core/sort/run_sources.hpp"

namespace emgraph::core {

/// The parts of a merge sorter's memory; see MergePlan.
struct MergeAreas {
  MergeAreas(std::span<std::byte> memory, const MergePlan& plan)
      : ends(memory.first(plan.ends_bytes)),
        writer(memory.subspan(plan.ends_bytes, plan.writer_bytes())),
        rest(memory.subspan(plan.ends_bytes + plan.writer_bytes())) {}

  /// Space for the last records of blocks.
  template <class T>
  std::span<T> block_ends() const {
    return {reinterpret_cast<T*>(ends.data()), ends.size() / sizeof(T)};
  }
  /// Taken from the end, so that the blocks and records of the rest start at a page.
  template <class T>
  static std::size_t batch_bytes(const MergePlan& plan) {
    return (plan.batch * sizeof(T) + page_bytes - 1) / page_bytes * page_bytes;
  }
  template <class T>
  std::span<T> batch(const MergePlan& plan) const {
    return {reinterpret_cast<T*>(rest.data() + rest.size() - batch_bytes<T>(plan)), plan.batch};
  }
  template <class T>
  std::span<T> spare(const MergePlan& plan) const {
    return {reinterpret_cast<T*>(rest.data() + rest.size() - 2 * batch_bytes<T>(plan)), plan.batch};
  }

  /// The blocks of the readers.
  template <class T>
  std::span<std::byte> reading(const MergePlan& plan) const {
    return rest.first(rest.size() - 2 * batch_bytes<T>(plan));
  }

  std::span<std::byte> ends;
  std::span<std::byte> writer;
  std::span<std::byte> rest;  ///< records or reader blocks in front, then spare, then batch
};

/// A stream of all records in order. Batches have at least half of MergePlan::batch, except the last.
/// Movable. Throws: EnvironmentError from next(), after which only destruction is allowed.
template <class T, class Less>
class MergeStream {
 public:
  /// Merges sorted parts in `memory`.
  MergeStream(Buffer memory, const MergePlan& plan, std::vector<RunSource<T>> sources, Less less)
      : memory_(std::move(memory)),
        areas_(memory_.bytes(), plan),
        plan_(plan),
        in_memory_(std::move(sources)),
        merger_(less) {
    collect(in_memory_);
  }
  /// Merges runs. `prediction`: of predict_blocks, if the caller kept the ends of blocks. Requires: at most
  /// plan.fan_in runs, else std::logic_error.
  MergeStream(Environment& environment, Buffer memory, const MergePlan& plan, std::vector<Run<T>> runs,
              Less less, BlockPrefetcher::Prediction prediction = {})
      : memory_(std::move(memory)), areas_(memory_.bytes(), plan), plan_(plan), merger_(less) {
    // The blocks of more readers would overlap the batches.
    if (runs.size() > plan.fan_in) throw std::logic_error("merge stream: more runs than can be merged");
    on_disk_ = std::make_unique<RunSources<T>>(environment, plan.block_bytes, areas_.reading<T>(plan),
                                               std::move(runs), std::move(prediction));
    collect(on_disk_->sources());
  }
  MergeStream(MergeStream&&) noexcept = default;

  /// The prefetcher of the runs; null if all records are in memory.
  const BlockPrefetcher* prefetcher() const { return on_disk_ ? &on_disk_->blocks() : nullptr; }

  /// The next records, empty at the end. Valid until the next call.
  std::span<const T> next() {
    if (sources_.size() == 1) return next_of_only();
    const std::span<T> batch = areas_.batch<T>(plan_);
    return batch.first(merger_.merge(sources_, batch, areas_.spare<T>(plan_)));
  }

 private:
  void collect(std::vector<RunSource<T>>& sources) {
    for (RunSource<T>& source : sources) sources_.push_back(&source);
  }
  std::span<const T> next_of_only() {
    RunSource<T>& source = *sources_.front();
    if (source.window.empty() && source.more_on_disk()) return source.reader->next();
    return std::exchange(source.window, {});
  }

  Buffer memory_;
  MergeAreas areas_;
  MergePlan plan_;
  std::vector<RunSource<T>> in_memory_;
  std::unique_ptr<RunSources<T>> on_disk_;  ///< declared after memory_, so that reads end before it is freed
  BatchMerger<T, Less, PrefetchedRun<T>> merger_;
  std::vector<RunSource<T>*> sources_;
};

}  // namespace emgraph::core
