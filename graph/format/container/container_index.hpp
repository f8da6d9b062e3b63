// SPDX-License-Identifier: MIT
// The index at the end of a container file, read a window at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/io/input_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/container/container_layout.hpp"

namespace emgraph::graph::format {

/// Checks one entry after another, from a file's index or from the blocks of a pipe: blocks follow each other
/// without a gap in bytes or edges.
class IndexCheck {
 public:
  IndexCheck(std::string file, const ContainerHeader& header);
  /// `at`: where the entry stands in the file. Throws DataError.
  void add(std::uint64_t at, const IndexEntry& entry);
  /// Throws DataError unless the footer's counts agree with all entries.
  void finish(std::uint64_t footer_offset, const ContainerFooter& footer) const;
  std::uint64_t edges() const { return edges_; }
  std::uint64_t blocks() const { return blocks_; }
  std::size_t largest_block_bytes() const { return largest_block_bytes_; }

 private:
  std::string file_;
  ContainerHeader header_;
  std::uint64_t blocks_ = 0;
  std::uint64_t edges_ = 0;
  std::uint64_t next_offset_ = 0;
  std::size_t largest_block_bytes_ = 0;
};

/// Not thread-safe. Memory: 16 KiB. The input outlives it.
class ContainerIndex {
 public:
  ContainerIndex(core::InputFile& input, core::MemoryBudget& budget, const ContainerFooter& footer);
  /// Reads the whole index and checks it. Returns the size of the largest block.
  std::size_t verify(const ContainerHeader& header);
  std::uint64_t blocks() const { return footer_.blocks; }
  /// Requires: i < blocks(). In ascending order each window is read once.
  IndexEntry entry(std::uint64_t i);

 private:
  void load_window(std::uint64_t first);
  core::InputFile& input_;
  ContainerFooter footer_;
  core::Array<IndexEntry> window_;
  std::uint64_t window_first_ = 0;
  std::size_t window_size_ = 0;
};

}  // namespace emgraph::graph::format
