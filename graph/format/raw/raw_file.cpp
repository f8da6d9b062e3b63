// SPDX-License-Identifier: MIT
// Equal extents of whole rows, read ahead and shared by the lanes.
#include "graph/format/raw/raw_file.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/source/sampling.hpp"
#include "graph/format/source/whole_file.hpp"

namespace emgraph::graph::format {
namespace {

/// A sample looks at this many places, and at so many bytes in each.
constexpr std::uint64_t sample_places = 128;
constexpr std::size_t sample_place_bytes = 8192;

}  // namespace

class RawFile::Lane final : public RecordLane {
 public:
  Lane(RawFile& source, const core::PairShape& shape)
      : source_(source),
        held_(source.held_, *source.reader_),
        rows_(source.environment_.memory, source.facts_.name, source.format_, shape, source.extent_bytes_) {}

  RecordBatch next() override {
    const core::ExtentReader::Loaded* loaded = held_.next();
    if (loaded == nullptr) return {};
    const std::uint64_t row_bytes = source_.format_.row_bytes();
    first_edge_ = (loaded->offset - source_.data_offset_) / row_bytes;
    const std::uint64_t left = *source_.facts_.edges - first_edge_;
    if (loaded->bytes.size() < std::min<std::uint64_t>(source_.extent_bytes_, left * row_bytes)) {
      throw core::DataError::at_offset(source_.facts_.name, loaded->offset + loaded->bytes.size(),
                                       "truncated while it was being read");
    }
    return rows_.read(loaded->offset, loaded->bytes);
  }
  std::uint64_t first_edge() const override { return first_edge_; }

 private:
  RawFile& source_;
  HeldExtent held_;
  RowReader rows_;
  std::uint64_t first_edge_ = 0;
};

void check_row_bytes(const std::string& file, std::uint64_t data_offset, std::uint64_t data_bytes,
                     std::uint64_t row_bytes, const EdgeFacts& facts) {
  if (facts.edges && data_bytes != *facts.edges * row_bytes) {
    throw wrong_size(file, data_offset + data_bytes, data_offset + *facts.edges * row_bytes,
                     std::to_string(*facts.edges) + " edges");
  }
  if (const std::uint64_t rest = data_bytes % row_bytes; rest != 0) {
    throw core::DataError::at_offset(
        file, data_offset + data_bytes - rest,
        std::to_string(rest) + " bytes are left over at the end: the size is not a multiple of the " +
            std::to_string(row_bytes) + " bytes of a record");
  }
}

RawFile::RawFile(core::Environment& environment, core::InputFile input, const EdgeFacts& facts,
                 std::uint64_t data_offset, const RowFormat& format, unsigned max_lanes)
    : environment_(environment),
      input_(std::move(input)),
      facts_(facts),
      data_offset_(data_offset),
      format_(format),
      max_lanes_(max_lanes) {
  facts_.name = input_.name();
  const std::uint64_t data_bytes = input_.size() - std::min(input_.size(), data_offset);
  check_row_bytes(facts_.name, data_offset, data_bytes, format_.row_bytes(), facts_);
  facts_.edges = data_bytes / format_.row_bytes();
  extent_bytes_ = choose_extent_bytes(environment_.memory, format_.row_bytes(), max_lanes_);
}

RawFile::~RawFile() = default;

std::unique_ptr<RecordLane> RawFile::lane(const core::PairShape& shape) {
  const std::lock_guard lock(mutex_);
  if (reader_ == nullptr) {
    const auto sequence = [this](std::uint64_t i) -> std::optional<core::FileExtent> {
      const std::uint64_t at = i * extent_bytes_;
      const std::uint64_t data_bytes = *facts_.edges * format_.row_bytes();
      if (at >= data_bytes) return std::nullopt;
      return core::FileExtent{data_offset_ + at, std::min<std::uint64_t>(extent_bytes_, data_bytes - at)};
    };
    reader_ = std::make_unique<core::ExtentReader>(
        input_.disk(), environment_.io, environment_.memory, sequence, extent_bytes_,
        read_depth(environment_.memory, extent_bytes_, max_lanes_), max_lanes_);
  }
  return std::make_unique<Lane>(*this, shape);
}

void RawFile::rewind() {
  held_.release_all();
  if (reader_ != nullptr) reader_->rewind();
}

std::vector<std::byte> RawFile::sample(const core::PairShape& shape, std::size_t count) {
  std::vector<std::byte> records;
  const std::size_t row_bytes = format_.row_bytes();
  const std::uint64_t place_rows = std::max<std::uint64_t>(1, sample_place_bytes / row_bytes);
  const std::uint64_t places = (*facts_.edges + place_rows - 1) / place_rows;
  const SamplePlan plan = plan_sample(places, sample_places, count, environment_.seed);
  std::vector<std::byte> buffer(place_rows * row_bytes);
  RowReader rows(environment_.memory, facts_.name, format_, shape, buffer.size());
  for (const std::uint64_t place : plan.places) {
    const std::uint64_t first_row = place * place_rows;
    const auto bytes = std::span(buffer).first(
        static_cast<std::size_t>(std::min(place_rows, *facts_.edges - first_row)) * row_bytes);
    const std::uint64_t offset = data_offset_ + first_row * row_bytes;
    if (input_.read_at(offset, bytes) != bytes.size()) {
      throw core::DataError::at_offset(facts_.name, offset, "truncated while it was being read");
    }
    take_sample(rows.read(offset, bytes), shape, plan.records_per_place, records);
  }
  return records;
}

}  // namespace emgraph::graph::format
