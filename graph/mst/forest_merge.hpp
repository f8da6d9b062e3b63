// SPDX-License-Identifier: MIT
// Minimum spanning forests of several ranks become one: the forest of the union of their edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/edge_source.hpp"
#include "graph/mpi/communicator.hpp"
#include "graph/mst/mst.hpp"
#include "graph/prepare/spooled_source.hpp"

namespace emgraph::graph::mst {

/// Spools the edges of a forest as rows of a shape. The attachment is the weight, or nothing if weights are
/// not stored. I/O: each edge once out. Memory: two blocks. Throws: EnvironmentError, MemoryLimitError.
class ForestSpool final : public ForestSink {
 public:
  ForestSpool(core::Environment& environment, const core::PairShape& shape)
      : shape_(shape), writer_(environment, shape.row_bytes, 2) {}

  void append(std::span<const ForestEdge> edges) override;
  void append_rows(const std::byte* rows, std::size_t count) { writer_.append(rows, count); }
  prepare::SpooledRows finish() { return writer_.finish(); }

 private:
  const core::PairShape shape_;
  prepare::SpoolWriter writer_;
  std::vector<std::byte> rows_;
};

/// The same rows with wider ids. I/O: reads and writes each row once.
prepare::SpooledRows widened(core::Environment& environment, const EdgeFacts& facts,
                             const core::PairShape& narrow, const core::PairShape& wide,
                             prepare::SpooledRows rows);

/// Problem: each rank has the minimum spanning forest of its edges; find that of all edges. The forest of a
/// union of edge sets is that of the union of their forests, as the order of edges is total.
///
/// Method: a binary tree. In step k, ranks that are odd multiples of 2^k send their forests to those 2^k
/// below, which spool them behind their own and reduce both to one. Collective. `facts`: the layout of the
/// rows, the same at all ranks; its n is that of all ranks. `options`: with that n. Gives rank 0 the rows of
/// the forest, the others no rows. I/O: a rank writes and reads at most 3 n edges per step. Memory: 2 MiB and
/// what mst takes. Sent: fewer than n edges per rank but the first. Throws: as mst::run, EnvironmentError.
template <class Id>
prepare::SpooledRows merge_forests(core::Environment& environment, mpi::Communicator& communicator,
                                   const EdgeFacts& facts, const mst::Options& options,
                                   prepare::SpooledRows own);

}  // namespace emgraph::graph::mst
