// SPDX-License-Identifier: MIT
// Reads edges that come through a pipe as rows without blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/format/source/row_reader.hpp"

namespace emgraph::graph::format {

/// `input` stands `data_offset` bytes from its start. At its end the rows must be whole and, if facts.edges
/// is set, as many as it says: else DataError.
class RawStream final : public RecordSource {
 public:
  RawStream(core::Environment& environment, core::InputFile input, const EdgeFacts& facts,
            std::uint64_t data_offset, const RowFormat& format);

  const EdgeFacts& facts() const override { return facts_; }
  std::unique_ptr<RecordLane> lane(const core::PairShape& shape) override;
  bool rewindable() const override { return false; }
  void rewind() override;
  std::vector<std::byte> sample(const core::PairShape&, std::size_t) override { return {}; }

 private:
  class Lane;
  std::size_t read_rows(std::span<std::byte> buffer, std::uint64_t& offset);

  core::Environment& environment_;
  core::InputFile input_;
  EdgeFacts facts_;
  const std::uint64_t data_offset_;
  const RowFormat format_;
  std::mutex mutex_;  // guards what follows
  std::uint64_t position_;
  bool ended_ = false;
};

}  // namespace emgraph::graph::format
