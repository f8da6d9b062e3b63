// SPDX-License-Identifier: MIT
// The values of a node result that a check reads, one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/format/nodes/node_reader.hpp"

namespace emgraph::graph::format {

/// All ones in 4 bytes, the mark of nodes without a value, become all ones in 8 bytes. Throws: as NodeReader.
class ClaimedValues {
 public:
  /// `text_bytes`: the width of values in text, which does not say it.
  ClaimedValues(NodeReader& reader, std::size_t text_bytes)
      : reader_(reader),
        narrow_(!reader.floating() && width(reader, text_bytes) == 4),
        batch_(reader.next()) {}

  bool at_end() const { return batch_.empty(); }
  std::uint64_t take() {
    const std::uint64_t value = batch_.front();
    batch_ = batch_.subspan(1);
    if (batch_.empty()) batch_ = reader_.next();
    return narrow_ && value == 0xffffffff ? ~std::uint64_t{0} : value;
  }

 private:
  static std::size_t width(const NodeReader& reader, std::size_t text_bytes) {
    return reader.value_bytes() == 0 ? text_bytes : reader.value_bytes();
  }

  NodeReader& reader_;
  const bool narrow_;
  std::span<const std::uint64_t> batch_;
};

}  // namespace emgraph::graph::format
