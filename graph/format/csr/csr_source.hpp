// SPDX-License-Identifier: MIT
// Reads the edges of a graph that lies in a regular file as compressed sparse rows.
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

/// Method: neighbours are read in equal stretches, whatever their nodes' degrees; a lane takes the next one
/// and, in the same turn, walks the row ends to learn whose entries they are. Edges are made outside the
/// lock. Both parts are read ahead. Each stretch overlaps the one before by an entry, so that order is
/// checked across them. Memory: per lane a stretch (at most 64 Ki entries) and its edges, some stretches and
/// row ends read ahead; as many lanes work as a quarter of the free memory holds. Throws: DataError where row
/// ends descend or disagree with the number of entries, and as CsrRows.
class CsrSource final : public LanedSource {
 public:
  /// Requires: the parts of `layout` lie within the file. `facts.layout` is what the records carry.
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
  std::mutex mutex_;  // guards what follows
  std::unique_ptr<Parts> parts_;
  std::size_t ends_used_ = 0;    // of the row ends held
  std::uint64_t next_node_ = 0;  // whose row end is read next
  std::uint64_t row_end_ = 0;    // of the node before
};

}  // namespace emgraph::graph::format
