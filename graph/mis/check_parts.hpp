// SPDX-License-Identifier: MIT
// The walk over 0 … n-1 that both ways of checking end with.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.hpp"
#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::graph::mis {

/// The ids of a list, one at a time, checked to be ascending.
class MemberList {
 public:
  explicit MemberList(format::NodeReader& reader) : reader_(reader) { advance(); }

  bool at_end() const { return at_end_; }
  std::uint64_t id() const { return id_; }
  std::uint64_t position() const { return position_; }

  void advance() {
    if (batch_.empty()) batch_ = reader_.next();
    if (batch_.empty()) {
      at_end_ = true;
      return;
    }
    const std::uint64_t next = batch_.front();
    batch_ = batch_.subspan(1);
    if (started_ && next <= id_) {
      throw core::DataError("the set is not a sorted list of distinct ids: entry " +
                            std::to_string(position_ + 1) + " is " + std::to_string(next) + " after " +
                            std::to_string(id_));
    }
    if (started_) ++position_;
    started_ = true;
    id_ = next;
  }

 private:
  format::NodeReader& reader_;
  std::span<const std::uint64_t> batch_;
  std::uint64_t id_ = 0;
  std::uint64_t position_ = 0;
  bool started_ = false;
  bool at_end_ = false;
};

inline std::string missing_member(std::uint64_t node) {
  return "node " + std::to_string(node) + " is not in the set, but no smaller neighbour of it is either";
}
inline std::string covered_member(std::uint64_t node) {
  return "node " + std::to_string(node) + " is in the set, and so is a smaller neighbour of it";
}
inline std::string unknown_member(std::uint64_t id, std::uint64_t nodes) {
  return "node " + std::to_string(id) + " is in the set, but the graph has only the nodes below " +
         std::to_string(nodes);
}

}  // namespace emgraph::graph::mis
