// SPDX-License-Identifier: MIT
// Distinct ids held in memory, numbered in ascending order.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "graph/prepare/relabel/id_table.hpp"
#include "graph/sinks.hpp"

namespace emgraph::graph::relabel {

/// The value of an id is its rank among the ids.
class IdRanks : public IdTable {
 public:
  /// The number of ids.
  virtual std::uint64_t size() const = 0;
  /// Writes all ids in ascending order.
  virtual void write(NodeSink<std::uint64_t>& sink) const = 0;

  std::string missing(std::uint64_t id) const final {
    return "id " + std::to_string(id) +
           " found, which was not there when the ids were collected: the input has changed while it was read";
  }
};

}  // namespace emgraph::graph::relabel
