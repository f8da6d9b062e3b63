// SPDX-License-Identifier: MIT
// Lanes take turns reading into buffers of their own.
#include "graph/format/raw/raw_stream.hpp"

#include <stdexcept>
#include <utility>

#include "graph/format/raw/raw_file.hpp"

namespace emgraph::graph::format {

class RawStream::Lane final : public RecordLane {
 public:
  Lane(RawStream& source, const core::PairShape& shape, std::size_t bytes)
      : source_(source),
        buffer_(source.environment_.memory, bytes, "edges from a pipe"),
        rows_(source.environment_.memory, source.facts_.name, source.format_, shape, bytes) {}

  RecordBatch next() override {
    std::uint64_t offset = 0;
    const std::size_t bytes = source_.read_rows(buffer_.bytes(), offset);
    if (bytes == 0) return {};
    first_edge_ = (offset - source_.data_offset_) / source_.format_.row_bytes();
    return rows_.read(offset, buffer_.bytes().first(bytes));
  }
  std::uint64_t first_edge() const override { return first_edge_; }

 private:
  RawStream& source_;
  core::Buffer buffer_;
  RowReader rows_;
  std::uint64_t first_edge_ = 0;
};

RawStream::RawStream(core::Environment& environment, core::InputFile input, const EdgeFacts& facts,
                     std::uint64_t data_offset, const RowFormat& format)
    : environment_(environment),
      input_(std::move(input)),
      facts_(facts),
      data_offset_(data_offset),
      format_(format),
      position_(data_offset) {
  facts_.name = input_.name();
}

std::unique_ptr<RecordLane> RawStream::lane(const core::PairShape& shape) {
  const std::size_t bytes = choose_extent_bytes(environment_.memory, format_.row_bytes(), 1);
  return std::make_unique<Lane>(*this, shape, bytes);
}

void RawStream::rewind() {
  throw std::logic_error("a pipe cannot be read again");
}

std::size_t RawStream::read_rows(std::span<std::byte> buffer, std::uint64_t& offset) {
  const std::lock_guard lock(mutex_);
  if (ended_) return 0;
  offset = position_;
  const std::size_t bytes = input_.read_next(buffer);
  position_ += bytes;
  if (bytes < buffer.size()) {
    ended_ = true;
    check_row_bytes(facts_.name, data_offset_, position_ - data_offset_, format_.row_bytes(), facts_);
  }
  return bytes;
}

}  // namespace emgraph::graph::format
