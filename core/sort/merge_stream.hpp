// SPDX-License-Identifier: MIT
// The sorted stream of a merge sorter: the last pass of merging, done as it is read.
#pragma once

#include <cstddef>
#include <deque>
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

namespace emgraph::core {

/// The parts of a merge sorter's memory, see MergePlan.
struct MergeAreas {
  MergeAreas(std::span<std::byte> memory, const MergePlan& plan)
      : writer(memory.first(plan.writer_bytes())),
        // From the end, so that blocks and records of the rest start at a page.
        rest(memory.subspan(plan.writer_bytes(), memory.size() - plan.writer_bytes())) {}

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

  std::span<std::byte> writer;
  std::span<std::byte> rest;  ///< records or reader blocks in front, then spare, then batch
};

/// Readers on runs, their blocks in `memory`.
template <class T>
class RunSources {
 public:
  RunSources(Environment& environment, const MergePlan& plan, std::span<std::byte> memory)
      : environment_(&environment), block_bytes_(plan.block_bytes), memory_(memory) {}
  RunSources(const RunSources&) = delete;
  RunSources& operator=(const RunSources&) = delete;

  void add(Run<T>&& run) {
    constexpr std::size_t depth = 1;
    const std::size_t bytes = RunReader<T>::memory_bytes(block_bytes_, depth);
    const std::span<std::byte> blocks = memory_.subspan(readers_.size() * bytes, bytes);
    readers_.emplace_back(*environment_, std::move(run), depth, blocks);
    sources_.push_back({{}, &readers_.back()});
  }
  std::vector<MergeSource<T>>& sources() { return sources_; }

 private:
  Environment* environment_;
  std::size_t block_bytes_;
  std::span<std::byte> memory_;
  std::deque<RunReader<T>> readers_;  // does not move its elements
  std::vector<MergeSource<T>> sources_;
};

/// A stream of all records in order; batches of at least half MergePlan::batch but for the last. Movable.
/// Throws: EnvironmentError from next(), after which only destruction is allowed.
template <class T, class Less>
class MergeStream {
 public:
  /// Of sorted parts that lie in `memory`.
  MergeStream(Buffer memory, const MergePlan& plan, std::vector<MergeSource<T>> sources, Less less)
      : memory_(std::move(memory)),
        areas_(memory_.bytes(), plan),
        plan_(plan),
        in_memory_(std::move(sources)),
        merger_(less) {
    collect(in_memory_);
  }
  /// Of runs. Requires: at most plan.fan_in, else std::logic_error.
  MergeStream(Environment& environment, Buffer memory, const MergePlan& plan, std::vector<Run<T>> runs,
              Less less)
      : memory_(std::move(memory)), areas_(memory_.bytes(), plan), plan_(plan), merger_(less) {
    // Readers of more would lie over the batches, without a word.
    if (runs.size() > plan.fan_in) throw std::logic_error("merge stream: more runs than can be merged");
    on_disk_ = std::make_unique<RunSources<T>>(environment, plan, areas_.rest);
    for (Run<T>& run : runs) on_disk_->add(std::move(run));
    collect(on_disk_->sources());
  }
  MergeStream(MergeStream&&) noexcept = default;

  /// The next records, empty at the end. Valid until the next call.
  std::span<const T> next() {
    if (sources_.size() == 1) return next_of_only();
    const std::span<T> batch = areas_.batch<T>(plan_);
    return batch.first(merger_.merge(sources_, batch, areas_.spare<T>(plan_)));
  }

 private:
  void collect(std::vector<MergeSource<T>>& sources) {
    for (MergeSource<T>& source : sources) sources_.push_back(&source);
  }
  std::span<const T> next_of_only() {
    MergeSource<T>& source = *sources_.front();
    if (source.window.empty() && source.more_on_disk()) return source.reader->next();
    return std::exchange(source.window, {});
  }

  Buffer memory_;
  MergeAreas areas_;
  MergePlan plan_;
  std::vector<MergeSource<T>> in_memory_;
  std::unique_ptr<RunSources<T>> on_disk_;  ///< after memory_, so that reads end before it is freed
  BatchMerger<T, Less> merger_;
  std::vector<MergeSource<T>*> sources_;
};

}  // namespace emgraph::core
