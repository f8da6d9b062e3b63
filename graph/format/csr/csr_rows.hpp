// SPDX-License-Identifier: MIT
// The layout of compressed sparse rows in a file, and the conversion of a stretch of neighbours to edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/memory/buffer.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

/// Little-endian: for each node the number of entries of the nodes up to and including it (u64), then the
/// neighbours of all nodes, one node after another. An entry is a neighbour with its data.
struct CsrLayout {
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;
  std::uint64_t ends_offset = 0;
  std::uint64_t neighbours_offset = 0;
  std::size_t neighbour_bytes = 4;  ///< bytes of an id: 4 or 8
  std::size_t entry_bytes = 4;      ///< distance between neighbours
  std::size_t weight_bytes = 0;     ///< 4 or 8; 0: no weights
  std::uint64_t weights_offset =
      0;  ///< offset of a separate part of weights; 0: each weight follows its neighbour
  bool signed_weights = false;  ///< weights of 4 bytes are i32, and become i64
  bool signed_ids = false;      ///< of 4 bytes: those with the highest bit are negative, and bad data
  bool ascending = false;       ///< the neighbours of each node must ascend, else DataError

  std::size_t own_weight_bytes() const { return weights_offset != 0 ? weight_bytes : 0; }
};

/// Usage: begin(), add_run() for each node with entries in the stretch, make(). Not thread-safe.
/// Memory: bytes_per_entry for each of `max_entries`.
class CsrRows {
 public:
  CsrRows(core::MemoryBudget& budget, const std::string& file, const CsrLayout& layout,
          const core::PairShape& shape, std::size_t max_entries);

  /// Most bytes per entry, including records of any shape without payload.
  static std::size_t bytes_per_entry(const CsrLayout& layout) {
    return sizeof(std::uint64_t) + sizeof(std::uint32_t) + 24 + layout.entry_bytes +
           layout.own_weight_bytes();
  }

  /// Starts a stretch with entry number `first_entry`. `continues`: it belongs to the same node as the
  /// previous entry.
  void begin(std::uint64_t first_entry, bool continues);
  /// Assigns the entries up to number `end` (exclusive, counted from the start of the stretch) to `node`.
  void add_run(std::uint64_t node, std::size_t end);
  /// Number of entries assigned to nodes.
  std::size_t entries() const { return runs_ == 0 ? 0 : ends_[runs_ - 1]; }

  /// `neighbours`: the entries of the file, starting with the one before the stretch (at the start of the
  /// file with the stretch). `weights`: those of the stretch if they are a separate part. Throws DataError.
  RecordBatch make(const std::byte* neighbours, const std::byte* weights);

 private:
  template <class RowId, class FileId>
  bool fill(const std::byte* neighbours, std::uint64_t before);
  template <class Weight, class FileWeight>
  void fill_weights(const std::byte* weights, std::size_t weight_stride);
  [[noreturn]] void refuse(const std::byte* neighbours, std::uint64_t before) const;
  std::uint64_t neighbour(const std::byte* entry) const;

  const std::string file_;
  const CsrLayout layout_;
  const core::PairShape shape_;
  const core::Array<std::uint64_t> nodes_;
  const core::Array<std::uint32_t> ends_;
  const core::Buffer records_;  // attachments without data stay zero
  std::uint64_t first_entry_ = 0;
  bool continues_ = false;
  std::size_t runs_ = 0;
};

}  // namespace emgraph::graph::format
