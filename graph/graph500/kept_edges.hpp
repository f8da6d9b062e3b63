// SPDX-License-Identifier: MIT
// The edge list, sorted once into the cells of a grid and kept on the temporary disks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/block/run.hpp"
#include "core/environment.hpp"
#include "core/io/codec.hpp"
#include "core/spill/spill_forecast.hpp"
#include "graph/graph500/edge_list.hpp"

namespace emgraph::graph::graph500 {

/// Nodes in pieces of 2^piece_bits; the cell (i, j), i <= j, has the edges between the pieces i and j.
struct Grid {
  unsigned scale = 0;
  unsigned piece_bits = 0;

  std::uint64_t pieces() const { return std::uint64_t{1} << (scale - piece_bits); }
  std::uint64_t cells() const { return pieces() * (pieces() + 1) / 2; }
};

/// Problem: every validation joins each edge with values of both its ends, of which only some pieces fit in
/// memory. Method: one sort by (cell, lower end, upper end); then a pass reads cell after cell, while the
/// values of two pieces are in memory. Zhu, Han, Chen 2015, "GridGraph", USENIX ATC, has the same grid.
/// Edges are coded by their gaps (core/io/codec_delta.hpp), weights lie beside them.
///
/// I/O: O(sort(m)) to build, one scan a pass. Memory: all free memory to build; two blocks and 200 KiB per
/// thread to read. Threads: those of the environment. Throws: MemoryLimitError, EnvironmentError.
class KeptEdges {
 public:
  KeptEdges(core::Environment& environment, const EdgeList& list, const Grid& grid, bool weights);

  /// For a forecast, in place of the constructor: reserves its memory, and returns the space of its sort and,
  /// as `kept`, that of the list.
  static core::SpillForecast rehearse(core::Environment& environment, const Grid& grid, std::uint64_t edges,
                                      bool weights, core::SpillForecast& kept);

  class Pass;

 private:
  /// Before the bytes of some edges of one cell.
  struct Header {
    std::uint32_t edges;
    std::uint32_t bytes;
    core::Codec codec;
  };
  static constexpr std::size_t edges_together = 8192;
  static constexpr core::PairLayout layout{};

  class Writer;

  void sort(core::Environment& environment, const EdgeList& list, bool weights);

  const Grid grid_;
  core::Run<std::byte> pairs_;
  core::Run<float> weights_;
  std::vector<std::uint64_t> edges_of_cell_;
};

/// Reads all cells in the order (0, 0), (0, 1) …, (1, 1) …
class KeptEdges::Pass {
 public:
  /// `weights`: reads them, too.
  Pass(core::Environment& environment, const KeptEdges& kept, bool weights);

  /// Moves to the next cell. Requires: the edges of the last one are used up.
  void next_cell() { left_ = kept_.edges_of_cell_[cell_++]; }
  /// Calls `use(edges, weights)` for pieces of the cell until all are used; sources are in piece i, targets
  /// in piece j. Threads: each calls it once for a cell, with its own number.
  template <class Use>
  void run(unsigned thread, const Use& use) {
    Place& place = places_[thread];
    while (const std::size_t count = read(place)) {
      use(std::span<const Edge32>(place.edges.span().first(count)),
          std::span<const float>(place.weights.span().first(weights_ ? count : 0)));
    }
  }

 private:
  /// What a thread reads into.
  struct Place {
    Place(core::MemoryBudget& memory, bool weights);
    core::Buffer coded;
    core::Array<Edge32> edges;
    core::Array<float> weights;
    core::PairDecoder decoder;
  };

  std::size_t read(Place& place);
  template <class T>
  static void copy(core::RunReader<T>& reader, std::span<const T>& batch, std::span<T> out);

  const KeptEdges& kept_;
  core::RunReader<std::byte> pairs_;
  std::span<const std::byte> pairs_batch_;
  std::optional<core::RunReader<float>> weights_;
  std::span<const float> weights_batch_;
  std::vector<Place> places_;
  std::mutex mutex_;
  std::size_t cell_ = 0;
  std::uint64_t left_ = 0;
};

}  // namespace emgraph::graph::graph500
