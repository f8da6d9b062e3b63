// SPDX-License-Identifier: MIT
// Edges on the temporary disks, and a source that reads them any number of times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/block/run_blocks.hpp"
#include "core/environment.hpp"
#include "core/memory/buffer.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::relabel {

/// Edges of one layout. Every block has as many whole edges as fit, without gaps between them.
struct RowRun {
  core::BlockList blocks;
  std::uint64_t rows = 0;
};

/// Bytes of a block: 256 KiB, or less if memory is short.
std::size_t row_block_bytes(const core::MemoryBudget& budget);

/// Writes a RowRun. I/O: writes each edge once. Memory: two blocks. Threads: one.
/// Throws: EnvironmentError, MemoryLimitError; the run is unusable then.
class RowRunWriter {
 public:
  RowRunWriter(core::Environment& environment, const EdgeLayout& layout);
  /// Requires: the ids fit the layout.
  void append(const core::PairShape& shape, const std::byte* records, std::size_t count);
  RowRun finish();

 private:
  const core::PairLayout layout_;
  core::BlockWriter writer_;
  std::size_t block_rows_;
  std::size_t filled_rows_ = 0;
  std::uint64_t rows_ = 0;
};

/// I/O: each reading reads every edge once. Memory: three blocks, and per lane a block and its edges as
/// records; only as many lanes return edges as fit in a quarter of the free memory. Throws: EnvironmentError,
/// MemoryLimitError.
class RowRunSource final : public format::LanedSource {
 public:
  /// `facts`: their layout is that of the run.
  RowRunSource(core::Environment& environment, EdgeFacts facts, RowRun run, unsigned max_lanes);

  bool rewindable() const override { return true; }
  void rewind() override;
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  std::unique_ptr<format::WorkingLane> make_lane(const core::PairShape& shape) override;
  std::size_t read_block(std::byte* to, std::uint64_t& first_row);

  const core::PairLayout layout_;
  const RowRun run_;
  const std::size_t block_rows_;
  std::mutex mutex_;  // guards the members below
  std::optional<core::BlockReader> reader_;
  std::uint64_t next_row_ = 0;
};

/// Copies an input that can be read only once to the temporary disks. `facts`: of `source`, which is at its
/// first edge. I/O: writes each edge once. Memory: two blocks and a lane. Throws: what the source and
/// RowRunWriter throw.
std::shared_ptr<RowRunSource> spool(core::Environment& environment, format::RecordSource& source,
                                    EdgeFacts facts, unsigned max_lanes);

}  // namespace emgraph::graph::relabel
