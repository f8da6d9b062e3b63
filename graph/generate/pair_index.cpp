// SPDX-License-Identifier: MIT
// Row of a pair number by a square root, put right in integers.
#include "graph/generate/pair_index.hpp"

#include <cmath>

namespace emgraph::graph::generate {

void PairCursor::seek(std::uint64_t index) {
  // Counted from the last pair, rows hold 1, 2, 3 ... pairs: row t ends before triangular(t + 1).
  const std::uint64_t from_end = pairs_ - 1 - index;
  auto row = static_cast<std::uint64_t>((std::sqrt(8.0 * static_cast<double>(from_end) + 1) - 1) / 2);
  while (row > 0 && triangular(row) > from_end) --row;
  while (triangular(row + 1) <= from_end) ++row;
  source_ = nodes_ - 2 - row;
  row_begin_ = pairs_ - triangular(row + 1);
  row_end_ = pairs_ - triangular(row);
  target_ = source_ + 1 + (index - row_begin_);
}

}  // namespace emgraph::graph::generate
