// SPDX-License-Identifier: MIT
// External merge sort: run formation in memory, then merging in the necessary number of passes.
//
// Problem: sort N records with M bytes of memory and blocks of B bytes.
// Method: run formation fills memory with records; each thread sorts its share; the shares are merged and
// written as a run. The last blocks of a run are in flight while the next run fills. finish() merges the
// oldest runs until one pass is left; the stream makes this last pass while it is read. Records that fit into
// memory stay there. The last record of each block is kept. From these records follows the order in which a
// merge needs the blocks, and so the order of read-ahead on all disks (RunSources). Invariants: a run is
// written once and read once. A pass before the last merges only as many runs as necessary. With a total
// order the output depends neither on threads nor on memory; else equal records leave in any order. Measured:
// 50 M random u64 keys in 64 MiB: push 123 M/s, finish and read 267, together 84; 25 M records of 16 bytes
// 64, 138, 44 (EPYC, CPU time of the calling thread alone, 2 threads sorting, loaded machine,
// tests/bench/queue.bench.cpp).
// Knuth (1998), "The Art of Computer Programming" 3, section 5.4; Aggarwal, Vitter (1988), doi
// 10.1145/48529.48535.
//
// I/O: 2 N/B max(1, ceil(log_{M/2B}(N/M))) blocks; none when the records fit into memory.
// Memory: Options::memory_bytes, reserved on construction; later 12 bytes per block on disk.
// Threads: one user; sorts on environment.threads.
// Throws: MemoryLimitError, EnvironmentError. After a throw only destruction is allowed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/base/parallel.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "core/sort/block_ends.hpp"
#include "core/sort/merge_batch.hpp"
#include "core/sort/merge_plan.hpp"
#include "core/sort/merge_stream.hpp"

namespace emgraph::core {

struct MergeSorterOptions {
  /// All memory of the sorter and of its stream, bytes. At least 256 KiB for records of up to 64 bytes.
  std::size_t memory_bytes = std::size_t{64} << 20;
  /// Bytes per block on disk, a multiple of 4 KiB. 0: up to 2 MiB, such that 64 runs can be merged.
  std::size_t block_bytes = 0;
};

/// Usage: push all records, call finish() once, read the stream. The environment must outlive sorter and
/// stream.
template <class T, class Less = std::less<T>>
class MergeSorter {
  static_assert(std::is_trivially_copyable_v<T>);
  static_assert(alignof(T) <= page_bytes);

 public:
  using Options = MergeSorterOptions;
  using Stream = MergeStream<T, Less>;

  [[gnu::cold]] explicit MergeSorter(Environment& environment, Options options = {}, Less less = Less())
      : environment_(environment),
        less_(less),
        plan_(plan_merge_sort(round_down(options.memory_bytes, page_bytes), options.block_bytes, sizeof(T),
                              true)),
        memory_(environment.memory, round_down(options.memory_bytes, page_bytes), "merge sorter"),
        areas_(memory_.bytes(), plan_),
        merger_(less),
        block_ends_(areas_.template block_ends<T>(), Run<T>::records_per_block(plan_.block_bytes)) {}
  MergeSorter(const MergeSorter&) = delete;
  MergeSorter& operator=(const MergeSorter&) = delete;

  void push(std::span<const T> records) {
    while (!records.empty()) {
      if (filled_ == plan_.run) write_run();
      const std::size_t count = std::min(records.size(), plan_.run - filled_);
      std::memcpy(run_area() + filled_, records.data(), count * sizeof(T));
      filled_ += count;
      records = records.subspan(count);
    }
  }

  std::uint64_t size() const { return written_ + filled_; }

  /// Returns a stream of all records in order. Afterwards only destruction is allowed.
  Stream finish() {
    if (runs_.empty() && !writer_) return Stream(std::move(memory_), plan_, sort_in_memory(), less_);
    if (filled_ > 0) write_run();
    finish_run();
    while (runs_.size() > plan_.fan_in) merge_pass();
    std::vector<RunEnds<T>> ends;
    std::vector<Run<T>> last = take_runs(runs_.size(), ends);
    auto prediction = predict_blocks<T>(last, ends, plan_.block_bytes, less_);
    return Stream(environment_, std::move(memory_), plan_, std::move(last), less_, std::move(prediction));
  }

 private:
  T* run_area() const { return reinterpret_cast<T*>(areas_.rest.data()); }

  /// Sorts the records in memory, a share per thread. Returns the shares.
  std::vector<RunSource<T>> sort_in_memory() {
    // BatchMerger needs room for two records of each share.
    const std::size_t most_shares = std::max<std::size_t>(1, plan_.batch / 2);
    const std::size_t shares =
        filled_ < plan_.batch ? 1 : std::clamp<std::size_t>(environment_.threads, 1, most_shares);
    std::vector<RunSource<T>> sources(shares);
    run_on_threads(static_cast<unsigned>(shares), [&](unsigned thread) {
      const std::size_t begin = filled_ * thread / shares;
      const std::size_t end = filled_ * (thread + 1) / shares;
      sort_records(std::span<T>(run_area() + begin, run_area() + end), less_);
      sources[thread].window = {run_area() + begin, run_area() + end};
    });
    return sources;
  }

  void write_run() {
    std::vector<RunSource<T>> sources = sort_in_memory();
    // Waits only now, because the last blocks of the previous run were written while this one was filled and
    // sorted.
    finish_run();
    writer_.emplace(environment_, plan_.block_bytes, plan_.writer_buffers, areas_.writer);
    if (sources.size() == 1) {
      append(sources[0].window);
    } else {
      merge_to_writer(sources);
    }
    written_ += filled_;
    filled_ = 0;
  }

  void append(std::span<const T> records) {
    writer_->append(records);
    block_ends_.append(records);
  }
  void finish_run() {
    if (!writer_) return;
    runs_.push_back({writer_->finish(), block_ends_.close()});
    writer_.reset();
  }
  /// Removes and returns the oldest `count` runs, and the ends of their blocks.
  std::vector<Run<T>> take_runs(std::size_t count, std::vector<RunEnds<T>>& ends) {
    std::vector<Run<T>> taken;
    for (; taken.size() < count; runs_.pop_front()) {
      taken.push_back(std::move(runs_.front().run));
      ends.push_back(runs_.front().ends);
    }
    return taken;
  }

  void merge_to_writer(std::vector<RunSource<T>>& sources) {
    std::vector<RunSource<T>*> pointers;
    for (RunSource<T>& source : sources) pointers.push_back(&source);
    const auto batch = areas_.template batch<T>(plan_);
    const auto spare = areas_.template spare<T>(plan_);
    while (const std::size_t count = merger_.merge(pointers, batch, spare)) append(batch.first(count));
  }

  /// Merges the oldest runs into one: as many that the next pass can be the last one, if possible.
  void merge_pass() {
    const std::size_t count = std::min(plan_.fan_in, runs_.size() - plan_.fan_in + 1);
    std::vector<RunEnds<T>> ends;
    std::vector<Run<T>> runs = take_runs(count, ends);
    auto prediction = predict_blocks<T>(runs, ends, plan_.block_bytes, less_);
    RunSources<T> sources(environment_, plan_.block_bytes, areas_.template reading<T>(plan_), std::move(runs),
                          std::move(prediction));
    writer_.emplace(environment_, plan_.block_bytes, plan_.writer_buffers, areas_.writer);
    merge_to_writer(sources.sources());
    finish_run();
    for (const RunEnds<T>& of : ends) block_ends_.drop(of);
  }

  struct FinishedRun {
    Run<T> run;
    RunEnds<T> ends;
  };

  Environment& environment_;
  Less less_;
  MergePlan plan_;
  Buffer memory_;
  MergeAreas areas_;
  BatchMerger<T, Less, PrefetchedRun<T>> merger_;
  BlockEnds<T> block_ends_;
  std::size_t filled_ = 0;
  std::uint64_t written_ = 0;
  std::deque<FinishedRun> runs_;        ///< oldest first
  std::optional<RunWriter<T>> writer_;  ///< writer of the last run, whose last blocks may be in flight
};

}  // namespace emgraph::core
