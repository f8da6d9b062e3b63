// SPDX-License-Identifier: MIT
// Reads a container that is a regular file: blocks in parallel, by the index.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/environment.hpp"
#include "core/io/extent_reader.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/container/container_index.hpp"
#include "graph/format/container/container_layout.hpp"
#include "graph/format/source/held_extent.hpp"
#include "graph/format/source/lane_places.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

/// Header, metadata, footer and index are checked on construction.
class ContainerFile final : public RecordSource {
 public:
  /// `verify` false: blocks are not summed (their heads are).
  ContainerFile(core::Environment& environment, core::InputFile input, unsigned max_lanes, bool verify);
  ~ContainerFile() override;

  const EdgeFacts& facts() const override { return facts_; }
  const Metadata& metadata() const { return metadata_; }
  const ContainerHeader& header() const { return header_; }
  const ContainerFooter& footer() const { return footer_; }

  std::unique_ptr<RecordLane> lane(const core::PairShape& shape) override;
  bool rewindable() const override { return true; }
  void rewind() override;
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  void load_ends();
  void open_blocks();
  IndexEntry take_expected(std::uint64_t block);

  core::Environment& environment_;
  core::InputFile input_;
  const bool verify_;
  ContainerHeader header_;
  ContainerFooter footer_;
  Metadata metadata_;
  EdgeFacts facts_;
  std::unique_ptr<ContainerIndex> index_;
  std::size_t largest_block_bytes_ = 0;
  LanePlaces places_;
  std::mutex lane_mutex_;                                   // guards the making of reader_
  std::mutex mutex_;                                        // guards expected_
  std::unordered_map<std::uint64_t, IndexEntry> expected_;  // of the blocks in flight
  std::unique_ptr<core::ExtentReader> reader_;
  HeldExtents held_;
};

}  // namespace emgraph::graph::format
