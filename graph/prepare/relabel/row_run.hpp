// SPDX-License-Identifier: MIT
// Edges on the temporary disks as an input that any number of lanes can read again and again.
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

/// Edges of one layout without gaps, as many whole ones in each block as it holds.
struct RowRun {
  core::BlockList blocks;
  std::uint64_t rows = 0;
};

/// Bytes of a block: 256 KiB, less where there is little memory.
std::size_t row_block_bytes(const core::MemoryBudget& budget);

/// Writes a RowRun. I/O: each edge out once. Memory: two blocks. Threads: one.
/// Throws: EnvironmentError, MemoryLimitError; the run is gone then.
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

/// I/O: each edge in once per reading. Memory: three blocks, and per lane a block and what it holds as
/// records; as many lanes work as a quarter of the free memory holds. Throws: EnvironmentError,
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
  std::mutex mutex_;  // guards what follows
  std::optional<core::BlockReader> reader_;
  std::uint64_t next_row_ = 0;
};

/// Writes what comes only once to the temporary disks. `facts`: of `source`, which stands at its first edge.
/// I/O: each edge out once. Memory: two blocks and a lane. Throws: as the source and RowRunWriter.
std::shared_ptr<RowRunSource> spool(core::Environment& environment, format::RecordSource& source,
                                    EdgeFacts facts, unsigned max_lanes);

}  // namespace emgraph::graph::relabel
