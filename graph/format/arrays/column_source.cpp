// SPDX-License-Identifier: MIT
// Reads equal pieces of all arrays, and makes records of them.
#include "graph/format/arrays/column_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/table/weight_names.hpp"

namespace emgraph::graph::format {
namespace {

constexpr std::size_t batch_edges = 16384;
constexpr std::size_t most_item_bytes = 8;
constexpr std::size_t ends_at_a_time = 4096;

/// A number of an array: an integer with its sign apart, or a double.
struct Number {
  bool negative = false;
  bool whole = true;
  std::uint64_t size = 0;  ///< of a whole number, without its sign
  double real = 0;         ///< of a floating-point number
};

template <class T>
T load_item(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

Number integer(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return {.negative = value < 0, .size = value < 0 ? ~bits + 1 : bits, .real = static_cast<double>(value)};
}

Number floating(double value) {
  constexpr double too_large = 18446744073709551616.0;
  const double size = std::fabs(value);
  const bool whole = std::trunc(value) == value && size < too_large;
  return {.negative = value < 0,
          .whole = whole,
          .size = whole ? static_cast<std::uint64_t>(size) : 0,
          .real = value};
}

Number number_at(const NumberColumn& column, const std::byte* items, std::size_t i) {
  const std::byte* at = items + i * column.item_bytes;
  std::array<std::byte, most_item_bytes> turned;
  if (column.big_endian) {
    std::reverse_copy(at, at + column.item_bytes, turned.begin());
    at = turned.data();
  }
  if (column.kind == 'f') {
    return floating(column.item_bytes == 4 ? static_cast<double>(load_item<float>(at))
                                           : load_item<double>(at));
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, column.item_bytes);
  if (column.kind == 'u') return {.size = bits, .real = static_cast<double>(bits)};
  const std::size_t unused = 64 - 8 * column.item_bytes;
  return integer(static_cast<std::int64_t>(bits << unused) >> unused);
}

std::string text_of(const NumberColumn& column, const Number& number) {
  if (column.kind == 'f') return std::to_string(number.real);
  return (number.negative ? "-" : "") + std::to_string(number.size);
}

core::DataError wrong_item(const NumberColumn& column, std::uint64_t index, const Number& number,
                           const std::string& expected) {
  const std::uint64_t offset = column.header_bytes + index * column.item_bytes;
  const std::string found = ": found " + text_of(column, number) + ", expected " + expected;
  const std::string item = "item " + std::to_string(index);
  // A deflated item has no offset in the file.
  if (column.range.deflated) {
    return core::DataError::in_file(column.range.name,
                                    item + " at offset " + std::to_string(offset) + " when unpacked" + found);
  }
  return core::DataError::at_offset(column.range.name, column.range.offset + offset, item + found);
}

/// False if the number does not fit the type.
bool put_weight(WeightType type, const Number& number, std::byte* out) {
  constexpr auto most_signed = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (type == WeightType::f64) {
    std::memcpy(out, &number.real, sizeof(number.real));
  } else if (type == WeightType::f32) {
    const auto narrow = static_cast<float>(number.real);
    std::memcpy(out, &narrow, sizeof(narrow));
  } else if (type == WeightType::u32) {
    const auto narrow = static_cast<std::uint32_t>(number.size);
    if (number.negative || narrow != number.size) return false;
    std::memcpy(out, &narrow, sizeof(narrow));
  } else {
    if (number.size > most_signed + (number.negative ? 1 : 0)) return false;
    const std::uint64_t bits = number.negative ? ~number.size + 1 : number.size;
    std::memcpy(out, &bits, sizeof(bits));
  }
  return true;
}

}  // namespace

class ColumnSource::Lane final : public WorkingLane {
 public:
  Lane(ColumnSource& source, const core::PairShape& shape)
      : source_(source),
        shape_(shape),
        first_(source.environment_.memory, batch_edges * most_item_bytes * source.layout_.side_by_side,
               "items"),
        second_(source.environment_.memory, batch_edges * most_item_bytes, "items"),
        weight_(source.environment_.memory, batch_edges * most_item_bytes, "items"),
        rows_(source.environment_.memory, batch_edges, "rows of entries"),
        records_(source.environment_.memory, batch_edges * shape.row_bytes, "edges from arrays") {}

  RecordBatch next() override {
    const std::size_t count = load();
    if (count == 0) return {};
    std::memset(records_.data(), 0, count * shape_.row_bytes);
    const ColumnLayout& layout = source_.layout_;
    const std::size_t side = layout.side_by_side;
    for (std::size_t i = 0; i < count; ++i) {
      std::byte* const record = records_.data() + i * shape_.row_bytes;
      const std::uint64_t first = layout.first ? id(*layout.first, first_.data(), i * side, side) : rows_[i];
      const std::uint64_t second = layout.second ? id(*layout.second, second_.data(), i, 1)
                                                 : id(*layout.first, first_.data(), i * side + 1, side);
      set_id(shape_, record, 0, layout.swapped ? second : first);
      set_id(shape_, record, 1, layout.swapped ? first : second);
      if (weight_type() == WeightType::none || shape_.attachment_bytes < weight_bytes(weight_type()))
        continue;
      const NumberColumn& column = layout.weight ? *layout.weight : *layout.first;
      const std::size_t at = layout.weight ? i : i * side + 2;
      const Number weight = number_at(column, layout.weight ? weight_.data() : first_.data(), at);
      if (put_weight(weight_type(), weight, record + 2 * shape_.integer_bytes)) continue;
      throw wrong_item(column, first_edge_ * (layout.weight ? 1 : side) + at, weight,
                       "a weight of type " + std::string(weight_name(weight_type())));
    }
    return {records_.data(), count};
  }

 private:
  WeightType weight_type() const { return source_.facts_.layout.weight; }

  std::uint64_t id(const NumberColumn& column, const std::byte* items, std::size_t i,
                   std::size_t side) const {
    const Number number = number_at(column, items, i);
    const std::uint64_t index = first_edge_ * side + i;
    if (!number.whole || (number.negative && number.size != 0)) {
      throw wrong_item(column, index, number, "an id: a whole number of 0 or more");
    }
    const EdgeFacts& facts = source_.facts_;
    if (facts.nodes && number.size >= *facts.nodes) {
      throw wrong_item(column, index, number, "an id below " + std::to_string(*facts.nodes));
    }
    if (facts.layout.id_bytes == 4 && number.size > std::numeric_limits<std::uint32_t>::max()) {
      throw IdTooWide(wrong_item(column, index, number, "an id below 2^32; ids of 8 bytes would hold it"));
    }
    return number.size;
  }

  /// Reads the items of the next edges, as many as it returns.
  std::size_t load() {
    const std::lock_guard lock(source_.mutex_);
    if (source_.failed_) return 0;
    source_.failed_ = true;  // remains true if an exception is thrown
    const ColumnLayout& layout = source_.layout_;
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(batch_edges, layout.edges - source_.read_));
    first_edge_ = source_.read_;
    if (layout.first) read(*layout.first, *source_.first_, first_, count * layout.side_by_side);
    if (layout.second) read(*layout.second, *source_.second_, second_, count);
    if (layout.weight) read(*layout.weight, *source_.weight_, weight_, count);
    for (std::size_t i = 0; layout.row_ends && i < count; ++i) {
      while (source_.row_end_ <= first_edge_ + i) {
        ++source_.row_;
        source_.row_end_ = source_.next_row_end();
      }
      rows_[i] = source_.row_ - 1;
    }
    source_.read_ += count;
    source_.failed_ = false;
    return count;
  }

  static void read(const NumberColumn& column, ByteStream& stream, core::Buffer& buffer, std::size_t items) {
    const auto bytes = buffer.bytes().first(items * column.item_bytes);
    if (stream.read(bytes) < bytes.size()) {
      throw core::DataError::in_file(column.range.name, "has fewer items than its header declares");
    }
  }

  ColumnSource& source_;
  const core::PairShape shape_;
  core::Buffer first_;
  core::Buffer second_;
  core::Buffer weight_;
  core::Array<std::uint64_t> rows_;
  core::Buffer records_;
};

ColumnSource::ColumnSource(core::Environment& environment, core::InputFile input, ColumnLayout layout,
                           const EdgeFacts& facts, unsigned max_lanes)
    : LanedSource(environment, facts), input_(std::move(input)), layout_(std::move(layout)) {
  facts_.name = input_.name();
  open_streams();
  open_lanes(max_lanes,
             batch_edges * (most_item_bytes * (layout_.side_by_side + 3) + facts_.layout.record_bytes()));
}

void ColumnSource::open_streams() {
  const auto open = [&](const std::optional<NumberColumn>& column) {
    std::unique_ptr<ByteStream> stream;
    if (!column) return stream;
    stream = open_range(environment_, input_, column->range);
    std::array<std::byte, 512> header;
    for (std::uint64_t left = column->header_bytes; left > 0;) {
      const auto piece = std::span(header).first(std::min<std::uint64_t>(left, header.size()));
      if (stream->read(piece) < piece.size()) {
        throw core::DataError::in_file(column->range.name, "truncated within the NumPy header");
      }
      left -= piece.size();
    }
    return stream;
  };
  first_.reset();
  second_.reset();
  weight_.reset();
  row_ends_.reset();
  first_ = open(layout_.first);
  second_ = open(layout_.second);
  weight_ = open(layout_.weight);
  row_ends_ = open(layout_.row_ends);
  ends_.clear();
  ends_at_ = 0;
  ends_read_ = row_ = row_end_ = read_ = 0;
  failed_ = false;
  if (!row_ends_) return;
  if (next_row_end() != 0) {
    throw core::DataError::in_file(layout_.row_ends->range.name, "does not begin with 0");
  }
}

std::uint64_t ColumnSource::next_row_end() {
  const NumberColumn& column = *layout_.row_ends;
  if (ends_read_ > layout_.rows) {
    throw core::DataError::in_file(column.range.name, "ends before the last entry belongs to a row");
  }
  if (ends_at_ == ends_.size()) {
    const std::uint64_t left = layout_.rows + 1 - ends_read_;
    ends_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left, ends_at_a_time)) * column.item_bytes);
    if (row_ends_->read(ends_) < ends_.size()) {
      throw core::DataError::in_file(column.range.name, "has fewer items than its header declares");
    }
    ends_at_ = 0;
  }
  const Number end = number_at(column, ends_.data() + ends_at_, 0);
  ends_at_ += column.item_bytes;
  if (end.negative || !end.whole || end.size < row_end_ || end.size > layout_.edges) {
    throw wrong_item(column, ends_read_, end,
                     "a number from " + std::to_string(row_end_) + " to " + std::to_string(layout_.edges));
  }
  ++ends_read_;
  return end.size;
}

std::unique_ptr<WorkingLane> ColumnSource::make_lane(const core::PairShape& shape) {
  return std::make_unique<Lane>(*this, shape);
}

void ColumnSource::rewind() {
  const std::lock_guard lock(mutex_);
  open_streams();
}

}  // namespace emgraph::graph::format
