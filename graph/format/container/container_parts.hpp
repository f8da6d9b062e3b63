// SPDX-License-Identifier: MIT
// The parts of a container for readers: the index at its end, and blocks as records in the requested shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/environment.hpp"
#include "core/io/codec.hpp"
#include "core/io/input_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/container/container_layout.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

/// Checks entries one after another, from the index of a file or from the blocks of a pipe: there must be no
/// gap in bytes or edges between blocks.
class IndexCheck {
 public:
  IndexCheck(std::string file, const ContainerHeader& header);
  /// `at`: offset of the entry in the file. Throws DataError.
  void add(std::uint64_t at, const IndexEntry& entry);
  /// Throws DataError unless the counts of the footer agree with the entries.
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

/// Not thread-safe. Memory: 16 KiB. The input must outlive it.
class ContainerIndex {
 public:
  ContainerIndex(core::InputFile& input, core::MemoryBudget& budget, const ContainerFooter& footer);
  /// Reads and checks the whole index. Returns the size of the largest block.
  std::size_t verify(const ContainerHeader& header);
  std::uint64_t blocks() const { return footer_.blocks; }
  /// Entry i. Requires: i < blocks(). If entries are read in ascending order, each window is read once.
  IndexEntry entry(std::uint64_t i);

 private:
  void load_window(std::uint64_t first);
  core::InputFile& input_;
  ContainerFooter footer_;
  core::Array<IndexEntry> window_;
  std::uint64_t window_first_ = 0;
  std::size_t window_size_ = 0;
};

/// Not thread-safe; one per lane. Memory: a block in the requested shape, unless the file has the same shape
/// and no codec.
class BlockReader {
 public:
  BlockReader(core::Environment& environment, std::string file, const ContainerHeader& header,
              const core::PairShape& shape, bool verify);

  /// Most memory of a reader for shapes that are not larger than the rows of the file.
  static std::size_t memory_bytes(const ContainerHeader& header);

  /// `block`: head, payload and padding, read from `offset`. The batch refers to `block` or to this object,
  /// and is valid until the next call. Throws DataError.
  RecordBatch read(std::uint64_t offset, const BlockHead& head, std::span<const std::byte> block);

 private:
  std::byte* room();
  core::Environment& environment_;
  const std::string file_;
  const core::PairLayout layout_;
  const core::PairShape shape_;
  const std::size_t block_edges_;
  const bool verify_;
  core::PairDecoder decoder_;
  core::Buffer records_;
};

}  // namespace emgraph::graph::format
