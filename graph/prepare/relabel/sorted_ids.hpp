// SPDX-License-Identifier: MIT
// A sorted array of ids with an index of cells. It finds the numbers of ids of any size.
//
// Problem: find the number of an id among all ids that occur.
// Method: the ids are in a sorted array; the number of an id is its position. The range from the first to the
// last id is cut into equal cells, about one per four ids. The index gives the first id of each cell; a
// binary search without branches does the rest. Searches run in groups, step by step, so that their cache
// misses overlap. If many ids are in few cells, a search takes more steps, up to log2 n. Source: interleaved
// searches, Psaropoulos, Legler, May, Ailamaki 2017, doi 10.14778/3149193.3149202.
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
  /// Number of ids that fit into `bytes` of memory.
  static std::uint64_t most(std::size_t bytes);

  /// The bytes that so many ids take.
  static std::uint64_t bytes_for(std::uint64_t ids);

  SortedIds(core::MemoryBudget& budget, std::uint64_t most);

  /// Appends ids. Requires: ascending, and greater than all earlier ones. False: there would be more than
  /// `most` ids; nothing is appended then.
  bool append(std::span<const std::uint64_t> ids) { return ids_.append(ids); }
  /// Ends the input and builds the index.
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
  core::Array<std::uint64_t> cells_;  ///< cell c has the ids from position cells_[c] to before cells_[c + 1]
};

}  // namespace emgraph::graph::relabel
