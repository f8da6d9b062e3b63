// SPDX-License-Identifier: MIT
// The texts of labels on the temporary disks, written and read in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/block/run_blocks.hpp"
#include "core/environment.hpp"

namespace emgraph::graph::relabel {

/// I/O: writes each label once, with two bytes of length. Memory: two blocks. Threads: one. Throws:
/// EnvironmentError, MemoryLimitError.
class LabelSpoolWriter {
 public:
  explicit LabelSpoolWriter(core::Environment& environment);
  /// Requires: the label is shorter than 64 KiB.
  void append(std::string_view label);
  core::BlockList finish();

 private:
  void put(const char* bytes, std::size_t count);

  core::BlockWriter writer_;
  const std::size_t block_bytes_;
  std::size_t filled_ = 0;
};

/// I/O: reads all labels up to the last requested one once, and frees their space. Memory: two blocks, and 64
/// KiB not charged. Threads: one. Throws: EnvironmentError, MemoryLimitError.
class LabelSpoolReader {
 public:
  LabelSpoolReader(core::Environment& environment, core::BlockList spool);
  /// Label number `number`. Valid until the next call. Requires: numbers increase from call to call.
  std::string_view label(std::uint64_t number);

 private:
  /// Copies the next bytes of the spool to `to`, or skips them if `to` is null.
  void take(char* to, std::size_t count);

  const std::size_t block_bytes_;
  core::BlockReader reader_;
  const char* at_ = nullptr;
  std::size_t left_ = 0;  ///< unread bytes of the block
  std::uint64_t next_ = 0;
  std::string label_;
};

}  // namespace emgraph::graph::relabel
