// SPDX-License-Identifier: MIT
// In which order a merge will need the blocks of its runs.
//
// Problem: tell the order in which BatchMerger asks for blocks, before any of them is read.
// Method: block j > 0 of a run is asked for when block j - 1 has been used up. A round takes no record beyond
// its bound, the least of the windows' last records, so it uses a block up with more of the run on disk only
// if the block's last record is the bound: blocks go in the order of their last records. Those of one round
// have equal ones, and the merger refills windows in the order of the runs: ties by number of the run.
// A run of equal records over several blocks is the exception: rounds take as much from each run, so that the
// runs go through them side by side. Hence the blocks that a run has had with the same last record come
// before its number. Where runs come to such a stretch in the midst of a block that is a guess, which can
// be wrong by a few blocks; the prefetcher gets along with that.
// Invariants: the heap holds each run that has a block left, by (last record of its block in use, blocks
// before that one with the same, number).
// Knuth (1998), "The Art of Computer Programming" 3, section 5.4.9 (forecasting); "prediction sequence":
// Hutchinson, Sanders, Vitter (2005), doi 10.1137/S0097539703431573.
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

  /// The next run, of `blocks` >= 1 blocks. Requires: ends.known(), with at least blocks - 1 of them.
  void add(const RunEnds<T>& ends, std::size_t blocks) {
    if (blocks > 1) {
      heap_.push_back({.ends = ends, .blocks = blocks, .run = runs_});
      std::push_heap(heap_.begin(), heap_.end(), later());
    }
    ++runs_;
  }

  /// The run whose next block is asked for, its first one not counted; nothing at the end.
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
