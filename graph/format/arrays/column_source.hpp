// SPDX-License-Identifier: MIT
// Edges whose sources, targets and weights are arrays of numbers, one after another or in several members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/arrays/byte_stream.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::format {

/// Items of 1, 2, 4 or 8 bytes.
struct NumberColumn {
  ByteRange range;
  std::uint64_t header_bytes = 0;  ///< bytes of the range before the first item
  char kind = 'u';                 ///< u, i or f
  std::size_t item_bytes = 4;
  bool big_endian = false;
};

/// The arrays of edges.
struct ColumnLayout {
  std::uint64_t edges = 0;
  /// One end of each edge. Absent if row_ends gives it.
  std::optional<NumberColumn> first = std::nullopt;
  /// The other end. Absent if `first` holds all items of an edge side by side.
  std::optional<NumberColumn> second = std::nullopt;
  std::optional<NumberColumn> weight = std::nullopt;
  /// Items of an edge in `first`: 2, or 3 with a weight.
  std::size_t side_by_side = 1;
  /// Number of the first entry of each row, and of all entries: rows + 1 items.
  std::optional<NumberColumn> row_ends = std::nullopt;
  std::uint64_t rows = 0;
  bool swapped = false;  ///< the first end is the target: compressed columns
};

/// Method: under a lock, a lane reads the next 16 Ki edges of all arrays, and follows the row ends; it
/// converts them without the lock. Memory: a ByteStream per array; per lane 32 to 48 bytes per edge of a
/// batch and its records. Throws: DataError if an id has a fraction, is negative or not below n, if a weight
/// does not fit its type, or if row ends descend; IdTooWide.
class ColumnSource final : public LanedSource {
 public:
  /// `facts`: with the layout of the records and the number of edges. Requires: a seekable file.
  ColumnSource(core::Environment& environment, core::InputFile input, ColumnLayout layout,
               const EdgeFacts& facts, unsigned max_lanes);

  bool rewindable() const override { return true; }
  void rewind() override;

 private:
  class Lane;
  std::unique_ptr<WorkingLane> make_lane(const core::PairShape& shape) override;
  void open_streams();
  std::uint64_t next_row_end();

  core::InputFile input_;
  const ColumnLayout layout_;
  std::mutex mutex_;  // guards the members below
  std::unique_ptr<ByteStream> first_;
  std::unique_ptr<ByteStream> second_;
  std::unique_ptr<ByteStream> weight_;
  std::unique_ptr<ByteStream> row_ends_;
  std::vector<std::byte> ends_;  // items of row_ends_ that were read
  std::size_t ends_at_ = 0;
  std::uint64_t ends_read_ = 0;
  std::uint64_t row_ = 0;
  std::uint64_t row_end_ = 0;  // of row_
  std::uint64_t read_ = 0;
  bool failed_ = false;  // after an error no lane can continue
};

}  // namespace emgraph::graph::format
