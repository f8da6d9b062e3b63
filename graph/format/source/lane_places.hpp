// SPDX-License-Identifier: MIT
// How many lanes of a source work side by side: as many as the memory has room for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "core/memory/budget.hpp"
#include "graph/format/source/record_source.hpp"

namespace emgraph::graph::format {

/// Lanes of `lane_bytes` each that a quarter of the free memory holds; at least 1.
inline std::size_t affordable_lanes(const core::MemoryBudget& budget, std::size_t lane_bytes) {
  return std::max<std::size_t>(1, budget.available() / 4 / std::max<std::size_t>(lane_bytes, 1));
}

/// Thread-safe. Outlives the places.
class LanePlaces {
 public:
  struct GiveBack {
    bool working = false;
    void operator()(LanePlaces* places) const { places->give_back(working); }
  };
  /// Held by a lane while it lives; says whether it works or is idle.
  using Place = std::unique_ptr<LanePlaces, GiveBack>;

  /// To be called before the first take(). `lanes`: how many there will be at most, of which `working` work.
  void open(unsigned lanes, std::size_t working) {
    lanes_left_ = std::max(lanes, 1U);
    working_ = static_cast<unsigned>(std::min<std::size_t>(lanes_left_, working));
    working_left_ = working_;
  }
  unsigned working() const { return working_; }
  /// One lane more than announced could be one that finds nothing where all edges are expected:
  /// std::logic_error.
  Place take() {
    const std::lock_guard lock(mutex_);
    if (lanes_left_ == 0) throw std::logic_error("more lanes at a time than OpenOptions::max_lanes");
    const bool works = working_left_ > 0;
    --lanes_left_;
    working_left_ -= works ? 1 : 0;
    return {this, GiveBack{works}};
  }

 private:
  void give_back(bool working) {
    const std::lock_guard lock(mutex_);
    ++lanes_left_;
    working_left_ += working ? 1 : 0;
  }

  std::mutex mutex_;
  unsigned working_ = 1;
  unsigned lanes_left_ = 1;
  unsigned working_left_ = 1;
};

/// A lane that finds no edges, because the working ones take them all: a caller with many threads and little
/// memory gets fewer that work, not an error.
class IdleLane final : public RecordLane {
 public:
  explicit IdleLane(LanePlaces::Place place) : place_(std::move(place)) {}
  RecordBatch next() override { return {}; }
  std::uint64_t first_edge() const override { return 0; }

 private:
  const LanePlaces::Place place_;
};

}  // namespace emgraph::graph::format
