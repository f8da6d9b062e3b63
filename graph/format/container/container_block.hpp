// SPDX-License-Identifier: MIT
// From the bytes of one container block to records in the asked shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/environment.hpp"
#include "core/io/codec.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/container/container_layout.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

/// Not thread-safe: one per lane. Memory: a block in the asked shape, unless the file has just that shape and
/// no codec.
class BlockReader {
 public:
  BlockReader(core::Environment& environment, std::string file, const ContainerHeader& header,
              const core::PairShape& shape, bool verify);

  /// What a reader takes at most, of shapes no larger than the file's rows.
  static std::size_t memory_bytes(const ContainerHeader& header);

  /// `block`: head, payload and padding as they stood at `offset`. The batch lies in `block` or in this
  /// object, and is valid until the next call. Throws DataError.
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
