// SPDX-License-Identifier: MIT
// An edge source that translates the ids of another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/prepare/changed_source.hpp"
#include "graph/prepare/relabel/id_table.hpp"

namespace emgraph::graph::relabel {

/// Replaces ids by their values in a table.
/// Throws as its base, and DataError for an id without a value.
class RelabelledSource final : public prepare::ChangedSource {
 public:
  /// `facts`: of the translated edges. Requires: `inner` is at its first edge.
  RelabelledSource(core::Environment& environment, std::shared_ptr<format::RecordSource> inner,
                   std::shared_ptr<const IdTable> table, EdgeFacts facts, unsigned max_lanes);

  std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) override;

 private:
  class Lane;
  std::unique_ptr<format::WorkingLane> make_lane(const core::PairShape& shape) override;
  core::PairShape inner_shape(const core::PairShape& shape) const override;

  std::shared_ptr<const IdTable> table_;
};

}  // namespace emgraph::graph::relabel
