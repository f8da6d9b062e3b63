// SPDX-License-Identifier: MIT
// Writes emgraph's container (CONTAINER.md).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/io/codec.hpp"
#include "core/io/output_file.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/block_encoder.hpp"
#include "graph/format/container_layout.hpp"
#include "graph/format/edge_writer.hpp"
#include "graph/format/metadata.hpp"

namespace emgraph::graph::format {

struct ContainerOptions {
  core::CodecChoice codec = {};
  Metadata metadata = {};
  /// Raw size of a block, bytes. 0: 1 MiB, less (down to 4 KiB) where memory is short.
  std::size_t block_bytes = 0;
};

/// `facts.edges`, if set, must be what will be appended; `facts.nodes`, if set, bounds the ids, else n
/// becomes the largest id + 1. Output that cannot be rewritten (pipes) leaves unknown counts of the header
/// unknown. Threads: encodes on environment.threads threads. Memory: a block and its encoding per thread, 56
/// bytes per block.
class ContainerWriter final : public EdgeWriter {
 public:
  ContainerWriter(core::Environment& environment, std::unique_ptr<core::OutputFile> output,
                  const EdgeFacts& facts, const ContainerOptions& options);
  ~ContainerWriter() override;

  void append_records(const core::PairShape& shape, const std::byte* records, std::size_t count) override;
  void finish() override;
  std::uint64_t edges() const override { return edges_; }
  std::uint64_t bytes() const override { return output_->size(); }
  /// Largest id + 1 or the declared n; loops. Complete after finish().
  std::uint64_t nodes() const;
  std::uint64_t loops() const { return loops_; }

 private:
  void write_block(const BlockWork& work);
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
  std::unique_ptr<BlockEncoder> blocks_;  // last: its threads go first
};

}  // namespace emgraph::graph::format
