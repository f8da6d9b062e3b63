// SPDX-License-Identifier: MIT
// The division of a distribution sorter's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace emgraph::core {

/// The input of SortPlan::make.
struct SortDemand {
  std::size_t memory_bytes = 0;                              ///< all memory of the sorter
  std::optional<std::uint64_t> records;                      ///< expected number of records, if known
  std::optional<std::uint64_t> most_records = std::nullopt;  ///< a bound, if `records` is not known
  std::size_t record_bytes = 8;                              ///< bytes of a record in staging space
  std::size_t packed_bytes = 8;                              ///< most bytes of a record in a block
  std::size_t sort_bytes = 8;                                ///< bytes of a record while its bucket is sorted
  std::size_t sort_fixed_bytes = 0;  ///< further bytes for each bucket that is being sorted
  bool attachments = false;          ///< buckets of a single key must be sorted, too
  bool sampled = false;              ///< the caller gives a sample, so no records are gathered for one
  bool coding = false;               ///< blocks may be coded before they are written
  bool resumable = false;            ///< a run with less memory may go on: smaller blocks
  std::size_t group_records = 32;
  unsigned threads = 1;
  std::size_t fixed_buckets = 0;  ///< with fixed_block_bytes: the fan of a sort that is continued; 0: chosen
  std::size_t fixed_block_bytes = 0;
};

/// A division of the memory: partly filled blocks for each bucket, staging groups for each bucket and thread,
/// and the sort arrays of `slots` buckets. Buckets that are too large to be sorted are split again, by the
/// same plan.
struct SortPlan {
  unsigned threads = 1;
  std::size_t buckets = 1;
  std::size_t block_bytes = 0;
  bool shared_blocks =
      false;  ///< true: all threads fill the same open block of a bucket; false: each its own
  std::size_t pool_bytes = 0;   ///< bytes for blocks
  unsigned coding_threads = 0;  ///< threads with scratch space to code blocks
  std::size_t slots = 2;        ///< buckets that are sorted or read by the consumer at the same time
  std::size_t hub_bytes = 0;    ///< memory to sort a bucket of one key that is larger than bucket_records
  std::uint64_t bucket_records = 0;  ///< a bucket larger than this is split again
  std::size_t pending_records = 0;   ///< records gathered for a sample before the first block is written

  /// Throws MemoryLimitError if `memory_bytes` is less than `least_bytes`.
  static SortPlan make(const SortDemand& demand);
  /// Least memory of the sorter.
  static std::size_t least_bytes(const SortDemand& demand);
};

}  // namespace emgraph::core
