// SPDX-License-Identifier: MIT
// From a file, equal extents of whole rows are read ahead for all lanes. From a pipe, lanes read in turn into
// their own buffers.
#include "graph/format/raw/raw_source.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::format {

RowReader::RowReader(core::MemoryBudget& budget, std::string file, const RowFormat& format,
                     const core::PairShape& shape, std::size_t max_bytes)
    : budget_(budget), file_(std::move(file)), format_(format), shape_(shape), max_bytes_(max_bytes) {
  if (format_.packed_edges || !core::same_bytes(format_.layout, shape_)) records();
}

std::byte* RowReader::records() {
  if (records_.size() == 0) {
    records_ = core::Buffer(budget_, max_bytes_ / format_.row_bytes() * shape_.row_bytes, "edges being read");
  }
  return records_.data();
}

RecordBatch RowReader::read(std::uint64_t offset, std::span<const std::byte> rows) {
  const std::size_t count = rows.size() / format_.row_bytes();
  if (format_.packed_edges) {
    unpack_edges(file_, offset, rows, format_.layout.integer_bytes, shape_, records());
    return {records_.data(), count};
  }
  if (format_.signed_ids || format_.checked_weight) refuse_negative(offset, rows);
  const bool aligned = reinterpret_cast<std::uintptr_t>(rows.data()) % shape_.integer_bytes == 0;
  if (aligned && core::same_bytes(format_.layout, shape_)) return {rows.data(), count};
  core::unpack_pairs(format_.layout, rows.data(), count, shape_, records());
  return {records_.data(), count};
}

void RowReader::refuse_negative(std::uint64_t offset, std::span<const std::byte> rows) const {
  const std::size_t width = format_.layout.integer_bytes;
  const std::size_t row_bytes = format_.layout.row_bytes();
  const std::size_t first = format_.signed_ids ? 0 : 2 * width;
  const std::size_t last = format_.checked_weight ? 3 * width : 2 * width;
  for (std::size_t at = 0; at < rows.size(); at += row_bytes) {
    for (std::size_t integer = at + first; integer < at + last; integer += width) {
      if ((rows[integer + width - 1] & std::byte{0x80}) == std::byte{0}) continue;
      std::int64_t value = -1;
      std::memcpy(&value, &rows[integer], width);
      throw core::DataError::at_offset(
          file_, offset + integer,
          integer < at + 2 * width
              ? "negative id " + std::to_string(value) + ", expected 0 or more"
              : "weight " +
                    (format_.signed_ids ? std::to_string(value)
                                        : std::to_string(static_cast<std::uint64_t>(value))) +
                    ", expected 0 to 2^" + std::to_string(8 * width - 1) + " - 1");
    }
  }
}

namespace {

/// Number of places of a sample, and the bytes read at each.
constexpr std::uint64_t sample_places = 128;
constexpr std::size_t sample_place_bytes = 8192;

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

class RawFile final : public LanedSource {
 public:
  RawFile(core::Environment& environment, core::InputFile input, const EdgeFacts& facts,
          std::uint64_t data_offset, const RowFormat& format, unsigned max_lanes);

  bool rewindable() const override { return true; }
  bool quick_to_reread() const override { return input_.seekable(); }
  void expect_rereading() override {
    input_.expect_rereading();
    reader_.reset();
  }
  void rewind() override { start_at(0); }
  std::uint64_t seek(std::uint64_t edge) override;
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  std::unique_ptr<WorkingLane> make_lane(const core::PairShape& shape) override;
  void start_at(std::uint64_t extent);
  core::InputFile input_;
  const std::uint64_t data_offset_;
  const RowFormat format_;
  std::size_t extent_bytes_ = 0;
  std::uint64_t first_extent_ = 0;  // where lanes start
  std::unique_ptr<core::ExtentReader> reader_;
  HeldExtents held_;
};

class RawFile::Lane final : public WorkingLane {
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
      throw became_shorter(source_.facts_.name, loaded->offset + loaded->bytes.size());
    }
    return rows_.read(loaded->offset, loaded->bytes);
  }

 private:
  RawFile& source_;
  HeldExtent held_;
  RowReader rows_;
};

RawFile::RawFile(core::Environment& environment, core::InputFile input, const EdgeFacts& facts,
                 std::uint64_t data_offset, const RowFormat& format, unsigned max_lanes)
    : LanedSource(environment, facts), input_(std::move(input)), data_offset_(data_offset), format_(format) {
  facts_.name = input_.name();
  const std::uint64_t data_bytes = input_.size() - std::min(input_.size(), data_offset);
  check_row_bytes(facts_.name, data_offset, data_bytes, format_.row_bytes(), facts_);
  facts_.edges = data_bytes / format_.row_bytes();
  extent_bytes_ = choose_extent_bytes(environment_.memory, format_.row_bytes(), max_lanes);
  open_lanes(max_lanes, extent_bytes_);
}

std::unique_ptr<WorkingLane> RawFile::make_lane(const core::PairShape& shape) {
  if (reader_ == nullptr) {
    const auto sequence = [this](std::uint64_t i) -> std::optional<core::FileExtent> {
      const std::uint64_t at = i * extent_bytes_;
      const std::uint64_t data_bytes = *facts_.edges * format_.row_bytes();
      if (at >= data_bytes) return std::nullopt;
      return core::FileExtent{data_offset_ + at, std::min<std::uint64_t>(extent_bytes_, data_bytes - at)};
    };
    reader_ = std::make_unique<core::ExtentReader>(
        input_.disk(), environment_.memory, sequence, extent_bytes_,
        read_depth(environment_.memory, extent_bytes_, working_lanes()), working_lanes());
    reader_->rewind(first_extent_);
  }
  return std::make_unique<Lane>(*this, shape);
}

void RawFile::start_at(std::uint64_t extent) {
  held_.release_all();
  first_extent_ = extent;
  if (reader_ != nullptr) reader_->rewind(extent);
}

std::uint64_t RawFile::seek(std::uint64_t edge) {
  const std::uint64_t extent_rows = extent_bytes_ / format_.row_bytes();
  start_at(edge / extent_rows);
  return first_extent_ * extent_rows;
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
    read_exactly(input_, offset, bytes);
    take_sample(rows.read(offset, bytes), shape, plan.records_per_place, records);
  }
  return records;
}

class RawStream final : public LanedSource {
 public:
  RawStream(core::Environment& environment, core::InputFile input, const EdgeFacts& facts,
            std::uint64_t data_offset, const RowFormat& format, unsigned max_lanes);

  std::optional<std::uint64_t> edges_read() override {
    const std::lock_guard lock(mutex_);
    return (position_ - data_offset_) / format_.row_bytes();
  }

 private:
  class Lane;
  std::unique_ptr<WorkingLane> make_lane(const core::PairShape& shape) override;
  std::size_t read_rows(std::span<std::byte> buffer, std::uint64_t& offset);

  core::InputFile input_;
  const std::uint64_t data_offset_;
  const RowFormat format_;
  std::mutex mutex_;  // guards the members below
  std::uint64_t position_;
  bool ended_ = false;
};

class RawStream::Lane final : public WorkingLane {
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

 private:
  RawStream& source_;
  core::Buffer buffer_;
  RowReader rows_;
};

RawStream::RawStream(core::Environment& environment, core::InputFile input, const EdgeFacts& facts,
                     std::uint64_t data_offset, const RowFormat& format, unsigned max_lanes)
    : LanedSource(environment, facts),
      input_(std::move(input)),
      data_offset_(data_offset),
      format_(format),
      position_(data_offset) {
  facts_.name = input_.name();
  open_lanes(max_lanes, choose_extent_bytes(environment.memory, format_.row_bytes(), 1));
}

std::unique_ptr<WorkingLane> RawStream::make_lane(const core::PairShape& shape) {
  const std::size_t bytes = choose_extent_bytes(environment_.memory, format_.row_bytes(), 1);
  return std::make_unique<Lane>(*this, shape, bytes);
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

}  // namespace

std::unique_ptr<RecordSource> open_raw_rows(core::Environment& environment, core::InputFile input,
                                            const EdgeFacts& facts, std::uint64_t data_offset,
                                            const RowFormat& format, unsigned max_lanes) {
  if (input.seekable()) {
    return std::make_unique<RawFile>(environment, std::move(input), facts, data_offset, format, max_lanes);
  }
  return std::make_unique<RawStream>(environment, std::move(input), facts, data_offset, format, max_lanes);
}

}  // namespace emgraph::graph::format
