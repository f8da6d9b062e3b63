// SPDX-License-Identifier: MIT
// The common parts of sources that change the edges of another source while these are in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/memory/buffer.hpp"
#include "graph/format/source/laned_source.hpp"

namespace emgraph::graph::prepare {

/// Base of such sources. I/O: that of the inner source. Memory: per lane 128 KiB and that of an inner lane;
/// only as many lanes return edges as fit in a quarter of the free memory. Threads: any number of lanes.
/// Throws: what the inner source throws.
class ChangedSource : public format::LanedSource {
 public:
  bool in_pieces() const final { return true; }
  bool rewindable() const final { return inner_->rewindable(); }
  void rewind() override {
    inner_->rewind();
    ++readings_;
  }

 protected:
  /// Small enough to stay in the second-level cache until the consumer has read it.
  static constexpr std::size_t batch_bytes = 128 * core::KiB;

  class Lane;

  /// `facts`: of the changed edges. Requires: `inner` is at its first edge.
  ChangedSource(core::Environment& environment, std::shared_ptr<format::RecordSource> inner, EdgeFacts facts)
      : LanedSource(environment, std::move(facts)), inner_(std::move(inner)) {}
  /// The shape in which the inner source gives edges that are wanted in `shape`.
  virtual core::PairShape inner_shape(const core::PairShape& shape) const = 0;

  const std::shared_ptr<format::RecordSource> inner_;
  std::uint64_t readings_ = 0;  ///< number of readings; lanes drop data of an earlier one
};

/// Base of their lanes: a batch of the inner lane, and room for the changed edges.
class ChangedSource::Lane : public format::WorkingLane {
 public:
  bool holds_edges() const override { return done_ < batch_.count || inner_->holds_edges(); }

 protected:
  Lane(const ChangedSource& source, core::MemoryBudget& memory, const core::PairShape& shape,
       const std::string& purpose)
      : from_(source.inner_shape(shape)),
        to_(shape),
        inner_(source.inner_->lane(from_)),
        most_records_(batch_bytes / shape.row_bytes),
        records_(memory, most_records_ * shape.row_bytes, purpose),
        current_(source.readings_),
        reading_(current_) {}

  /// True once after the source was rewound: what is left of the batch belongs to an earlier reading.
  bool began_again() { return std::exchange(reading_, current_) != current_; }
  const std::byte* record(std::size_t number) const { return batch_.records + number * from_.row_bytes; }

  const core::PairShape from_;
  const core::PairShape to_;
  const std::unique_ptr<format::RecordLane> inner_;
  const std::size_t most_records_;
  core::Buffer records_;
  format::RecordBatch batch_;
  std::size_t done_ = 0;  ///< records of the batch that were looked at

 private:
  const std::uint64_t& current_;
  std::uint64_t reading_;
};

}  // namespace emgraph::graph::prepare
