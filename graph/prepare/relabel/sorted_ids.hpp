// SPDX-License-Identifier: MIT
// A sorted array of ids with an index of cells: numbers of ids of any size.
//
// Problem: the number of an id among all that occur. Method: ids stand in ascending order, the number of an
// id is its place. The range from the first to the last id is cut into equal cells, about one per four ids;
// the index says where the ids of a cell begin, and the rest is a binary search without branches. Searches go
// in groups, step by step side by side, so that their misses overlap: ids that crowd into few cells cost more
// steps, up to log2 n, not more waiting for each. Source: interleaved searches, Psaropoulos, Legler, May,
// Ailamaki 2017, doi 10.14778/3149193.3149202.
//
// I/O: none. Memory: 10 bytes per id. Threads: one that appends. Throws: MemoryLimitError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory/buffer.hpp"
#include "graph/prepare/relabel/id_list.hpp"
#include "graph/prepare/relabel/id_ranks.hpp"

namespace emgraph::graph::relabel {

class SortedIds final : public IdRanks {
 public:
  /// So many ids fit in `bytes` of memory.
  static std::uint64_t most(std::size_t bytes);

  SortedIds(core::MemoryBudget& budget, std::uint64_t most);

  /// `ids`: ascending, all above those before. False: more than `most`; nothing is kept of the batch then.
  bool append(std::span<const std::uint64_t> ids) { return ids_.append(ids); }
  /// All are there.
  void finish();

  std::uint64_t size() const override { return ids_.size(); }
  std::optional<std::uint64_t> replace(std::span<std::uint64_t> ids) const override;
  void write(NodeSink<std::uint64_t>& sink) const override;

 private:
  core::MemoryBudget& budget_;
  IdList ids_;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
  unsigned shift_ = 0;
  core::Array<std::uint64_t> cells_;  ///< ids of cell c stand from cells_[c] to before cells_[c + 1]
};

}  // namespace emgraph::graph::relabel
