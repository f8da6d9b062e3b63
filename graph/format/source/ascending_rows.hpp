// SPDX-License-Identifier: MIT
// The check of writers whose formats store adjacency lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "graph/format/source/edge_writer.hpp"

namespace emgraph::graph::format {

/// Checks that edges come in strictly ascending order, without loops, with ids below a bound. O(1) per edge.
class AscendingRows {
 public:
  explicit AscendingRows(std::uint64_t bound) : bound_(bound) {}

  /// Takes the edge with this number, from 0 on, of the output `file`. Throws DataError for an id that is not
  /// below the bound; std::logic_error for a loop or a wrong order, which the writer's user had excluded.
  void take(const std::string& file, std::uint64_t edge, std::uint64_t source, std::uint64_t target) {
    const std::uint64_t larger = std::max(source, target);
    if (larger >= bound_) refuse_written_id(file, edge, larger, bound_);
    const bool ascends = edge == 0 || source > source_ || (source == source_ && target > target_);
    if (!ascends || source == target) refuse_written_order(edge);
    source_ = source;
    target_ = target;
    nodes_ = std::max(nodes_, larger + 1);
  }
  /// The largest id, plus one; 0 without edges.
  std::uint64_t nodes() const { return nodes_; }

 private:
  const std::uint64_t bound_;
  std::uint64_t source_ = 0;
  std::uint64_t target_ = 0;
  std::uint64_t nodes_ = 0;
};

}  // namespace emgraph::graph::format
