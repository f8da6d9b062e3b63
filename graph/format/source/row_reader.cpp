// SPDX-License-Identifier: MIT
// Zero copies where the file's rows are the records.
#include "graph/format/source/row_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"

namespace emgraph::graph::format {

std::size_t choose_extent_bytes(const core::MemoryBudget& budget, std::size_t row_bytes, unsigned lanes) {
  std::size_t bytes = core::MiB;
  while (bytes > 4 * core::KiB && bytes * (4 + 2 * std::size_t{lanes}) > budget.available() / 8) bytes /= 2;
  return std::max<std::size_t>(1, bytes / row_bytes) * row_bytes;
}

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

}  // namespace emgraph::graph::format
