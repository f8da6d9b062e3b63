// SPDX-License-Identifier: MIT
// Texts of labels on the temporary disks: written in order, read in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/block/run_blocks.hpp"
#include "core/environment.hpp"

namespace emgraph::graph::relabel {

/// I/O: each label out once, with two bytes of length. Memory: two blocks. Threads: one. Throws:
/// EnvironmentError, MemoryLimitError.
class LabelSpoolWriter {
 public:
  explicit LabelSpoolWriter(core::Environment& environment);
  /// Requires: shorter than 64 KiB.
  void append(std::string_view label);
  core::BlockList finish();

 private:
  void put(const char* bytes, std::size_t count);

  core::BlockWriter writer_;
  const std::size_t block_bytes_;
  std::size_t filled_ = 0;
};

/// I/O: what stands before the last label that is asked for, in once; the space is given back on the way.
/// Memory: two blocks, and 64 KiB that are not charged. Threads: one. Throws: EnvironmentError,
/// MemoryLimitError.
class LabelSpoolReader {
 public:
  LabelSpoolReader(core::Environment& environment, core::BlockList spool);
  /// Label `number`, above all that were asked for before. Valid until the next call.
  std::string_view label(std::uint64_t number);

 private:
  /// The next bytes of the spool: to `to`, or nowhere if that is null.
  void take(char* to, std::size_t count);

  const std::size_t block_bytes_;
  core::BlockReader reader_;
  const char* at_ = nullptr;
  std::size_t left_ = 0;  ///< of the block
  std::uint64_t next_ = 0;
  std::string label_;
};

}  // namespace emgraph::graph::relabel
