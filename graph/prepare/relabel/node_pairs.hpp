// SPDX-License-Identifier: MIT
// An edge source made of values per node: an edge leads from each node to its value.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::relabel {

/// Edge (i, value of node i) for every node i, except nodes without a value (all ones). Only one lane returns
/// edges. I/O: reads the values once. Memory: that of the reader and 128 KiB. Throws: DataError,
/// EnvironmentError.
class NodePairs final : public format::LanedSource {
 public:
  NodePairs(core::Environment& environment, std::unique_ptr<format::NodeReader> values, std::string name,
            unsigned max_lanes);

 private:
  class Lane;
  std::unique_ptr<format::WorkingLane> make_lane(const core::PairShape& shape) override;
  std::unique_ptr<format::NodeReader> values_;
};

}  // namespace emgraph::graph::relabel
