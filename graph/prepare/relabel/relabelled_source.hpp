// SPDX-License-Identifier: MIT
// Edges whose ids are translated while they are read.
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

/// Edges with the values of a table for ids.
/// I/O: that of the source inside. Memory: 128 KiB per lane on top of its lane; as many lanes work as a
/// quarter of the free memory holds. Throws: what the source inside throws, DataError for an id without a
/// value.
class RelabelledSource final : public format::LanedSource {
 public:
  /// `facts`: of the edges as they come out. `inner` stands at its first edge.
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
  std::uint64_t readings_ = 0;  ///< tells lanes that what they hold is of an earlier one
};

}  // namespace emgraph::graph::relabel
