// SPDX-License-Identifier: MIT
// Shapes of records that a run-time layout asks for, and the ids inside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/bytes.hpp"
#include "core/io/codec_pairs.hpp"
#include "graph/edge_facts.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::relabel {

/// That of a Record<Id, A>, Id of `id_bytes`.
inline core::PairShape record_shape(std::size_t id_bytes, std::size_t attachment_bytes) {
  return {.integer_bytes = id_bytes,
          .attachment_bytes = attachment_bytes,
          .row_bytes = core::round_up(2 * id_bytes + attachment_bytes, id_bytes)};
}

/// The smallest one that holds all of an edge.
inline core::PairShape record_shape(const EdgeLayout& layout) {
  return record_shape(layout.id_bytes, padded_attachment(layout.attachment_bytes()));
}

/// Source (`end` 0) or target (1) of a record.
inline std::uint64_t id_at(const core::PairShape& shape, const std::byte* record, std::size_t end) {
  if (shape.integer_bytes == 4) {
    std::uint32_t id = 0;
    std::memcpy(&id, record + end * 4, 4);
    return id;
  }
  std::uint64_t id = 0;
  std::memcpy(&id, record + end * 8, 8);
  return id;
}

/// Requires: the id fits.
inline void set_id(const core::PairShape& shape, std::byte* record, std::size_t end, std::uint64_t id) {
  if (shape.integer_bytes == 4) {
    const auto narrow = static_cast<std::uint32_t>(id);
    std::memcpy(record + end * 4, &narrow, 4);
  } else {
    std::memcpy(record + end * 8, &id, 8);
  }
}

}  // namespace emgraph::graph::relabel
