// SPDX-License-Identifier: MIT
// Reads the edges of a regular file with compressed sparse rows.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/environment.hpp"
#include "core/io/extent_reader.hpp"
#include "core/io/input_file.hpp"
#include "graph/format/csr/csr_rows.hpp"
#include "graph/format/source/held_extent.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::format {

/// Method: neighbours are read in equal stretches, independent of degrees. Under a lock, a lane takes the
/// next stretch and follows the row ends to find the nodes of its entries. It makes edges without the lock.
/// Both parts are read ahead. Each stretch overlaps the previous one by an entry, so that the order is
/// checked across stretches. Memory: per lane a stretch (at most 64 Ki entries) and its edges, some stretches
/// and row ends read ahead; working lanes take at most a quarter of the free memory. Throws: DataError if row
/// ends descend or disagree with the number of entries, and as CsrRows.
class CsrSource final : public LanedSource {
 public:
  /// `facts.layout`: layout of the records. Requires: the parts of `layout` are within the file.
  CsrSource(core::Environment& environment, core::InputFile input, const CsrLayout& layout,
            const EdgeFacts& facts, unsigned max_lanes);
  ~CsrSource() override;

  bool rewindable() const override { return true; }
  void rewind() override;
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  std::unique_ptr<WorkingLane> make_lane(const core::PairShape& shape) override;
  struct Parts;
  std::uint64_t next_end_locked();
  void walk_locked(CsrRows& rows, std::uint64_t first_entry, std::uint64_t end_entry);
  void walk_rest_locked();
  std::uint64_t check_end(std::uint64_t node, std::uint64_t before, std::uint64_t end) const;
  std::vector<std::uint64_t> read_ends(std::uint64_t node, std::size_t count);
  std::uint64_t node_of(std::uint64_t entry);

  core::InputFile input_;
  const CsrLayout layout_;
  std::size_t stretch_entries_ = 0;
  std::mutex mutex_;  // guards the members below
  std::unique_ptr<Parts> parts_;
  std::size_t ends_used_ = 0;    // used ones of the row ends in memory
  std::uint64_t next_node_ = 0;  // node of the next row end
  std::uint64_t row_end_ = 0;    // row end of the previous node
  bool failed_ = false;          // after an error no lane can continue
};

}  // namespace emgraph::graph::format
