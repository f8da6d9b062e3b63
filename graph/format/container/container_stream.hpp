// SPDX-License-Identifier: MIT
// Reads a container from a pipe: block by block, the index and footer as they come.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/io/checksum.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/container/container_index.hpp"
#include "graph/format/container/container_layout.hpp"
#include "graph/format/source/lane_places.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

/// Bytes are read under a lock into the lane's buffer and verified and decoded outside it.
class ContainerStream final : public RecordSource {
 public:
  ContainerStream(core::Environment& environment, core::InputFile input, unsigned max_lanes, bool verify);

  const EdgeFacts& facts() const override { return facts_; }
  const Metadata& metadata() const { return metadata_; }
  const ContainerHeader& header() const { return header_; }

  std::unique_ptr<RecordLane> lane(const core::PairShape& shape) override;
  bool rewindable() const override { return false; }
  void rewind() override;
  std::vector<std::byte> sample(const core::PairShape&, std::size_t) override { return {}; }

 private:
  class Lane;
  struct Block {
    std::uint64_t offset = 0;
    BlockHead head;
  };
  bool read_block(std::span<std::byte> buffer, Block& block);
  void read_end(std::uint64_t index_offset, std::span<const std::byte> start);
  void read_exactly(std::span<std::byte> buffer);

  core::Environment& environment_;
  core::InputFile input_;
  const bool verify_;
  ContainerHeader header_;
  Metadata metadata_;
  EdgeFacts facts_;
  LanePlaces places_;
  std::mutex mutex_;  // guards what follows
  std::uint64_t position_ = 0;
  std::unique_ptr<IndexCheck> blocks_;
  core::ChecksumStream block_places_;  // of the blocks, to be compared with what the index says
  bool ended_ = false;
};

}  // namespace emgraph::graph::format
