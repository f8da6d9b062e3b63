// SPDX-License-Identifier: MIT
// Zero copies where the file's rows are the records.
#include "graph/format/row_reader.hpp"

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
  if (!core::same_bytes(format_.layout, shape_)) {
    records_ =
        core::Buffer(budget_, max_bytes_ / format_.layout.row_bytes() * shape_.row_bytes, "edges being read");
  }
}

RecordBatch RowReader::read(std::uint64_t offset, std::span<const std::byte> rows) {
  if (format_.signed_ids) refuse_negative(offset, rows);
  const std::size_t count = rows.size() / format_.layout.row_bytes();
  const bool aligned = reinterpret_cast<std::uintptr_t>(rows.data()) % shape_.integer_bytes == 0;
  if (aligned && core::same_bytes(format_.layout, shape_)) return {rows.data(), count};
  if (records_.size() == 0) {
    records_ =
        core::Buffer(budget_, max_bytes_ / format_.layout.row_bytes() * shape_.row_bytes, "edges being read");
  }
  core::unpack_pairs(format_.layout, rows.data(), count, shape_, records_.data());
  return {records_.data(), count};
}

void RowReader::refuse_negative(std::uint64_t offset, std::span<const std::byte> rows) const {
  const std::size_t width = format_.layout.integer_bytes;
  const std::size_t row_bytes = format_.layout.row_bytes();
  for (std::size_t at = 0; at < rows.size(); at += row_bytes) {
    for (std::size_t id = at; id < at + 2 * width; id += width) {
      if ((rows[id + width - 1] & std::byte{0x80}) == std::byte{0}) continue;
      std::int64_t value = -1;
      std::memcpy(&value, &rows[id], width);
      throw core::DataError::at_offset(file_, offset + id,
                                       "negative id " + std::to_string(value) + ", expected 0 or more");
    }
  }
}

}  // namespace emgraph::graph::format
