// SPDX-License-Identifier: MIT
// Reads all edges of a feed as codes, with pauses for a checkpoint.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/checkpoint/checkpoint.hpp"
#include "graph/mst/edge_code.hpp"
#include "graph/mst/edge_feed.hpp"

namespace emgraph::graph::mst {

/// Calls `take(thread, step, codes)` for all steps; false if some edge has no code. With a checkpoint, calls
/// `seal()` when it is due, while no thread reads and the edges read are the first ones of the input.
/// Threads: those of the feed call `take`. Throws: as the feed; core::Stopped.
template <class Code, class Take, class Seal>
bool for_each_step(EdgeFeed& feed, const EdgeCodes<Code>& edge_codes, core::Checkpoint* checkpoint,
                   const Take& take, const Seal& seal) {
  std::atomic<bool> narrow{false};
  std::vector<char> ended(feed.threads());
  for (;;) {
    std::atomic<bool> pause{false};
    feed.on_threads([&](unsigned thread) {
      FeedStep step;
      std::array<Code, FeedStep::most_edges> codes;
      const CodeLayout& layout = edge_codes.layout();
      while (!ended[thread] && !narrow.load(std::memory_order_relaxed)) {
        if (checkpoint != nullptr && feed.pauses(thread, pause)) return;
        if (!feed.next(thread, step)) {
          ended[thread] = 1;
          return;
        }
        std::uint64_t weights = 0;
        std::uint64_t ids = 0;
#pragma omp simd reduction(| : weights, ids)
        for (std::size_t i = 0; i < step.count; ++i) {
          weights |= step.weight[i] - layout.weight_base;
          ids |= step.high[i];
          codes[i] = edge_codes.make(step.weight[i], step.low[i], step.high[i]);
        }
        if (!layout.holds(weights, ids)) {
          narrow.store(true);
          return;
        }
        take(thread, step, codes);
      }
    });
    if (narrow) return false;
    if (std::all_of(ended.begin(), ended.end(), [](char lane) { return lane != 0; })) return true;
    if (feed.at_prefix()) seal();
    checkpoint->stop_if_asked();
  }
}

}  // namespace emgraph::graph::mst
