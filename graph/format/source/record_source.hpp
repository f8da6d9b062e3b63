// SPDX-License-Identifier: MIT
// The shapes of edge records in files and in memory.
#pragma once

#include "core/base/error.hpp"
#include "core/io/codec_pairs.hpp"
#include "graph/edge_source.hpp"

namespace emgraph::graph::format {

/// Weight is the first column, payload the second.
inline core::PairLayout pair_layout(const EdgeLayout& layout) {
  return {.integer_bytes = layout.id_bytes,
          .column_bytes = {weight_bytes(layout.weight), layout.payload_bytes}};
}

using graph::RecordBatch;
using graph::RecordLane;
using graph::RecordSource;

/// An id needs 8 bytes, but the caller requested 4. The caller opens the input again with
/// OpenOptions::id_bytes = 8.
class IdTooWide : public core::DataError {
 public:
  explicit IdTooWide(const core::DataError& error) : core::DataError(error) {}
};

}  // namespace emgraph::graph::format
