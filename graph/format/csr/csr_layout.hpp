// SPDX-License-Identifier: MIT
// Where the parts of a graph in compressed sparse rows lie in a file.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emgraph::graph::format {

/// Little-endian: for each node the number of entries of the nodes up to and including it (u64), then the
/// neighbours of all nodes, one node after another. An entry is a neighbour and what stands beside it.
struct CsrLayout {
  std::uint64_t nodes = 0;
  std::uint64_t entries = 0;
  std::uint64_t ends_offset = 0;
  std::uint64_t neighbours_offset = 0;
  std::size_t neighbour_bytes = 4;   ///< of an id: 4 or 8
  std::size_t entry_bytes = 4;       ///< from one neighbour to the next
  std::size_t weight_bytes = 0;      ///< 0: none, 4 or 8
  std::uint64_t weights_offset = 0;  ///< of the weights' own part; 0: a weight stands behind its neighbour
  bool signed_weights = false;       ///< weights of 4 bytes are i32, and become i64
  bool ascending = false;            ///< the neighbours of each node must ascend: DataError where not

  std::size_t own_weight_bytes() const { return weights_offset != 0 ? weight_bytes : 0; }
};

}  // namespace emgraph::graph::format
