// SPDX-License-Identifier: MIT
// Sorts records whose number is not known beforehand, in memory that does not grow with it.
//
// Problem: a DistributionSorter keeps a list of its blocks in memory, and is planned from the number of
// records. Triangles are counted only as they are found, and there can be far more of them than edges.
// Method: sort as many as a sorter of the given memory can be planned for. When those have come the pushing
// threads are held up, the sorter is read into a run, and another one begins, with splitters from the keys of
// the one before; run_levels.hpp keeps the runs and merges them. If one sorter takes all, no run is written.
//
// I/O: what the sorters spill, and where one is not enough, the merges. Memory: `memory_bytes`, all of it
// reserved on construction; not charged: a sample of 8192 keys. Threads: `lane(i)` from thread i, any number
// of them; else one. Throws: MemoryLimitError, EnvironmentError. After a throw nothing is kept any more.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/sort/distribution_sorter.hpp"
#include "graph/triangles/run_levels.hpp"

namespace emgraph::graph::triangles {

/// A key with `A` opaque bytes.
template <core::IntegerKey Key, std::size_t A>
struct RunRecord {
  Key key;
  std::array<std::byte, A> attachment;
};
template <core::IntegerKey Key>
struct RunRecord<Key, 0> {
  Key key;
};

template <core::IntegerKey Key, std::size_t A>
class RunSort {
  struct End;

 public:
  using Sorter = core::DistributionSorter<Key>;
  using Record = RunRecord<Key, A>;

  struct Options {
    core::KeyRange<Key> range;  ///< range of all keys
    std::optional<std::uint64_t> records =
        std::nullopt;  ///< an upper bound of the number of records, if known
    std::size_t memory_bytes = 0;
    unsigned threads = 1;  ///< threads that sort; fewer if memory does not suffice for all
    core::CompareAttachments compare = core::compare_bytes;
  };

  /// A thread's handle for pushing. No new run begins while one is held, so it is to be held briefly.
  class Lane {
   public:
    void push(const Record& record) {
      if (end_.quota == 0) [[unlikely]] {
        if (!sort_.refill(end_, lock_)) return;
      }
      --end_.quota;
      try {
        if constexpr (A == 0) {
          end_.lane->push(record.key);
        } else {
          end_.lane->push_with(record.key, record.attachment);
        }
      } catch (...) {
        sort_.failed_ = true;
        throw;
      }
    }

   private:
    friend class RunSort;
    Lane(RunSort& sort, End& end) : sort_(sort), end_(end), lock_(end.mutex) {}
    RunSort& sort_;
    End& end_;
    std::unique_lock<std::mutex> lock_;
  };

  [[gnu::cold]] RunSort(core::Environment& environment, const Options& options)
      : reservation_(environment.memory.reserve(options.memory_bytes, "sorting triangles")),
        memory_(options.memory_bytes),
        environment_{.memory = memory_,
                     .blocks = environment.blocks,
                     .io = environment.io,
                     .progress = environment.progress,
                     .outputs = environment.outputs,
                     .spill = environment.spill,
                     .threads = environment.threads,
                     .seed = environment.seed},
        levels_(environment_, block_bytes(options.memory_bytes), Less{options.compare}) {
    sorter_options_.range = options.range;
    sorter_options_.attachment_bytes = A;
    sorter_options_.compare = options.compare;
    // The rest is for a writer of runs, and for longer lists of blocks of unequal buckets.
    const std::size_t writer_bytes = Levels::writer_bytes(block_bytes(options.memory_bytes));
    sorter_options_.memory_bytes =
        options.memory_bytes - std::min(options.memory_bytes, writer_bytes + options.memory_bytes / 16);
    sorter_options_.threads = std::max(1U, options.threads);
    while (sorter_options_.threads > 1 && core::SortPlan::least_bytes(demand()) > demand().memory_bytes) {
      --sorter_options_.threads;
    }
    sorter_options_.records = planned_records(demand(), options.records);
    for (unsigned i = 0; i < sorter_options_.threads; ++i) ends_.push_back(std::make_unique<End>());
    open_sorter({});
  }

  /// The lane of thread `thread`; several threads may share one.
  Lane lane(unsigned thread) { return Lane(*this, *ends_[thread % ends_.size()]); }

  /// Ends the input. Afterwards the records can be read.
  void finish() {
    for (const auto& end : ends_) end->lane->finish();
    sorter_->finish();
    records_ += sorter_->records();
    if (levels_.empty()) return;
    levels_.add(spill());
    stream_.emplace(levels_.finish());
  }
  /// Number of records. Requires: finish() was called.
  std::uint64_t records() const { return records_; }
  /// The next records in ascending order, empty at the end; valid until the next call. Requires: finish() was
  /// called.
  std::span<const Record> next() { return stream_ ? stream_->next() : next_sorted(); }

 private:
  struct End {
    std::mutex mutex;
    std::uint64_t quota = 0;  ///< records that may be pushed before the next request for quota
    typename Sorter::Lane* lane = nullptr;
  };
  struct Less {
    core::CompareAttachments compare;
    bool operator()(const Record& a, const Record& b) const {
      if (a.key != b.key) return a.key < b.key;
      if constexpr (A == 0) return false;
      if constexpr (A > 0) return compare(a.attachment.data(), b.attachment.data(), A) < 0;
    }
  };
  using Levels = RunLevels<Record, Less>;

  static constexpr std::size_t most_block_bytes = core::MiB;
  static constexpr std::uint64_t quota_records = 4096;
  static constexpr std::size_t sampled_keys = 8192;

  /// A sixty-fourth of the memory, so that a merge can read many runs with requests that are not too small.
  static std::size_t block_bytes(std::size_t memory_bytes) {
    return std::clamp(core::round_down(memory_bytes / 64, core::page_bytes), core::page_bytes,
                      most_block_bytes);
  }
  core::SortDemand demand() const { return Sorter::demand(environment_, sorter_options_); }

  /// The greatest number of records, a power of two, whose buckets a sorter need not split again.
  static std::uint64_t planned_records(core::SortDemand demand, const std::optional<std::uint64_t>& most) {
    constexpr std::uint64_t enough = std::uint64_t{1} << 40;
    std::uint64_t planned = std::max<std::uint64_t>(demand.memory_bytes / demand.record_bytes / 4, 64);
    for (; planned < enough; planned *= 2) {
      demand.records = 2 * planned;
      const core::SortPlan plan = core::SortPlan::make(demand);
      if (plan.buckets * plan.bucket_records * 2 < 3 * 2 * planned)
        break;  // a plan fills buckets to two thirds of their size
    }
    return most ? std::clamp<std::uint64_t>(*most, 1, planned) : planned;
  }

  void open_sorter(std::vector<Key> sample) {
    typename Sorter::Options options = sorter_options_;
    options.sample = std::move(sample);
    sorter_ = std::make_unique<Sorter>(environment_, std::move(options));
    for (unsigned i = 0; i < ends_.size(); ++i) {
      ends_[i]->lane = &sorter_->lane(i);
      ends_[i]->quota = 0;
    }
    left_ = *sorter_options_.records;
  }

  /// Gets quota for more records of the lane; false if the sort has failed. Requires: `lock` holds the lane's
  /// mutex.
  bool refill(End& end, std::unique_lock<std::mutex>& lock) {
    while (end.quota == 0) {
      std::uint64_t left = left_.load();
      while (left > 0 && !left_.compare_exchange_weak(left, left - std::min(left, quota_records))) {
      }
      end.quota = std::min(left, quota_records);
      if (end.quota > 0) break;
      lock.unlock();
      begin_next_run();
      lock.lock();
      if (failed_) return false;
    }
    return true;
  }

  void begin_next_run() {
    const std::lock_guard one(next_run_mutex_);
    if (failed_ || left_.load() > 0) return;  // another thread has done it
    std::vector<std::unique_lock<std::mutex>> all;
    for (const auto& end : ends_) all.emplace_back(end->mutex);
    try {
      for (const auto& end : ends_) end->lane->finish();
      sorter_->finish();
      records_ += sorter_->records();
      levels_.add(spill());
      open_sorter(std::move(sample_));
    } catch (...) {
      failed_ = true;
      for (const auto& end : ends_) end->quota = 0;
      throw;
    }
  }

  /// The next records of the sorter.
  std::span<const Record> next_sorted() {
    const std::span<const Key> keys = sorter_->next();
    if constexpr (A == 0) {
      static_assert(sizeof(Record) == sizeof(Key));
      return {reinterpret_cast<const Record*>(keys.data()), keys.size()};
    } else {
      batch_.resize(keys.size());
      const std::byte* attachment = keys.empty() ? nullptr : sorter_->attachments();
      for (std::size_t i = 0; i < keys.size(); ++i, attachment += A) {
        batch_[i].key = keys[i];
        std::memcpy(batch_[i].attachment.data(), attachment, A);
      }
      return batch_;
    }
  }

  /// Reads the sorter into a run.
  core::Run<Record> spill() {
    const std::uint64_t records = sorter_->records();
    const std::uint64_t step = records / sampled_keys + 1;
    std::uint64_t next_sample = 0;
    sample_.clear();
    core::RunWriter<Record> writer = levels_.writer(records);
    for (auto batch = next_sorted(); !batch.empty(); batch = next_sorted()) {
      const std::uint64_t first = writer.records();
      for (; next_sample < first + batch.size(); next_sample += step) {
        sample_.push_back(batch[static_cast<std::size_t>(next_sample - first)].key);
      }
      writer.append(batch);
    }
    sorter_.reset();
    return writer.finish();
  }

  core::Reservation reservation_;
  core::MemoryBudget memory_;  ///< the reserved memory, for the sorter, the runs and the merges
  core::Environment environment_;
  typename Sorter::Options sorter_options_;
  std::uint64_t records_ = 0;

  std::vector<std::unique_ptr<End>> ends_;
  std::atomic<std::uint64_t> left_{0};  ///< records for which the sorter can still grant quota
  std::mutex next_run_mutex_;
  std::atomic<bool> failed_{false};

  Levels levels_;
  std::vector<Key> sample_;  ///< sample of the keys of the previous sorter
  std::unique_ptr<Sorter> sorter_;
  std::vector<Record> batch_;
  std::optional<typename Levels::Stream> stream_;
};

}  // namespace emgraph::graph::triangles
