// SPDX-License-Identifier: MIT
// Labels of nodes in a text file, line k of node k - 1, read by ascending nodes.
//
// Problem: labels of any nodes, from a file that memory does not hold. Method: one scan counts the lines and
// remembers where every s-th one starts, s doubled whenever the places are used up. Then lines are read
// forwards; where the next one that is wanted is further away than the place before it, reading goes on
// there. Who has many nodes asks for them in sorted batches.
//
// I/O: the file once, then for each batch the blocks that hold its nodes; nothing more of a file that a
// quarter of the free memory holds: it is kept. Memory: that, or a block of 1/128 of the limit (64 to 512
// KiB); places for 1/64 of it (512 to 65,536 of 8 bytes), and a line of 64 KiB that is not charged. Threads:
// one. Throws: DataError (lines longer than labels can be, the file has changed), EnvironmentError,
// MemoryLimitError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "core/io/output_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::format {

class LabelMap {
 public:
  /// Throws UsageError: not a regular file.
  LabelMap(core::Environment& environment, const std::string& path);

  const std::string& name() const { return input_.name(); }
  /// How many labels there are.
  std::uint64_t size() const { return lines_; }

  /// Calls `take(label)` for each of the nodes until it says false. Returns for how many it said true.
  /// Requires: nodes ascend and are below size().
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

  core::InputFile input_;
  core::Buffer block_;
  core::Array<std::uint64_t> places_;  ///< where line i · stride_ starts
  std::size_t places_used_ = 0;
  std::uint64_t stride_ = 1;
  std::uint64_t lines_ = 0;
  // What is read: the line `line_` starts at `at_` in the block, which stands at `block_offset_` in the file.
  std::uint64_t line_ = 0;
  std::uint64_t block_offset_ = 0;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  std::string straddling_;  ///< a line that lies across blocks
};

/// Memory: 64 KiB and the output's. Not thread-safe. Destroyed without finish(): no output. Throws UsageError
/// (the output exists), EnvironmentError.
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
