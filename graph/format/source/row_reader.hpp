// SPDX-License-Identifier: MIT
// From rows as they lie in a file without blocks to records in the asked shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/graph500/graph500.hpp"
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

/// Bytes read at once: 1 MiB, less (down to 4 KiB) where memory is short; whole rows.
std::size_t choose_extent_bytes(const core::MemoryBudget& budget, std::size_t row_bytes, unsigned lanes);

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

}  // namespace emgraph::graph::format
