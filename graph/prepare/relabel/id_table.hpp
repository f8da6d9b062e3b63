// SPDX-License-Identifier: MIT
// The interface of tables in memory that translate ids.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace emgraph::graph::relabel {

/// Immutable when complete. Threads: any number of readers.
class IdTable {
 public:
  virtual ~IdTable() = default;
  /// Replaces every id by its value. Returns the first id without a value, if any; `ids` is undefined then.
  virtual std::optional<std::uint64_t> replace(std::span<std::uint64_t> ids) const = 0;
  /// The error message for an id without a value.
  virtual std::string missing(std::uint64_t id) const = 0;
};

}  // namespace emgraph::graph::relabel
