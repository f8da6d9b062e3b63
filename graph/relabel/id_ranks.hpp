// SPDX-License-Identifier: MIT
// Distinct ids held in memory, numbered in ascending order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "graph/node_sink.hpp"

namespace emgraph::graph::relabel {

/// Immutable once complete; then any number of threads may ask.
class IdRanks {
 public:
  virtual ~IdRanks() = default;
  /// How many ids there are.
  virtual std::uint64_t size() const = 0;
  /// Replaces every id by its number. Returns the first id that is not among them; the rest of `ids` is
  /// undefined then.
  virtual std::optional<std::uint64_t> replace(std::span<std::uint64_t> ids) const = 0;
  /// All ids, ascending: the id of number 0 first.
  virtual void write(NodeSink<std::uint64_t>& sink) const = 0;
};

}  // namespace emgraph::graph::relabel
