// SPDX-License-Identifier: MIT
// Spools an input that can be read only once, such as a pipe, so that it can be read a second time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/block/run.hpp"
#include "graph/prepare/ingest.hpp"

namespace emgraph::graph::prepare {

/// Bytes of a block of spooled edges.
inline constexpr std::size_t spool_block_bytes = 256 * 1024;

/// Edges on the temporary disks, as many whole rows in each block as it holds.
struct SpooledRows {
  core::BlockList blocks;
  std::uint64_t rows = 0;
};

/// I/O: each edge once out. Memory: `buffers` blocks. Threads: one. Throws: EnvironmentError,
/// MemoryLimitError.
class SpoolWriter {
 public:
  SpoolWriter(core::Environment& environment, std::size_t row_bytes, std::size_t buffers)
      : row_bytes_(row_bytes), writer_(environment, spool_block_bytes, buffers, {}) {}
  void append(const std::byte* rows, std::size_t count);
  SpooledRows finish();

 private:
  const std::size_t row_bytes_;
  core::BlockWriter writer_;
  std::size_t filled_rows_ = 0;
  std::uint64_t rows_ = 0;
};

/// Spooled edges as a source that can be read once; reading frees their space. Requires: lanes ask for
/// `shape`, the shape of the rows (else std::logic_error). I/O: reads each edge once. Memory: a few blocks,
/// and a block per lane.
std::shared_ptr<RecordSource> spooled_source(core::Environment& environment, EdgeFacts facts,
                                             const core::PairShape& shape, SpooledRows rows);

/// The same for a run of edges without attachments.
template <class Id>
EdgeSource<Id> spooled_source(core::Environment& environment, EdgeFacts facts, core::Run<Edge<Id>> run) {
  auto source = spooled_source(environment, facts, record_shape(sizeof(Id), 0),
                               {std::move(run.blocks), std::exchange(run.records, 0)});
  return {std::move(source), std::move(facts), 0};
}

/// Reads an input twice. The first reading spools an input that cannot be rewound to the temporary disks.
template <class Id>
class TwoReadings {
 public:
  TwoReadings(core::Environment& environment, EdgeSource<Id>& source)
      : environment_(environment), source_(source) {}

  /// First reading: calls `take(EdgeBatch<Id>, number of its first edge)` from any thread. `sealed`: its
  /// pauses, for an input that can be rewound.
  template <class Take>
  IngestFacts first(const std::string& phase_name, const std::optional<std::uint64_t>& nodes, Take&& take,
                    const SealedReading& sealed = {}) {
    seek_edge(source_, sealed.from.edges);
    if (!source_.rewindable()) spool_.emplace(environment_, source_.shape().row_bytes, 4);
    core::Phase phase(environment_.progress, phase_name, source_.facts().edges.value_or(0), "edges");
    return ingest(
        open_lanes(environment_, source_), source_.facts().name, nodes, phase,
        [&](unsigned, const EdgeBatch<Id>& batch, std::uint64_t first_edge) {
          take(batch, first_edge);
          if (!spool_) return;
          const std::lock_guard lock(mutex_);
          spool_->append(batch.rows(), batch.size());
        },
        sealed);
  }
  EdgeSource<Id>& second() {
    if (!spool_) {
      source_.rewind();
      return source_;
    }
    spooled_.emplace(spooled_source(environment_, source_.facts(), source_.shape(), spool_->finish()),
                     source_.facts(), source_.attachment_bytes());
    spool_.reset();
    return *spooled_;
  }

 private:
  core::Environment& environment_;
  EdgeSource<Id>& source_;
  std::mutex mutex_;
  std::optional<SpoolWriter> spool_;
  std::optional<EdgeSource<Id>> spooled_;
};

}  // namespace emgraph::graph::prepare
