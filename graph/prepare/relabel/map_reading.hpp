// SPDX-License-Identifier: MIT
// Reads the original ids of a map file in order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::graph::relabel {

/// The error message for a node without an id in the map.
inline std::string no_id(std::uint64_t node, const std::string& map, std::uint64_t nodes) {
  return "node " + std::to_string(node) + " found, but " + map + " has ids of " + std::to_string(nodes) +
         " nodes only: is it the map of this graph?";
}

/// Reads the map and checks that the ids ascend. I/O: reads the map once. Memory: that of the reader. Throws:
/// DataError, EnvironmentError.
class MapReading {
 public:
  MapReading(format::NodeReader& map, std::string name) : map_(map), name_(std::move(name)) {}

  /// The next ids, empty at the end.
  std::span<const std::uint64_t> next() {
    const std::span<const std::uint64_t> batch = map_.next();
    for (const std::uint64_t id : batch) {
      if (read_ > 0 && id <= last_) {
        throw core::DataError::in_file(name_, "found id " + std::to_string(id) + " of node " +
                                                  std::to_string(read_) + " after " + std::to_string(last_) +
                                                  ", expected ascending ids, as --relabel --map writes them");
      }
      last_ = id;
      ++read_;
    }
    return batch;
  }
  /// The id of a node; nullopt if the map is shorter. Requires: nodes come in ascending order.
  std::optional<std::uint64_t> id_of(std::uint64_t node) {
    while (node >= read_) {
      batch_ = next();
      if (batch_.empty()) return std::nullopt;
    }
    return batch_[static_cast<std::size_t>(node - (read_ - batch_.size()))];
  }
  /// Number of ids read so far.
  std::uint64_t read() const { return read_; }
  const std::string& name() const { return name_; }

 private:
  format::NodeReader& map_;
  const std::string name_;
  std::span<const std::uint64_t> batch_;
  std::uint64_t read_ = 0;
  std::uint64_t last_ = 0;
};

}  // namespace emgraph::graph::relabel
