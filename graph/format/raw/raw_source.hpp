// SPDX-License-Identifier: MIT
// Reads edges from consecutive rows without blocks, in a file or a pipe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/environment.hpp"
#include "core/io/extent_reader.hpp"
#include "core/io/input_file.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/graph500/graph500.hpp"
#include "graph/format/source/held_extent.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

/// The layout of the rows of a file.
struct RowFormat {
  core::PairLayout layout;
  bool signed_ids = false;      ///< ids with the top bit set are negative, which is an error
  bool checked_weight = false;  ///< weights with the top bit set do not fit their type, which is an error
  bool packed_edges = false;    ///< rows are packed edges of Graph500; records have the ids of `layout`

  std::size_t row_bytes() const { return packed_edges ? packed_edge_bytes : layout.row_bytes(); }
};

/// Not thread-safe: one per lane.
class RowReader {
 public:
  RowReader(core::MemoryBudget& budget, std::string file, const RowFormat& format,
            const core::PairShape& shape, std::size_t max_bytes);
  /// `rows`: whole rows, read from `offset`. The batch refers to `rows` or to this object. Throws DataError.
  RecordBatch read(std::uint64_t offset, std::span<const std::byte> rows);

 private:
  void refuse_negative(std::uint64_t offset, std::span<const std::byte> rows) const;
  std::byte* records();
  core::MemoryBudget& budget_;
  const std::string file_;
  const RowFormat format_;
  const core::PairShape shape_;
  const std::size_t max_bytes_;
  core::Buffer records_;
};

/// The rows of `format` take all bytes from `data_offset` to the end; a pipe must already be at
/// `data_offset`. Throws DataError unless there are only whole rows and, if facts.edges is set, that many:
/// for a file at once, for a pipe at its end.
std::unique_ptr<RecordSource> open_raw_rows(core::Environment& environment, core::InputFile input,
                                            const EdgeFacts& facts, std::uint64_t data_offset,
                                            const RowFormat& format, unsigned max_lanes);

}  // namespace emgraph::graph::format
