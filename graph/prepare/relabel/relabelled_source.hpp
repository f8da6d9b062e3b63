// SPDX-License-Identifier: MIT
// An edge source that translates the ids of another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/source/laned_source.hpp"
#include "graph/prepare/relabel/id_table.hpp"

namespace emgraph::graph::relabel {

/// Replaces ids by their values in a table.
/// I/O: that of the inner source. Memory: per lane 128 KiB and that of an inner lane; only as many lanes
/// return edges as fit in a quarter of the free memory. Throws: what the inner source throws; DataError for
/// an id without a value.
class RelabelledSource final : public format::LanedSource {
 public:
  /// `facts`: of the translated edges. Requires: `inner` is at its first edge.
  RelabelledSource(core::Environment& environment, std::shared_ptr<format::RecordSource> inner,
                   std::shared_ptr<const IdTable> table, EdgeFacts facts, unsigned max_lanes);

  bool rewindable() const override { return inner_->rewindable(); }
  void rewind() override {
    inner_->rewind();
    ++readings_;
  }
  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  std::unique_ptr<format::WorkingLane> make_lane(const core::PairShape& shape) override;
  core::PairShape inner_shape(const core::PairShape& shape) const;

  std::shared_ptr<format::RecordSource> inner_;
  std::shared_ptr<const IdTable> table_;
  std::uint64_t readings_ = 0;  ///< number of readings; lanes drop data of an earlier one
};

}  // namespace emgraph::graph::relabel
