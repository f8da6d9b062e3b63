// SPDX-License-Identifier: MIT
// The sequence heap: a priority queue for more records than fit into memory.
//
// Problem: push records and pop the least one, N records, M bytes of memory, blocks of B bytes.
// Method: Sanders' sequence heap. The deletion buffer holds the smallest records, sorted. A new record that
// belongs among them goes into a small binary heap, the insertion heap. Every other new record is appended to
// the insertion buffer. The insertion buffer is sorted when it is full or when the deletion buffer is empty,
// and becomes a sequence in memory. When memory is full, all sequences in memory are merged into a run on
// disk. When there are too many runs, the fullest level of runs is merged into one run of the next level. A
// refill of the deletion buffer merges the fronts of all sequences (BatchMerger); unsigned integers are
// merged by a vectorised sort. Invariants: bound_ is the last record of the deletion buffer after its last
// refill (or cut). Every record in the insertion buffer and the sequences is >= bound_. Every record in the
// insertion heap is < bound_; while all records are in the deletion buffer and the insertion heap, any record
// may be in the insertion heap. These two are both empty only if the queue is empty. Difference from the
// paper: the insertion buffer is not a heap, because only records below bound_ matter before the next refill.
// Sequences have any length and lie in one array; the paper has groups of equal length. Measured:
// time-forward processing of 50 M u32 messages (5 to uniform later nodes), push + pop: in 16, 64, 256, 512
// MiB 79, 78, 66, 89 M/s, STXXL 1.4.1 in 64 and 256 MiB 10.4 and 10.5; u64 50, 61, 58, 51 (EPYC, CPU time of
// the calling thread on a loaded machine, tests/bench/queue.bench.cpp). Sanders (2000), "Fast priority queues
// for cached memory", ACM JEA 5:7, doi 10.1145/351827.384249. Dementiev, Kettner, Sanders (2008), "STXXL:
// standard template library for XXL data sets", doi 10.1002/spe.844.
//
// I/O: O(1/B log_{M/B}(N/B)) blocks per push and pop, amortised; none while the records take 3/8 of the
// memory.
// Memory: Options::memory_bytes, reserved on construction; later 12 bytes per block on disk.
// Threads: one user at a time.
// Throws: MemoryLimitError, EnvironmentError (from push and pop). After a throw only destruction is allowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "core/queue/deletion_buffer.hpp"
#include "core/queue/external_sequences.hpp"
#include "core/queue/insertion_heap.hpp"
#include "core/queue/internal_sequences.hpp"
#include "core/queue/sequence_heap_plan.hpp"

namespace emgraph::core {

struct SequenceHeapOptions {
  /// All memory of the queue, bytes. At least 256 KiB for records of up to 64 bytes.
  std::size_t memory_bytes = std::size_t{64} << 20;
  /// Bytes per block on disk, a multiple of 4 KiB. 0: up to 2 MiB, such that memory holds the blocks of 32
  /// runs.
  std::size_t block_bytes = 0;
};

/// A min-heap by Less, a strict weak order. Equal records leave in any order. The environment must outlive
/// it.
template <class T, class Less = std::less<T>>
class SequenceHeap {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>);
  static_assert(alignof(T) <= 64);

 public:
  using Options = SequenceHeapOptions;

  explicit SequenceHeap(Environment& environment, Options options = {}, Less less = Less())
      : SequenceHeap(
            environment, options, less,
            plan_sequence_heap(round_down_to_page(options.memory_bytes), options.block_bytes, sizeof(T))) {}
  SequenceHeap(const SequenceHeap&) = delete;
  SequenceHeap& operator=(const SequenceHeap&) = delete;

  bool empty() const { return size_ == 0; }
  std::uint64_t size() const { return size_; }

  /// The least record. Requires: not empty. Valid until the next change.
  const T& top() const { return heap_first() ? heap_.top() : deletion_.front(); }

  /// Amortised O(log N) comparisons; most of them are made by sorting in cache.
  void push(const T& record) {
    ++size_;
    if (bounded_ && !less_(record, bound_)) {
      push_far(record);
    } else {
      push_near(record);
    }
  }

  /// Pushes each record.
  void push_batch(std::span<const T> records) {
    for (const T& record : records) push(record);
  }

  /// Removes the least record. Requires: not empty.
  void pop() {
    --size_;
    if (heap_first()) {
      heap_.pop();
    } else {
      deletion_.pop_front();
    }
    if (deletion_.empty() && heap_.empty() && size_ > 0) refill();
  }

  /// Removes all records less than `bound` and hands them, in order, to `out(std::span<const T>)` in one or
  /// more batches, none of them empty. `out` must not use the queue.
  template <class Out>
  void pop_below(const T& bound, Out&& out) {
    while (size_ > 0 && less_(top(), bound)) {
      if (heap_first()) {
        const T record = heap_.top();
        pop();
        out(std::span<const T>(&record, 1));
        continue;
      }
      const std::span<const T> waiting = deletion_.records();
      std::size_t count = 1;
      if (heap_.empty()) {
        while (count < waiting.size() && less_(waiting[count], bound)) ++count;
      } else {
        while (count < waiting.size() && less_(waiting[count], bound) &&
               !less_(heap_.top(), waiting[count])) {
          ++count;
        }
      }
      size_ -= count;
      deletion_.pop_front(count);
      out(waiting.first(count));
      if (deletion_.empty() && heap_.empty() && size_ > 0) refill();
    }
  }

  /// Number of runs on disk; 0: all records are in memory.
  std::size_t external_runs() const { return external_.runs(); }

 private:
  static std::size_t round_down_to_page(std::size_t bytes) { return bytes / page_bytes * page_bytes; }

  SequenceHeap(Environment& environment, const Options& options, Less less, const SequenceHeapPlan& plan)
      : less_(less),
        memory_(environment.memory, round_down_to_page(options.memory_bytes), "priority queue"),
        external_(environment, memory_.bytes().first(block_memory(plan)), plan.block_bytes,
                  plan.external_slots, plan.writer_buffers),
        deletion_(part(plan, 0, plan.batch), less),
        scratch_(part(plan, plan.batch, plan.batch)),
        heap_(part(plan, 2 * plan.batch, plan.insertion_heap), less),
        internal_(part(plan, 2 * plan.batch + plan.insertion_heap, plan.arena), scratch_, plan.batch, less),
        merger_(less) {}

  static std::size_t block_memory(const SequenceHeapPlan& plan) {
    return ExternalSequences<T, Less>::memory_bytes(plan.block_bytes, plan.external_slots,
                                                    plan.writer_buffers);
  }
  std::span<T> part(const SequenceHeapPlan& plan, std::size_t first, std::size_t count) const {
    return std::span(reinterpret_cast<T*>(memory_.data() + block_memory(plan)) + first, count);
  }

  bool heap_first() const {
    return !heap_.empty() && (deletion_.empty() || less_(heap_.top(), deletion_.front()));
  }

  /// Pushes a record that is >= bound_.
  void push_far(const T& record) {
    if (internal_.chunk_full()) make_room();
    internal_.append(record);
  }

  void push_near(const T& record) {
    if (heap_.full()) {
      empty_heap();
      if (bounded_ && !less_(record, bound_)) return push_far(record);
    }
    heap_.push(record);
  }

  /// Moves the records of the full insertion heap into the deletion buffer, whose back half may have to
  /// leave.
  void empty_heap() {
    if (!deletion_.fits(2 * heap_.size())) {
      for (const T& record : deletion_.cut_back()) push_far(record);
      bound_ = deletion_.back();
      bounded_ = true;
    }
    std::span<T> near = heap_.records();
    sort_records(near, less_);
    if (bounded_) {
      const auto far = std::lower_bound(near.begin(), near.end(), bound_, less_);
      for (auto record = far; record != near.end(); ++record) push_far(*record);
      near = near.first(static_cast<std::size_t>(far - near.begin()));
    }
    deletion_.merge_in(near);
    heap_.clear();
  }

  void make_room() {
    internal_.end_chunk();
    if (!internal_.arena_full()) return;
    // Compacting moves at most three records for each record of space that it frees.
    if (internal_.records() <= internal_.capacity() / 4 * 3) return internal_.compact();
    sources_.clear();
    for (MergeSource<T>& sequence : internal_.sequences()) sources_.push_back(&sequence);
    external_.write(sources_, merger_, scratch_);
    internal_.drop_exhausted();
  }

  void refill() {
    internal_.end_chunk();
    sources_.clear();
    for (MergeSource<T>& sequence : internal_.sequences()) sources_.push_back(&sequence);
    external_.collect(sources_);
    deletion_.filled(merger_.merge(sources_, deletion_.storage(), scratch_));
    internal_.drop_exhausted();
    external_.drop_exhausted();
    bounded_ = deletion_.size() < size_;
    bound_ = deletion_.back();
  }

  Less less_;
  std::uint64_t size_ = 0;
  bool bounded_ = false;
  T bound_{};
  Buffer memory_;
  ExternalSequences<T, Less> external_;
  DeletionBuffer<T, Less> deletion_;
  std::span<T> scratch_;
  InsertionHeap<T, Less> heap_;
  InternalSequences<T, Less> internal_;
  BatchMerger<T, Less> merger_;
  std::vector<MergeSource<T>*> sources_;
};

}  // namespace emgraph::core
