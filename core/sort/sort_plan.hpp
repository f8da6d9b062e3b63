// SPDX-License-Identifier: MIT
// How the distribution sort divides its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace emgraph::core {

/// What the sizes below are computed from.
struct SortDemand {
  std::size_t memory_bytes = 0;          ///< all the sorter may take
  std::optional<std::uint64_t> records;  ///< expected, if known
  std::size_t record_bytes = 8;          ///< in staging space
  std::size_t packed_bytes = 8;          ///< a record takes in blocks, at most
  std::size_t sort_bytes = 8;            ///< a record takes while its bucket is sorted
  std::size_t sort_fixed_bytes = 0;      ///< on top, for each bucket that is being sorted
  bool attachments = false;              ///< buckets of one key need sorting, too
  bool sampled = false;                  ///< splitters come from elsewhere: no records are gathered for them
  bool coding = false;                   ///< blocks may be coded before they are written
  std::size_t group_records = 32;
  unsigned threads = 1;
};

/// Partly filled blocks for each bucket, staging groups for each bucket and thread, and the sort arrays of
/// `slots` buckets fit memory. Where that makes buckets larger than can be sorted they are split again,
/// by the same plan.
struct SortPlan {
  unsigned threads = 1;
  std::size_t buckets = 1;
  std::size_t block_bytes = 0;
  bool shared_blocks = false;   ///< a bucket's open block is filled by all threads, else each has its own
  std::size_t pool_bytes = 0;   ///< for blocks
  unsigned coding_threads = 0;  ///< with scratch space to code blocks in
  std::size_t slots = 2;        ///< buckets being sorted or handed on at the same time
  std::size_t hub_bytes = 0;    ///< to sort a bucket of one key that is larger than bucket_records
  std::uint64_t bucket_records = 0;  ///< a bucket larger than this is split again
  std::size_t pending_records = 0;   ///< gathered for a sample before the first block is written

  /// Throws MemoryLimitError when `memory_bytes` is below `least_bytes`.
  static SortPlan make(const SortDemand& demand);
  /// Least memory that the sorter works in.
  static std::size_t least_bytes(const SortDemand& demand);
};

}  // namespace emgraph::core
