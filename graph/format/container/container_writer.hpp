// SPDX-License-Identifier: MIT
// Writes emgraph's container (CONTAINER.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/bytes.hpp"
#include "core/environment.hpp"
#include "core/io/codec.hpp"
#include "core/io/output_file.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/container/block_encoder.hpp"
#include "graph/format/container/container_layout.hpp"
#include "graph/format/source/edge_writer.hpp"
#include "graph/format/table/metadata.hpp"

namespace emgraph::graph::format {

/// Raw size of a block with its head, bytes. Small, so that 16 MiB of memory hold blocks for several threads.
/// Measured: 20 M sorted edges, 256 KiB vs 1 MiB, one thread, ns per edge of CPU time: writing none 2.7
/// vs 2.7, delta 8.2 vs 8.0, delta+zstd 10.8 vs 10.9; reading none 1.1 vs 0.8, delta 4.6 vs 4.0,
/// delta+zstd 6.4 vs 5.9; size 0.1 % more (128 KiB: reading another 0.3 to 0.8 ns more).
inline constexpr std::size_t default_block_bytes = 256 * core::KiB;

struct ContainerOptions {
  core::CodecChoice codec = {};
  Metadata metadata = {};
  /// Raw size of a block with its head, bytes. It does not depend on memory or threads, because it determines
  /// the file.
  std::size_t block_bytes = default_block_bytes;
};

/// `facts.edges`, if set, must be the number of appended edges. `facts.nodes`, if set, bounds the ids; else n
/// becomes the largest id + 1, or more (at_least_nodes). If the output cannot be rewritten (pipes), counts
/// that are unknown at the start stay unknown in the header. The bytes depend on edges, facts and options
/// only. Threads: encodes on up to environment.threads threads. Memory: a block and its encoding per thread,
/// in at most a quarter of the free memory; 56 bytes per block.
class ContainerWriter final : public EdgeWriter {
 public:
  ContainerWriter(core::Environment& environment, std::unique_ptr<core::OutputFile> output,
                  const EdgeFacts& facts, const ContainerOptions& options);
  ~ContainerWriter() override;

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override;
  void at_least_nodes(std::uint64_t nodes) override { least_nodes_ = nodes; }
  bool resumable() const override { return output_->resumable(); }
  void save(core::StateWriter& state) override;
  void restore(core::StateReader& state) override;
  void finish() override;
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }
  /// The most memory that the index of a file of `edges` edges takes beyond what the constructor reserves.
  static std::uint64_t growth_bytes(const EdgeFacts& facts, std::uint64_t edges);
  /// n as written. Complete after finish().
  std::uint64_t nodes() const;
  std::uint64_t loops() const { return loops_; }

 private:
  void write_block(const BlockWork& work);
  void grow_index(std::size_t entries);
  void write_index(const ContainerHeader& final_header);

  std::unique_ptr<core::OutputFile> output_;
  const EdgeFacts facts_;
  const core::PairLayout layout_;
  std::size_t block_edges_ = 0;
  std::string metadata_;
  core::CodecChoice codec_;
  ContainerHeader header_;
  core::Reservation index_memory_;
  std::vector<IndexEntry> index_;
  std::vector<std::byte> last_row_;
  std::uint64_t edges_ = 0;
  std::uint64_t loops_ = 0;
  std::uint64_t max_id_ = 0;
  std::uint64_t least_nodes_ = 0;
  std::unique_ptr<BlockEncoder> blocks_;  // last member: its threads end before the others are destroyed
};

}  // namespace emgraph::graph::format
