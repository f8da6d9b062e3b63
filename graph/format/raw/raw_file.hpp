// SPDX-License-Identifier: MIT
// Reads edges that lie in a regular file as rows without blocks: raw pairs, and NumPy arrays behind their
// header.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/environment.hpp"
#include "core/io/extent_reader.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/source/held_extent.hpp"
#include "graph/format/source/record_source.hpp"
#include "graph/format/source/row_reader.hpp"

namespace emgraph::graph::format {

/// Rows of `format` take all bytes from `data_offset` to the end of the file. Throws DataError unless they
/// are whole rows and, if facts.edges is set, as many as it says; sets facts.edges.
class RawFile final : public RecordSource {
 public:
  RawFile(core::Environment& environment, core::InputFile input, const EdgeFacts& facts,
          std::uint64_t data_offset, const RowFormat& format, unsigned max_lanes);
  ~RawFile() override;

  const EdgeFacts& facts() const override { return facts_; }
  std::unique_ptr<RecordLane> lane(const core::PairShape& shape) override;
  bool rewindable() const override { return true; }
  void rewind() override;
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  core::Environment& environment_;
  core::InputFile input_;
  EdgeFacts facts_;
  const std::uint64_t data_offset_;
  const RowFormat format_;
  const unsigned max_lanes_;
  std::size_t extent_bytes_ = 0;
  std::mutex mutex_;  // guards the making of reader_
  std::unique_ptr<core::ExtentReader> reader_;
  HeldExtents held_;
};

/// "size S is not a multiple of the record: R bytes are left over" and the like.
void check_row_bytes(const std::string& file, std::uint64_t data_offset, std::uint64_t data_bytes,
                     std::uint64_t row_bytes, const EdgeFacts& facts);

}  // namespace emgraph::graph::format
