// SPDX-License-Identifier: MIT
// Reads edges that lie as rows without blocks in a file, or come so through a pipe.
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

/// What is fixed for all rows of a file.
struct RowFormat {
  core::PairLayout layout;
  bool signed_ids = false;      ///< a set top bit is a negative id, which is refused
  bool checked_weight = false;  ///< a set top bit makes a weight that has no place here: refused
  bool packed_edges = false;    ///< as Graph500 packs them (graph500/packed_edge.hpp), ids of `layout`

  std::size_t row_bytes() const { return packed_edges ? packed_edge_bytes : layout.row_bytes(); }
};

/// Not thread-safe: one per lane.
class RowReader {
 public:
  RowReader(core::MemoryBudget& budget, std::string file, const RowFormat& format,
            const core::PairShape& shape, std::size_t max_bytes);
  /// `rows`: whole rows that stood at `offset`. The batch lies in `rows` or in this object. Throws DataError.
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

/// Rows of `format` take all bytes from `data_offset` to the end of the file, in which a pipe stands already.
/// Throws DataError unless they are whole rows and, if facts.edges is set, as many as it says: of a file at
/// once, of a pipe at its end.
std::unique_ptr<RecordSource> open_raw_rows(core::Environment& environment, core::InputFile input,
                                            const EdgeFacts& facts, std::uint64_t data_offset,
                                            const RowFormat& format, unsigned max_lanes);

}  // namespace emgraph::graph::format
