// SPDX-License-Identifier: MIT
// Predicts the order in which a merge needs the blocks of its runs.
//
// Problem: compute the order in which BatchMerger requests blocks, before any of them is read.
// Method: block j > 0 of a run is requested when block j - 1 is exhausted. A round takes no record beyond its
// bound, the least of the windows' last records. So it exhausts a block that is not the last of its run only
// if the last record of the block is the bound. Hence blocks are requested in the order of the last records
// of their predecessors. Ties are broken by the number of the run, because the merger refills windows in that
// order. Exception: if equal records fill several blocks of several runs, the rounds take the same amount
// from each run, so the runs advance side by side. Therefore the number of previous blocks with the same last
// record is compared before the number of the run. If such a stretch begins inside a block, the prediction
// can be wrong by a few blocks; the prefetcher tolerates that. Invariants: the heap holds each run with a
// further block, by (last record of its block in use, number of previous blocks with the same last record,
// number of the run). Knuth (1998), "The Art of Computer Programming" 3, section 5.4.9 (forecasting);
// "prediction sequence": Hutchinson, Sanders, Vitter (2005), doi 10.1137/S0097539703431573.
//
// I/O: none; O(log k) time per block of k runs.
// Memory: 72 bytes per run, not charged; the last records belong to the caller.
// Threads: one user.
// Throws: nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/sort/block_ends.hpp"

namespace emgraph::core {

template <class T, class Less>
class PredictionSequence {
 public:
  explicit PredictionSequence(Less less) : less_(less) {}

  /// Adds the next run, of `blocks` >= 1 blocks. Requires: ends.known(), with at least blocks - 1 ends.
  void add(const RunEnds<T>& ends, std::size_t blocks) {
    if (blocks > 1) {
      heap_.push_back({.ends = ends, .blocks = blocks, .run = runs_});
      std::push_heap(heap_.begin(), heap_.end(), later());
    }
    ++runs_;
  }

  /// The run whose next block is requested; the first blocks of runs are not counted. nullopt at the end.
  std::optional<std::size_t> next() {
    if (heap_.empty()) return std::nullopt;
    std::pop_heap(heap_.begin(), heap_.end(), later());
    Front& front = heap_.back();
    const std::size_t run = front.run;
    if (++front.in_use + 1 == front.blocks) {
      heap_.pop_back();
    } else {
      const bool same = !less_(front.ends[front.in_use - 1], front.ends[front.in_use]);
      front.same_before = same ? front.same_before + 1 : 0;
      std::push_heap(heap_.begin(), heap_.end(), later());
    }
    return run;
  }

 private:
  struct Front {
    RunEnds<T> ends;
    std::size_t blocks = 0;
    std::size_t run = 0;
    std::size_t in_use = 0;
    std::size_t same_before = 0;
    const T& last() const { return ends[in_use]; }
  };
  auto later() const {
    return [this](const Front& a, const Front& b) {
      if (less_(b.last(), a.last())) return true;
      if (less_(a.last(), b.last())) return false;
      return std::pair(a.same_before, a.run) > std::pair(b.same_before, b.run);
    };
  }

  Less less_;
  std::size_t runs_ = 0;
  std::vector<Front> heap_;
};

}  // namespace emgraph::core
