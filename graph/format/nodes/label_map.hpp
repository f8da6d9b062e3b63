// SPDX-License-Identifier: MIT
// The labels of nodes in a text: line k has the label of node k - 1.
//
// Problem: read the labels of any nodes from a text that does not fit into memory: a file, or text on the
// temporary disks (kept_labels.hpp).
// Method: one scan counts the lines and stores the place of every s-th line; s is doubled whenever the places
// are used up. Then lines are read forwards for ascending nodes. If a stored place is nearer to the next
// requested line than the current position, reading continues there. A user of many nodes requests them in
// sorted batches.
//
// I/O: reads the file once, then for each batch the blocks with its nodes. A file that fits into a quarter of
// the free memory is kept and read only once. Memory: the file, or a block of 1/128 of the limit (64 to 512
// KiB); places in 1/64 of the limit (512 to 65,536 of 8 bytes); a line of 64 KiB, not charged. Threads: one.
// Throws: DataError (a line is longer than the longest label, the file has changed), EnvironmentError,
// MemoryLimitError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/function_ref.hpp"
#include "core/environment.hpp"
#include "core/io/output_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::format {

/// The bytes of such a text, at any place.
class LabelBytes {
 public:
  virtual ~LabelBytes() = default;
  /// For messages.
  virtual const std::string& name() const = 0;
  virtual std::uint64_t size() const = 0;
  /// Returns the bytes read: fewer than `buffer` has only at the end. Requires: the offset and the size of
  /// the buffer are multiples of a page, and the buffer is aligned to a page.
  virtual std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer) = 0;
  /// Reads all bytes in order through `buffer`: take(bytes) for each filling.
  virtual void scan(core::Environment& environment, std::span<std::byte> buffer,
                    core::FunctionRef<void(std::size_t)> take);
};

class LabelMap {
 public:
  /// Throws UsageError if it is not a regular file.
  LabelMap(core::Environment& environment, const std::string& path);
  LabelMap(core::Environment& environment, std::unique_ptr<LabelBytes> bytes);

  const std::string& name() const { return input_->name(); }
  /// Number of labels.
  std::uint64_t size() const { return lines_; }

  /// Calls `take(label)` for each of the nodes until it returns false. Returns the number of calls that
  /// returned true. Requires: nodes ascend and are below size().
  template <class Take>
  std::size_t fetch(std::span<const std::uint64_t> nodes, Take&& take) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!take(label(nodes[i]))) return i;
    }
    return nodes.size();
  }

 private:
  std::string_view label(std::uint64_t node);
  void scan(core::Environment& environment);
  void go_to(std::uint64_t offset, std::uint64_t line);
  void load();
  void skip_lines(std::uint64_t count);

  std::unique_ptr<LabelBytes> input_;
  core::Buffer block_;
  core::Array<std::uint64_t> places_;  ///< offset of line i · stride_
  std::size_t places_used_ = 0;
  std::uint64_t stride_ = 1;
  std::uint64_t lines_ = 0;
  // The position: line `line_` starts at `at_` in the block, whose offset in the file is `block_offset_`.
  std::uint64_t line_ = 0;
  std::uint64_t block_offset_ = 0;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  std::string straddling_;  ///< a line that crosses blocks
};

/// Writes labels to a text file. Memory: 64 KiB and that of the output. Not thread-safe. Destruction without
/// finish() removes the output. Throws UsageError (the output exists), EnvironmentError.
class LabelWriter final : public LabelSink {
 public:
  LabelWriter(core::Environment& environment, const std::string& path, core::Overwrite overwrite);
  void append(std::string_view label) override;
  void finish();

 private:
  core::OutputFile output_;
  core::Buffer lines_;
  std::size_t filled_ = 0;
};

}  // namespace emgraph::graph::format
