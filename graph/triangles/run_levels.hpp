// SPDX-License-Identifier: MIT
// Keeps any number of sorted runs in levels, and merges them so that there are never many runs.
//
// Method: when a level has as many runs as can be merged at once, they are merged into one run of the next
// level. Invariant: a run is allocated in at most 64 stretches, or in stretches of 64 MiB, so that the size
// of its list of blocks is bounded. These lists reduce the memory for merging, so the fan-in can become
// smaller than the number of runs of a level. Source: Knuth (1998), "The Art of Computer Programming" 3,
// section 5.4.
//
// I/O: with n runs and fan-in f, every record is written and read log_f(n) times. Memory: all free memory of
// the budget during a merge. Threads: one user. Throws: MemoryLimitError, EnvironmentError.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/block/run.hpp"
#include "core/sort/merge_plan.hpp"
#include "core/sort/merge_stream.hpp"

namespace emgraph::graph::triangles {

template <class T, class Less>
class RunLevels {
 public:
  using Stream = core::MergeStream<T, Less>;

  RunLevels(core::Environment& environment, std::size_t block_bytes, Less less)
      : environment_(environment), block_bytes_(block_bytes), less_(less) {}

  bool empty() const { return levels_.empty(); }
  /// Memory of a writer's blocks.
  static constexpr std::size_t writer_bytes(std::size_t block_bytes) { return writer_blocks * block_bytes; }

  /// A writer for a run of about `records` records.
  core::RunWriter<T> writer(std::uint64_t records) {
    const std::uint64_t blocks = core::divide_up(records, core::Run<T>::records_per_block(block_bytes_));
    const auto stretch = std::clamp<std::uint64_t>(core::divide_up(blocks, stretches_per_run), 1,
                                                   most_stretch_bytes / block_bytes_);
    return core::RunWriter<T>(environment_, block_bytes_, writer_blocks, {},
                              static_cast<std::size_t>(stretch));
  }

  void add(core::Run<T> run) {
    const core::MergePlan plan = this->plan();
    for (std::size_t level = 0;; ++level) {
      if (level == levels_.size()) levels_.emplace_back();
      levels_[level].push_back(std::move(run));
      if (levels_[level].size() < plan.fan_in) return;
      run = merge_first(levels_[level], plan.fan_in, plan);
    }
  }

  /// Returns a stream of all records in order. The stream makes the last merge pass; before it as few small
  /// runs as necessary are merged. Afterwards only destruction is allowed.
  Stream finish() {
    Runs runs;
    for (Runs& level : levels_) std::move(level.begin(), level.end(), std::back_inserter(runs));
    levels_.clear();
    const core::MergePlan plan = this->plan();
    while (runs.size() > plan.fan_in) {
      const std::size_t count = std::min(plan.fan_in, runs.size() - plan.fan_in + 1);
      runs.push_back(merge_first(runs, count, plan));
    }
    return merge({std::make_move_iterator(runs.begin()), std::make_move_iterator(runs.end())}, plan);
  }

 private:
  using Runs = std::deque<core::Run<T>>;

  static constexpr std::size_t writer_blocks = 2;
  static constexpr std::size_t most_stretch_bytes = 64 * core::MiB;
  static constexpr std::uint64_t stretches_per_run = 64;

  core::MergePlan plan() const {
    const std::size_t free = environment_.memory.available();
    // The seals of a merged run, whose list doubles when it grows: all blocks on the disks are an upper
    // bound.
    const std::uint64_t blocks = environment_.blocks.used_bytes() / block_bytes_ + 16;
    const std::size_t seals = static_cast<std::size_t>(blocks) * 2 * sizeof(core::Seal);
    const std::size_t bytes = free - std::min(free, writer_bytes(block_bytes_) + seals);
    core::MergePlan plan =
        core::plan_merge_sort(core::round_down(bytes, core::page_bytes), block_bytes_, sizeof(T));
    plan.writer_buffers = 0;  // the writer reserves its own blocks
    return plan;
  }

  Stream merge(std::vector<core::Run<T>> runs, const core::MergePlan& plan) {
    const std::size_t readers = plan.fan_in * core::RunReader<T>::memory_bytes(block_bytes_, 1);
    core::Buffer memory(environment_.memory, readers + 2 * core::MergeAreas::batch_bytes<T>(plan),
                        "merging runs");
    return Stream(environment_, std::move(memory), plan, std::move(runs), less_);
  }

  /// Merges the first `count` runs into one. Requires: at most the plan's fan-in.
  core::Run<T> merge_first(Runs& runs, std::size_t count, const core::MergePlan& plan) {
    std::vector<core::Run<T>> first;
    std::uint64_t records = 0;
    for (; first.size() < count; runs.pop_front()) {
      records += runs.front().records;
      first.push_back(std::move(runs.front()));
    }
    core::RunWriter<T> to = writer(records);
    Stream stream = merge(std::move(first), plan);
    for (auto batch = stream.next(); !batch.empty(); batch = stream.next()) to.append(batch);
    return to.finish();
  }

  core::Environment& environment_;
  const std::size_t block_bytes_;
  const Less less_;
  std::vector<Runs> levels_;
};

}  // namespace emgraph::graph::triangles
