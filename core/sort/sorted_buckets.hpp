// SPDX-License-Identifier: MIT
// Sorts buckets on several threads and returns them in order.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/sort/hub_sort.hpp"
#include "core/sort/sort_plan.hpp"

namespace emgraph::core {

/// A sorted stream of the records in the buckets of a store. `threads` - 1 workers sort buckets in advance.
/// If the next bucket is not ready, the consumer sorts a bucket itself. Memory: plan.slots buckets of the
/// largest size. Threads: `next` from one thread.
template <IntegerKey Key>
class SortedBuckets {
 public:
  [[gnu::cold]] SortedBuckets(Environment& environment, BlockStore& store,
                              const std::vector<Bucket<Key>>& buckets, const SortPlan& plan,
                              std::size_t attachment_bytes, bool unique, CompareAttachments compare,
                              bool far_ahead)
      : environment_(environment),
        store_(store),
        buckets_(buckets),
        plan_(plan),
        unique_(unique),
        compare_(compare) {
    std::uint64_t largest = 0;
    std::size_t filled = 0;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      if (records(b) > 0) ++filled;
      if (!is_hub(b)) {
        largest = std::max(largest, records(b));
      } else if (attachment_bytes == 0) {
        store.reader.drop_blocks(b);  // the key and its number of records are sufficient
      }
    }
    slots_.resize(std::max<std::size_t>(1, std::min(plan.slots, filled)));
    for (Slot& slot : slots_) {
      slot.sort = std::make_unique<BucketSort<Key>>(environment.memory, static_cast<std::size_t>(largest),
                                                    attachment_bytes);
    }
    if (far_ahead) {
      store.reader.start_reading_alone(0, buckets.size(), slots_.size());
    } else {
      store.reader.start_reading(0, buckets.size());
    }
    start_workers(std::min<std::size_t>(slots_.size(), plan.threads) - 1);
  }
  SortedBuckets(const SortedBuckets&) = delete;
  ~SortedBuckets() { stop_workers(); }

  /// Has effect on buckets that no thread has begun to sort. At most once.
  void keep_before_sorting(KeepKeys keep) {
    const std::lock_guard lock(mutex_);
    keep_ = std::move(keep);
  }

  /// The next keys in ascending order, empty at the end; valid until the next call.
  std::span<const Key> next() {
    for (;;) {
      if (current_ != nullptr) {
        const std::span<const Key> batch = hub_ ? hub_->next() : current_->sort->next();
        if (!batch.empty()) return batch;
        hub_.reset();
        set_state(*current_, Slot::idle);
        current_ = nullptr;
        ++next_to_emit_;
      }
      while (next_to_emit_ < buckets_.size() && records(next_to_emit_) == 0) ++next_to_emit_;
      if (next_to_emit_ == buckets_.size()) return {};
      current_ = wait_for(next_to_emit_);
      if (current_->error) std::rethrow_exception(current_->error);
      if (is_hub(next_to_emit_)) {
        hub_ = std::make_unique<HubSort<Key>>(environment_, plan_.hub_bytes, store_, next_to_emit_,
                                              buckets_[next_to_emit_], unique_, compare_);
      } else {
        dropped_ += current_->sort->dropped();
      }
    }
  }

  /// The records that were dropped since the last call, of buckets that next() has come to.
  std::uint64_t take_dropped() { return std::exchange(dropped_, 0); }

  /// Attachments of the latest batch, contiguous.
  const std::byte* attachments() const { return hub_ ? hub_->attachments() : current_->sort->attachments(); }

 private:
  struct Slot {
    enum State { idle, busy, ready };
    State state = idle;
    std::size_t bucket = 0;
    std::unique_ptr<BucketSort<Key>> sort;
    const KeepKeys* keep = nullptr;
    std::exception_ptr error;
  };

  std::uint64_t records(std::size_t bucket) const { return store_.chains.view(bucket).records; }
  /// A bucket of one key that is too large for memory: only its attachments have to be sorted. It is sorted
  /// when it is the next to return, so there is only one at a time.
  bool is_hub(std::size_t bucket) const { return records(bucket) > plan_.bucket_records; }

  void set_state(Slot& slot, typename Slot::State state) {
    {
      const std::lock_guard lock(mutex_);
      slot.state = state;
    }
    changed_.notify_all();
  }

  /// Starts as many workers as the system allows. The consumer sorts the remaining buckets.
  void start_workers(std::size_t count) {
    try {
      workers_.reserve(count);
      while (workers_.size() < count) workers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
    } catch (...) {
      stop_workers();  // else the destructors of the running ones would wait forever
      throw;
    }
  }
  void stop_workers() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
  }

  /// The next bucket that no thread has started, in an idle slot; null if there is no slot or no bucket.
  Slot* start_locked() {
    while (next_to_start_ < buckets_.size() && records(next_to_start_) == 0) ++next_to_start_;
    if (next_to_start_ == buckets_.size()) return nullptr;
    const auto slot =
        std::find_if(slots_.begin(), slots_.end(), [](const Slot& s) { return s.state == Slot::idle; });
    if (slot == slots_.end()) return nullptr;
    slot->state = Slot::busy;
    slot->bucket = next_to_start_++;
    slot->keep = keep_ ? &keep_ : nullptr;
    return &*slot;
  }

  void sort_slot(Slot& slot) {
    const TraceSpan sorting(environment_.io.trace(), TraceKind::work, "sort bucket");
    try {
      if (!is_hub(slot.bucket)) {
        slot.sort->load(store_, slot.bucket, buckets_[slot.bucket], unique_, compare_, slot.keep);
      }
    } catch (...) {
      slot.error = std::current_exception();
    }
    set_state(slot, Slot::ready);
  }

  Slot* wait_for(std::size_t bucket) {
    std::unique_lock lock(mutex_);
    for (;;) {
      for (Slot& slot : slots_) {
        if (slot.state == Slot::ready && slot.bucket == bucket) return &slot;
      }
      if (Slot* slot = start_locked()) {
        lock.unlock();
        sort_slot(*slot);
        lock.lock();
      } else {
        const TraceSpan waiting(TraceKind::thread_wait, "wait for bucket");
        changed_.wait(lock);
      }
    }
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      Slot* slot = nullptr;
      changed_.wait(lock,
                    [&] { return stop_ || next_to_start_ == buckets_.size() || (slot = start_locked()); });
      if (slot == nullptr) return;
      lock.unlock();
      sort_slot(*slot);
      lock.lock();
    }
  }

  Environment& environment_;
  BlockStore& store_;
  const std::vector<Bucket<Key>>& buckets_;
  const SortPlan plan_;
  const bool unique_;
  const CompareAttachments compare_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  KeepKeys keep_;
  std::size_t next_to_start_ = 0;
  std::vector<Slot> slots_;

  Slot* current_ = nullptr;  // used only by the consumer
  std::unique_ptr<HubSort<Key>> hub_;
  std::size_t next_to_emit_ = 0;
  std::uint64_t dropped_ = 0;
  std::vector<std::jthread> workers_;  // last member: joined before the others are destroyed
};

}  // namespace emgraph::core
