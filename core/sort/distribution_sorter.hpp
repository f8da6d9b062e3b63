// SPDX-License-Identifier: MIT
// External sorting of records with an integer key by distribution into key ranges.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/environment.hpp"
#include "core/sort/distribution.hpp"
#include "core/sort/keep_keys.hpp"
#include "core/sort/sort_plan.hpp"
#include "core/spill/spill_forecast.hpp"

namespace emgraph::core {

template <IntegerKey Key>
class SortedBuckets;

/// Sorts records by an integer key; ties by their attachments, opaque bytes whose width is chosen at run
/// time.
///
/// Method: records are distributed to buckets, which are key ranges between quantiles of a sample. Each
/// bucket is loaded, sorted in memory with vector instructions, and returned. Blocks of the first buckets
/// stay in memory if they fit. Distribution has two advantages over merging: the work in memory is faster, 98
/// vs 43 M keys/s (earlier prototypes, one core), and records need not store the bits that the range of their
/// bucket implies. Source: distribution sort with randomized cycling, Vitter and Hutchinson 2006,
/// doi 10.1145/1183907.1183914.
///
/// Usage: `lane(i).push(…)` and `lane(i).finish()` from thread i, then `finish()` and `next()` from one
/// thread. I/O: writes and reads each record at most once, and once more for each time its bucket must be
/// split.
/// Memory: `memory_bytes`, reserved from the budget. Throws: MemoryLimitError, EnvironmentError.
/// The result does not depend on threads, memory or disks.
template <IntegerKey Key>
class DistributionSorter {
 public:
  struct Options {
    KeyRange<Key> range{0, static_cast<Key>(~Key{0})};  ///< all keys lie in it; narrow = fewer bytes on disk
    std::optional<std::uint64_t> records;               ///< expected number of records
    std::optional<std::uint64_t> most_records = std::nullopt;  ///< a bound, if `records` is not known
    std::size_t memory_bytes = 0;                              ///< 0: all that is free in the budget
    std::size_t attachment_bytes = 0;            ///< of each record, up to most_attachment_bytes
    unsigned threads = 0;                        ///< lanes, and threads that sort; 0: the environment's
    bool unique = false;                         ///< keep the first record of each key
    CompareAttachments compare = compare_bytes;  ///< order of records with equal keys
    std::vector<Key> sample;                     ///< keys from all parts of the input, if available
    bool rehearse = false;                       ///< for rehearse_distribution: keeps the sample
    /// For rehearse_distribution: keys come in about their order, so that a sample from some places of the
    /// input may leave out whole buckets.
    bool ordered = false;
    bool resumable = false;  ///< the sort can be saved: SortDemand::resumable
    /// Nothing else is written to the disks while the result is read. The sorter then reads far ahead, so
    /// that the disks are empty, and give their space back, before the end.
    bool last_on_disks = false;
    StateReader* state = nullptr;  ///< what save_fan() has written; `sample` is not used
  };

  /// Takes the records of one thread.
  class Lane {
   public:
    using key_type = Key;

    Lane(DistributionSorter& sorter, unsigned number) : sorter_(sorter), number_(number) {}
    /// Many records at once, as KeyBatch gathers them. `attachments[i]`: of key i; null: records without
    /// attachments.
    void push(std::span<const Key> keys, const std::byte* const* attachments = nullptr);
    /// Requires: records without attachments.
    void push(Key key) {
      if (lane_ == nullptr && !open(key, nullptr)) [[unlikely]]
        return;
      lane_->push(key);
    }
    void push(Key key, const std::byte* attachment) {
      if (lane_ == nullptr && !open(key, attachment)) [[unlikely]]
        return;
      lane_->push(key, attachment);
    }
    /// Requires: attachments of sizeof(T) bytes.
    template <class T>
    void push_with(Key key, const T& attachment) {
      const auto* const bytes = reinterpret_cast<const std::byte*>(&attachment);
      if (lane_ == nullptr && !open(key, bytes)) [[unlikely]]
        return;
      lane_->push_with(key, attachment);
    }
    /// Ends the input of this thread.
    void finish() { lane_ = nullptr; }

   private:
    /// False: the record was kept for the sample.
    bool open(Key key, const std::byte* attachment) {
      if (!sorter_.ready_.load(std::memory_order_acquire) && sorter_.gather(key, attachment)) return false;
      lane_ = &sorter_.distribution_->lane(number_);
      return true;
    }

    DistributionSorter& sorter_;
    const unsigned number_;
    typename Distribution<Key>::Lane* lane_ = nullptr;
  };

  DistributionSorter(Environment& environment, Options options);
  ~DistributionSorter();

  /// The input of the memory plan of a sorter with these options.
  static SortDemand demand(const Environment& environment, const Options& options);

  unsigned lanes() const { return static_cast<unsigned>(lanes_.size()); }
  Lane& lane(unsigned number) { return *lanes_[number]; }

  /// A sort that can go on in another process. save_fan() writes how records are distributed, save_chains()
  /// writes all records to disk and describes where they are; the blocks must be kept. A sorter that is
  /// constructed with what save_fan() wrote continues after restore_chains(), with any memory that has room
  /// for its blocks. Requires: no thread pushes; finish() was not called.
  void save_fan(StateWriter& state);
  void save_chains(StateWriter& state);
  void restore_chains(StateReader& state);
  /// Ends the input; save_chains() still works. finish() calls it if it was not called before.
  void end_input();
  /// Drops buckets whose keys are all below `key`. Requires: end_input() was called.
  void drop_below(Key key);

  /// Ends the input. Requires: all lanes have finished.
  void finish();
  /// Number of records pushed. Valid after finish().
  std::uint64_t records() const { return records_; }
  /// From now on `keep` may drop keys of a bucket before they are sorted. It is called once for each bucket,
  /// ahead of next(), for keys of 64 bits without attachments. At most once. Requires: finish() was called.
  void keep_before_sorting(KeepKeys keep);
  /// The records that were dropped since the last call, of buckets that next() has come to.
  std::uint64_t take_dropped();
  /// The next keys in ascending order, empty at the end; valid until the next call.
  std::span<const Key> next();
  /// Attachments of the latest batch, contiguous.
  const std::byte* attachments() const;

  const SortPlan& plan() const { return plan_; }

  /// For a forecast, in place of pushing `records` records and of finish(): reserves the memory that reading
  /// them would take, so that the budget's peak is an upper bound of the run's, and returns the space that
  /// they would take on disk. If buckets have to be split again, all blocks may be there at the same time.
  SpillForecast rehearse_distribution(std::uint64_t records);
  /// The same for the time from finish() on. Requires: rehearse_distribution(records) was called.
  void rehearse_sorting(std::uint64_t records);
  /// What rehearse_sorting(records) reserves if it is free. Requires: as for that.
  std::uint64_t sorting_bytes(std::uint64_t records) const;

 private:
  // Inputs smaller than the sample need few buckets, of this number of records each.
  static constexpr std::size_t few_records = 64 * 1024;

  /// What the sample foretells of all buckets together.
  struct ExpectedBuckets {
    std::size_t least_capacity = ~std::size_t{0};  ///< records of a block
    double blocks = 0;
    double parts = 0;                 ///< of buckets that are too large
    std::uint64_t split_buckets = 0;  ///< those that may be too large if the sample is wrong by a tenth
    std::uint64_t split_records = 0;
    double largest = 0;     ///< records
    double code_share = 0;  ///< bytes of codes per byte of blocks
  };
  ExpectedBuckets expected_buckets(std::uint64_t records) const;
  void rehearse_sample();
  /// An upper bound of the parts that splitting `buckets` buckets with `records` records makes. A part has at
  /// least half of the records that can be sorted, and each split makes two outer parts. One bucket is split
  /// at a time.
  std::uint64_t most_parts(std::uint64_t records, std::uint64_t buckets) const;

  void classify(std::span<Key> sample, std::size_t buckets);
  void open_buckets();
  void open_distribution();

  // Keeps a record for the sample, before there are splitters. False if there are splitters now.
  bool gather(Key key, const std::byte* attachment);

  void distribute_pending(std::size_t buckets);

  Environment& environment_;
  Options options_;
  SortPlan plan_;
  std::unique_ptr<BlockStore> store_;
  std::optional<Classifier<Key>> classifier_;
  std::vector<Bucket<Key>> buckets_;
  std::unique_ptr<Distribution<Key>> distribution_;
  std::atomic<bool> ready_{false};
  bool ended_ = false;  ///< by end_input()
  std::mutex pending_mutex_;
  Array<Key> pending_keys_;
  Buffer pending_attachments_;
  std::size_t pending_count_ = 0;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::uint64_t records_ = 0;
  std::unique_ptr<SortedBuckets<Key>> sorted_;
  Reservation rehearsed_lists_;
  std::uint64_t largest_bucket_ = ~std::uint64_t{0};  ///< records; of a rehearsal: a bound by the sample

  /// The full blocks that so many records fill.
  double expected_blocks(std::uint64_t records) const;
  /// The parts of the records in each bucket, from the sample; equal ones without a sample.
  std::vector<double> bucket_shares() const;
};

extern template class DistributionSorter<std::uint64_t>;
extern template class DistributionSorter<uint128>;

}  // namespace emgraph::core
