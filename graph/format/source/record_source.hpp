// SPDX-License-Identifier: MIT
// Edge records as bytes, in a shape chosen at run time: what each format implements, once for all record
// types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/error.hpp"
#include "core/io/codec_pairs.hpp"
#include "graph/edge_facts.hpp"
#include "graph/types.hpp"

namespace emgraph::graph::format {

/// The shape of a Record<Id, A>.
template <class R>
constexpr core::PairShape shape_of() {
  return {.integer_bytes = sizeof(typename R::id_type),
          .attachment_bytes = R::attachment_bytes,
          .row_bytes = sizeof(R)};
}

/// Weight is the first column, payload the second.
inline core::PairLayout pair_layout(const EdgeLayout& layout) {
  return {.integer_bytes = layout.id_bytes,
          .column_bytes = {weight_bytes(layout.weight), layout.payload_bytes}};
}

/// Records in the asked shape, aligned for their ids.
struct RecordBatch {
  const std::byte* records = nullptr;
  std::size_t count = 0;
};

/// As EdgeLane (graph/edge_source.hpp).
class RecordLane {
 public:
  virtual ~RecordLane() = default;
  /// count = 0 at the end.
  virtual RecordBatch next() = 0;
  virtual std::uint64_t first_edge() const = 0;
};

/// As EdgeSource. The source outlives its lanes. All lanes have one shape.
class RecordSource {
 public:
  virtual ~RecordSource() = default;
  virtual const EdgeFacts& facts() const = 0;
  virtual std::unique_ptr<RecordLane> lane(const core::PairShape& shape) = 0;
  virtual bool rewindable() const = 0;
  virtual void rewind() = 0;
  /// About `count` records, back to back.
  virtual std::vector<std::byte> sample(const core::PairShape& shape, std::size_t count) = 0;
};

/// An id needs 8 bytes where the caller asked for 4: open again with OpenOptions::id_bytes = 8.
class IdTooWide : public core::DataError {
 public:
  explicit IdTooWide(const core::DataError& error) : core::DataError(error) {}
};

}  // namespace emgraph::graph::format
