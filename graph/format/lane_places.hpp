// SPDX-License-Identifier: MIT
// How many lanes of a source work side by side: as many as the memory has room for.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/memory/budget.hpp"
#include "graph/format/record_source.hpp"

namespace emgraph::graph::format {

/// Lanes of `lane_bytes` each that a quarter of the free memory holds; 1 to `wished`.
inline unsigned affordable_lanes(const core::MemoryBudget& budget, std::size_t lane_bytes, unsigned wished) {
  const std::size_t affordable = budget.available() / 4 / std::max<std::size_t>(lane_bytes, 1);
  return static_cast<unsigned>(std::clamp<std::size_t>(affordable, 1, std::max(wished, 1U)));
}

/// A lane without a place: finds no edges, because the others take them all. So a caller with many threads
/// and little memory gets fewer that work, not an error.
class IdleLane final : public RecordLane {
 public:
  RecordBatch next() override { return {}; }
  std::uint64_t first_edge() const override { return 0; }
};

/// Thread-safe. Outlives the places.
class LanePlaces {
 public:
  struct GiveBack {
    void operator()(LanePlaces* places) const { places->taken_.fetch_sub(1); }
  };
  /// Held by a lane while it lives.
  using Place = std::unique_ptr<LanePlaces, GiveBack>;

  /// To be called before the first take().
  void set_most(unsigned most) { most_ = most; }
  unsigned most() const { return most_; }
  /// Null: all are taken.
  Place take() {
    Place place(taken_.fetch_add(1) < most_ ? this : nullptr);
    if (place == nullptr) taken_.fetch_sub(1);
    return place;
  }

 private:
  unsigned most_ = 1;
  std::atomic<unsigned> taken_{0};
};

}  // namespace emgraph::graph::format
