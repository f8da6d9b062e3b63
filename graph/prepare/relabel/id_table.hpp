// SPDX-License-Identifier: MIT
// What ids are translated by, in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace emgraph::graph::relabel {

/// Immutable once complete; then any number of threads may ask.
class IdTable {
 public:
  virtual ~IdTable() = default;
  /// Replaces every id by its value. Returns the first id that has none; the rest of `ids` is undefined then.
  virtual std::optional<std::uint64_t> replace(std::span<std::uint64_t> ids) const = 0;
  /// What is wrong when edges have an id without a value.
  virtual std::string missing(std::uint64_t id) const = 0;
};

}  // namespace emgraph::graph::relabel
