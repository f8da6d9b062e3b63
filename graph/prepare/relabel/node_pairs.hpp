// SPDX-License-Identifier: MIT
// A value per node seen as edges from the node to its value.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "graph/edge_facts.hpp"
#include "graph/format/nodes/node_reader.hpp"
#include "graph/format/source/lane_places.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::relabel {

/// Edge (i, value of node i) for every node; nodes whose value is all ones have none and are left out. One
/// lane works. I/O: the values once. Memory: the reader's and 128 KiB. Throws: DataError, EnvironmentError.
class NodePairs final : public format::RecordSource {
 public:
  NodePairs(core::Environment& environment, std::unique_ptr<format::NodeReader> values, std::string name,
            unsigned max_lanes);

  const EdgeFacts& facts() const override { return facts_; }
  std::unique_ptr<format::RecordLane> lane(const core::PairShape& shape) override;
  bool rewindable() const override { return false; }
  void rewind() override;
  std::vector<std::byte> sample(const core::PairShape&, std::size_t) override { return {}; }

 private:
  class Lane;
  core::Environment& environment_;
  std::unique_ptr<format::NodeReader> values_;
  EdgeFacts facts_;
  format::LanePlaces places_;
};

}  // namespace emgraph::graph::relabel
